"""In the database: whose pages are open on which process, which processes are alive, and what's due.

On PostgreSQL, a process that lives holds a lock (`PostgresStore`). When that is free, another process removes it: its
people are then away, and its pending actions are found because they're late. On SQLite there's only one process.

Nothing here needs to run alone: it locks what it depends on, in the order gatherings, seats, games. Work on many
games is done by one process at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from sqlalchemy import BindParameter, Connection, bindparam, case, delete, exists, func, insert, select, text, update

from chromino.server.database import schema
from chromino.server.database.shared_clock import has_row_locks, seconds_now, wait_for_others

LOCK = 77
"""The first key of each process's advisory lock; the second one is the process's number."""

_LEASE = 5.0  # Seconds a process has for a game it took over, before another process may take it.
_MANY = 50  # Games that one process takes over at once.

_games, _seats, _chairs = schema.games.c, schema.seats.c, schema.chairs.c
_presence, _processes, _clock = schema.presence.c, schema.processes.c, schema.clock.c

# Statements that run whenever a page is opened or closed are built once: building takes longer than running.
_OF: BindParameter[str] = bindparam("of")
_WHO: BindParameter[str] = bindparam("who")
_page = (_presence.game == _OF) & (_presence.person == _WHO)
_seat = (_seats.game == _OF) & (_seats.person == _WHO)
_chair = (_chairs.gathering == _OF) & (_chairs.person == _WHO)
_FORGET_PAGE = delete(schema.presence).where(_page, _presence.process == bindparam("on"))
_NOTE_PAGE = insert(schema.presence)
_SIT_HERE = update(schema.seats).where(_seat).values(away_since=None)
_WAIT_HERE = update(schema.chairs).where(_chair).values(away_since=None)
_HAS_PAGE = select(exists().where(_page))
_SEAT_AWAY = update(schema.seats).where(_seat, _seats.away_since.is_(None)).values(away_since=bindparam("since"))
_CHAIR_AWAY = update(schema.chairs).where(_chair, _chairs.away_since.is_(None)).values(away_since=bindparam("since"))
_AWAY_SINCE = select(_seats.away_since).where(_seat).limit(1)
_LOCK_SEATS = select(_seats.seat).where(_seat).order_by(_seats.seat).with_for_update()
_NOTE_VISIT = (
    update(schema.gatherings).where(schema.gatherings.c.id == _OF).values(visited=exists().where(_presence.game == _OF))
)
_NOTE_DUE = (
    update(schema.games)
    .where(_games.id == _OF, _games.due.is_not_distinct_from(bindparam("known")))
    .values(due=bindparam("then"), process=bindparam("on"))
)
_REGISTER = text(  # Only while it holds its lock, or the others would remove it again at once.
    f"INSERT INTO processes (id) SELECT CAST(:on AS INTEGER)"
    f" WHERE NOT pg_try_advisory_xact_lock_shared({LOCK}, CAST(:on AS INTEGER)) ON CONFLICT DO NOTHING"
)
_IS_DEAD = func.pg_try_advisory_xact_lock_shared(LOCK, _processes.id)  # Shared, since several may try.
_DEAD = select(_processes.id).where(_IS_DEAD)
_HAS_RUN = update(schema.clock).where(_clock.ran < bindparam("now") - 1).values(ran=bindparam("now"))
_LOST = text("process NOT IN (SELECT CAST(id AS VARCHAR(22)) FROM processes)")


def note(name: str, person: str, process: str, is_here: bool) -> Callable[[Connection], float | None]:
    """Record that someone opened or closed a page of this game or gathering in this process.

    Returns when they went away, if they are away. Processes record one person's changes one after another.
    """
    them = {"of": name, "who": person}

    def work(connection: Connection) -> float | None:
        _lock_gatherings(connection, [name])
        _lock_seats(connection, name, person)
        connection.execute(_FORGET_PAGE, {**them, "on": process})
        if is_here:
            connection.execute(_NOTE_PAGE, {"game": name, "person": person, "process": process})
            connection.execute(_SIT_HERE, them)
            connection.execute(_WAIT_HERE, them)
        elif not connection.scalar(_HAS_PAGE, them):
            _is_away(connection, name, person, seconds_now(connection))
        _note_visit(connection, name)
        return None if is_here else connection.scalar(_AWAY_SINCE, them)

    return work


def note_due(name: str, process: str, known: float | None, due: float | None) -> Callable[[Connection], bool]:
    """Record when the next automatic action is due and who performs it; False if another process was faster."""
    values = {"of": name, "known": known, "then": due, "on": process}
    return lambda connection: connection.execute(_NOTE_DUE, values).rowcount > 0


def start(process: str) -> Callable[[Connection], list[str]]:
    """Register this process, and return games of earlier ones. Turns get back the time when no process was running."""

    def work(connection: Connection) -> list[str]:
        wait_for_others(connection)
        at = seconds_now(connection)
        last = connection.scalar(select(_clock.ran))
        if last is not None and not _is_anyone_alive(connection):
            credit(connection, at - last)
        connection.execute(update(schema.clock).values(ran=at))
        _register(connection, process)
        return _send_away(connection, at)

    return work


def beat(process: str) -> Callable[[Connection], bool]:
    """Note that the site is running; returns whether this process had been considered dead."""

    def work(connection: Connection) -> bool:
        connection.execute(_HAS_RUN, {"now": seconds_now(connection)})
        return _register(connection, process)

    return work


def remove_dead(process: str) -> Callable[[Connection], list[str] | None]:
    """Remove dead processes; returns the games and gatherings of the people on them, None if all are alive."""

    def removed_dead(connection: Connection) -> list[str] | None:
        dead = set(connection.scalars(_DEAD))
        if not dead or int(process) in dead:  # Without our own lock, we know nothing: PostgreSQL may have restarted.
            return None
        wait_for_others(connection)
        connection.execute(delete(schema.processes).where(_processes.id.in_(dead)))
        return _send_away(connection, seconds_now(connection))

    return removed_dead


def stop(process: str) -> Callable[[Connection], list[str]]:
    """Record that this process is stopping; returns its games."""

    def work(connection: Connection) -> list[str]:
        wait_for_others(connection)
        at = seconds_now(connection)
        connection.execute(delete(schema.processes).where(_processes.id == int(process)))
        connection.execute(update(schema.clock).values(ran=at))  # Turns get time back from now on.
        return _send_away(connection, at)

    return work


def take_over_late(process: str, slack: float) -> Callable[[Connection], dict[str, float]]:
    """Take over games with an automatic action that's later than this.

    Each comes with the time at which another process may take it over, if nothing has happened by then.
    """

    def work(connection: Connection) -> dict[str, float]:
        wait_for_others(connection)
        at = seconds_now(connection)
        late = _games.due <= at - slack
        longest = select(_games.id).where(late).order_by(_games.due).limit(_MANY)
        # If something happens in one of them in the meantime, it stays: that game isn't late anymore.
        lease = update(schema.games).where(_games.id.in_(longest), late).values(due=at + _LEASE, process=process)
        return dict.fromkeys(connection.scalars(lease.returning(_games.id)), at + _LEASE)

    return work


def _register(connection: Connection, process: str) -> bool:
    """Register this process if it isn't; returns whether it was missing."""
    return has_row_locks(connection) and connection.execute(_REGISTER, {"on": int(process)}).rowcount > 0


def _is_anyone_alive(connection: Connection) -> bool:
    return has_row_locks(connection) and bool(connection.scalar(select(exists().where(~_IS_DEAD))))


def _send_away(connection: Connection, at: float) -> list[str]:
    """Everyone on processes that aren't registered is away; returns their games and gatherings."""
    people = select(_presence.game, _presence.person).where(_LOST).distinct()
    rows = connection.execute(people.order_by(_presence.game, _presence.person)).all()
    found = sorted({name for name, _ in rows})
    _lock_gatherings(connection, found)
    for name, person in rows:
        _lock_seats(connection, name, person)  # They may be coming back right now, in another process.
    connection.execute(delete(schema.presence).where(_LOST))
    for name, person in rows:
        if not connection.scalar(_HAS_PAGE, {"of": name, "who": person}):
            _is_away(connection, name, person, at)
    for name in found:
        _note_visit(connection, name)
    # The process that takes it over finds out what's due, now that they're away.
    connection.execute(update(schema.games).where(_games.id.in_(found), ~_games.over).values(due=at))
    return found


def credit(connection: Connection, seconds: float) -> None:
    """Give turns back the time during which no clock was running, but never more than their limit.

    It's negative if the machine's clock was set back in the meantime.
    """
    at = seconds_now(connection)
    most = at + _games.turn_limit
    limited = update(schema.games).where(~_games.over, _games.turn_ends > 0)  # Phrased to use the index.
    ends, due = _games.turn_ends + seconds, _games.due + seconds
    at_most = {"turn_ends": case((ends > most, most), else_=ends), "due": case((due > most, most), else_=due)}
    connection.execute(limited.values(at_most))
    if seconds < 0:
        _set_back(connection, at)


def _set_back(connection: Connection, at: float) -> None:
    """Correct times that would now be in the future. It's rare enough to read all seats."""
    unlimited = update(schema.games).where(_games.due > at, _games.turn_limit.is_(None))
    connection.execute(unlimited.values(due=at))
    connection.execute(update(schema.seats).where(_seats.away_since > at).values(away_since=at))
    connection.execute(update(schema.chairs).where(_chairs.away_since > at).values(away_since=at))


def _note_visit(connection: Connection, name: str) -> None:
    """Record whether anyone is at this gathering, for the lobby."""
    connection.execute(_NOTE_VISIT, {"of": name})


def _lock_gatherings(connection: Connection, names: Collection[str]) -> None:
    """Changing a gathering rewrites its chairs, so wait for that before looking for them."""
    if has_row_locks(connection):
        table = schema.gatherings.c
        connection.execute(select(table.id).where(table.id.in_(names)).order_by(table.id).with_for_update())


def _lock_seats(connection: Connection, name: str, person: str) -> None:
    if has_row_locks(connection):
        connection.execute(_LOCK_SEATS, {"of": name, "who": person})


def _is_away(connection: Connection, name: str, person: str, since: float) -> None:
    values = {"of": name, "who": person, "since": since}
    connection.execute(_SEAT_AWAY, values)
    connection.execute(_CHAIR_AWAY, values)
