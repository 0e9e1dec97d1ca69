"""When a page is told that something has changed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from chromino.server.database.store import Change, ChangeKind, Store
from chromino.server.games.gatherings import Gatherings, GatheringWatcher
from chromino.server.games.watcher import Watcher
from tests.server.sites.databases import in_store


async def let_others_run() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def waiting() -> tuple[Watcher, asyncio.Task[None]]:
    """A page's watcher, and a task that's waiting for its news."""
    watcher = Watcher("ada")
    news = asyncio.create_task(watcher.wait_for_news())
    await let_others_run()
    return watcher, news


def test_news_waits_until_the_pages_message_is_answered() -> None:
    async def play() -> None:
        watcher, news = await waiting()
        with watcher.answering():
            watcher.notify()
            await let_others_run()
            assert not news.done()
        await news

    asyncio.run(play())


def test_news_sent_with_the_answer_is_not_sent_again() -> None:
    async def play() -> None:
        watcher, news = await waiting()
        with watcher.answering():
            watcher.notify()
            watcher.has_news = False  # It was sent.
        await let_others_run()
        assert not news.done()
        watcher.notify()
        await news

    asyncio.run(play())


def test_earlier_news_is_available_at_once() -> None:
    async def play() -> None:
        watcher = Watcher("ada")
        watcher.notify()
        await watcher.wait_for_news()

    asyncio.run(play())


@pytest.mark.parametrize(("kind", "is_shown"), [("gathering", True), ("all", True), ("notice", False), ("game", False)])
def test_a_table_is_sent_again_only_if_what_it_shows_has_changed(
    kind: ChangeKind, is_shown: bool, tmp_path: Path
) -> None:
    """Otherwise, for example, a host could tell whether their invitation was sent, or hidden."""

    async def work(store: Store) -> None:
        tables, watcher = Gatherings(store, grace=60), GatheringWatcher(None)
        await tables.watch("table", watcher)
        watcher.changed.clear()
        tables.hear(Change(kind, "table"))
        assert watcher.changed.is_set() == is_shown
        tables.stop()

    in_store(tmp_path / "db.sqlite", work)
