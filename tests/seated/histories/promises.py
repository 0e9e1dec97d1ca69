"""What we promise people at a table, no matter what anyone does."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import msgspec

from chromino.seated import Gathering, SeatedGame, gathering, gathering_state, next_automatic_action, state_for
from tests.helpers import unseen, with_swapped_tiles
from tests.seated.histories.starting import begun_without
from tests.seated.histories.timekeeper import GRACE, Timekeeper, people_at

_VIEWERS = ("id-of-ada", "id-of-bob", None)


def check_gathering(table: Gathering, keeper: Timekeeper, now: float, rng: Random) -> None:
    """Everyone has one chair, nobody waits forever, and nobody is shown a part of the deal before it's dealt."""
    people = [chair.person for chair in table.chairs if chair.person is not None]
    assert len({*people}) == len(people)
    assert table.host in people
    assert table.dealing or not any(chair.part for chair in table.chairs)
    _nobody_waits_forever_for_a_game(table, keeper, now, rng)
    for viewer in _VIEWERS:
        shown = msgspec.json.encode(gathering_state(table, viewer))
        assert not any(chair.part and chair.part.encode() in shown for chair in table.chairs)
        assert b"id-of-" not in shown


def check_game(table: SeatedGame, keeper: Timekeeper, now: float, rng: Random) -> None:
    """Everyone plays or waits once, nobody waits forever, and nobody is shown what's hidden from them."""
    people = [*(who.person for who in table.seats if who.person), *(who.person for who in table.waiting)]
    assert len({*people}) == len(people)
    assert len(table.seats) + len(table.waiting) <= 8
    _nobody_waits_forever_for_a_turn(table, keeper, now)
    for viewer in _VIEWERS:
        if table.watch or table.seats_of(viewer):
            _nothing_hidden_is_shown(table, viewer, now, rng)


def _nobody_waits_forever_for_a_game(table: Gathering, keeper: Timekeeper, now: float, rng: Random) -> None:
    """Everyone who's here can stand up. If the host is here, they can start a game right now with any of the people at
    the table, even if the others do nothing in the middle of a deal. If only others are here, one of them becomes
    host, at most a minute after the host went away."""
    here = keeper.here(table)
    for person in here:
        assert person not in people_at(gathering.apply(table, gathering.stand_up(table, person)))
    if table.host in here:
        others = sorted(people_at(table) - {table.host})
        silent = {*rng.sample(others, rng.randint(0, len(others)))}
        begun = begun_without(table, silent, now, stops=rng.random() < 0.5)
        assert people_at(begun) == people_at(table) - silent
    due, at = keeper.due(table), gathering.next_change_at(table, GRACE)
    assert due is None or (at is not None and max(at, now) <= due.latest)
    assert table.host in here or not here or due is not None


def _nobody_waits_forever_for_a_turn(table: SeatedGame, keeper: Timekeeper, now: float) -> None:
    """Until the game is over, something is due, or it's up to someone who has all the time they need: they're here, or
    nobody is here to wait for them."""
    due, action = keeper.due(table), next_automatic_action(table, GRACE)
    if action is not None:
        assert due is not None
        assert due.earliest <= max(action.at, now) <= due.latest
    elif not table.game.over:
        person = keeper.awaited(table)
        assert person is not None, "nobody can act"
        assert person not in keeper.away or not keeper.players_here(table)


def _nothing_hidden_is_shown(table: SeatedGame, viewer: str | None, now: float, rng: Random) -> None:
    """If hidden tiles were swapped, the viewer would be shown the same."""
    shown, me = _shown(table, viewer, now)
    hidden = unseen(table.game, me)
    swapped = with_swapped_tiles(table.game, dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True)))
    assert _shown(replace(table, game=swapped), viewer, now) == (shown, me)
    assert b"id-of-" not in shown


def _shown(table: SeatedGame, viewer: str | None, now: float) -> tuple[bytes, int | None]:
    """All that the viewer is shown, and their seat."""
    state = state_for(table, viewer, now, GRACE)
    assert table.game.over or state.seed is None
    # The hash doesn't reveal the deal, and the seed is shown only when the game is over.
    return msgspec.json.encode(replace(state, seed_hash="", seed=None)), state.view.me
