"""`Rules`: what can be chosen, and what can't."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Any

import pytest

from chromino import PRESETS, Rules, RulesError
from chromino.rules import ALWAYS_WRITTEN, CHOICES, Choice

pytestmark = pytest.mark.rules


def test_each_preset_is_also_a_class_method() -> None:
    assert {name: getattr(Rules, name)() for name in PRESETS} == PRESETS
    assert all(rules.name == name for name, rules in PRESETS.items())
    assert Rules.preset("classic", draw_limit=3).name is None


def test_6_4_scoring_a_b_and_c_use_the_first_edition_and_end_at_once() -> None:
    for letter in "abc":
        rules = PRESETS[f"scoring_{letter}"]
        assert (rules.scoring, rules.ending, rules.chameleons) == (letter, "at_once", False)
    assert (Rules.expert().scoring, Rules.expert().ending, Rules.expert().chameleons) == ("expert", "round", True)


def test_a_preset_can_be_changed_choice_by_choice() -> None:
    rules = Rules.preset("expert", draw_limit=None, hand_size=7)
    assert rules == Rules(scoring="expert", draw_limit=None, hand_size=7)
    assert Rules.preset("first-edition") == Rules.first_edition()


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        ({"draw_limit": 0}, "draw_limit must be a whole number, 1 or more, or None"),
        ({"draw_limit": -1}, "draw_limit"),
        ({"draw_limit": True}, "draw_limit"),
        ({"draw_limit": "3"}, "draw_limit"),
        ({"hand_size": 0}, "hand_size must be a whole number, 1 or more"),
        ({"hand_size": 80}, "more than the 79 tiles"),
        ({"hand_size": 75, "chameleons": False}, "more than the 74 tiles"),
        ({"hand_size": True}, "hand_size"),
        ({"hand_size": 2.5}, "hand_size"),
        ({"joining": "corners"}, "joining must be one of 'contacts', 'ends'"),
        ({"scoring": "d"}, "scoring must be one of None, 'expert'"),
        ({"ending": "never"}, "ending must be one of 'round'"),
        ({"chameleons": 1}, "chameleons must be True or False"),
        ({"chameleons": None}, "chameleons must be True or False"),
        ({"scoring": "a"}, "scoring 'a' needs ending 'at_once'"),
        ({"scoring": "b", "ending": "one_more_turn"}, "deducted for the tiles left"),
    ],
)
def test_invalid_choices_are_refused_with_the_reason(choices: dict[str, Any], reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        Rules.preset("classic", **choices)
    with pytest.raises(RulesError, match=reason):
        Rules.from_json(choices)


def test_an_unknown_choice_is_named() -> None:
    with pytest.raises(RulesError, match="there is no rule choice 'wild'; choose from chameleons, hand_size, "):
        Rules.preset("classic", wild=True)
    with pytest.raises(RulesError, match="doesn't know the rule choice 'wild' or 'slow'; please update"):
        Rules.from_json({"wild": True, "ending": "at_once", "slow": 1})


def test_the_largest_and_smallest_values_are_accepted() -> None:
    assert Rules(hand_size=79).hand_size == 79
    assert Rules(hand_size=74, chameleons=False).hand_size == 74
    assert Rules(hand_size=1, draw_limit=1).draw_limit == 1


@pytest.mark.parametrize("name", ["chess", "", None, 7, []])
def test_unknown_presets_are_refused(name: str) -> None:
    with pytest.raises(RulesError, match="choose from classic, junior"):
        Rules.preset(name)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_json_round_trips(rules: Rules) -> None:
    assert Rules.from_json(json.loads(json.dumps(rules.to_json()))) == rules


def test_json_that_is_not_rules_is_refused() -> None:
    with pytest.raises(RulesError, match="not list"):
        Rules.from_json([])
    assert Rules.from_json({}) == Rules.classic()


# The table of choices.


def test_every_field_is_a_choice_whose_default_is_one_of_its_values() -> None:
    assert sorted(choice.name for choice in CHOICES) == sorted(field.name for field in fields(Rules))
    for choice in CHOICES:
        assert choice.default in choice.values
        assert choice.default == getattr(Rules(), choice.name)


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.name)
def test_every_offered_value_can_be_chosen(choice: Choice) -> None:
    for value in choice.values:
        rules = Rules.preset("classic", **{choice.name: value, **choice.also_sets.get(value, {})})
        assert getattr(rules, choice.name) == value
    assert {*choice.own_rules, *choice.also_sets} <= set(choice.values)


def test_choices_have_kinds_and_text_keys() -> None:
    kinds = {choice.name: (choice.is_switch, choice.is_number) for choice in CHOICES}
    assert kinds["chameleons"] == (True, False)
    assert kinds["draw_limit"] == kinds["hand_size"] == (False, True)
    assert kinds["scoring"] == kinds["joining"] == kinds["ending"] == (False, False)
    keys = {choice.name: [choice.text_key(value) for value in choice.values] for choice in CHOICES}
    assert CHOICES[0].about_key(CHOICES[0].default) == f"{CHOICES[0].text_key(CHOICES[0].default)}_about"
    assert keys["draw_limit"] == [*["rule.draw_limit_n"] * 4, "rule.draw_limit_null"]
    assert keys["joining"] == ["rule.joining_contacts", "rule.joining_ends"]
    assert keys["chameleons"] == ["rule.chameleons_true", "rule.chameleons_false"]
    assert keys["scoring"][:2] == ["rule.scoring_null", "rule.scoring_expert"]


def test_the_choices_of_version_1_0_are_always_written_in_the_same_order() -> None:
    assert tuple(Rules.classic().to_json()) == ALWAYS_WRITTEN == tuple(asdict(Rules()))[: len(ALWAYS_WRITTEN)]
