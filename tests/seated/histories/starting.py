"""What people can do if others keep them waiting for a game to start."""

from __future__ import annotations

from collections.abc import Collection

from chromino.fair_deal import commitment_of, derived_part
from chromino.seated import Gathering, SeatedGame, dealing, gathering
from chromino.seated.events import Arranged, GatheringEvent

_PARTS = range(8)  # The numbers of the parts that people in histories commit to.


def begun_without(table: Gathering, silent: Collection[str], now: float, stops: bool) -> SeatedGame:
    """The game that the host can start at once without these people, who do nothing, but with everyone else.

    The host may stop the deal first. If nobody else is left, the host plays against a bot.
    """
    host = table.host
    if stops:
        table = _gathering_after(table, dealing.stop(table, host))
        assert not table.dealing
    for number, chair in enumerate(table.chairs):
        if chair.person in silent:
            table = _gathering_after(table, gathering.remove(table, host, number))
    assert not silent or not any(chair.part for chair in table.chairs)  # Nobody can choose between two deals.
    if not table.dealing and sum(chair.kind != "free" for chair in table.chairs) == 1:
        settings = (table.aids, table.pace, table.watch, table.public, table.turn_limit, table.rated, table.latecomers)
        chairs = Arranged(max(2, len(table.chairs)), table.rules, *settings)
        table = _gathering_after(table, gathering.arrange(table, host, chairs))
        free = next(number for number, chair in enumerate(table.chairs) if chair.kind == "free")
        table = _gathering_after(table, gathering.fill(table, host, free, 1, "Snail"))
    begun = _after(table, dealing.begin(table, host, now))
    return dealt(begun, now) if isinstance(begun, Gathering) else begun


def dealt(table: Gathering, now: float) -> SeatedGame:
    """The game once everyone with a chair has committed, if they hadn't yet, and revealed, as their pages do."""
    givers = [chair.person for chair in table.chairs if chair.person is not None and chair.commitment is not None]
    for person in table.undecided:
        table = _gathering_after(table, dealing.commit(table, person, commitment_of(derived_part(person, 0))))
    for person in givers:
        after = _after(table, dealing.reveal(table, person, part_of(table, person), now))
        if isinstance(after, SeatedGame):  # Some may have revealed their part earlier.
            return after
        table = after
    raise AssertionError("nothing was dealt")


def part_of(table: Gathering, person: str) -> str:
    """The part of the deal that this person has committed to."""
    commitment = table.chairs[table.chairs_of(person)[0]].commitment
    parts = [derived_part(person, number) for number in _PARTS]
    return next(part for part in parts if commitment_of(part) == commitment)


def _after(table: Gathering, event: GatheringEvent | None) -> Gathering | SeatedGame:
    after = table if event is None else gathering.apply(table, event)
    assert after is not None
    return after


def _gathering_after(table: Gathering, event: GatheringEvent | None) -> Gathering:
    after = _after(table, event)
    assert isinstance(after, Gathering)
    return after
