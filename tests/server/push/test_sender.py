"""The queue of notifications and its sender, against a push service that verifies and decrypts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from chromino import Rules
from chromino.fair_deal import new_part
from chromino.seated.gathering import Gathering
from chromino.seated.seats import FREE, Chair, Seat
from chromino.server.database import gatherings, notices
from chromino.server.database.notices import Notice, NoticeKind, PushBrowser
from chromino.server.database.rows import digest, header_of
from chromino.server.database.store import Entry, GameRow, Store
from chromino.server.people import invitations
from chromino.server.people.identity import new_person
from chromino.server.push.delivery import PushServices
from chromino.server.push.sender import Sender, wait_before
from chromino.server.push.web_push import Signer, new_key
from tests.helpers import states
from tests.server.push.push_service import PushService, Subscriber, check_signature, push_service
from tests.server.sites.databases import Database

HOUR = 3600.0
LEASE = 61.0  # Seconds: slightly longer than a process has to send a notice it took.


class PushSetup:
    """A person with a browser, a push service, and the sender between them."""

    def __init__(self, store: Store, service: PushService, person: str) -> None:
        self.store = store
        self.service = service
        self.person = person
        self.browser = Subscriber(service.endpoint("ada"))
        self.sender = self.new_sender()

    def new_sender(self) -> Sender:
        """A sender like another process's."""
        services = PushServices(f"localhost:{self.service.port}", self.service.context)
        return Sender(self.store, Signer.load(new_key(), "mailto:ada@chromino.example"), services)

    async def subscribe(self, browser: Subscriber | None = None, *, quiet: tuple[int, int] = (0, 0)) -> None:
        at = browser or self.browser
        kept = PushBrowser(at.endpoint, at.p256dh, at.auth, "en", "UTC", *quiet)
        await self.store.write(notices.subscribe(self.person, at.endpoint[-60:], kept, self.store.clock.now()))

    async def note(self, game: str = "a-game", version: int = 1, kind: NoticeKind = "turn") -> None:
        now = self.store.clock.now()
        await self.store.write(notices.queue({self.person}, Notice(game, kind, version, "Bob", now, now + 24 * HOUR)))

    async def send(self) -> list[dict[str, Any]]:
        """Send what's due; returns what arrives."""
        await self.sender.send_due()
        found = []
        while not self.service.received.empty():
            path, headers, body = self.service.received.get_nowait()
            claims = check_signature(headers["authorization"])
            assert claims["aud"] == f"https://localhost:{self.service.port}"
            assert headers["content-encoding"] == "aes128gcm"
            message = json.loads(self.browser.decrypt(body))
            found.append({**message, "path": path, "topic": headers["topic"], "ttl": int(headers["ttl"])})
        return found

    async def due(self) -> float | None:
        """Seconds until the next notification is due."""
        at = await self.store.read(notices.next_due)
        return None if at is None else at - self.store.clock.now()


def run(database: Database, folder: Path, work: Callable[[PushSetup], Awaitable[None]]) -> None:
    async def play() -> None:
        store = await Store.open(database)
        try:
            async with push_service(folder) as service:
                person, _ = await new_person(store)
                setup = PushSetup(store, service, person)
                await setup.subscribe()
                await work(setup)
        finally:
            await store.close()

    asyncio.run(play())


def test_a_notification_arrives_once(empty: Database, tmp_path: Path) -> None:
    async def work(setup: PushSetup) -> None:
        await setup.note()
        [message] = await setup.send()
        assert message["ttl"] == pytest.approx(24 * HOUR, abs=60)
        assert {**message, "ttl": 0} == {
            "title": "Your turn",
            "body": "Your game with Bob is waiting.",
            "url": "/game/a-game",
            "tag": "a-game",
            "off": "Turn off notifications",
            "path": "/ada",
            "topic": "a-game",
            "ttl": 0,
        }
        assert await setup.send() == []
        await setup.note()  # The same turn again, noted by a process that didn't know.
        assert await setup.send() == []

    run(empty, tmp_path, work)


def test_a_newer_notification_about_the_same_game_replaces_the_older_one(tmp_path: Path) -> None:
    async def work(setup: PushSetup) -> None:
        await setup.note(version=1)
        await setup.note(version=4)
        await setup.note("another", kind="invitation")
        assert sorted(message["tag"] for message in await setup.send()) == ["a-game", "another"]
        await setup.store.write(notices.queue(set(), Notice("a-game", "turn", 9, "", 0.0, 0.0)))
        assert await setup.due() is None

    run(tmp_path / "games.sqlite", tmp_path, work)


def test_a_browser_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    async def work(setup: PushSetup) -> None:
        for status in ("404 Not Found", "410 Gone"):
            await setup.subscribe()
            setup.service.answers.append(status)
            await setup.note(status[:3])
            await setup.send()
            await setup.note("later")
            assert await setup.send() == []

    run(tmp_path / "games.sqlite", tmp_path, work)


def test_a_busy_service_is_retried_later(empty: Database, tmp_path: Path) -> None:
    async def work(setup: PushSetup) -> None:
        setup.service.answers += ["500 Oops", "429 Slow down\r\nRetry-After: 900", "201 Created"]
        await setup.note()
        assert len(await setup.send()) == 1
        assert await setup.due() == pytest.approx(wait_before(2), abs=10)
        setup.store.clock.move(wait_before(2))
        assert len(await setup.send()) == 1
        assert await setup.due() == pytest.approx(900, abs=10)
        setup.store.clock.move(900)
        assert len(await setup.send()) == 1
        assert await setup.due() is None

    run(empty, tmp_path, work)


def test_notifications_of_a_dead_process_are_sent_by_another(empty: Database, tmp_path: Path) -> None:
    async def work(setup: PushSetup) -> None:
        await setup.note()
        assert len(await setup.store.write(notices.take(setup.store.clock.now()))) == 1
        assert await setup.send() == []
        setup.store.clock.move(LEASE)
        setup.sender = setup.new_sender()
        assert len(await setup.send()) == 1

    run(empty, tmp_path, work)


def test_expired_notifications_are_not_sent(tmp_path: Path) -> None:
    async def work(setup: PushSetup) -> None:
        await setup.note()
        setup.store.clock.move(24 * HOUR + 1)
        assert await setup.send() == []
        assert await setup.due() is None

    run(tmp_path / "games.sqlite", tmp_path, work)


def test_notifications_wait_during_quiet_hours(tmp_path: Path) -> None:
    async def work(setup: PushSetup) -> None:
        now = int(setup.store.clock.now())
        minute = now // 60 % 1440
        await setup.subscribe(quiet=(minute, (minute + 60) % 1440))
        await setup.note()
        assert await setup.send() == []
        assert await setup.due() == pytest.approx(HOUR, abs=120)
        setup.store.clock.move(HOUR + 60)
        assert len(await setup.send()) == 1

    run(tmp_path / "games.sqlite", tmp_path, work)


def test_ten_browsers_are_notified_and_an_eleventh_replaces_the_first(tmp_path: Path) -> None:
    async def work(setup: PushSetup) -> None:
        for number in range(notices.MAX_BROWSERS):
            setup.store.clock.move(1)
            await setup.subscribe(Subscriber(setup.service.endpoint(str(number))))
        await setup.note()
        await setup.sender.send_due()
        paths = [setup.service.received.get_nowait()[0] for _ in range(notices.MAX_BROWSERS)]
        assert sorted(paths) == [f"/{number}" for number in range(notices.MAX_BROWSERS)]

    run(tmp_path / "games.sqlite", tmp_path, work)


def test_a_service_without_a_valid_certificate_gets_nothing(tmp_path: Path) -> None:
    async def work(setup: PushSetup) -> None:
        setup.sender = Sender(setup.store, Signer.load(new_key(), ""), PushServices(f"localhost:{setup.service.port}"))
        await setup.note()
        assert await setup.send() == []
        assert await setup.due() == pytest.approx(wait_before(2), abs=10)

    run(tmp_path / "games.sqlite", tmp_path, work)


async def _invite(setup: PushSetup) -> str:
    """Someone who has finished a game with the person invites them to a table while none of their pages is open."""
    host, _ = await new_person(setup.store)
    *_, over = states(Rules.preset("classic", hand_size=1), 2, seed=4)
    row = GameRow("their-game", header_of(over), True, False, (Seat(host, None), Seat(setup.person, None)))
    await setup.store.add_game(row, digest(over))
    await setup.store.append(Entry(row.id, 0, "{}", None, True, digest(over)))
    table = Gathering("a-table", host, (Chair("person", "Bob", host), FREE), entropy=new_part())
    await setup.store.write(gatherings.add(table, 5))
    assert await setup.store.write(invitations.invite(table.id, host, row.id, 1))
    return table.id


def test_an_invitation_reaches_someone_who_is_offline(empty: Database, tmp_path: Path) -> None:
    async def work(setup: PushSetup) -> None:
        setup.service.answers.append("500 Oops")
        table = await _invite(setup)
        assert len(await setup.send()) == 1
        setup.store.clock.move(wait_before(2))
        [message] = await setup.send()
        assert (message["title"], message["url"], message["tag"]) == ("Bob invited you", f"/join/{table}", table)
        assert await setup.send() == []
        [invited] = await setup.store.read(invitations.mine(setup.person))
        assert invited.table.id == table

    run(empty, tmp_path, work)


def test_an_invitation_to_a_closed_table_is_not_sent(tmp_path: Path) -> None:
    async def work(setup: PushSetup) -> None:
        setup.service.answers.append("500 Oops")
        table = await _invite(setup)
        await setup.send()
        await setup.store.write(lambda connection: gatherings.delete_gatherings(connection, [table]))
        setup.store.clock.move(wait_before(2))
        assert await setup.send() == []
        assert await setup.store.read(invitations.mine(setup.person)) == []

    run(tmp_path / "games.sqlite", tmp_path, work)
