"""Presence in the database: whose pages are connected to which process, and what's due.

On PostgreSQL, each running process holds a lock (`PostgresStore`), and `pg_locks` lists these locks. People connected
to a process without a lock are away, and others take over its overdue actions. On SQLite there's only one process.

No write here needs `isolated`: each transaction locks what it depends on, in the order gatherings, seats, games.
Transactions that affect many games run one at a time.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import BindParameter, Connection, Update, bindparam, case, delete, exists, select, text, true, update
from sqlalchemy.sql.elements import ColumnElement, TextClause

from chromino.server.database import schema
from chromino.server.database.gatherings import lock
from chromino.server.database.shared_clock import STOPPED, has_row_locks, seconds_now, wait_for_others

LOCK = 77
"""The first key of each process's advisory lock; the second key is the process's number."""
_LOCKS = f"""
pg_locks WHERE locktype = 'advisory' AND classid = {LOCK} AND objsubid = 2 AND granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""  # noqa: S608
ALIVE = f"SELECT CAST(objid AS VARCHAR(22)) FROM {_LOCKS}"  # noqa: S608
"""A query for PostgreSQL: the processes that are alive right now, even if the rest of the query sees older data."""

_LEASE = 5.0  # Seconds that a process has to act in a game it took over. After that, another process may take over.
_BATCH = 50  # The most games a process takes over at once.

_games, _seats, _chairs = schema.games.c, schema.seats.c, schema.chairs.c
_gatherings, _presence, _clock = schema.gatherings.c, schema.presence.c, schema.clock.c

# The statements that run whenever a page is opened or closed are built only once: building them takes longer than
# running them.
_GAME_ID: BindParameter[str] = bindparam("game_id")  # Or a gathering's id.
_PERSON_ID: BindParameter[str] = bindparam("person_id")
_page = (_presence.game == _GAME_ID) & (_presence.person == _PERSON_ID)
_seat = (_seats.game == _GAME_ID) & (_seats.person == _PERSON_ID)
_chair = (_chairs.gathering == _GAME_ID) & (_chairs.person == _PERSON_ID)
_FORGET_PAGE = delete(schema.presence).where(_page, _presence.process == bindparam("our_process"))
_NOTE_PAGE = text(
    "INSERT INTO presence (game, person, process) VALUES (:game_id, :person_id, :our_process) ON CONFLICT DO NOTHING"
)
_SEAT_BACK = update(schema.seats).where(_seat).values(away_since=None)
_CHAIR_BACK = update(schema.chairs).where(_chair).values(away_since=None)
_AWAY: dict[str, BindParameter[float]] = {"away_since": bindparam("since")}
_SEAT_AWAY = update(schema.seats).where(_seat, _seats.away_since.is_(None), ~exists().where(_page)).values(_AWAY)
_CHAIR_AWAY = update(schema.chairs).where(_chair, _chairs.away_since.is_(None), ~exists().where(_page)).values(_AWAY)
_AWAY_SINCE = select(_seats.away_since).where(_seat).limit(1)
_LOCK_SEATS = select(_seats.seat).where(_seat).order_by(_seats.seat).with_for_update()
_NOTE_VISIT = (
    update(schema.gatherings)
    .where(_gatherings.id == _GAME_ID)
    .values(visited=exists().where(_presence.game == _GAME_ID))
)
_NOTE_DUE = (
    update(schema.games)
    .where(_games.id == _GAME_ID, _games.due.is_not_distinct_from(bindparam("known_due")))
    .values(due=bindparam("new_due"), process=bindparam("our_process"))
)
# If our own lock is missing, too, PostgreSQL may have restarted, and other processes may still be alive.
_LOST = text(f"process NOT IN ({ALIVE}) AND :our_process IN ({ALIVE})")
_STILL_RUNS = text(  # Has anyone held a lock since before the site was last known to be running?
    f"SELECT EXISTS (SELECT FROM pg_stat_activity, clock WHERE pid IN (SELECT pid FROM {_LOCKS})"  # noqa: S608
    " AND extract(epoch FROM backend_start) + ahead < ran)"
)


def note(name: str, person: str, process: str, is_here: bool) -> Callable[[Connection], float | None]:
    """Record that someone opened or closed a page of this game or gathering in this process.

    Returns the time at which a player went away from the game, or None if they're here or it's a gathering. Locks make
    processes record one person's changes one after another.
    """
    them = {"game_id": name, "person_id": person}

    def work(connection: Connection) -> float | None:
        lock(connection, [name])  # Changing a gathering rewrites its chairs, so wait for such changes.
        _lock_seats(connection, them)
        connection.execute(_NOTE_PAGE if is_here else _FORGET_PAGE, {**them, "our_process": process})
        if is_here:
            if connection.execute(_SEAT_BACK, them).rowcount:
                return None
            connection.execute(_CHAIR_BACK, them)
        else:
            _note_absence(connection, them, _SEAT_AWAY)
            since: float | None
            for since in connection.scalars(_AWAY_SINCE, them):
                return since
            _note_absence(connection, them, _CHAIR_AWAY)
        connection.execute(_NOTE_VISIT, {"game_id": name})  # There's no such seat, so it's a gathering.
        return None

    return work


def note_due(name: str, process: str, known: float | None, due: float | None) -> Callable[[Connection], bool]:
    """Record when the next automatic action is due, and that this process performs it.

    Returns False if another process was faster, which means that the known time is out of date.
    """
    values = {"game_id": name, "known_due": known, "new_due": due, "our_process": process}
    return lambda connection: connection.execute(_NOTE_DUE, values).rowcount > 0


def note_time(connection: Connection) -> None:
    """Record that the site is running."""
    at = seconds_now(connection)
    connection.execute(update(schema.clock).where(_clock.ran < at - 1).values(ran=at))


def start(connection: Connection) -> list[str]:
    """Extend turns by the time during which no process was running. On SQLite, also mark everyone as away.

    Returns the games and gatherings of the people who were marked.
    """
    wait_for_others(connection)
    at = seconds_now(connection)
    last = connection.scalar(select(_clock.ran))
    if last is not None and not _still_runs(connection, at - last):
        extend_turns(connection, at - last)
    connection.execute(update(schema.clock).values(ran=at))
    # On PostgreSQL, people who reconnect soon don't count as away; `mark_away` finds the others.
    return [] if has_row_locks(connection) else _mark_away(connection, true())


def mark_away(process: str) -> Callable[[Connection], list[str]]:
    """Mark everyone on dead processes as away, and return their games and gatherings."""
    return lambda connection: _mark_away(connection, _LOST.bindparams(our_process=process))


def stop(process: str) -> Callable[[Connection], list[str]]:
    """Mark everyone on a process that's stopping as away, and return their games and gatherings."""
    return lambda connection: _mark_away(connection, _presence.process == process)


def take_over_late(process: str, slack: float) -> Callable[[Connection], dict[str, float]]:
    """Take over games whose next automatic action is this many seconds overdue, unless they're being changed right now.

    Returns, for each game, when another process may take it over if nothing has happened by then.
    """

    def work(connection: Connection) -> dict[str, float]:
        at = seconds_now(connection)
        late = select(_games.id).where(_games.due <= at - slack).order_by(_games.due).limit(_BATCH)
        taken = connection.scalars(late.with_for_update(skip_locked=True)).all()
        connection.execute(update(schema.games).where(_games.id.in_(taken)).values(due=at + _LEASE, process=process))
        return dict.fromkeys(taken, at + _LEASE)

    return work


def _still_runs(connection: Connection, seconds: float) -> bool:
    """Have others kept the site running? A lock alone doesn't prove that: operators' commands hold one, too."""
    return has_row_locks(connection) and abs(seconds) < STOPPED and bool(connection.scalar(_STILL_RUNS))


def _mark_away(connection: Connection, lost: ColumnElement[bool] | TextClause) -> list[str]:
    """Mark everyone whose pages are all lost as away, and return their games and gatherings.

    This also records that the site has been running until now.
    """
    wait_for_others(connection)
    forget = delete(schema.presence).where(_page, lost)
    pages = select(_presence.game, _presence.person).where(lost).distinct()
    rows = connection.execute(pages.order_by(_presence.game, _presence.person)).all()
    names = sorted({name for name, _ in rows})
    lock(connection, names)
    for name, person in rows:
        them = {"game_id": name, "person_id": person}
        _lock_seats(connection, them)  # They may be reconnecting to another process right now.
        connection.execute(forget, them)  # This checks again, because their own process may be back.
        _note_absence(connection, them, _SEAT_AWAY)
        _note_absence(connection, them, _CHAIR_AWAY)
    for name in names:
        connection.execute(_NOTE_VISIT, {"game_id": name})
    # The process that takes over a game finds out what's due, now that people are away.
    at = seconds_now(connection)
    connection.execute(update(schema.games).where(_games.id.in_(names), ~_games.over).values(due=at))
    connection.execute(update(schema.clock).values(ran=at))  # Last, since all processes write to this row.
    return names


def _lock_seats(connection: Connection, them: dict[str, str]) -> None:
    if has_row_locks(connection):
        connection.execute(_LOCK_SEATS, them)


def _note_absence(connection: Connection, them: dict[str, str], mark_away: Update) -> None:
    """Mark someone as away, unless they have another page open."""
    connection.execute(mark_away, {**them, "since": seconds_now(connection)})


def extend_turns(connection: Connection, seconds: float) -> None:
    """Extend turns by the time during which no clock was running; no turn gets more than the turn limit.

    `seconds` is negative if the machine's clock was set back in the meantime. For each game, this does what
    `TimeGivenBack` and `as_of` do to a table.
    """
    at = seconds_now(connection)
    latest = at + _games.turn_limit
    limited = update(schema.games).where(~_games.over, _games.turn_ends > 0)  # The second condition uses the index.
    ends, due = _games.turn_ends + seconds, _games.due + seconds
    values = {"turn_ends": case((ends > latest, latest), else_=ends), "due": case((due > latest, latest), else_=due)}
    connection.execute(limited.values(values))
    if seconds < 0:
        _set_back(connection, at)


def _set_back(connection: Connection, at: float) -> None:
    """Correct times that would now be in the future. This is so rare that it can afford to read all seats."""
    unlimited = update(schema.games).where(_games.due > at, _games.turn_limit.is_(None))
    connection.execute(unlimited.values(due=at))
    connection.execute(update(schema.seats).where(_seats.away_since > at).values(away_since=at))
    connection.execute(update(schema.chairs).where(_chairs.away_since > at).values(away_since=at))
