"""The five catalogs say the same things: no key is missing or unused, placeholders agree, plurals are right."""

from __future__ import annotations

import json
import re
import subprocess
from typing import get_args

import pytest

from chromino.bots import BOTS
from chromino.conundrum.grading import GRADES, Difficulty
from chromino.fair_deal import Verdict
from chromino.lessons import STEPS
from chromino.messages.bounds import Face
from chromino.messages.deals import DealKind
from chromino.messages.games import Phrase
from chromino.refusal import Reason
from chromino.rules import CHOICES, PRESETS
from chromino.seated.automatic import RATED_STAND_IN
from chromino.server.people.ratings import FAMILIES
from chromino.server.problems import PROBLEMS
from chromino.tiles import COLORS, Kind
from tests.web.catalogs import LANGUAGES, WEB, catalog

SCRIPTS = {path.name: path.read_text(encoding="utf-8") for path in (WEB / "js").rglob("*.js")}
EXPLAINED = ("clash", "overlap", "too-few-contacts", "needs-an-end", "not-by-an-end", "touches-more")


def made_keys() -> set[str]:
    """Keys that scripts build from codes, which the server and the rules define."""
    levels = [bot.name for bot in BOTS if bot.level]
    return {
        *(f"family.{family}" for family in FAMILIES),
        *(f"fair.{verdict}" for verdict in get_args(Verdict)),
        *(f"deal.{kind}" for kind in get_args(DealKind)),
        *(f"color.{color}" for color in f"{COLORS}*"),
        *(f"bot.{name}{ending}" for name in levels for ending in ("", "_about")),
        f"bot.{RATED_STAND_IN.name}",
        *(f"face.{name}" for name in get_args(Face)),
        *(f"preset.{name}{ending}" for name in PRESETS for ending in ("", "_about")),
        *(f"problem.{code}" for code in (*PROBLEMS, "away")),  # Only the page can tell that the server is away.
        *(f"refusal.{reason}" for reason in Reason),
        *(f"tracker.{kind}" for kind in Kind),
        *(f"tracker.{place}" for place in ("unseen", "mine", "open", "table")),
        *(choice.title_key for choice in CHOICES),
        *(key(value) for choice in CHOICES for value in choice.values for key in (choice.text_key, choice.about_key)),
        *(f"phrase.{phrase}" for phrase in get_args(Phrase)),
        *(f"conundrum.{verdict}" for verdict in ("right", "found", "not-asked")),
        *(f"conundrum.grade_{grade}" for grade in GRADES),
        *(f"conundrum.hint_{step}" for step in (1, 2, 3)),
        *(f"outcome.{who}_{how}" for who in ("you", "they") for how in ("won", "shared", "lost")),
        *(f"reason.{name}" for name, _ in Difficulty(*[1] * 8).reasons),
        *(f"learn.{step.name}{ending}" for step in STEPS for ending in ("", "_text", "_done")),
        *(f"learn.{step.name}_about" for step in STEPS if step.extra),
        *(f"learn.{step.name}_other" for step in STEPS if step.wanted),
        *(f"learn.drawing_{then}" for then in ("again", "fits")),
        *(f"learn.why_{reason}" for reason in EXPLAINED),
        *(f"setup.rated_{why}" for why in ("device", "joined", "players", "hands")),
        *(f"why.{code}" for code in ("bag-too-small", "scoring-ends-at-once", "no-such-choice")),
    }


def used_keys() -> set[str]:
    """Keys that scripts contain or build."""
    text = "".join(SCRIPTS.values())
    literal = set(re.findall(r"""["']([a-z]+(?:\.[A-Za-z_*-]+)+|title)["']""", text))
    return {key for key in literal if not key.endswith(".js")} | made_keys()


def test_every_key_is_used_and_every_used_key_exists() -> None:
    existing = set(catalog("en"))
    families = {key.partition(".")[0] for key in existing}
    assert {key for key in used_keys() if key.partition(".")[0] in families} == existing


def test_keys_built_in_scripts_are_listed_here() -> None:
    made = set(re.findall(r"`([a-z]+)\.\$\{", "".join(SCRIPTS.values())))
    assert made == {key.partition(".")[0] for key in made_keys()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogs_agree(language: str) -> None:
    english, other = catalog("en"), catalog(language)
    assert list(other) == list(english)
    for key, text in other.items():
        assert isinstance(text, dict) == isinstance(english[key], dict), key
        expected = placeholders(english[key])
        assert placeholders(text) == expected, key
        assert all(
            words or key in ("color.between", "words.between_sentences")
            for words in (text.values() if isinstance(text, dict) else [text])
        )


def placeholders(text: str | dict[str, str]) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", " ".join(text.values()) if isinstance(text, dict) else text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_match_the_language(language: str) -> None:
    script = f"console.log(new Intl.PluralRules('{language}').resolvedOptions().pluralCategories.sort().join(' '))"
    found = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True).stdout.split()  # noqa: S607
    for key, text in catalog(language).items():
        if isinstance(text, dict):
            assert sorted(text) == found, key


def test_the_page_offers_these_languages() -> None:
    found = re.search(r"LANGUAGES = \{(.*?)\}", SCRIPTS["i18n.js"], re.DOTALL)
    assert found is not None
    assert tuple(re.findall(r'^  "?([\w-]+)"?:', found[1], re.MULTILINE)) == LANGUAGES


def test_the_page_knows_the_bots_by_level() -> None:
    found = re.search(r"BOTS = (\[.*?\])", SCRIPTS["quick_game.js"])
    assert found is not None
    assert json.loads(found[1]) == [bot.name for bot in BOTS if bot.level]


def test_the_page_knows_the_families_of_rules() -> None:
    found = re.search(r"FAMILIES = (\[.*?\])", SCRIPTS["ratings_page.js"])
    assert found is not None
    assert json.loads(found[1]) == list(FAMILIES)
