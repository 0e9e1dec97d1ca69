"""The lesson over HTTP: its steps, and what happens when you try something."""

from __future__ import annotations

import pytest

from chromino.lessons import STEPS
from tests.server.sites.serving import Client


def test_every_step_shows_only_what_the_learner_may_know(client: Client) -> None:
    found = client.get("/api/lesson").json["steps"]
    assert [shown["name"] for shown in found] == [step.name for step in STEPS]
    assert [shown["extra"] for shown in found] == [False] * 7 + [True] * 2
    for shown, step in zip(found, STEPS, strict=True):
        assert shown["view"]["me"] == shown["view"]["seat"] == 0
        assert shown["view"]["table"] == str(step.position.table)
        assert shown["offers"] == [str(place) for place in step.offers(step.position)]
        bot = shown["view"]["hands"][1]
        assert bot is None or len(bot) == 1  # A last tile is open.


def test_a_wrong_try_is_refused_as_in_a_game(client: Client) -> None:
    answer = client.post("/api/lesson/clash/try", {"actions": ["RBG@-1,-2>"]}).json
    assert answer["verdict"] == "refused"
    assert answer["refusal"]["reason"] == "clash"
    assert answer["refusal"]["squares"] == [[-1, -2], [-1, -1]]
    assert answer["view"]["table"] == "BGY@0,0> GBG@-1,-1>"


def test_a_correct_try_lists_its_contacts(client: Client) -> None:
    answer = client.post("/api/lesson/clash/try", {"actions": ["RBG@-1,1>"]}).json
    assert answer["verdict"] == "right"
    assert answer["refusal"] is None
    assert answer["contacts"] == [
        {"square": [0, 1], "color": "B", "neighbor": [0, 0], "neighbor_color": "B"},
        {"square": [1, 1], "color": "G", "neighbor": [1, 0], "neighbor_color": "G"},
    ]
    assert answer["view"]["table"] == "BGY@0,0> GBG@-1,-1> RBG@-1,1>"


def test_the_drawing_step_continues_from_the_actions_so_far(client: Client) -> None:
    answer = client.post("/api/lesson/drawing/try", {"actions": ["draw"]}).json
    assert answer["verdict"] == "go-on"
    assert [event["seat"] for event in answer["view"]["log"]] == [0, 0, 1]
    assert all(kind in event for kind, event in zip(("draw", "pass", "place"), answer["view"]["log"], strict=True))
    answer = client.post("/api/lesson/drawing/try", {"actions": ["draw", "draw"]}).json
    assert answer["view"]["drawn"] == "GBP"
    assert answer["offers"] == ["GBP@1,1>"]


def test_a_legal_placement_that_is_not_the_goal_changes_nothing(client: Client) -> None:
    answer = client.post("/api/lesson/scoring/try", {"actions": ["PPG@1,3>"]}).json
    assert (answer["verdict"], answer["points"]) == ("other", [2, 2])
    assert answer["view"] == client.get("/api/lesson").json["steps"][-1]["view"]


@pytest.mark.parametrize(
    ("path", "actions", "refused"),
    [
        ("nothing", ["draw"], (404, "no-such-page")),
        ("contacts", [], (400, "bad-message")),
        ("contacts", ["hello"], (400, "bad-message")),
        ("contacts", ["RRG@-1,1>", "draw"], (400, "bad-message")),
        ("contacts", ["draw"] * 13, (400, "bad-message")),
    ],
)
def test_invalid_tries_are_refused(client: Client, path: str, actions: list[str], refused: tuple[int, str]) -> None:
    assert client.post(f"/api/lesson/{path}/try", {"actions": actions}).refused == refused


def test_lessons_store_nothing(client: Client) -> None:
    assert client.post("/api/lesson/contacts/try", {"actions": ["RRG@-1,1>"]}).headers["Set-Cookie"] is None
    assert client.secret is None
    assert client.get("/learn").status == 200
