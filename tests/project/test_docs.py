"""The documents are right: each block of code is run or compared, and links lead somewhere.

A block's language says how it's tested; unknown languages fail. `tests/project/shell.py` runs shell lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any

import msgspec
import pytest

from chromino import Placement, View
from chromino.events import parse_action
from chromino.messages import games, gatherings
from chromino.server.message_structs import struct_of
from tests.project.documents import DOCUMENTS, ROOT, Block, blocks, of
from tests.project.shell import Shell
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.postgres import Postgres

Json = dict[str, Any]

FROM_FILES = {"py": "examples", "js": "examples", "ini": "deploy", "nginx": "deploy"}
"""Blocks in these languages are whole files from these folders, which other tests run."""

RUN = {"python", "sh", "json"}


def each(*languages: str) -> pytest.MarkDecorator:
    """Run a test for each block in these languages."""
    return pytest.mark.parametrize("block", of(*languages), ids=str)


def test_every_code_block_is_in_a_language_tested_here() -> None:
    assert len(blocks()) > 20
    unknown = [f"{block} {block.language!r}" for block in blocks() if block.language not in RUN | FROM_FILES.keys()]
    assert unknown == []


@each("python")
def test_python_blocks_run(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile("\n" * block.line + block.text, block.document, "exec"), {"__name__": "__main__"})  # noqa: S102


@pytest.fixture(scope="session")
def postgres() -> Iterator[Callable[[], Postgres]]:
    """Our own PostgreSQL, started on demand."""
    with ExitStack() as stack:
        yield cache(lambda: stack.enter_context(Postgres()))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], InProcessServer]]:
    """A server that plays the part of someone else's, started on demand."""
    with ExitStack() as stack:
        yield cache(lambda: stack.enter_context(InProcessServer(tmp_path_factory.mktemp("site") / "games.sqlite")))


@pytest.mark.heavy
@each("sh")
def test_shell_lines_run(
    block: Block,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    postgres: Callable[[], Postgres],
    site: Callable[[], InProcessServer],
) -> None:
    Shell(tmp_path, monkeypatch, postgres, site).run(block.text)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("dance", "teach tests/project/shell.py"),
        ("chromino dance", "No such command"),
        ("chromino show nowhere.jsonl --png out.png", "No such file"),
        ("make nothing", "exit status 2"),
        ("pip install 'chromino[nothing]'", "nothing"),
    ],
)
def test_wrong_shell_lines_are_caught(
    line: str,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    postgres: Callable[[], Postgres],
    site: Callable[[], InProcessServer],
) -> None:
    with pytest.raises((AssertionError, CalledProcessError), match=reason):
        Shell(tmp_path, monkeypatch, postgres, site).run(line)


@each(*FROM_FILES)
def test_files_in_documents_match_those_the_tests_use(block: Block) -> None:
    folder = ROOT / FROM_FILES[block.language]
    assert block.text in {path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("file", "lines"), [("awkward.py", 20), ("contacts.mjs", 25)])
def test_the_example_bots_are_short_and_shown_in_full(file: str, lines: int) -> None:
    text = (ROOT / "examples" / "bots" / file).read_text(encoding="utf-8")
    assert text in {block.text for block in of("py", "js")}
    assert len(text.splitlines()) <= lines


@each("json")
def test_messages_match_the_wire_format(block: Block) -> None:
    message = json.loads(block.text)
    questions = [json.loads(earlier.text) for earlier in block.earlier if '"decide"' in earlier.text]
    kind = message.get("type", "answer")
    if kind in LINES:
        LINES[kind](message, questions[-1] if questions else {})
    else:  # One of the server's own messages.
        kinds = [*vars(games).values(), *vars(gatherings).values()]
        structs = [struct_of(found, strict=True) for found in kinds if is_dataclass(found) and isinstance(found, type)]
        (expected,) = (found for found in structs if found.__struct_config__.tag == kind)
        msgspec.convert(message, expected)


def _decide(message: Json, _question: Json) -> None:
    assert set(message) == {"type", "version", "seat", "seconds_left", "view"}
    view = View.from_json(message["view"])
    assert view.to_json() == message["view"]
    assert (message["seat"], message["version"]) == (view.me, len(view.log))
    assert len(view.actions) > 1


def _answer(message: Json, question: Json) -> None:
    assert set(message) == {"action"}
    assert parse_action(message["action"]) in View.from_json(question["view"]).actions


def _refused(message: Json, question: Json) -> None:
    refusal = View.from_json(question["view"]).table.refusal(Placement.parse(message["action"]))
    assert refusal is not None
    action = message["action"]
    assert message == {"type": "refused", "action": action, "text": str(refusal), "refusal": refusal.to_json()}


LINES: Mapping[str, Callable[[Json, Json], None]] = {"decide": _decide, "answer": _answer, "refused": _refused}
"""Lines between `chromino bot connect` and a program; each is checked against the last question before it."""


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files_and_headings(document: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", document.read_text(encoding="utf-8")):
        if target.startswith("https://"):
            continue
        path = document.parent / target if target else document
        assert path.exists(), target
        if anchor:
            assert anchor in _anchors(path), f"{target}#{anchor}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_named_files_exist(document: Path) -> None:
    """Names in the text, such as `docs/rules.md` or `tests/oracle.py`."""
    named = re.findall(r"`((?:benchmarks|deploy|docs|examples|src|tests|tools)/[\w./-]*)`", document.read_text("utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_readme_states_the_measured_speed() -> None:
    """The numbers are rounded, by five percent at most."""
    said = re.search(r"in about (\d+) µs and plays about (\d+) random games", (ROOT / "README.md").read_text("utf-8"))
    measured = (ROOT / "docs" / "performance.md").read_text("utf-8")
    hand = re.search(r"placements for a hand of eight.* ([\d.]+) µs", measured)
    games = re.search(r"random games with 2 players.* (\d+) a second", measured)
    assert said is not None
    assert hand is not None
    assert games is not None
    assert [float(said[1]), float(said[2])] == pytest.approx([float(hand[1]), float(games[1])], rel=0.05)


def _anchors(path: Path) -> set[str]:
    """The anchors that GitHub gives to headings."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
