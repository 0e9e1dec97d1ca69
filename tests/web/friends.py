"""Several people, each with a browser, who meet at a table."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from playwright.sync_api import expect

from tests.server.sites.serving import Client, play_together
from tests.web.person import Person

FREE = {"kind": "free"}


def gather(host: Person, name: str, *chairs: dict[str, Any], **choices: Any) -> str:
    """Open a table directly on the server, with bots that don't pause; returns its id."""
    answer = host.context.request.post(
        host.url + "api/gatherings",
        data={"chairs": [{"kind": "me", "name": name}, *chairs], "pace": False, **choices},
    )
    assert answer.status == 201, answer.text()
    game: str = answer.json()["game"]
    host.go(f"join/{game}")
    expect(host.page.get_by_role("heading", name="Invite friends")).to_be_visible()
    return game


def join(friend: Person, game: str, name: str) -> None:
    friend.go(f"join/{game}")
    friend.page.get_by_label("Your name").fill(name)
    friend.page.get_by_role("button", name="Join").click()
    expect(friend.page.locator(".chair", has_text=name)).to_contain_text("you")


def begin(host: Person, *others: Person) -> None:
    host.page.get_by_role("button", name="Start", exact=True).click()
    for person in (host, *others):
        expect(person.page.locator("chromino-table .tile").first).to_be_attached()


def play_to_the_end(one: Person, other: Person) -> None:
    """The people in the first two seats keep playing without their pages, which only watch."""
    clients, game = [one.client, other.client], one.page.url.rpartition("/")[2]
    with ThreadPoolExecutor(1) as thread:  # Playwright has an event loop in this thread.
        thread.submit(_play_to_the_end, clients, game).result()


def _play_to_the_end(clients: list[Client], game: str) -> None:
    with clients[0].open(game) as one, clients[1].open(game) as other:
        play_together({0: one, 1: other}, one, lambda state: bool(state["view"]["over"]))
