"""Notifications in the database: who wants them on which browser, and which are still to be sent.

Each browser has at most one notice per game; a newer notice replaces an older one. After a notice is sent, its row
stays, without a due time, until the notice expires or the turn is over, so that nothing is sent twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, literal, select, update
from sqlalchemy.dialects import postgresql, sqlite

from chromino.server.database import schema
from chromino.server.database.shared_clock import as_text

MAX_BROWSERS = 10
"""How many browsers a person can register."""
_LEASE = 60.0  # Seconds that a process has to send a notice it took. After that, another process may try.
_BATCH = 20  # The most notices a process takes at once.

_browsers, _notices, _keys = schema.push_browsers.c, schema.notices.c, schema.site_keys.c

_theirs = select(_browsers.id).where(_browsers.person.in_(bindparam("people", expanding=True)))
_WITHDRAW = delete(schema.notices).where(_notices.game == bindparam("game_id"), _notices.browser.in_(_theirs))
_WITHDRAW_ALL = delete(schema.notices).where(_notices.game.in_(bindparam("games", expanding=True)))

NoticeKind = Literal["turn", "invitation", "rematch"]


class PushBrowser(NamedTuple):
    """A browser that gets notifications, and its owner's preferences."""

    endpoint: str
    p256dh: str
    auth: str
    language: str
    timezone: str
    quiet_from: int
    quiet_to: int
    """Minutes after local midnight."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to notify a person about."""

    game: str
    kind: NoticeKind
    version: int
    """A notice with a higher version replaces this one."""
    about: str
    """The names that its text mentions, one per line."""
    due: float
    expires: float


class Delivery(NamedTuple):
    """A notice on its way to one browser."""

    browser_id: str
    browser: PushBrowser
    notice: Notice
    tries: int


def subscribe(person: str, browser_id: str, browser: PushBrowser, now: float) -> Callable[[Connection], None]:
    """Register a browser, even if it was someone else's before. If a person has too many, their oldest is dropped."""

    def work(connection: Connection) -> None:
        _forget(connection, [browser_id])
        theirs = select(_browsers.id).where(_browsers.person == person).order_by(_browsers.created.desc(), _browsers.id)
        _forget(connection, list(connection.scalars(theirs.offset(MAX_BROWSERS - 1))))
        row = {"id": browser_id, "person": person, "created": as_text(now), **browser._asdict()}
        connection.execute(insert(schema.push_browsers), row)

    return work


def unsubscribe(browser_id: str) -> Callable[[Connection], None]:
    """Forget a browser, and drop its notices."""
    return lambda connection: _forget(connection, [browser_id])


def forget_person(connection: Connection, person: str) -> None:
    _forget(connection, list(connection.scalars(select(_browsers.id).where(_browsers.person == person))))


def queue(people: Set[str], notice: Notice) -> Callable[[Connection], None]:
    """Queue a notice for every browser of these people. It replaces older notices about the game."""

    def work(connection: Connection) -> None:
        old = (_notices.game == notice.game) & (_notices.version < notice.version)
        connection.execute(delete(schema.notices).where(old))
        if not people:
            return
        values = [notice.game, notice.kind, notice.version, notice.about, notice.due, notice.expires, 0]
        rows = select(_browsers.id, *map(literal, values)).where(_browsers.person.in_(people))
        names = ["browser", "game", "kind", "version", "about", "due", "expires", "tries"]
        insert_into = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        connection.execute(
            insert_into(schema.notices).from_select(names, rows.order_by(_browsers.id)).on_conflict_do_nothing()
        )

    return work


def withdraw(connection: Connection, game: str, people: Set[str]) -> None:
    """Drop notices about a game for these people, because they already know, or no longer need to."""
    connection.execute(_WITHDRAW, {"game_id": game, "people": list(people)})


def withdraw_all(connection: Connection, games: Sequence[str]) -> None:
    """Drop all notices about these games, because nobody needs them anymore."""
    connection.execute(_WITHDRAW_ALL, {"games": games})


def next_due(connection: Connection) -> float | None:
    """When the next notice is due, if there is one."""
    due = connection.scalar(select(_notices.due).where(_notices.due.is_not(None)).order_by(_notices.due).limit(1))
    return None if due is None else float(due)


def take(now: float) -> Callable[[Connection], list[Delivery]]:
    """Take the notices that are due, so that no other process sends them for a while. Expired notices are deleted."""

    def work(connection: Connection) -> list[Delivery]:
        connection.execute(delete(schema.notices).where(_notices.expires <= now))
        due = select(schema.notices).where(_notices.due <= now).order_by(_notices.due).limit(_BATCH)
        taken = connection.execute(due.with_for_update(skip_locked=True)).all()
        deliveries = []
        for row in taken:
            key = (_notices.browser == row.browser) & (_notices.game == row.game)
            connection.execute(update(schema.notices).where(key).values(due=now + _LEASE, tries=row.tries + 1))
            query = select(schema.push_browsers).where(_browsers.id == row.browser)
            columns = connection.execute(query).mappings().one()
            browser = PushBrowser(*(columns[name] for name in PushBrowser._fields))
            notice = Notice(row.game, row.kind, row.version, row.about, row.due, row.expires)
            deliveries.append(Delivery(row.browser, browser, notice, row.tries + 1))
        return deliveries

    return work


def settle(delivery: Delivery, due: float | None) -> Callable[[Connection], None]:
    """Record that a notice was sent (if `due` is None), or when to try again, unless a newer notice has replaced it."""
    key = (_notices.browser == delivery.browser_id) & (_notices.game == delivery.notice.game)
    change = update(schema.notices).where(key, _notices.version == delivery.notice.version).values(due=due)

    def work(connection: Connection) -> None:
        connection.execute(change)

    return work


def site_key(name: str, make: Callable[[], str]) -> Callable[[Connection], str]:
    """One of the site's secrets, created the first time it's needed."""

    def work(connection: Connection) -> str:
        key = connection.scalar(select(_keys.value).where(_keys.name == name))
        if key is None:
            key = make()
            connection.execute(insert(schema.site_keys), {"name": name, "value": key})
        return str(key)

    return work


def _forget(connection: Connection, browsers: list[str]) -> None:
    connection.execute(delete(schema.notices).where(_notices.browser.in_(browsers)))
    connection.execute(delete(schema.push_browsers).where(_browsers.id.in_(browsers)))
