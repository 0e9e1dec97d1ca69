"""Tries a wheel in a fresh environment, outside the checkout: commands, a server, and the tests."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

from tools.packing import Run

PATIENCE = 60.0  # Seconds to wait for the server.
TEST_TOOLS = ("hypothesis", "pytest", "pytest-xdist")
TESTS = (
    "tests/bots",
    "tests/client",
    "tests/conundrum",
    "tests/draw",
    "tests/review",
    "tests/rules",
    "tests/study",
    "tests/server/http/test_http.py",
    "tests/server/games/test_play.py",
    "tests/server/database/test_restart.py",
    "tests/server/operating/test_serve_command.py",
)
"""The tests to run in addition to all of `tests/test_*.py`; `CHECKOUT_TESTS` are left out."""
CHECKOUT_TESTS = ("tests/rules/test_choices.py", "tests/project/test_docs.py", "tests/project/test_release.py")
"""Tests that need all extras, or the checkout's docs and tools, which aren't in a wheel."""

_LOCATION_AND_KERNEL = "import chromino; from chromino.bots import kernel; print(chromino.__file__, kernel.COMPILED)"


class Broken(Exception):
    """The installed package doesn't do what it should."""


class Trial:
    """One wheel in one folder. Call `install` first, then the other methods."""

    def __init__(self, folder: Path, wheel: Path, constraints: Path, run: Run) -> None:
        self._folder = folder
        self._wheel = wheel
        self._constraints = constraints
        self._run = run
        self._bin = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("CHROMINO_", "PYTHON"))}
        self._environment = {
            **inherited,
            "XDG_DATA_HOME": str(folder / "data"),
            "NO_PROXY": "*",
            "PYTHONUNBUFFERED": "1",
        }

    def install(self) -> str:
        """Install the wheel into an empty environment, which reveals missing dependencies."""
        self._run(sys.executable, "-m", "venv", self._folder / "venv")
        self._pip(str(self._wheel))
        return "installed"

    def check(self, version: str, *, has_kernel: bool) -> str:
        """Check that Python uses the installed package, and that it has the right version and kernel."""
        location, is_compiled = self._ask("python", "-c", _LOCATION_AND_KERNEL).split()
        if not Path(location).is_relative_to(self._folder / "venv"):
            raise Broken(f"chromino is imported from {location}, not from where it's installed")
        if is_compiled != str(has_kernel):
            raise Broken(f"the kernel is {'missing' if has_kernel else 'included by mistake'}")
        if (said := self._ask("chromino", "--version").strip()) != f"chromino {version}":
            raise Broken(f"chromino --version says {said!r}")
        return f"{said}, {'with' if has_kernel else 'without'} the kernel"

    def play(self) -> str:
        """Play whole games: bots against each other, and a person at the keyboard against bots."""
        match = json.loads(self._ask("chromino", "match", "fox", "snail", "--games", "20", "--json"))
        if match["games"] != 20:
            raise Broken(f"chromino match played {match['games']} games instead of 20")
        said = self._ask("chromino", "play", "--plain", "--bots", "2", "--name", "Ada", typed="1\n" * 500)
        record = said.split()[-1]
        replayed = self._ask("chromino", "replay", record).splitlines()
        if not re.search(r"\bwins?\b", replayed[-1]):
            raise Broken(f"the replay of a finished game doesn't say who won: {replayed[-1]!r}")
        return "21 games played"

    def serve(self) -> str:
        """Load the page with everything it needs, and start a game over HTTP."""
        with self._server() as address:
            opener = build_opener(ProxyHandler({}))
            page = opener.open(address, timeout=PATIENCE).read().decode()
            files = [file for file in re.findall(r'(?:src|href)="(/[^"]+)"', page) if not file.startswith("//")]
            for path in ("/readyz", "/api/openapi.json", "/lang/en.json", "/rules/en.json", *files):
                with opener.open(address.rstrip("/") + path, timeout=PATIENCE) as answer:
                    if not answer.read():
                        raise Broken(f"{path} is empty")
            seats = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "name": "Fox", "level": 3}]
            new = Request(f"{address}api/games", json.dumps({"seats": seats}).encode())  # noqa: S310
            new.add_header("Content-Type", "application/json")
            with opener.open(new, timeout=PATIENCE) as answer:
                if "game" not in json.load(answer):
                    raise Broken("the server didn't start a game")
        return f"served the page, its {len(files)} files, and a game"

    def test(self, source: Path) -> str:
        """Run the source distribution's tests against the installed package."""
        with tarfile.open(source) as archive:
            archive.extractall(self._folder, filter="data")
        (unpacked,) = self._folder.glob("chromino-*")
        (unpacked / "src").rename(self._folder / "not-to-be-imported")
        project = tomllib.loads((unpacked / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        extras = ",".join(re.findall(r"chromino\[([\w,]+)\]", " ".join(project["optional-dependencies"]["dev"])))
        self._pip(f"{self._wheel}[{extras}]" if extras else str(self._wheel), *TEST_TOOLS)
        files = {f"tests/{file.name}" for file in (unpacked / "tests").glob("test_*.py")} - {*CHECKOUT_TESTS}
        arguments = ["-m", "pytest", "-p", "no:cacheprovider", "-m", "not heavy and not web and not long"]
        arguments += [f"--ignore={file}" for file in CHECKOUT_TESTS]
        said = self._ask("python", *arguments, *sorted(files), *TESTS, cwd=unpacked)
        *lines, summary = said.strip().splitlines()
        if not re.fullmatch(r"\d+ passed in .*", summary):  # No tests may be skipped or expected to fail.
            raise Broken(f"the tests say {summary!r}")
        return " ".join([summary, *(line for line in lines[-1:] if "were left out" in line)])

    def _pip(self, *wanted: str) -> None:
        pip = [self._bin / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        self._run(*pip, "--constraint", self._constraints, *wanted, env=self._environment)

    def _ask(self, program: str, *arguments: str, typed: str = "", cwd: Path | None = None) -> str:
        return self._run(self._bin / program, *arguments, env=self._environment, cwd=cwd or self._folder, typed=typed)

    @contextmanager
    def _server(self) -> Iterator[str]:
        arguments = ["serve", "--no-open", "--port", "0", "--database", self._folder / "games.sqlite"]
        process = subprocess.Popen(
            [str(self._bin / "chromino"), *map(str, arguments)],
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
            said = process.stdout.readline() if ready else ""
            address = re.search(r"http://\S+", said)
            if address is None:
                process.kill()
                raise Broken(f"the server didn't start: {said}{process.communicate()[1]}")
            yield address[0]
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)
