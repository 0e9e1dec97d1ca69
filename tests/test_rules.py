"""`Rules`: what can be chosen, and what makes no sense."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chromino import PRESETS, Rules, RulesError

pytestmark = pytest.mark.rules


def test_presets_are_the_class_methods() -> None:
    assert {name: getattr(Rules, name)() for name in PRESETS} == PRESETS
    assert all(rules.name == name for name, rules in PRESETS.items())
    assert Rules.preset("classic", draw_limit=3).name is None


def test_6_4_a_b_and_c_are_first_edition_and_end_at_once() -> None:
    for letter in "abc":
        rules = PRESETS[f"scoring_{letter}"]
        assert (rules.scoring, rules.ending, rules.chameleons) == (letter, "at_once", False)
    assert (Rules.expert().scoring, Rules.expert().ending, Rules.expert().chameleons) == ("expert", "round", True)


def test_single_choices_change_a_preset() -> None:
    rules = Rules.preset("expert", draw_limit=None, open_hands=True)
    assert rules == Rules(scoring="expert", draw_limit=None, open_hands=True)
    assert Rules.preset("first-edition") == Rules.first_edition()


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        ({"draw_limit": 0}, "draw_limit is a number from 1 up, or None"),
        ({"draw_limit": -1}, "draw_limit"),
        ({"draw_limit": True}, "draw_limit"),
        ({"draw_limit": "3"}, "draw_limit"),
        ({"hand_size": 0}, "hand_size is a number from 1 up"),
        ({"hand_size": 80}, "more than the 79 tiles"),
        ({"hand_size": 75, "chameleons": False}, "more than the 74 tiles"),
        ({"hand_size": True}, "hand_size"),
        ({"hand_size": 2.5}, "hand_size"),
        ({"joining": "corners"}, "joining is one of 'contacts', 'ends'"),
        ({"scoring": "d"}, "scoring is one of None, 'expert'"),
        ({"ending": "never"}, "ending is one of 'round'"),
        ({"chameleons": 1}, "chameleons is True or False"),
        ({"open_hands": None}, "open_hands is True or False"),
        ({"scoring": "a"}, "scoring 'a' goes with ending 'at_once'"),
        ({"scoring": "b", "ending": "one_more_turn"}, "takes off the tiles left"),
        ({"wild": True}, "no choice 'wild'"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_reason(choices: dict[str, Any], reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        Rules.preset("classic", **choices)
    with pytest.raises(RulesError, match=reason):
        Rules.from_json(choices)


def test_the_largest_and_smallest_sensible_choices() -> None:
    assert Rules(hand_size=79).hand_size == 79
    assert Rules(hand_size=74, chameleons=False).hand_size == 74
    assert Rules(hand_size=1, draw_limit=1).draw_limit == 1


@pytest.mark.parametrize("name", ["chess", "", None, 7, []])
def test_unknown_presets_are_refused(name: str) -> None:
    with pytest.raises(RulesError, match="there are classic, junior"):
        Rules.preset(name)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_json_round_trips(rules: Rules) -> None:
    assert Rules.from_json(json.loads(json.dumps(rules.to_json()))) == rules


def test_json_that_is_not_rules_is_refused() -> None:
    with pytest.raises(RulesError, match="not list"):
        Rules.from_json([])
    assert Rules.from_json({}) == Rules.classic()
