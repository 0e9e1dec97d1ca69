"""Which rule choices go together, as the page asks before a game."""

from __future__ import annotations

from typing import Any

import pytest

from chromino import PRESETS, Deal, Rules
from chromino.errors import RulesError
from chromino.rules import CHOICES
from tests.server.sites.serving import Client, Json


def options(client: Client, rules: Json, players: int = 2) -> Json:
    answer = client.post("/api/rules", {"rules": rules, "players": players})
    assert answer.status == 200, answer.content
    found: Json = answer.json
    return found


def option(found: Json, choice: str, value: Any) -> Json:
    return next(one for one in found["choices"][choice] if one["value"] == value)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_fits_two_players(name: str, client: Client) -> None:
    found = options(client, PRESETS[name].to_json())
    assert found["preset"] == name
    assert found["why"] is None
    assert found["rules"] == PRESETS[name].to_json()
    assert set(found["choices"]) == set(found["rules"])
    for choice, value in found["rules"].items():
        assert option(found, choice, value) == {"value": value, "fits": True, "why": None, "sets": {}}


def test_choices_are_listed_in_the_order_of_the_rules_table(client: Client) -> None:
    assert list(options(client, {})["choices"]) == [choice.name for choice in CHOICES if "page" in choice.offered]


def test_the_rules_table_is_available(client: Client) -> None:
    rows = client.get("/api/rules").json["choices"]
    assert [(one["name"], one["values"], one["default"], one["rule"]) for one in rows] == [
        (choice.name, list(choice.values), choice.default, choice.rule) for choice in CHOICES
    ]
    (scoring,) = (one for one in rows if one["own_rules"])
    assert scoring["own_rules"]["expert"] == "6.4-expert"


def test_without_choices_the_rules_are_classic(client: Client) -> None:
    assert client.post("/api/rules", {}).json["preset"] == "classic"
    assert options(client, {"hand_size": 7})["preset"] is None


@pytest.mark.parametrize("scoring", ["a", "b", "c"])
def test_6_4_choosing_points_also_sets_the_ending(scoring: str, client: Client) -> None:
    chosen = option(options(client, {}), "scoring", scoring)
    assert chosen == {"value": scoring, "fits": True, "why": None, "sets": {"ending": "at_once"}}
    found = options(client, {"scoring": scoring, **chosen["sets"]})
    for ending in ("round", "one_more_turn"):
        refused = option(found, "ending", ending)
        assert (refused["fits"], refused["why"]) == (False, "scoring-ends-at-once")
    assert option(found, "scoring", scoring)["sets"] == {}


def test_large_hands_do_not_fit_many_players(client: Client) -> None:
    found = options(client, {}, players=8)
    assert option(found, "hand_size", 9)["fits"] is True
    for size in (10, 12):
        assert option(found, "hand_size", size) == {"value": size, "fits": False, "why": "bag-too-small", "sets": {}}
    assert option(options(client, {}, players=7), "hand_size", 10)["fits"] is True


def test_rules_that_do_not_fit_the_players_say_why(client: Client) -> None:
    found = options(client, {"hand_size": 10}, players=8)
    assert found["why"] == "bag-too-small"
    assert option(found, "hand_size", 9)["fits"] is True
    assert option(found, "ending", "at_once")["why"] == "bag-too-small"


def test_an_unlisted_value_is_kept(client: Client) -> None:
    found = options(client, {"hand_size": 11, "draw_limit": 7})
    assert option(found, "hand_size", 11)["fits"] is True
    assert option(found, "draw_limit", 7)["fits"] is True


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("players", [1, 2, 8])
def test_choices_that_fit_can_be_dealt_and_others_cannot(name: str, players: int, client: Client) -> None:
    found = options(client, PRESETS[name].to_json(), players)
    for choice, values in found["choices"].items():
        for one in values:
            why = None
            try:
                Deal.shuffle(Rules.from_json({**found["rules"], choice: one["value"], **one["sets"]}), players, seed=1)
            except RulesError as error:
                why = error.code
            assert (one["why"], one["fits"]) == (why, why is None)
