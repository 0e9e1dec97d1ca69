"""Secrets stay in the cookie: the page never puts one into an address, and no script can read it."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Request, WebSocket, expect

from chromino.messages.people import COOKIE
from tests.server.sites.serving import Server
from tests.web.friends import FREE, begin, gather, join
from tests.web.person import Person


class Listener:
    """Keeps the addresses, sockets and headers that a browser sends, except cookies."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.heard: list[str] = []
        person.page.on("request", self._on_request)
        person.page.on("websocket", self._on_socket)

    def _on_request(self, request: Request) -> None:
        headers = {name: value for name, value in request.headers.items() if name != "cookie"}
        self.heard += [request.url, str(headers)]

    def _on_socket(self, socket: WebSocket) -> None:
        self.heard.append(socket.url)

    @property
    def secret(self) -> str:
        (found,) = [cookie for cookie in self.person.context.cookies() if cookie.get("name") == COOKIE]
        assert found.get("httpOnly") is True
        assert found.get("sameSite") == "Strict"
        return found.get("value", "")

    def readable(self) -> str:
        """Everything the page's scripts can read, including the addresses it has loaded."""
        found: str = self.person.page.evaluate(
            """() => JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}, history.state,
              location.href, document.documentElement.outerHTML, performance.getEntries().map(({ name }) => name)])"""
        )
        return found


def test_no_secret_or_code_is_in_a_url_or_within_reach_of_a_script(browser: Browser, server: Server) -> None:
    with Person(browser, server) as ada, Person(browser, server) as bob, Person(browser, server) as phone:
        listeners = [Listener(person) for person in (ada, bob, phone)]
        game = gather(ada, "Ada", FREE)
        join(bob, game, "Bob")
        begin(ada, bob)
        ada.go("games")
        ada.page.get_by_role("button", name="Get a code for another device").click()
        shown = ada.page.locator(".code")
        expect(shown).to_have_text(re.compile(r"\w{5}-\w{5}"))
        code = shown.inner_text()
        phone.go("games")
        phone.page.get_by_label("Have a code? Enter it here:").fill(code)
        phone.page.get_by_role("button", name="Link this device").click()
        expect(phone.page.get_by_role("heading", name="In progress")).to_be_visible()
        for person in (ada, bob, phone):
            person.go(f"game/{game}")
            expect(person.page.locator("chromino-table .tile").first).to_be_attached()

        secrets = [listener.secret for listener in listeners]
        assert len(set(secrets)) == 3  # Each device has its own.
        for listener in listeners:
            assert any("/play" in address for address in listener.heard)  # The listener really heard something.
            for word in (*secrets, code, code.replace("-", "")):
                assert not any(word in line for line in listener.heard)
                assert word not in listener.readable()
