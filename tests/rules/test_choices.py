"""One table of rule choices is enough: everything that offers, explains or encodes choices reads that table.

One test adds a choice to a copy of the package and looks for it everywhere; another compares the guide in
docs/architecture.md with the files that mention an existing choice.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import chromino
from chromino import Game, RecordError, Rules
from chromino.rules import CHOICES
from tests.figures import read
from tests.project.documents import ROOT

PACKAGE = Path(chromino.__file__).parent
GUIDE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## How to add a rule choice\n")[2]
GUIDE = GUIDE.partition("\n## ")[0]
EXAMPLE = "open_hands"
EVERY = f"What a choice usually needs, with `{EXAMPLE}` as the example:"
SOME = "What some choices also need:"

FIELD = '    keep_drawn: bool = False\n    """May a drawn tile that fits be kept (3.2)?"""\n'
ROW = '    Choice("keep_drawn", (False, True), rule="3.2", about="you may keep a drawn tile that fits"),\n'

SCRIPT = """
import json
from chromino import Game, Rules
from chromino.env.arrays import arrays_space, rules_numbers
from chromino.rules import CHOICES
from chromino.server.games.rule_options import options

usual, kept = Rules.expert(), Rules.preset("expert", keep_drawn=True)
found = options(usual, 2)
print(json.dumps({
    "records": [str(Game.start(rules, ["Ada", "Bob"], seed=7).record) for rules in (usual, kept)],
    "view": Game.start(usual, ["Ada", "Bob"], seed=7).view(0).to_json(),
    "read": Rules.from_json(kept.to_json()) == kept and Rules.from_json(usual.to_json()) == usual,
    "preset": found.preset,
    "complete": found.rules,
    "offered": [option.value for option in found.choices["keep_drawn"]],
    "last": list(found.choices)[-1],
    "keys": [CHOICES[-1].title_key, *map(CHOICES[-1].text_key, CHOICES[-1].values), CHOICES[-1].about_key(True)],
    "numbers": [rules_numbers(usual), rules_numbers(kept)],
    "sizes": [arrays_space(rules, 2)["rules"].shape for rules in (usual, kept)],
}))
"""


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with one more choice, which takes only a field of `Rules` and a row of the table."""
    folder = tmp_path_factory.mktemp("newer")
    shutil.copytree(PACKAGE, folder / "chromino", ignore=shutil.ignore_patterns("web", "__pycache__"))
    file = folder / "chromino" / "rules.py"
    text = file.read_text(encoding="utf-8")
    for before, added in (("\n    def __post_init__(self)", FIELD), (')\n"""All choices, in the order', ROW)):
        assert text.count(before) == 1
        text = text.replace(before, added + before)
    file.write_text(text, encoding="utf-8")
    return folder


def run(newer: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(newer)}
    result = subprocess.run([sys.executable, *arguments], env=environment, cwd=newer, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def newer_answers(newer: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(newer, "-c", SCRIPT))
    return found


def test_a_new_choice_leaves_records_and_views_of_other_games_unchanged(newer_answers: dict[str, Any]) -> None:
    game = Game.start(Rules.expert(), ["Ada", "Bob"], seed=7)
    assert newer_answers["records"][0] == str(game.record)
    assert newer_answers["view"] == game.view(0).to_json()
    assert newer_answers["read"]


def test_an_older_version_names_the_choice_it_does_not_know(newer_answers: dict[str, Any]) -> None:
    usual, kept = newer_answers["records"]
    assert Game.replay(usual).rules == Rules.expert()
    with pytest.raises(RecordError) as caught:
        Game.replay(kept)
    assert str(caught.value) == (
        "line 1: this version of Chromino doesn't know the rule choice 'keep_drawn'; please update"
    )


def test_a_new_choice_is_offered_on_the_page(newer_answers: dict[str, Any]) -> None:
    assert newer_answers["preset"] == "expert"
    assert newer_answers["complete"] == {**Rules.expert().to_json(), "keep_drawn": False}
    assert newer_answers["offered"] == [False, True]
    assert newer_answers["last"] == "keep_drawn"
    name = "rule.keep_drawn"
    assert newer_answers["keys"] == [name, f"{name}_false", f"{name}_true", f"{name}_true_about"]


def test_a_new_choice_is_in_the_command(newer: Path) -> None:
    assert re.search(
        "keep_drawn +you may keep a drawn tile that fits [(]yes or no", run(newer, "-m", "chromino", "rules")
    )
    assert "--keep-drawn" in run(newer, "-m", "chromino", "play", "--help")


def test_a_new_choice_leaves_observations_of_other_games_unchanged(newer_answers: dict[str, Any]) -> None:
    assert newer_answers["numbers"] == [[1, 8, 1, 0, 0, 1, 0], [1, 8, 1, 0, 0, 1, 0, 1]]
    assert newer_answers["sizes"] == [[7], [8]]


# Documents and texts.


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.name)
def test_the_rules_explain_each_choice_where_the_table_says(choice: Any) -> None:
    rules = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    (explained,) = re.findall(rf"^- {re.escape(choice.rule)} .*?(?=^-|^!|\Z)", rules, re.MULTILINE | re.DOTALL)
    assert f"`{choice.name}`" in explained
    on_the_page = [rule for section in read("outline")["sections"] for rule in section["rules"]]
    assert {choice.rule, *choice.own_rules.values()} <= set(on_the_page)


def listed(heading: str) -> set[str]:
    """The files in one of the guide's lists."""
    return set(re.findall(r"^- `([\w./-]+)`", GUIDE.partition(f"{heading}\n\n")[2].partition("\n\n")[0], re.MULTILINE))


def appearances(name: str) -> list[Path]:
    """The files that mention a choice, however its name is spelled."""
    spelled = re.compile(rf"(?<!\w){name.replace('_', '[_-]?')}(?!\w)", re.IGNORECASE)
    folders = (PACKAGE, *(ROOT / name for name in ("benchmarks", "deploy", "docs", "examples", "tests", "tools")))
    files = [*ROOT.glob("*.*"), *(path for folder in folders for path in folder.rglob("*.*"))]
    return [file for file in files if not LEFT_OUT.search(str(file)) and spelled.search(text_of(file))]


LEFT_OUT = re.compile(
    r"/web/(lang|rules)/|"  # Translations.
    r"/docs/bots\.md|/docs/study\.jsonl|/tests/golden/|"  # Records and views, which have all choices of version 1.0.
    r"/docs/architecture\.md|/tests/rules/test_choices\.py"  # The guide and this test.
)


def text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8") if file.is_file() else ""
    except UnicodeDecodeError:
        return ""


def test_the_guide_lists_the_files_in_which_a_choice_appears() -> None:
    """If a new test makes this one fail, use `with_open_hands(rules)` from tests/helpers.py there."""
    guide = listed(EVERY)
    found = {str(file): {name for name in guide if str(file).endswith(f"/{name}")} for file in appearances(EXAMPLE)}
    assert [file for file, names in found.items() if not names] == []
    assert set().union(*found.values()) == guide


def test_the_guide_lists_at_most_fifteen_files() -> None:
    every, some = listed(EVERY), listed(SOME)
    assert every
    assert some
    assert len(every | some) <= 15
    for name in some:
        assert list(ROOT.glob(name)) or list(PACKAGE.rglob(name)), name
