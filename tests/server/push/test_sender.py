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
from tests.server.databases import Database
from tests.server.push.push_service import PushService, Subscriber, check_signature, push_service

HOUR = 3600.0
LEASE = 61.0


class Post:
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


def run(database: Database, folder: Path, work: Callable[[Post], Awaitable[None]]) -> None:
    async def play() -> None:
        store = await Store.open(database)
        try:
            async with push_service(folder) as service:
                person, _ = await new_person(store)
                post = Post(store, service, person)
                await post.subscribe()
                await work(post)
        finally:
            await store.close()

    asyncio.run(play())


def test_a_notification_arrives_once(empty: Database, tmp_path: Path) -> None:
    async def work(post: Post) -> None:
        await post.note()
        [message] = await post.send()
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
        assert await post.send() == []
        await post.note()  # The same turn again, noted by a process that didn't know.
        assert await post.send() == []

    run(empty, tmp_path, work)


def test_a_newer_notification_about_the_same_game_replaces_the_older_one(tmp_path: Path) -> None:
    async def work(post: Post) -> None:
        await post.note(version=1)
        await post.note(version=4)
        await post.note("another", kind="invitation")
        assert sorted(message["tag"] for message in await post.send()) == ["a-game", "another"]
        await post.store.write(notices.queue(set(), Notice("a-game", "turn", 9, "", 0.0, 0.0)))
        assert await post.due() is None

    run(tmp_path / "games.sqlite", tmp_path, work)


def test_a_browser_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    async def work(post: Post) -> None:
        for status in ("404 Not Found", "410 Gone"):
            await post.subscribe()
            post.service.answers.append(status)
            await post.note(status[:3])
            await post.send()
            await post.note("later")
            assert await post.send() == []

    run(tmp_path / "games.sqlite", tmp_path, work)


def test_a_busy_service_is_retried_later(empty: Database, tmp_path: Path) -> None:
    async def work(post: Post) -> None:
        post.service.answers += ["500 Oops", "429 Slow down\r\nRetry-After: 900", "201 Created"]
        await post.note()
        assert len(await post.send()) == 1
        assert await post.due() == pytest.approx(wait_before(2), abs=10)
        post.store.clock.move(wait_before(2))
        assert len(await post.send()) == 1
        assert await post.due() == pytest.approx(900, abs=10)
        post.store.clock.move(900)
        assert len(await post.send()) == 1
        assert await post.due() is None

    run(empty, tmp_path, work)


def test_notifications_of_a_dead_process_are_sent_by_another(empty: Database, tmp_path: Path) -> None:
    async def work(post: Post) -> None:
        await post.note()
        assert len(await post.store.write(notices.take(post.store.clock.now()))) == 1
        assert await post.send() == []
        post.store.clock.move(LEASE)
        post.sender = post.new_sender()
        assert len(await post.send()) == 1

    run(empty, tmp_path, work)


def test_expired_notifications_are_not_sent(tmp_path: Path) -> None:
    async def work(post: Post) -> None:
        await post.note()
        post.store.clock.move(24 * HOUR + 1)
        assert await post.send() == []
        assert await post.due() is None

    run(tmp_path / "games.sqlite", tmp_path, work)


def test_notifications_wait_during_quiet_hours(tmp_path: Path) -> None:
    async def work(post: Post) -> None:
        now = int(post.store.clock.now())
        minute = now // 60 % 1440
        await post.subscribe(quiet=(minute, (minute + 60) % 1440))
        await post.note()
        assert await post.send() == []
        assert await post.due() == pytest.approx(HOUR, abs=120)
        post.store.clock.move(HOUR + 60)
        assert len(await post.send()) == 1

    run(tmp_path / "games.sqlite", tmp_path, work)


def test_ten_browsers_are_notified_and_an_eleventh_replaces_the_first(tmp_path: Path) -> None:
    async def work(post: Post) -> None:
        for number in range(notices.MAX_BROWSERS):
            post.store.clock.move(1)
            await post.subscribe(Subscriber(post.service.endpoint(str(number))))
        await post.note()
        await post.sender.send_due()
        paths = [post.service.received.get_nowait()[0] for _ in range(notices.MAX_BROWSERS)]
        assert sorted(paths) == [f"/{number}" for number in range(notices.MAX_BROWSERS)]

    run(tmp_path / "games.sqlite", tmp_path, work)


def test_a_service_without_a_valid_certificate_gets_nothing(tmp_path: Path) -> None:
    async def work(post: Post) -> None:
        post.sender = Sender(post.store, Signer.load(new_key(), ""), PushServices(f"localhost:{post.service.port}"))
        await post.note()
        assert await post.send() == []
        assert await post.due() == pytest.approx(wait_before(2), abs=10)

    run(tmp_path / "games.sqlite", tmp_path, work)


async def _invite(post: Post) -> str:
    """Someone who has finished a game with the person invites them to a table while none of their pages is open."""
    host, _ = await new_person(post.store)
    *_, over = states(Rules.preset("classic", hand_size=1), 2, seed=4)
    row = GameRow("their-game", header_of(over), True, False, (Seat(host, None), Seat(post.person, None)))
    await post.store.add_game(row, digest(over))
    await post.store.append(Entry(row.id, 0, "{}", None, True, digest(over)))
    table = Gathering("a-table", host, (Chair("person", "Bob", host), FREE), {}, entropy=new_part())
    await post.store.write(gatherings.add(table, 5))
    assert await post.store.write(invitations.invite(table.id, host, row.id, 1))
    return table.id


def test_an_invitation_reaches_someone_who_is_offline(empty: Database, tmp_path: Path) -> None:
    async def work(post: Post) -> None:
        post.service.answers.append("500 Oops")
        table = await _invite(post)
        assert len(await post.send()) == 1
        post.store.clock.move(wait_before(2))
        [message] = await post.send()
        assert (message["title"], message["url"], message["tag"]) == ("Bob invited you", f"/join/{table}", table)
        assert await post.send() == []
        [invited] = await post.store.read(invitations.mine(post.person))
        assert invited.table.id == table

    run(empty, tmp_path, work)


def test_an_invitation_to_a_closed_table_is_not_sent(tmp_path: Path) -> None:
    async def work(post: Post) -> None:
        post.service.answers.append("500 Oops")
        table = await _invite(post)
        await post.send()
        await post.store.write(lambda connection: gatherings.delete_gatherings(connection, [table]))
        post.store.clock.move(wait_before(2))
        assert await post.send() == []
        assert await post.store.read(invitations.mine(post.person)) == []

    run(tmp_path / "games.sqlite", tmp_path, work)
