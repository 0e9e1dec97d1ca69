"""Fourteen screens that look the same each time: seeded games, no motion, our own fonts, one date.

`test_reference.py` compares them with the pictures in `accepted/`; `make accept` replaces the pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser

from chromino import Rules
from tests.server.sites.in_process import InProcessServer
from tests.web import screens
from tests.web.person import DESKTOP, Person

PHONE = {"width": 390, "height": 844}
TABLET = {"width": 820, "height": 1180}

# The server stamps games with its own time; every date is shown as this one.
_ONE_DATE = 'Object.defineProperty(Intl.DateTimeFormat.prototype, "format", { value: () => "16 Nov 2026, 12:00" });'


@dataclass(frozen=True, slots=True)
class Reference:
    """A screen, with its size and theme."""

    show: Callable[[Person], None]
    viewport: dict[str, int]
    scheme: str


def my_games(person: Person) -> None:
    person.have(screens.some_turns(Rules.classic(), ["Ada", "Fox"], 16), {1: "fox"})
    person.go("games")
    person.page.locator(".game-list").first.wait_for()


REFERENCES = {
    "home-desktop-light": Reference(screens.home, DESKTOP, "light"),
    "home-phone-dark": Reference(screens.home, PHONE, "dark"),
    "setup-desktop-light": Reference(screens.setup, DESKTOP, "light"),
    "game-desktop-light": Reference(screens.duel, DESKTOP, "light"),
    "game-desktop-dark": Reference(screens.duel, DESKTOP, "dark"),
    "game-phone-light": Reference(screens.duel, PHONE, "light"),
    "refused-phone-dark": Reference(screens.refused, PHONE, "dark"),
    "eight-players-phone-light": Reference(screens.eight_players, PHONE, "light"),
    "ending-phone-light": Reference(screens.won, PHONE, "light"),
    "my-games-tablet-light": Reference(my_games, TABLET, "light"),
    "replay-desktop-dark": Reference(screens.replay, DESKTOP, "dark"),
    "review-desktop-light": Reference(screens.review, DESKTOP, "light"),
    "conundrum-tablet-dark": Reference(screens.conundrum, TABLET, "dark"),
    "lesson-phone-light": Reference(lambda person: screens.lesson(person, "contacts"), PHONE, "light"),
}


def shoot(browser: Browser, server: InProcessServer, reference: Reference) -> bytes:
    """A picture of the screen as a PNG."""
    touch: dict[str, Any] = {} if reference.viewport is DESKTOP else {"has_touch": True, "is_mobile": True}
    look = {"viewport": reference.viewport, "color_scheme": reference.scheme, **touch}
    with Person(browser, server, **look) as person:
        person.page.add_init_script(_ONE_DATE)
        person.prefer(timer=False)
        reference.show(person)
        person.page.mouse.move(0, 0)
        person.page.evaluate("document.fonts.ready.then(() => null)")
        return person.page.screenshot(animations="disabled", caret="hide")
