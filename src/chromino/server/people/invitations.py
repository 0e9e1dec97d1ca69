"""A host can invite people they've played with to a table. An invitation ends with its table, or after a day.

Someone who has hidden the host neither sees the invitation nor is notified, and the host can't tell.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import Connection, exists, func, insert, select, update

from chromino.seated.declined import Declined
from chromino.seated.gathering import Gathering, check_host
from chromino.server.database import notices, schema
from chromino.server.database.gatherings import lock, read_gatherings
from chromino.server.database.notices import Notice
from chromino.server.database.shared_clock import seconds_now
from chromino.server.database.store import could_be_id
from chromino.server.people import played_with
from chromino.server.problems import Problem

HOUR = 3600.0
MAX_SENT_PER_HOUR = 20
"""Invitations that one person can send in an hour."""
MAX_TO_ONE_PERSON = 3
"""Invitations that one person can send to the same other person in an hour."""
MAX_RECEIVED_PER_HOUR = 10
"""Invitations that one person can receive in an hour, from everyone combined."""
_MAX_SHOWN = 10  # Invitations.
_DAY = 24 * HOUR

_invites, _gatherings = schema.invitations.c, schema.gatherings.c


class InvitedTable(NamedTuple):
    """A table that someone is invited to."""

    table: Gathering
    seat: int
    """The host's chair."""


def invite(table_id: str, host: str, game: str, seat: int) -> Callable[[Connection], bool]:
    """Invite the person in this seat of this finished game. Returns whether there's a notification to send."""

    def work(connection: Connection) -> bool:
        table = _table(connection, table_id)
        check_host(table, host)
        person = played_with.find(connection, host, game, seat)
        to_this_table = (_invites.gathering == table_id) & (_invites.person == person)
        if person in table.people or connection.scalar(select(exists().where(to_this_table))):
            return False
        if not _has_room(table):
            raise Declined("seats-taken")
        now = seconds_now(connection)
        _check_limits(connection, host, person, now)
        row = {"gathering": table_id, "person": person, "host": host, "at": now, "declined": False}
        connection.execute(insert(schema.invitations), row)
        if (person, host) in played_with.hidden_pairs(connection, [person, host]):
            return False
        host_name = table.chairs[table.chairs_of(host)[0]].name
        notices.queue({person}, Notice(table_id, "invitation", 0, host_name, now, now + _DAY))(connection)
        return True

    return work


def decline(table_id: str, person: str) -> Callable[[Connection], None]:
    """Turn down an invitation for good; do nothing if there isn't one."""
    mine = (_invites.gathering == table_id) & (_invites.person == person)

    def work(connection: Connection) -> None:
        if not could_be_id(table_id):
            return
        connection.execute(update(schema.invitations).where(mine).values(declined=True))
        notices.withdraw(connection, table_id, {person})

    return work


def mine(person: str) -> Callable[[Connection], list[InvitedTable]]:
    """The tables that someone is invited to and can still join, latest invitation first."""
    query = select(_invites.gathering, _invites.host).where(_invites.person == person, ~_invites.declined)
    query = (
        query.where(exists().where(_gatherings.id == _invites.gathering)).order_by(_invites.at.desc()).limit(_MAX_SHOWN)
    )

    def work(connection: Connection) -> list[InvitedTable]:
        recent = query.where(_invites.at > seconds_now(connection) - _DAY)
        hosts = {row.gathering: row.host for row in connection.execute(recent)}
        hidden = played_with.hidden_pairs(connection, [person, *hosts.values()])
        invited = []
        for table in read_gatherings(connection, list(hosts)):
            host = hosts[table.id]
            chairs = table.chairs_of(host)
            if chairs and _has_room(table) and person not in table.people and (person, host) not in hidden:
                invited.append(InvitedTable(table, chairs[0]))
        return invited

    return work


def answers(table_id: str, host: str) -> Callable[[Connection], dict[str, bool]]:
    """The people this host has invited to this table, and whether each has declined."""
    query = select(_invites.person, _invites.declined).where(_invites.gathering == table_id, _invites.host == host)
    return lambda connection: (
        {row.person: row.declined for row in connection.execute(query)} if could_be_id(table_id) else {}
    )


def _table(connection: Connection, table_id: str) -> Gathering:
    """A table, locked so that nobody else can change it in the meantime."""
    if could_be_id(table_id):
        lock(connection, [table_id])
        for table in read_gatherings(connection, [table_id]):
            return table
    raise Problem("no-such-gathering")


def _has_room(table: Gathering) -> bool:
    return not table.dealing and any(chair.kind == "free" for chair in table.chairs)


def _check_limits(connection: Connection, host: str, person: str, now: float) -> None:
    """Raise a `Problem` if the host has sent too many invitations, or this person has received too many."""
    recent = select(func.count()).select_from(schema.invitations).where(_invites.at > now - HOUR)
    sent, received = recent.where(_invites.host == host), recent.where(_invites.person == person)
    limits = (
        (sent, MAX_SENT_PER_HOUR),
        (sent.where(_invites.person == person), MAX_TO_ONE_PERSON),
        (received, MAX_RECEIVED_PER_HOUR),
    )
    for query, limit in limits:
        if int(connection.scalar(query) or 0) >= limit:
            raise Problem("too-many-invitations")
