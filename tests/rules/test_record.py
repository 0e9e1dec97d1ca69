"""Game records: saved, loaded, replayed, and refused with line and reason."""

from __future__ import annotations

import contextlib
import io
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chromino import Game, Record, RecordError, Rules, RulesError
from chromino.errors import ChrominoError, IllegalPlacement
from chromino.refusal import Reason, Refusal
from tests.helpers import VARIANTS, assert_same_state, states

pytestmark = pytest.mark.rules

*_, FINISHED = states(Rules.expert(), 3, seed=5)
LINES = str(FINISHED.record).splitlines()
HEADER, EVENT = map(json.loads, LINES[:2])


def test_a_record_is_a_header_and_one_event_per_line() -> None:
    header = json.loads(LINES[0])
    assert list(header) == ["chromino", "rules", "players", "start"]
    assert header["chromino"] == 1
    assert header["players"] == ["Ada", "Bob", "Cy"]
    assert header["start"]["seed"] == "5"
    assert len(LINES) == 1 + len(FINISHED.log)
    assert str(FINISHED.record).endswith("}\n")


def test_a_record_can_be_read_from_text_lines_or_a_file() -> None:
    text = str(FINISHED.record)
    assert Game.replay(text) == Game.replay(LINES) == Game.replay(io.StringIO(text)) == FINISHED
    assert Game.replay(text.rstrip("\n")) == FINISHED
    assert Record.parse(text) == FINISHED.record


def test_names_in_any_script_are_kept() -> None:
    newer = "\U0003fffd"  # A letter that Unicode may have one day.
    game = Game.start(Rules.classic(), ["Zoë 🙂", "骨米諾", "\ufdcf\ufdf0\ufffd", newer], seed=1)
    assert "骨米諾" in str(game.record)
    assert Game.replay(str(game.record)).players == game.players


def changed(line: int, **changes: object) -> list[str]:
    """The record with some keys of a line changed, or removed if None."""
    data = json.loads(LINES[line - 1]) | changes
    lines = LINES.copy()
    lines[line - 1] = json.dumps({key: value for key, value in data.items() if value is not None})
    return lines


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        ([], 1, "the record is empty"),
        ("", 1, "the record is empty"),
        (["not json"], 1, "this isn't JSON"),
        (["[" * 100_000], 1, "this isn't JSON"),
        (["[]"], 1, "must start with a header"),
        (changed(1, chromino=2), 1, "this is version 2 of the format, but only version 1 can be read"),
        (changed(1, chromino=None), 1, "must start with a header"),
        (changed(1, chromino=True), 1, "must start with a header"),
        (changed(1, more=1), 1, "must start with a header"),
        (changed(1, players=None), 1, "must start with a header"),
        (changed(1, players=["Ada", "B\nob", "Cy"]), 1, "a name must be one line of text"),
        (changed(1, start=HEADER["start"] | {"seed": "a\nb"}), 1, "a seed must be printable text"),
        (changed(1, players=[1, 2, 3]), 1, "must start with a header"),
        (changed(1, players=["Ada"]), 1, "the deal is for 3 players, not 1"),
        (changed(1, rules={"scoring": "z"}), 1, "scoring must be one of"),
        (changed(1, rules={"wild": 1}), 1, "doesn't know the rule choice 'wild'; please update"),
        (changed(1, rules={"hand_size": 7}), 1, "each hand must have 7 tiles"),
        (changed(1, start={}), 1, '"start" must have "first"'),
        (changed(1, start=HEADER["start"] | {"seed": "6"}), 1, "the seed '6' gives a different deal"),
        ([LINES[0], "", *LINES[1:]], 2, "this isn't JSON"),
        ([*LINES, "{}"], len(LINES) + 1, "an event must have a seat"),
        ([*LINES, '{"seat":0,"pass":true}'], len(LINES) + 1, "the game is over"),
        ([LINES[0], LINES[2]], 2, "it's seat 1's turn, not seat 2's"),
        (changed(2, place="RRR@0,0>"), 2, "isn't in the hand"),
        (changed(2, place=LINES), 2, "an event must"),
        (changed(2, place="RRR"), 2, "isn't a placement"),
        (changed(2, seat=True), 2, "an event must"),
        (changed(2, seat="1"), 2, "an event must"),
        (changed(2, points=[1, 1]), 2, "according to the rules"),
        (changed(2, points=["1"]), 2, "an event must"),
        (changed(2, points=None), 2, "according to the rules"),
        (
            changed(2, shows="RRR"),
            2,
            f"according to the rules, this must be {json.dumps(EVENT)}, not {json.dumps(EVENT | {'shows': 'RRR'})}",
        ),
        (changed(2, shows=3), 2, "an event must"),
        (changed(2, extra=1), 2, "an event must"),
        ([LINES[0], '{"seat":1,"draw":"RRR"}'], 2, "so you must"),
        ([LINES[0], '{"seat":1,"draw":"RRR","x":1}'], 2, "an event must"),
        ([LINES[0], '{"seat":1,"draw":7}'], 2, "an event must"),
        ([LINES[0], '{"seat":1,"pass":true,"x":1}'], 2, "an event must"),
        ([LINES[0], '{"seat":1,"pass":false}'], 2, "an event must"),
        ([LINES[0], '{"seat":1,"pass":true}'], 2, "so you must"),
    ],
)
def test_a_bad_record_is_refused_with_the_line_and_the_reason(lines: list[str], line: int, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        Game.replay(lines)
    assert caught.value.line == line
    assert reason in caught.value.reason
    assert str(caught.value) == f"line {line}: {caught.value.reason}"


@pytest.mark.parametrize(
    "error",
    [
        RecordError(3, "this isn't JSON"),
        RulesError("there is no such choice", "odd"),
        IllegalPlacement(Refusal(Reason.TOO_FAR, ((9, 9),))),
    ],
)
def test_errors_survive_pickling(error: ChrominoError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_a_drawn_tile_that_is_not_the_next_in_the_bag_is_refused() -> None:
    *_, game = states(Rules.classic(), 2, seed=3)
    lines = str(game.record).splitlines()
    number = next(number for number, line in enumerate(lines) if '"draw"' in line)
    lines[number] = json.dumps(json.loads(lines[number]) | {"draw": None})
    with pytest.raises(RecordError, match=f"line {number + 1}: according to the rules, "):
        Game.replay(lines)


@given(st.data())
def test_damaged_text_raises_only_record_errors(data: st.DataObject) -> None:
    text = str(FINISHED.record)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    damaged = text[:start] + data.draw(st.text(max_size=20)) + text[end:]
    with contextlib.suppress(RecordError):
        game = Game.replay(damaged)
        assert Game.replay(game.record) == game


@pytest.mark.heavy
@pytest.mark.parametrize("name", VARIANTS)
def test_replaying_after_every_event_gives_the_live_game(name: str) -> None:
    for players in (1, 2, 5):
        for game in states(VARIANTS[name], players, seed=players):
            again = Game.replay(str(game.record))
            assert_same_state(again, game)
            assert again.actions() == game.actions()
