"""A table where people gather before a game; `dealing.py` says how the game starts.

Each request returns the event that it causes, or raises `Declined`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import assert_never

from chromino.bots import find
from chromino.deal import Deal
from chromino.errors import RulesError
from chromino.game import checked_names
from chromino.messages.bounds import MAX_NAME_LENGTH, Face
from chromino.rules import CLASSIC, Rules
from chromino.seated.declined import Declined
from chromino.seated.events import (
    Arranged,
    Arrived,
    Began,
    BotSeated,
    ChairFreed,
    Committed,
    DealBegan,
    DealStopped,
    GatheringEvent,
    HostChanged,
    OfferEnded,
    Revealed,
    Sat,
    StoodUp,
    WentAway,
)
from chromino.seated.game import SeatedGame
from chromino.seated.rated_games import check_rated, check_rated_people
from chromino.seated.seats import FREE, Chair, Seat, seats_of


@dataclass(frozen=True, slots=True)
class Gathering:
    """Who sits where so far, and what will be played."""

    id: str
    host: str
    chairs: tuple[Chair, ...]
    rules: Rules = CLASSIC
    first: int | None = None
    aids: bool = True
    pace: bool = True
    watch: bool = True
    public: bool = False
    turn_limit: int | None = None
    version: int = 0
    """How many events have changed what people see."""
    rated: bool = False
    """Will the game count in the ratings?"""
    entropy: str = field(kw_only=True, repr=False)
    """The source of the server's parts of the deal: random, and never shown."""
    attempt: int = 0
    """Which attempt to deal this is: each time a deal is stopped, everyone has to commit again."""
    dealing: bool = False
    """Has the host started, and are commitments or parts of the deal still missing? Then nobody can sit down."""
    offer_ends: float | None = None
    """The deadline for accepting a rematch, by committing to a part of the deal."""
    latecomers: bool = True
    """Can latecomers take over a bot's seat after the deal? Never in a rated game."""

    def __post_init__(self) -> None:
        if self.first is not None and self.first >= len(self.chairs):
            raise Declined("bad-seats", f"seat {self.first} can't go first: there's no such seat")
        if self.rated:
            check_rated(self.rules, self.aids, self.turn_limit)
            check_rated_people([chair.person for chair in self.chairs])

    def chairs_of(self, person: str | None) -> list[int]:
        return seats_of(self.chairs, person)

    @property
    def people(self) -> list[str]:
        return [chair.person for chair in self.chairs if chair.person is not None]

    @property
    def undecided(self) -> set[str]:
        """People who haven't committed to a part of the deal yet; in a rematch, that means they haven't accepted."""
        return {chair.person for chair in self.chairs if chair.person is not None and chair.is_undecided}


def apply(table: Gathering, event: GatheringEvent) -> Gathering | SeatedGame | None:
    """The table after an event; None when nobody is left."""
    match event:
        case Sat(chair, person, name, away_since, is_program, commitment, face):
            return _with(
                table,
                chair,
                replace(
                    table.chairs[chair],
                    kind="person",
                    name=name,
                    person=person,
                    away_since=away_since,
                    is_program=is_program,
                    commitment=commitment,
                    face=face,
                ),
            )
        case StoodUp(person):
            return _without(table, person)
        case ChairFreed(chair):
            removed = table.chairs[chair].person
            if removed is not None and _is_offered(table) and removed in table.undecided:
                return _without(table, removed)  # As if they had declined.
            return _freed(_stopped(table), chair)
        case OfferEnded():
            return _without_offer(table)
        case Arranged():
            return _arranged(table, event)
        case BotSeated(chair, level, name):
            return _with(_stopped(table), chair, Chair("bot", name, level=level))
        case HostChanged(person):
            return replace(table, host=person, version=table.version + 1)
        case Committed(person, commitment):
            return committed(table, person, commitment)
        case DealBegan():
            return replace(table, dealing=True, version=table.version + 1)
        case DealStopped():
            return replace(_stopped(table), version=table.version + 1)
        case Revealed(person, part):
            chair = table.chairs_of(person)[0]
            return _with(table, chair, replace(table.chairs[chair], part=part))
        case Began():
            return _seated(table, event)
        case Arrived(person):
            return replace(table, chairs=_chairs_away_since(table, person, None))
        case WentAway(person, at):
            return replace(table, chairs=_chairs_away_since(table, person, at))
        case _:
            assert_never(event)


def sit(
    table: Gathering,
    person: str,
    name: str,
    now: float,
    commitment: str | None = None,
    face: Face | None = None,
    *,
    is_here: bool = False,
    is_program: bool = False,
) -> Sat:
    """Take a free chair, or change your name or face if you have a chair. You count as away until your page is open."""
    mine = table.chairs_of(person)
    free = [number for number, chair in enumerate(table.chairs) if chair.kind == "free" and not table.dealing]
    if not mine and not free:
        raise Declined("seats-taken")
    number = (mine or free)[0]
    chair = table.chairs[number]
    if commitment is None or (table.dealing and not chair.is_undecided):  # Others may have seen the old commitment.
        commitment = chair.commitment
    away_since = chair.away_since if mine else now
    return Sat(
        number,
        person,
        checked_name(name),
        None if is_here else away_since,
        is_program,
        commitment,
        face or chair.face,
    )


def committed(table: Gathering, person: str, commitment: str | None) -> Gathering:
    """The table after this person has committed to a part of the deal, or decided not to contribute one (None)."""
    chair = table.chairs_of(person)[0]
    return _with(table, chair, replace(table.chairs[chair], commitment=commitment))


def stand_up(table: Gathering, person: str) -> StoodUp:
    """Give up your chair. Declined if you don't have one."""
    if not table.chairs_of(person):
        raise Declined("not-your-game")
    return StoodUp(person)


def remove(table: Gathering, person: str, chair: int) -> ChairFreed:
    """Free a chair. Only the host can do that, and they can't free their own."""
    check_host(table, person)
    if chair not in range(len(table.chairs)) or table.chairs[chair].person == person:
        raise Declined("bad-seats")
    return ChairFreed(chair)


def fill(table: Gathering, person: str, chair: int, level: int, name: str) -> BotSeated:
    """Give a free chair to a bot. Only the host can do that."""
    check_host(table, person)
    if chair not in range(len(table.chairs)) or table.chairs[chair].kind != "free":
        raise Declined("bad-seats")
    return BotSeated(chair, level, checked_name(name))


def arrange(table: Gathering, person: str, change: Arranged) -> Arranged | None:
    """Change the rules and settings, or the number of chairs. Only the host can do that, and only before the deal
    begins.

    Returns None if nothing would change.
    """
    check_host(table, person)
    if table.dealing:
        raise Declined("stale")
    if change.chairs < sum(chair.kind != "free" for chair in table.chairs):
        raise Declined("bad-seats", "there must be a chair for everyone at the table")
    if change.rated and not table.rated and {*table.people} != {person}:
        raise Declined("cannot-be-rated", "others joined this game when it was unrated")
    try:
        Deal.check_players(change.rules, change.chairs)
    except RulesError as error:
        raise Declined("bad-rules", str(error)) from None
    arranged = _arranged(table, change)
    return None if replace(arranged, version=table.version) == table else change


def next_change_at(table: Gathering, grace: float) -> float | None:
    """When the next automatic change is due, if nothing else happens first."""
    times = [time for time in (table.offer_ends, host_changes_at(table, grace)) if time is not None]
    return min(times, default=None)


def due_change(table: Gathering, grace: float, now: float) -> OfferEnded | HostChanged | None:
    """The automatic change that's due at this time, if any."""
    if table.offer_ends is not None and table.offer_ends <= now:
        return OfferEnded()
    return change_host(table, grace, now)


def host_changes_at(table: Gathering, grace: float) -> float | None:
    """When someone else becomes host, if nothing happens first; None if the host is here or nobody else is."""
    away = [chair.away_since for chair in table.chairs if chair.person == table.host and chair.away_since is not None]
    return away[0] + grace if away and _next_host(table) is not None else None


def change_host(table: Gathering, grace: float, now: float) -> HostChanged | None:
    """The change of host that's due at this time, if any."""
    due, person = host_changes_at(table, grace), _next_host(table)
    return HostChanged(person) if due is not None and person is not None and due <= now else None


def checked_name(name: str) -> str:
    """The name without spaces around it; declined if it's invalid or too long to show everywhere."""
    if len(name.strip()) > MAX_NAME_LENGTH:
        raise Declined("bad-name", f"a name must have 1 to {MAX_NAME_LENGTH} characters on one line")
    try:
        return checked_names([name.strip()])[0]
    except RulesError as error:
        raise Declined("bad-name", str(error)) from None


def check_host(table: Gathering, person: str) -> None:
    if person != table.host:
        raise Declined("not-the-host")


def _next_host(table: Gathering) -> str | None:
    """The first person other than the host who's here."""
    here = [chair.person for chair in table.chairs if chair.person is not None and chair.away_since is None]
    return next((person for person in here if person != table.host), None)


def _arranged(table: Gathering, change: Arranged) -> Gathering:
    chairs = list(enumerate(table.chairs))
    while len(chairs) > change.chairs:
        del chairs[max(index for index, (_, chair) in enumerate(chairs) if chair.kind == "free")]
    numbers = [number for number, _ in chairs]
    return replace(
        table,
        chairs=(*(chair for _, chair in chairs), *[FREE] * (change.chairs - len(chairs))),
        first=numbers.index(table.first) if table.first in numbers else None,
        rules=change.rules,
        aids=change.aids,
        pace=change.pace,
        watch=change.watch,
        public=change.public,
        turn_limit=change.turn_limit,
        rated=change.rated,
        latecomers=change.latecomers,
        version=table.version + 1,
    )


def _with(table: Gathering, number: int, chair: Chair) -> Gathering:
    chairs = (*table.chairs[:number], chair, *table.chairs[number + 1 :])
    return replace(table, chairs=chairs, version=table.version + 1)


def _freed(table: Gathering, number: int) -> Gathering:
    """Free a chair; someone with several chairs keeps their commitment, which moves to their next chair."""
    freed = table.chairs[number]
    table = _with(table, number, FREE)
    for next_number in table.chairs_of(freed.person)[:1]:
        if freed.contributes:
            chair = replace(table.chairs[next_number], commitment=freed.commitment)
            return replace(table, chairs=(*table.chairs[:next_number], chair, *table.chairs[next_number + 1 :]))
    return table


def _without(table: Gathering, person: str) -> Gathering | None:
    # Someone who declines a rematch doesn't stop the deal, because no part of it has been revealed yet.
    table = table if _is_offered(table) or not table.chairs_of(person) else _stopped(table)
    return _without_people(table, {person})


def _without_offer(table: Gathering) -> Gathering | None:
    """End the offer of a rematch: people who didn't accept lose their chairs, and the others play."""
    if not _is_offered(table):
        return replace(table, offer_ends=None)
    return _without_people(replace(table, offer_ends=None), table.undecided)


def _without_people(table: Gathering, people: Collection[str]) -> Gathering | None:
    """The table after these people have lost their chairs; None if nobody is left.

    If the host was among them, someone who's here becomes host, if possible.
    """
    chairs = tuple(FREE if chair.person in people else chair for chair in table.chairs)
    rest = [chair for chair in chairs if chair.person is not None]
    if not rest:
        return None
    new_host = min(rest, key=lambda chair: chair.away_since is not None).person or ""
    host = new_host if table.host in people else table.host
    return _stopped_if_alone(replace(table, chairs=chairs, host=host, version=table.version + 1))


def _is_offered(table: Gathering) -> bool:
    """Is there a rematch offer that someone hasn't accepted yet? Then no part of the deal has been revealed."""
    return table.offer_ends is not None and bool(table.undecided)


def _stopped_if_alone(table: Gathering) -> Gathering:
    """If only one player or no part of the deal is left, stop the deal, so that others can sit down."""
    taken = sum(chair.kind != "free" for chair in table.chairs)
    can_deal = taken > 1 and any(chair.contributes for chair in table.chairs)
    return table if can_deal else _stopped(table)


def _chairs_away_since(table: Gathering, person: str, since: float | None) -> tuple[Chair, ...]:
    return tuple(replace(chair, away_since=since) if chair.person == person else chair for chair in table.chairs)


def _stopped(table: Gathering) -> Gathering:
    """Stop the deal, if it has begun. Everyone has to commit again, because some parts may have been revealed.

    If the deal was for a rematch, it's no longer an offer, because nobody's answer counts anymore.
    """
    if not table.dealing:
        return table
    chairs = tuple(replace(chair, commitment="" if chair.contributes else None, part=None) for chair in table.chairs)
    return replace(table, chairs=chairs, attempt=table.attempt + 1, dealing=False, offer_ends=None)


def _seated(table: Gathering, began: Began) -> SeatedGame:
    """Turn the gathering into a game with the same people and bots."""
    seats = tuple(
        Seat(
            person=chair.person,
            bot=find(chair.level).name if chair.level else None,
            away_since=chair.away_since,
            is_program=chair.is_program,
            face=chair.face,
        )
        for chair in table.chairs
        if chair.kind != "free"
    )
    settings = (table.aids, table.pace, table.watch, table.turn_limit, table.rated)
    return SeatedGame.begin(
        table.id, began.game, seats, began.at, *settings, deal=began.deal, latecomers=table.latecomers
    )
