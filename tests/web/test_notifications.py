"""Notifications, as the service worker shows them. A headless browser can't subscribe, so its DevTools deliver them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession

from tests.server.sites.serving import Server
from tests.web.person import Person

# Records what the browser would show: without a screen, it shows no notifications.
RECORD = """() => {
  self.shown = new Map();
  self.registration.showNotification = async (title, { body, tag, data }) => self.shown.set(tag, [title, body, data]);
}"""


class Worker:
    """A page's service worker, controlled by DevTools."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._session: CDPSession = person.context.new_cdp_session(person.page)
        self._found: list[str] = []
        self._session.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self._session.send("ServiceWorker.enable")
        person.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        [self._worker] = person.context.service_workers
        self._worker.evaluate(RECORD)

    def _note(self, event: dict[str, Any]) -> None:
        self._found += [found["registrationId"] for found in event["registrations"]]

    def deliver(self, **message: str) -> None:
        """Deliver a message as a push service would."""
        origin = self._person.url.rstrip("/")
        data = json.dumps({"off": "Turn off notifications", **message})
        asked = {"origin": origin, "registrationId": self._found[-1], "data": data}
        self._session.send("ServiceWorker.deliverPushMessage", asked)

    def shown(self, count: int) -> dict[str, list[str]]:
        """Wait until there are this many notifications; returns the title, text and address of each, by tag."""
        wait = (
            "async (many) => { while (self.shown.size < many) await new Promise(setTimeout); return [...self.shown] }"
        )
        return dict(self._worker.evaluate(wait, count))


@pytest.fixture
def ada(browser: Browser, server: Server) -> Iterator[Person]:
    with Person(browser, server, service_workers="allow") as person:
        person.context.grant_permissions(["notifications"], origin=server.url.rstrip("/"))
        person.go()
        yield person


def test_a_newer_notification_about_a_game_replaces_the_older_one(ada: Person) -> None:
    worker = Worker(ada)
    worker.deliver(title="Your turn", body="Your game with Bob is waiting.", url="/game/abc", tag="abc")
    worker.deliver(title="Your turn", body="Your game with Bob and Cy is waiting.", url="/game/abc", tag="abc")
    worker.deliver(title="Your turn", body="Your game with Cy is waiting.", url="/game/xyz", tag="xyz")
    assert worker.shown(2) == {
        "abc": ["Your turn", "Your game with Bob and Cy is waiting.", "/game/abc"],
        "xyz": ["Your turn", "Your game with Cy is waiting.", "/game/xyz"],
    }
