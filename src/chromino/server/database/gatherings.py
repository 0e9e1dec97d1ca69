"""Gatherings in the database. Each change is one event, chosen by `chromino.seated` while the gathering is locked."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Connection,
    Label,
    Select,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from chromino.fair_deal import new_part
from chromino.messages.gatherings import Sit
from chromino.rules import Rules
from chromino.seated import gathering as core
from chromino.seated.declined import Declined
from chromino.seated.events import GatheringEvent
from chromino.seated.game import SeatedGame
from chromino.seated.gathering import Gathering
from chromino.seated.lobby import MAX_PER_HOST, OpenTable
from chromino.seated.lobby import lobby as fair_lobby
from chromino.seated.seats import Chair
from chromino.server.database import notices, schema
from chromino.server.database.rows import digest, row_of
from chromino.server.database.shared_clock import has_row_locks, seconds_now, text_now
from chromino.server.database.store import FORGET_PAGES, could_be_id, insert_game
from chromino.server.problems import Problem

# A gathering without changes or visitors for this long is no longer listed in the lobby, but its link stays valid.
_TIME_IN_LOBBY = timedelta(hours=1)
_REVEAL_TIME = timedelta(minutes=1)  # Much longer than a page needs to reveal its part.
_SEARCH_LIMIT = 1000  # The most gatherings in each of the lobby's two searches.
_MAX_PER_ORIGIN = 50  # Public gatherings per network, so that a few networks can't fill the lobby.

_NO_ENTROPY = "0"  # The column's default.

_gatherings, _chairs = schema.gatherings.c, schema.chairs.c

# The statements that run most often are built only once: building them takes longer than running them.
_ID: BindParameter[str] = bindparam("gathering_id")
_IDS: BindParameter[list[str]] = bindparam("ids", expanding=True)
_SEAT: BindParameter[int] = bindparam("seat_number")
_PERSON_ID: BindParameter[str] = bindparam("person_id")
_GAME_ID: BindParameter[str] = bindparam("game_id")
_LIMIT: BindParameter[int] = bindparam("limit")

_FIND_ALL = select(schema.gatherings)
_FIND_ALL_CHAIRS = (
    select(schema.chairs, schema.people.c.is_program)
    .select_from(schema.chairs.outerjoin(schema.people, schema.people.c.id == _chairs.person))
    .order_by(_chairs.seat)
)
_FIND_MANY = _FIND_ALL.where(_gatherings.id.in_(_IDS)), _FIND_ALL_CHAIRS.where(_chairs.gathering.in_(_IDS))
_FIND_ONE = _FIND_ALL.where(_gatherings.id == _ID), _FIND_ALL_CHAIRS.where(_chairs.gathering == _ID)
_LOCK = select(_gatherings.id).where(_gatherings.id.in_(_IDS)).order_by(_gatherings.id).with_for_update()
_INSERT, _INSERT_CHAIRS = insert(schema.gatherings), insert(schema.chairs)
_UPDATE = update(schema.gatherings).where(_gatherings.id == _ID)
_UPDATE_CHAIR = update(schema.chairs).where(_chairs.gathering == _ID, _chairs.seat == _SEAT)
_DELETE_CHAIRS_FROM = delete(schema.chairs).where(_chairs.gathering == _ID, _chairs.seat >= _SEAT)
_DELETE = delete(schema.gatherings).where(_gatherings.id.in_(_IDS))
_DELETE_CHAIRS = delete(schema.chairs).where(_chairs.gathering.in_(_IDS))

_IS_BANNED = select(schema.people.c.banned).where(schema.people.c.id == _PERSON_ID).with_for_update(read=True)
_IS_PROGRAM = select(schema.people.c.is_program).where(schema.people.c.id == _PERSON_ID)
_IS_HERE = select(exists().where(schema.presence.c.game == _ID, schema.presence.c.person == _PERSON_ID))
_hosted = select(_gatherings.id).where(_gatherings.host == _PERSON_ID)
_HOSTED = _hosted.limit(_LIMIT)
_UNDEALT = _hosted.where(_gatherings.dealing, _gatherings.updated < bindparam("cutoff"))
_other_chair = schema.chairs.alias().c
_theirs = (_other_chair.gathering == _chairs.gathering) & (_other_chair.person == _PERSON_ID)
_AS_GUEST = (
    select(_chairs.gathering)
    .distinct()
    .where(_chairs.person == _PERSON_ID, _chairs.gathering != _ID)
    .where(exists().where(_gatherings.id == _chairs.gathering, _gatherings.host != _PERSON_ID))
    # Since anyone can ask for a rematch, a chair that's reserved for someone doesn't count until they accept.
    .where(~exists().where(_theirs, _other_chair.commitment == ""))
    .limit(_LIMIT)
)
_ORIGIN = select(_gatherings.origin).where(_gatherings.id == _ID)
_LISTED = (
    select(_gatherings.id)
    .where(_gatherings.origin == bindparam("origin_number"), _gatherings.public)
    .where(_gatherings.visited | (_gatherings.updated > bindparam("recent_since")))
    .limit(_LIMIT)
)
_REMATCH_OF = select(schema.games.c.next_game).where(schema.games.c.id == _GAME_ID)
_CLAIM_REMATCH = (
    update(schema.games)
    .where(schema.games.c.id == _GAME_ID, schema.games.c.next_game.is_(None))
    .values(next_game=bindparam("rematch"))
)


def find(gathering_id: str) -> Callable[[Connection], Gathering]:
    def work(connection: Connection) -> Gathering:
        for gathering in read_gatherings(connection, [gathering_id]) if could_be_id(gathering_id) else ():
            return gathering
        raise Problem("no-such-gathering")

    return work


def add(gathering: Gathering, limit: int, origin: int = 0) -> Callable[[Connection], None]:
    """Add a gathering, unless its host already has `limit` of them.

    `origin` is a number for the network it's opened from (see `chromino.seated.lobby`), or 0 if that's unknown.
    """

    def work(connection: Connection) -> None:
        check_person(connection, gathering.host)
        _drop_undealt(connection, gathering.host)
        _check_limit(connection, _HOSTED, {"person_id": gathering.host}, limit, "too-many-games")
        if gathering.public:
            _check_lobby(connection, origin)
        insert_gathering(connection, gathering, origin)

    return work


def add_rematch(game: str, gathering: Gathering, limit: int) -> Callable[[Connection], str]:
    """Add a gathering for a rematch, unless there already is one, and return the id of the rematch."""

    def work(connection: Connection) -> str:
        if existing := _rematch_of(connection, game):
            return existing
        add(gathering, limit)(connection)
        if connection.execute(_CLAIM_REMATCH, {"game_id": game, "rematch": gathering.id}).rowcount:
            return gathering.id
        _delete(connection, [gathering.id])  # Someone else was faster.
        return _rematch_of(connection, game) or ""

    return work


def sit(gathering_id: str, person: str, request: Sit, at: float, limit: int) -> Callable[[Connection], Gathering]:
    """Let someone sit down, or change their name or face, unless they're a guest at `limit` other gatherings."""

    def work(connection: Connection) -> Gathering:
        check_person(connection, person)
        them: dict[str, object] = {"gathering_id": gathering_id, "person_id": person}
        _check_limit(connection, _AS_GUEST, them, limit, "too-many-games")
        is_here = bool(connection.scalar(_IS_HERE, them))
        is_program = bool(connection.scalar(_IS_PROGRAM, them))

        def decide(gathering: Gathering) -> GatheringEvent:
            choices = (request.name, at, request.commitment, request.face)
            return core.sit(gathering, person, *choices, is_here=is_here, is_program=is_program)

        after = change(gathering_id, decide)(connection)
        if not isinstance(after, Gathering):
            raise Problem("no-such-gathering")
        notices.withdraw(connection, gathering_id, {person})  # They've accepted their invitation.
        return after

    return work


def change(
    gathering_id: str, decide: Callable[[Gathering], GatheringEvent | None], process: str = ""
) -> Callable[[Connection], Gathering | SeatedGame | None]:
    """Let `decide` choose an event, and apply it to the gathering. If it chooses none, nothing changes.

    Returns the gathering after the event, None if everyone has left, or a game if the tiles were dealt. From then on,
    `process` performs the game's automatic actions.
    """

    def work(connection: Connection) -> Gathering | SeatedGame | None:
        before = _locked(connection, gathering_id)
        event = decide(before)
        if event is None:
            return before
        after = core.apply(before, event)
        if isinstance(after, Gathering) and after.public and not before.public:
            _check_lobby(connection, connection.scalar(_ORIGIN, {"gathering_id": gathering_id}) or 0)
        if after is None:
            delete_gatherings(connection, [gathering_id])
        elif isinstance(after, SeatedGame):
            insert_game(connection, row_of(after), digest(after.game), process)
            _delete(connection, [gathering_id])
            # Everyone counts as away until they open the game, which may be on another process than their table was.
            connection.execute(FORGET_PAGES, {"game_id": gathering_id})
        else:
            connection.execute(_UPDATE, {**_row(after), "gathering_id": gathering_id, "updated": text_now(connection)})
            _change_chairs(connection, before, after)
        undecided = after.undecided if isinstance(after, Gathering) else set()
        if before.offer_ends is not None and before.undecided - undecided:
            notices.withdraw(connection, gathering_id, before.undecided - undecided)
        return after

    return work


def stand_up(connection: Connection, person: str) -> list[str]:
    """Make someone leave all gatherings for good, and return the ids of those gatherings.

    Call this inside a larger transaction.
    """
    query = select(_chairs.gathering).distinct().where(_chairs.person == person).order_by(_chairs.gathering)
    ids = list(connection.scalars(query))
    for gathering_id in ids:
        with suppress(Problem, Declined):  # The game has started, or they've left, in the meantime.
            change(gathering_id, lambda gathering: core.stand_up(gathering, person))(connection)
    return ids


def check_person(connection: Connection, person: str) -> None:
    """Check that a person still exists and isn't banned, and keep it that way until the transaction ends."""
    banned = connection.scalar(_IS_BANNED, {"person_id": person})
    if banned is None:
        raise Problem("nobody")
    if banned:
        raise Problem("banned")


def insert_gathering(connection: Connection, gathering: Gathering, origin: int = 0) -> None:
    row = {**_row(gathering), "updated": text_now(connection), "origin": origin}
    connection.execute(_INSERT, row)
    connection.execute(_INSERT_CHAIRS, _chair_rows(gathering))


def lock(connection: Connection, ids: Sequence[str]) -> None:
    """Keep others from changing these gatherings until the transaction ends."""
    if has_row_locks(connection):
        connection.execute(_LOCK, {"ids": ids})


def delete_gatherings(connection: Connection, ids: Sequence[str]) -> None:
    """Delete gatherings that won't become games. If one was for a rematch, people can ask for a rematch again."""
    _delete(connection, ids)
    rematches = update(schema.games).where(schema.games.c.next_game.in_(ids))
    connection.execute(rematches.values(next_game=None))


def _delete(connection: Connection, ids: Sequence[str]) -> None:
    lock(connection, ids)
    notices.withdraw_all(connection, ids)
    connection.execute(_DELETE_CHAIRS, {"ids": ids})
    connection.execute(_DELETE, {"ids": ids})


def read_gatherings(connection: Connection, ids: Sequence[str]) -> list[Gathering]:
    """The gatherings with these ids, in the same order. Ids that don't exist are skipped."""
    find, find_chairs = _FIND_ONE if len(ids) == 1 else _FIND_MANY  # A query with a list takes twice as long.
    parameters: dict[str, object] = {"gathering_id": ids[0]} if len(ids) == 1 else {"ids": ids}
    rows = {row.id: row for row in connection.execute(find, parameters)}
    chairs: dict[str, list[Chair]] = {}
    for chair in connection.execute(find_chairs, parameters):
        chairs.setdefault(chair.gathering, []).append(
            Chair(
                kind=chair.kind,
                name=chair.name,
                person=chair.person,
                level=chair.level,
                away_since=chair.away_since,
                is_program=bool(chair.is_program),
                commitment=chair.commitment,
                part=chair.part,
                face=chair.face,
            )
        )
    return [
        Gathering(
            id=gathering_id,
            host=row.host,
            chairs=tuple(chairs.get(gathering_id, ())),
            rules=Rules.from_json(json.loads(row.rules)),
            first=row.first,
            aids=row.aids,
            pace=row.pace,
            watch=row.watch,
            public=row.public,
            turn_limit=row.turn_limit,
            version=row.version,
            rated=row.rated,
            entropy=row.entropy,
            attempt=row.round,
            dealing=row.dealing,
            offer_ends=row.offer_ends,
            latecomers=row.latecomers,
        )
        for gathering_id in ids
        if (row := rows.get(gathering_id))
    ]


def offers(connection: Connection) -> list[str]:
    """The ids of all rematches on offer. Each needs a process that starts it in time."""
    return list(connection.scalars(select(_gatherings.id).where(_gatherings.offer_ends > 0)))


def offers_to(person: str, limit: int) -> Callable[[Connection], list[Gathering]]:
    """Rematches waiting for this person's answer, starting with the ones whose offers end first."""

    def work(connection: Connection) -> list[Gathering]:
        query = (
            select(_gatherings.id)
            .join(schema.chairs, _chairs.gathering == _gatherings.id)
            .where(_chairs.person == person, _chairs.commitment == "")
            .where(_gatherings.offer_ends > seconds_now(connection))
            .order_by(_gatherings.offer_ends, _gatherings.id)
            .limit(limit)
        )
        ids = list(connection.scalars(query))
        return read_gatherings(connection, ids) if ids else []

    return work


def lobby(connection: Connection) -> list[Gathering]:
    """Public gatherings, except those without changes or visitors for a long time. `chromino.seated.lobby` sorts them.

    This takes two searches: one for gatherings where someone is present now, one for the newest of the others.
    """
    recent_since = text_now(connection, -_TIME_IN_LOBBY)
    visited = _by_turn(_gatherings.visited)
    others = _by_turn(~_gatherings.visited, _gatherings.updated > recent_since)
    rows = [*connection.execute(visited), *connection.execute(others)]
    people = schema.people.c
    hosts = {row.host for row in rows}
    hidden = set(connection.scalars(select(people.id).where(people.id.in_(hosts), people.hidden)))
    tables = [OpenTable(*row) for row in rows if row.host not in hidden]
    return read_gatherings(connection, fair_lobby(tables, seconds_now(connection)))


def _by_turn(*conditions: ColumnElement[bool]) -> Select[tuple[str, str, int, bool, str]]:
    """Gatherings to consider for the lobby: the latest from each network, then the second latest from each, and so on.

    Gatherings from unknown networks (0) don't take turns: they all count as the latest. Each host gets only a few.
    """
    columns = (_gatherings.id, _gatherings.host, _gatherings.origin, _gatherings.visited, _gatherings.updated)

    def rank_by(key: Column[Any]) -> Label[int]:
        return func.row_number().over(partition_by=key, order_by=_gatherings.updated.desc()).label(f"{key.key}_rank")

    host_rank, origin_rank = rank_by(_gatherings.host), rank_by(_gatherings.origin)
    ranked = select(*columns, host_rank, origin_rank).where(_gatherings.in_lobby, *conditions).subquery()
    turn = case((ranked.c.origin == 0, 1), else_=ranked.c[origin_rank.name])
    query = select(*(ranked.c[column.name] for column in columns)).where(ranked.c[host_rank.name] <= MAX_PER_HOST)
    return query.order_by(turn, ranked.c.updated.desc()).limit(_SEARCH_LIMIT)


def _check_limit(
    connection: Connection, query: Select[tuple[str]], values: dict[str, object], limit: int, problem: str
) -> None:
    """Raise a `Problem` if this query already finds as many gatherings as the limit allows."""
    if len(connection.scalars(query, {**values, "limit": limit}).all()) >= limit:
        raise Problem(problem)


def _check_lobby(connection: Connection, origin: int) -> None:
    """Raise a `Problem` if this network already has too many public gatherings. An unknown one (0) has no limit."""
    if origin:
        values: dict[str, object] = {"origin_number": origin, "recent_since": text_now(connection, -_TIME_IN_LOBBY)}
        _check_limit(connection, _LISTED, values, _MAX_PER_ORIGIN, "lobby-full")


def _locked(connection: Connection, gathering_id: str) -> Gathering:
    """Lock a gathering for this transaction, and return it."""
    if could_be_id(gathering_id):  # An invalid id may contain characters that the database can't store.
        lock(connection, [gathering_id])
    gathering = find(gathering_id)(connection)
    # Older versions of Chromino stored no entropy. Nobody has relied on it yet, so we can still choose it.
    return gathering if gathering.entropy != _NO_ENTROPY else replace(gathering, entropy=new_part())


def _rematch_of(connection: Connection, game: str) -> str | None:
    return connection.scalar(_REMATCH_OF, {"game_id": game})


def _drop_undealt(connection: Connection, host: str) -> None:
    """Delete this host's gatherings that nobody else has joined, if they didn't reveal their part in time."""
    cutoff = text_now(connection, -_REVEAL_TIME)
    overdue: list[str] = list(connection.scalars(_UNDEALT, {"person_id": host, "cutoff": cutoff}))
    tables = read_gatherings(connection, overdue) if overdue else []
    if solo := [table.id for table in tables if set(table.people) == {table.host}]:
        delete_gatherings(connection, solo)


def _change_chairs(connection: Connection, before: Gathering, after: Gathering) -> None:
    """Write only the chairs that have changed: usually just one."""
    old_count, new_count = len(before.chairs), len(after.chairs)
    for seat, (old, new) in enumerate(zip(before.chairs, after.chairs, strict=False)):
        if new != old:
            connection.execute(
                _UPDATE_CHAIR, {**_chair_row(after, seat), "gathering_id": after.id, "seat_number": seat}
            )
    if new_count > old_count:
        connection.execute(_INSERT_CHAIRS, _chair_rows(after)[old_count:])
    if new_count < old_count:
        connection.execute(_DELETE_CHAIRS_FROM, {"gathering_id": after.id, "seat_number": new_count})


def _has_free_chair(gathering: Gathering) -> bool:
    return any(chair.kind == "free" for chair in gathering.chairs)


def _row(gathering: Gathering) -> dict[str, object]:
    return {
        "id": gathering.id,
        "version": gathering.version,
        "host": gathering.host,
        "rules": json.dumps(gathering.rules.to_json(), separators=(",", ":")),
        "first": gathering.first,
        "aids": gathering.aids,
        "pace": gathering.pace,
        "watch": gathering.watch,
        "public": gathering.public,
        "turn_limit": gathering.turn_limit,
        "rated": gathering.rated,
        "entropy": gathering.entropy,
        "round": gathering.attempt,
        "dealing": gathering.dealing,
        "offer_ends": gathering.offer_ends,
        "latecomers": gathering.latecomers,
        "in_lobby": gathering.public and not gathering.dealing and _has_free_chair(gathering),
    }


def _chair_rows(gathering: Gathering) -> list[dict[str, object]]:
    return [_chair_row(gathering, seat) for seat in range(len(gathering.chairs))]


def _chair_row(gathering: Gathering, seat: int) -> dict[str, object]:
    """A chair's row, without `is_program`, which is stored with the person."""
    row = {"gathering": gathering.id, "seat": seat, **asdict(gathering.chairs[seat])}
    del row["is_program"]
    return row
