"""The lesson over HTTP: its steps, and tries."""

from __future__ import annotations

import pytest

from chromino.lessons import LESSONS
from tests.server.serving import Client


def test_all_steps_with_what_the_learner_may_know(client: Client) -> None:
    found = client.get("/api/lessons").json["lessons"]
    assert [step["name"] for step in found] == [lesson.name for lesson in LESSONS]
    assert [step["extra"] for step in found] == [False] * 7 + [True] * 2
    for step, lesson in zip(found, LESSONS, strict=True):
        assert step["view"]["me"] == step["view"]["seat"] == 0
        assert step["view"]["table"] == str(lesson.position.table)
        assert step["offers"] == [str(place) for place in lesson.offers(lesson.position)]
        bot = step["view"]["hands"][1]
        assert bot is None or len(bot) == 1  # A last tile is open.


def test_a_wrong_try_is_refused_as_in_play(client: Client) -> None:
    answer = client.post("/api/lessons/clash/try", {"actions": ["RBG@-1,-2>"]}).json
    assert answer["verdict"] == "refused"
    assert answer["refusal"]["reason"] == "clash"
    assert answer["refusal"]["squares"] == [[-1, -2], [-1, -1]]
    assert answer["view"]["table"] == "BGY@0,0> GBG@-1,-1>"


def test_a_right_try_tells_its_contacts(client: Client) -> None:
    answer = client.post("/api/lessons/clash/try", {"actions": ["RBG@-1,1>"]}).json
    assert answer["verdict"] == "right"
    assert answer["refusal"] is None
    assert answer["contacts"] == [
        {"square": [0, 1], "color": "B", "neighbor": [0, 0], "neighbor_color": "B"},
        {"square": [1, 1], "color": "G", "neighbor": [1, 0], "neighbor_color": "G"},
    ]
    assert answer["view"]["table"] == "BGY@0,0> GBG@-1,-1> RBG@-1,1>"


def test_drawing_goes_on_from_what_was_done(client: Client) -> None:
    answer = client.post("/api/lessons/drawing/try", {"actions": ["draw"]}).json
    assert answer["verdict"] == "go-on"
    assert [event["seat"] for event in answer["view"]["log"]] == [0, 0, 1]
    assert [kind in event for kind, event in zip(("draw", "pass", "place"), answer["view"]["log"], strict=True)]
    answer = client.post("/api/lessons/drawing/try", {"actions": ["draw", "draw"]}).json
    assert answer["view"]["drawn"] == "GBP"
    assert answer["offers"] == ["GBP@1,1>"]


def test_legal_but_not_asked_for(client: Client) -> None:
    answer = client.post("/api/lessons/scoring/try", {"actions": ["PPG@1,3>"]}).json
    assert (answer["verdict"], answer["points"]) == ("other", [2, 2])
    assert answer["view"] == client.get("/api/lessons").json["lessons"][-1]["view"]


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
def test_what_cannot_be_judged(client: Client, path: str, actions: list[str], refused: tuple[int, str]) -> None:
    assert client.post(f"/api/lessons/{path}/try", {"actions": actions}).refused == refused


def test_nothing_is_kept(client: Client) -> None:
    assert client.post("/api/lessons/contacts/try", {"actions": ["RRG@-1,1>"]}).headers["Set-Cookie"] is None
    assert client.secret is None
    assert client.get("/learn").status == 200
