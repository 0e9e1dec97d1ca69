"""People you've played with, found in the games that you both finished. There's no list of friends in the database.

Nobody learns another person's id: people are identified by a game that you both finished, and their seat in it. *Hide*
means that someone is listed separately, can't invite you, and is never paired with you; they aren't told. *Forget*
means that you disappear from each other's lists until you finish another game together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, and_, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from chromino.messages.bounds import Face
from chromino.server.database import schema
from chromino.server.database.shared_clock import text_now
from chromino.server.database.store import could_be_id
from chromino.server.problems import Problem

_MAX_GAMES = 200  # To limit the work, we search only the latest games.
_MAX_LISTED = 50  # People.

_seats, _games, _people, _known = schema.seats.c, schema.games.c, schema.people.c, schema.acquaintances.c


class Acquaintance(NamedTuple):
    """Someone you've played with, as you last saw them."""

    person: str
    game: str
    seat: int
    name: str
    face: Face | None
    ended: str
    hidden: bool


class _Header(msgspec.Struct):
    players: list[str]


_header = msgspec.json.Decoder(_Header).decode


def listed(person: str) -> Callable[[Connection], list[Acquaintance]]:
    """The people someone has played with, latest first, including hidden people, who are marked."""
    finished = select(_seats.game, _seats.ended).distinct()
    finished = finished.where(_seats.person == person, _seats.ended.is_not(None), ~_seats.has_left)
    mine = finished.order_by(_seats.ended.desc(), _seats.game.desc()).limit(_MAX_GAMES).subquery()
    other = schema.seats.alias().c
    query = (
        select(other.person, other.game, other.seat, other.face, mine.c.ended, _games.header)
        .where(other.game == mine.c.game, _games.id == mine.c.game, _people.id == other.person)
        .where(other.person != person, ~other.has_left, ~_people.is_program)
        .order_by(mine.c.ended.desc(), mine.c.game.desc(), other.seat)
    )

    def work(connection: Connection) -> list[Acquaintance]:
        hidden, forgotten = _decisions(connection, person)
        found: dict[str, Acquaintance] = {}
        for row in connection.execute(query):
            if row.person in found or row.ended <= forgotten.get(row.person, ""):
                continue
            try:
                name = _header(row.header).players[row.seat]
            except (msgspec.MsgspecError, IndexError):
                continue  # A damaged game must not hide the others.
            is_hidden = row.person in hidden
            found[row.person] = Acquaintance(row.person, row.game, row.seat, name, row.face, row.ended, is_hidden)
            if len(found) == _MAX_LISTED:
                break
        return list(found.values())

    return work


def find(connection: Connection, person: str, game: str, seat: int) -> str:
    """The person in this seat of a game that both finished. If they can't be found, the `Problem` doesn't say why."""
    if could_be_id(game):
        query = select(_seats.seat, _seats.person, _seats.ended, _seats.has_left).where(_seats.game == game)
        rows = [row for row in connection.execute(query) if row.ended is not None and not row.has_left]
        others = [row for row in rows if row.seat == seat and row.person not in (None, person)]
        if others and any(row.person == person for row in rows):
            other = others[0]
            _, forgotten = _decisions(connection, person, other.person)
            if other.ended > forgotten.get(other.person, ""):
                return str(other.person)
    raise Problem("no-such-person")


def hide(person: str, game: str, seat: int, hidden: bool) -> Callable[[Connection], None]:
    """Hide someone, or show them again."""
    return lambda connection: _decide(connection, person, find(connection, person, game, seat), {"hidden": hidden})


def forget(person: str, game: str, seat: int) -> Callable[[Connection], None]:
    """Take someone off your list, and yourself off theirs, until you finish another game together."""

    def work(connection: Connection) -> None:
        other = find(connection, person, game, seat)
        _decide(connection, person, other, {"forgotten": text_now(connection)})

    return work


def hidden_pairs(connection: Connection, people: Collection[str]) -> set[tuple[str, str]]:
    """All pairs of these people where the first has hidden the second."""
    query = select(_known.person, _known.other).where(
        _known.person.in_(people), _known.other.in_(people), _known.hidden
    )
    return {(row.person, row.other) for row in connection.execute(query)}


def _decisions(connection: Connection, person: str, other: str | None = None) -> tuple[set[str], dict[str, str]]:
    """Whom this person has hidden, and when they and each other person were last taken off each other's lists."""
    by_me = and_(_known.person == person, _known.other == other) if other else _known.person == person
    about_me = and_(_known.other == person, _known.person == other) if other else _known.other == person
    hidden, forgotten = set(), dict[str, str]()
    for row in connection.execute(select(schema.acquaintances).where(or_(by_me, about_me))):
        other_person = row.other if row.person == person else row.person
        if row.person == person and row.hidden:
            hidden.add(other_person)
        if row.forgotten is not None:
            forgotten[other_person] = max(row.forgotten, forgotten.get(other_person, ""))
    return hidden, forgotten


def _decide(connection: Connection, person: str, other: str, values: dict[str, object]) -> None:
    # Make sure that both still exist, and that neither is erased before this transaction ends.
    query = select(_people.id).where(_people.id.in_([person, other])).order_by(_people.id).with_for_update(read=True)
    if len(connection.scalars(query).all()) < 2:
        raise Problem("no-such-person")
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    row = {"person": person, "other": other, "hidden": False, "forgotten": None}
    connection.execute(make(schema.acquaintances).values(row).on_conflict_do_nothing())
    this_pair = (_known.person == person) & (_known.other == other)
    connection.execute(update(schema.acquaintances).where(this_pair).values(values))
