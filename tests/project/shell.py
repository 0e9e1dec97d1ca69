"""Runs the shell lines in the documents in a temporary folder, as a person would.

What a line needs (`game.jsonl`, `games.backup`, PostgreSQL, someone to play with) is set up beforehand. `SMALLER`
shortens what would take too long; nothing else in a line changes. Add new programs to `_PROGRAMS`.
"""

from __future__ import annotations

import io
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import pytest

from chromino import Rules
from chromino.cli import main
from chromino.server.database.store import Store
from chromino.server.people import people, ratings
from chromino.server.people.identity import hashed
from tests.helpers import states
from tests.project.documents import ROOT
from tests.server.sites.databases import in_store
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.postgres import Postgres
from tests.server.sites.serving import COMMAND, PATIENCE, Client, gathering_when, plant

SMALLER: Mapping[str, str] = {
    r"^chromino (match|tournament) .*": r"\g<0> --games 2",  # If an option is given twice, the last one counts.
    r"^chromino match 5 ": "chromino match 3 ",  # Higher levels think longer.
    r"^chromino tournament 1 2 3 4 5 ": "chromino tournament 1 2 3 ",
    r"^chromino review .*": r"\g<0> --playouts 2000",
    r"^chromino conundrum book .*": r"\g<0> --count 2",
    r"^chromino study(?= --|$)": "chromino study length",  # One question instead of all.
    r"^chromino study .*": r"\g<0> --games 4 --jobs 1 --bot 1 --players 2",
    r"--jobs \d+": "--jobs 1",
    r"--workers \d+": "--workers 1",  # Other tests try several.
    r"--port \d+": "--port 0",  # Any free port.
}

ELSEWHERE = r" --cluster tcp://scheduler:"
"""Lines that need other machines: their options are checked, but they aren't run."""

LINKS = r"http://localhost:8075/join/ID|\bLINK\b"
"""Stands for the link to a table that a friend has opened."""

GAME = "3xQ…"
"""Stands for the id of a game."""


class Shell:
    """A folder, an environment, and anyone else who's needed: `Shell(folder, monkeypatch, …).run(block)`."""

    def __init__(
        self,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        postgres: Callable[[], Postgres],
        site: Callable[[], InProcessServer],
    ) -> None:
        self.folder = folder
        self._monkeypatch = monkeypatch
        self._postgres = postgres
        self._site = site
        self._game = ""
        monkeypatch.chdir(folder)
        monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
        monkeypatch.setenv("CHROMINO_DATABASE", str(folder / "kept.sqlite"))
        monkeypatch.setenv("NO_PROXY", "*")
        monkeypatch.setenv("BROWSER", "true")  # This "browser" shows nothing.
        monkeypatch.setenv("COLUMNS", "120")

    def run(self, text: str) -> None:
        """Run all lines of a block; the first failure is reported."""
        self._prepare(text)
        for line in text.replace("\\\n", " ").splitlines():
            if words := _smaller(shlex.split(line, comments=True)):
                assert words[0] in _PROGRAMS, f"{line!r}: teach tests/project/shell.py what to do with {words[0]}"
                _PROGRAMS[words[0]](self, words[1:])

    def _prepare(self, text: str) -> None:
        if "game.jsonl" in text:
            *_, game = states(Rules.expert(), 2, seed=4)
            (self.folder / "game.jsonl").write_text(str(game.record), encoding="utf-8")
        if "./mybot" in text:
            example = (ROOT / "examples" / "bots" / "awkward.py").read_text(encoding="utf-8")
            program = self.folder / "mybot"
            program.write_text(f"#!{sys.executable}\n{example}", encoding="utf-8")
            program.chmod(0o755)
        if "chromino admin" in text:
            *_, game = states(Rules.classic(), 2, seed=4)
            self._game, secret = plant(self.folder / "kept.sqlite", game, {1: "snail"})
            if "admin find" in text:
                self._be_listed(secret, "Rude name")
            if "games.backup" in text:
                self.chromino(["admin", "backup", "games.backup"])
        if "postgresql://" in text:
            postgres = self._postgres()
            for name, value in (("PGPORT", str(postgres.port)), ("PGUSER", "chromino"), ("PGHOST", "127.0.0.1")):
                self._monkeypatch.setenv(name, value)
            postgres.execute("DROP DATABASE IF EXISTS chromino WITH (FORCE)")
            if "createdb" not in text:
                self.createdb(["chromino"])

    def _be_listed(self, secret: str, name: str) -> None:
        async def work(store: Store) -> None:
            person = await store.read(people.find(hashed(secret)))
            assert person is not None
            await store.write(ratings.be_listed(person, name))

        in_store(self.folder / "kept.sqlite", work)

    def chromino(self, words: list[str]) -> None:
        """Run the command in this process, where it starts at once."""
        words = [word.replace(GAME, self._game) for word in words]
        if re.search(ELSEWHERE, shlex.join(words)):
            words.append("--help")  # Unknown options are refused before help is shown.
        if not words or words[0] == "serve":
            self._serve(words)
            return
        if words[:2] == ["bot", "connect"]:
            self._connect(words)
            return
        typed = {"play": "1\nq\n", "admin": "y\n"}.get(words[0], "")  # Leave the game, so --resume can continue it.
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setattr(sys, "argv", ["chromino", *words])
            patch.setattr(sys, "stdin", io.StringIO(typed))
            with pytest.raises(SystemExit) as ended:
                main()
        assert ended.value.code == 0, f"{shlex.join(['chromino', *words])}: {err.getvalue()}"
        assert out.getvalue(), f"{shlex.join(['chromino', *words])} says nothing"

    def _serve(self, words: list[str]) -> None:
        """Start a server, wait for it, send a request, and stop it."""
        process = subprocess.Popen(
            [*COMMAND, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        try:
            assert process.stdout is not None
            ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
            said = process.stdout.readline() if ready else ""
            address = re.search(r"Chromino is (?:already )?running at (http://\S+)", said)
            assert address is not None, said
            with build_opener(ProxyHandler({})).open(f"{address[1]}readyz", timeout=PATIENCE) as answer:
                assert answer.status == 200
        finally:
            process.terminate()
            _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode in (0, -signal.SIGTERM), err

    def _connect(self, words: list[str]) -> None:
        """Connect a bot to a table, where someone plays a whole game with it."""
        site = self._site()
        host = Client(site.url)
        gathering = host.gather()
        words = [re.sub(LINKS, f"{site.url}join/{gathering}", word) for word in words]
        process = subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            gathering_when(host, gathering, lambda now: now["chairs"][1]["kind"] == "person")
            with host.open(host.begin(gathering)) as table:
                assert table.play_on()["view"]["over"]
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
        assert (process.returncode, err) == (0, "")
        assert "The game is over." in out

    def make(self, words: list[str]) -> None:
        """Check that the target exists; running it would take too long."""
        subprocess.run([shutil.which("make") or "make", "--dry-run", *words], cwd=ROOT, check=True, capture_output=True)
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        for word in words:
            assert re.search(rf"^{word}:.*##", makefile, re.MULTILINE), f"make help doesn't list {word}"

    def createdb(self, words: list[str]) -> None:
        subprocess.run([shutil.which("createdb") or "createdb", *words], check=True)

    def sudo(self, words: list[str]) -> None:
        """Check that our script exists; tests/server/operating/test_site.py runs it."""
        assert os.access(ROOT / words[0], os.X_OK), words

    def pip(self, words: list[str]) -> None:
        """Check that the extras exist; `make release` really installs them."""
        command, *wanted = words
        assert command == "install"
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for word in wanted:
            found = re.fullmatch(r"(?:chromino|\.)(?:\[([a-z,]+)\])?", word)
            assert found is not None, word
            assert set((found[1] or "").split(",")) <= {"", *project["optional-dependencies"]}, word

    def dask(self, words: list[str]) -> None:
        """Check that the options exist, since there's no cluster here."""
        _check_options([str(Path(sys.executable).with_name("dask")), words[0]], words)

    def python(self, words: list[str]) -> None:
        """Check that a module or example exists, and that an example has these options; other tests run them."""
        if words[0] == "-m":
            assert find_spec(words[1]) is not None, words
        else:
            _check_options([sys.executable, str(ROOT / words[0])], words)


_PROGRAMS: Mapping[str, Callable[[Shell, list[str]], None]] = {
    "chromino": Shell.chromino,
    "make": Shell.make,
    "createdb": Shell.createdb,
    "dask": Shell.dask,
    "pip": Shell.pip,
    "python": Shell.python,
    "sudo": Shell.sudo,
}


def _check_options(program: list[str], words: list[str]) -> None:
    """Check that a program's help lists all the options it's given."""
    done = subprocess.run([*program, "--help"], check=True, capture_output=True, text=True)
    assert [word for word in words if word.startswith("--") and word not in done.stdout] == []


def _smaller(words: list[str]) -> list[str]:
    line = shlex.join(words)
    for pattern, smaller in SMALLER.items():
        line = re.sub(pattern, smaller, line)
    return shlex.split(line)
