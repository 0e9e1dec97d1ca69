"""The pages connected to this process. When a device is signed out, in any process, its pages are closed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from chromino.server.database.store import Change, Store
from chromino.server.people import people
from chromino.server.problems import Problem

_BATCH = 500  # Devices to look up at once.
_RETRY_SECONDS = 1.0

log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class Page:
    """A page on someone's device."""

    secret_hash: str
    close: Callable[[], Awaitable[None]]
    person: str | None = None
    """None until we know whose page it is."""


class OpenPages:
    """The open pages of people with an identity."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pages: set[Page] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @contextmanager
    def open(self, secret_hash: str, close: Callable[[], Awaitable[None]]) -> Iterator[Page]:
        """Register a page before looking up its owner, so no sign-out is missed. `close` is called on sign-out."""
        page = Page(secret_hash, close)
        self._pages.add(page)
        try:
            yield page
        finally:
            self._pages.discard(page)

    def set_owner(self, page: Page, person: str | None) -> None:
        """Set the page's owner. If it has none, forget the page, since its device can't be signed out."""
        page.person = person
        if person is None:
            self._pages.discard(page)

    def hear(self, change: Change) -> None:
        """Close the pages of devices that were signed out, here or in another process."""
        if change.kind in ("devices", "all"):
            owners = (None, change.id)
            pages = [page for page in self._pages if change.kind == "all" or page.person in owners]
            if pages:
                task = asyncio.get_running_loop().create_task(self._check(pages))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Cancel all background work. Call this when the server stops."""
        for task in self._tasks:
            task.cancel()

    async def _check(self, pages: list[Page]) -> None:
        for start in range(0, len(pages), _BATCH):
            batch = pages[start : start + _BATCH]
            signed_in = await self._signed_in({page.secret_hash for page in batch})
            signed_out = [page for page in batch if page.secret_hash not in signed_in and page in self._pages]
            self._pages.difference_update(signed_out)
            # Close all of them at once: a page that has stopped reading shouldn't keep the others open.
            await asyncio.gather(*(page.close() for page in signed_out), return_exceptions=True)

    async def _signed_in(self, hashes: set[str]) -> set[str]:
        while True:
            try:
                return await self._store.read(people.devices_among(hashes))
            except Problem as problem:
                log.warning("can't find out which devices are signed out: %s", problem)
                await asyncio.sleep(_RETRY_SECONDS)
