"""People looking for someone to play with, in the database. `chromino.seated.pairing` decides who plays whom.

Each page asks again every few seconds, and any process can answer. Someone whose page stops asking isn't paired.
When two people are paired, they sit down at a table that deals at once. If one of them doesn't show up, the other
keeps looking.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, delete, exists, select, update
from sqlalchemy.dialects import postgresql, sqlite

from chromino.fair_deal import new_part
from chromino.messages.bounds import Face
from chromino.rules import Rules
from chromino.seated.gathering import Gathering
from chromino.seated.pairing import GONE_AFTER, START_WITHIN, Seeker, opponent_of, table_for_pair
from chromino.seated.seats import Chair
from chromino.server.database import schema
from chromino.server.database.gatherings import (
    check_person,
    delete_gatherings,
    insert_gathering,
    lock,
    read_gatherings,
)
from chromino.server.database.shared_clock import seconds_now
from chromino.server.database.store import new_id
from chromino.server.people import played_with
from chromino.server.people.ratings import family_of
from chromino.server.rating_model import Rating

_MAX_OTHERS = 200  # How many people to choose an opponent from.

_seekers, _ratings, _people = schema.seekers.c, schema.ratings.c, schema.people.c


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What someone wants to play, and how others will see them."""

    name: str
    face: Face | None
    rules: Rules
    rated: bool

    def key(self, is_program: bool) -> str:
        """A key shared by everyone who wants the same game. Programs are paired only with programs."""
        return sha256(f"{sorted(self.rules.to_json().items())} {self.rated} {is_program}".encode()).hexdigest()


class Search(NamedTuple):
    """How far a search has gotten."""

    since: float
    game: str | None = None
    table: Gathering | None = None
    """The table where the two meet, until the tiles are dealt."""


def look(person: str, request: SearchRequest, *, is_new: bool = False) -> Callable[[Connection], Search]:
    """Start looking, or keep looking. If an opponent has been found, the result names the table."""

    def work(connection: Connection) -> Search:
        check_person(connection, person)
        now = seconds_now(connection)
        row = _locked_rows(connection, [person]).get(person)
        if is_new and row is not None:
            _stop(connection, row)
            row = None
        if row is not None and row.game is not None and (search := _paired_search(connection, row, now)) is not None:
            connection.execute(update(schema.seekers).where(_seekers.person == person).values(seen=now))
            return search
        wants = request.key(_is_program(connection, person))
        is_continuing = row is not None and row.wants == wants and row.seen > now - GONE_AFTER
        since = float(row.since) if row is not None and is_continuing else now
        values = {
            "wants": wants,
            "name": request.name,
            "face": request.face,
            "rating": _rating(connection, person, request.rules),
            "since": since,
            "seen": now,
            "game": None,
            "paired": None,
        }
        make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        insertion = make(schema.seekers).values({"person": person, **values})
        connection.execute(insertion.on_conflict_do_update(index_elements=["person"], set_=values))
        return Search(since)

    return work


def pair(person: str, request: SearchRequest) -> Callable[[Connection], Search | None]:
    """Find an opponent for someone, and seat the two at a new table. Returns None if there's no match right now."""

    def work(connection: Connection) -> Search | None:
        now = seconds_now(connection)
        wants = request.key(_is_program(connection, person))
        query = select(schema.seekers).where(_seekers.wants == wants, _seekers.seen > now - GONE_AFTER)
        rows = connection.execute(
            query.where(_seekers.game.is_(None)).order_by(_seekers.seen.desc()).limit(_MAX_OTHERS)
        )
        opponent = opponent_of(person, _seekers_of(connection, rows.all()), now)
        if opponent is None or not _may_play(connection, [person, opponent.person]):
            return None
        both = _locked_rows(connection, [person, opponent.person])
        if len(both) < 2 or any(row.game is not None or row.wants != wants for row in both.values()):
            return None  # Another call was faster.
        in_order = sorted(both.values(), key=lambda row: (row.since, row.person))
        first, second = (
            Chair("person", row.name, row.person, away_since=now, commitment="", face=row.face) for row in in_order
        )
        table = table_for_pair(new_id(), (first, second), request.rules, rated=request.rated, entropy=new_part())
        insert_gathering(connection, table)
        paired = update(schema.seekers).where(_seekers.person.in_(both))
        connection.execute(paired.values(game=table.id, paired=now))
        return Search(both[person].since, table.id, table)

    return work


def stop(person: str) -> Callable[[Connection], None]:
    """Stop looking. An opponent who has already been found keeps looking."""

    def work(connection: Connection) -> None:
        if (row := _locked_rows(connection, [person]).get(person)) is not None:
            _stop(connection, row)

    return work


def _stop(connection: Connection, row: Row[Any]) -> None:
    if row.game is not None and _undealt_table(connection, row.game) is not None:
        delete_gatherings(connection, [row.game])
    connection.execute(delete(schema.seekers).where(_seekers.person == row.person))


def _paired_search(connection: Connection, row: Row[Any], now: float) -> Search | None:
    """The search of someone who has been paired, or None if they have to keep looking.

    If either of the two hasn't shown up in time, their table is deleted.
    """
    table = _undealt_table(connection, row.game)
    if table is None:
        has_started = connection.scalar(select(exists().where(schema.games.c.id == row.game)))
        return Search(row.since, row.game) if has_started else None
    if now - row.paired <= START_WITHIN:
        return Search(row.since, row.game, table)
    delete_gatherings(connection, [row.game])
    return None


def _undealt_table(connection: Connection, table_id: str) -> Gathering | None:
    """A table whose tiles haven't been dealt yet, locked so that they can't be dealt in the meantime."""
    lock(connection, [table_id])
    return next(iter(read_gatherings(connection, [table_id])), None)


def _locked_rows(connection: Connection, people: Collection[str]) -> dict[str, Row[Any]]:
    query = select(schema.seekers).where(_seekers.person.in_(people)).order_by(_seekers.person).with_for_update()
    return {row.person: row for row in connection.execute(query)}


def _seekers_of(connection: Connection, rows: Collection[Row[Any]]) -> list[Seeker]:
    pairs = played_with.hidden_pairs(connection, [row.person for row in rows])
    avoids: dict[str, set[str]] = {}
    for person, other in pairs:
        avoids.setdefault(person, set()).add(other)
    return [Seeker(row.person, row.wants, row.since, row.rating, frozenset(avoids.get(row.person, ()))) for row in rows]


def _may_play(connection: Connection, people: Collection[str]) -> bool:
    """Do both people still exist, and are they allowed to play? Neither can be erased until the transaction ends."""
    allowed = select(_people.id).where(_people.id.in_(people), ~_people.banned).order_by(_people.id)
    return len(connection.scalars(allowed.with_for_update(read=True)).all()) == len(people)


def _is_program(connection: Connection, person: str) -> bool:
    return bool(connection.scalar(select(_people.is_program).where(_people.id == person)))


def _rating(connection: Connection, person: str, rules: Rules) -> float | None:
    """Someone's rating with these rules, if they have one."""
    query = select(_ratings.mu, _ratings.sigma).where(
        _ratings.family == family_of(rules), _ratings.player == f"p:{person}"
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else float(Rating(row.mu, row.sigma).points)
