"""Sends notices when they're due. Each process has a task for this, but no two send the same notice."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from chromino.server.database import notices
from chromino.server.database.notices import Delivery
from chromino.server.database.store import Change, Store
from chromino.server.operating.metrics import PUSHED
from chromino.server.problems import Problem
from chromino.server.push.delivery import Outcome, PushServices
from chromino.server.push.push_words import payload
from chromino.server.push.quiet_hours import next_send_time
from chromino.server.push.web_push import BadKeys, Browser, Signer, encrypt

_CHECK_SECONDS = 30.0  # How often to look for notices that a dead process has left behind.
_FIRST_WAIT = 30.0  # Seconds before the second try; the wait doubles with each further try.
_MAX_WAIT = 3600.0  # Seconds.
_MAX_TRIES = 8

log = logging.getLogger(__name__)


class Sender:
    """Takes due notices from the queue, and sends them."""

    def __init__(self, store: Store, signer: Signer, services: PushServices) -> None:
        self._store = store
        self._signer = signer
        self.services = services
        self.public_key = signer.public_key
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop sending. Other processes, or this one after its next start, send the notices that we've taken."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def hear(self, change: Change) -> None:
        """Look for notices to send if this process or another has added some."""
        if change.kind in ("notice", "all"):
            self._wake.set()

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            wait = _CHECK_SECONDS
            try:
                await self.send_due()
                if (due := await self._store.read(notices.next_due)) is not None:
                    wait = min(max(due - self._store.clock.now(), 0.0), _CHECK_SECONDS)
            except Problem as problem:
                log.warning("notifications are waiting for the database: %s", problem)
            except Exception:  # Whatever went wrong, the next notices must go out.
                log.exception("sending notifications failed")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), wait)

    async def send_due(self) -> None:
        """Send everything that's due now, a few at a time."""
        now = self._store.clock.now()
        while taken := await self._store.write(notices.take(now), isolated=False):
            await asyncio.gather(*map(self._send, taken))

    async def _send(self, sending: Delivery) -> None:
        now = self._store.clock.now()
        _, browser, notice, _ = sending
        send_at = next_send_time(now, browser.quiet_from, browser.quiet_to, browser.timezone)
        if send_at > now:
            await self._settle(sending, send_at)
            return
        outcome = await self._deliver(sending, now)
        PUSHED.labels(outcome.kind).inc()
        if outcome.kind == "gone":
            await self._store.write(notices.unsubscribe(sending.browser_id), isolated=False)
        elif outcome.kind == "later" and sending.tries < _MAX_TRIES:
            await self._settle(sending, now + max(wait_before(sending.tries + 1), outcome.after))
        else:
            if outcome.kind != "sent":  # The endpoint is the person's secret, so it isn't logged.
                log.warning("a notification about %s wasn't delivered: %s", notice.game, outcome.why)
            await self._settle(sending, None)

    async def _deliver(self, sending: Delivery, now: float) -> Outcome:
        _, to, notice, _ = sending
        try:
            body = encrypt(payload(notice, to.language), Browser.of(to.endpoint, to.p256dh, to.auth))
        except BadKeys as error:
            return Outcome("refused", str(error))
        headers = {
            **self._signer.headers(to.endpoint, now),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(max(0, int(notice.expires - now))),
            "Topic": notice.game,  # A newer message about this game replaces an undelivered one.
            "Urgency": "normal",
        }
        return await self.services.deliver(to.endpoint, body, headers)

    async def _settle(self, sending: Delivery, due: float | None) -> None:
        await self._store.write(notices.settle(sending, due), isolated=False)


def wait_before(attempt: int) -> float:
    """Seconds to wait before attempt number `attempt`; the first one is number 1."""
    return float(min(_FIRST_WAIT * 2 ** (attempt - 2), _MAX_WAIT))
