"""A dozen screens that look the same each time: seeded games, no motion, our own fonts, one date.

`test_reference.py` compares them with the pictures in `reference/`; `make accept` takes new ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser

from chromino import Game, Rules
from tests.server.serving import Server
from tests.server.some_games import finished
from tests.web import screens
from tests.web.person import DESKTOP, Person

PHONE = {"width": 390, "height": 844}
TABLET = {"width": 820, "height": 1180}

# The server stamps games with its own time; every date is shown as this one.
_ONE_DATE = 'Object.defineProperty(Intl.DateTimeFormat.prototype, "format", { value: () => "16 Nov 2026, 12:00" });'


@dataclass(frozen=True, slots=True)
class Reference:
    """A screen, and how it's looked at."""

    show: Callable[[Person], None]
    viewport: dict[str, int]
    scheme: str


def some_turns(rules: Rules, players: list[str], turns: int, seed: int = 7) -> Game:
    """A game that is under way, with seat 0 to play a tile that fits."""
    game = Game.start(rules, players, seed, first=0)
    while len(game.log) < turns or game.seat != 0 or "@" not in str(game.actions()[0]):
        actions = game.actions()
        game = game.apply(actions[len(actions) // 2])
    return game


def playing(person: Person, game: Game) -> None:
    bots = {seat: name.lower() for seat, name in enumerate(game.players) if seat}
    person.go(f"game/{person.have(game, bots)}")
    person.page.locator(".hand-tile.fits").first.wait_for()


def table(person: Person) -> None:
    playing(person, some_turns(Rules.classic(), ["Ada", "Fox", "Owl"], 10))


def picked(person: Person) -> None:
    table(person)
    person.pick()
    person.lit_place()


def eight_players(person: Person) -> None:
    names = ["Ada", "Snail", "Hedgehog", "Fox", "Owl", "Dragon", "Owl", "Fox"]
    playing(person, some_turns(Rules.expert(), names, 10))


def refused(person: Person) -> None:
    playing(person, Game.start(Rules.classic(), ["Ada", "Fox"], seed=4, first=0))
    person.fitting.first.click()
    person.tap_square(1, 0)
    person.page.locator(".refused").wait_for(state="attached")


def ending(person: Person) -> None:
    person.go(f"game/{person.have(finished(seed=3, rules=Rules.expert()), {1: 'fox'})}")
    person.page.get_by_role("button", name="Show the result").click()
    person.ending.wait_for()


def my_games(person: Person) -> None:
    person.have(some_turns(Rules.classic(), ["Ada", "Fox"], 16), {1: "fox"})
    person.go("games")
    person.page.locator(".game-list").first.wait_for()


REFERENCES = {
    "home-desktop-light": Reference(screens.home, DESKTOP, "light"),
    "home-phone-dark": Reference(screens.home, PHONE, "dark"),
    "setup-desktop-light": Reference(screens.setup, DESKTOP, "light"),
    "game-desktop-light": Reference(picked, DESKTOP, "light"),
    "game-desktop-dark": Reference(picked, DESKTOP, "dark"),
    "game-phone-light": Reference(table, PHONE, "light"),
    "refused-phone-dark": Reference(refused, PHONE, "dark"),
    "eight-players-phone-light": Reference(eight_players, PHONE, "light"),
    "ending-phone-light": Reference(ending, PHONE, "light"),
    "my-games-tablet-light": Reference(my_games, TABLET, "light"),
    "replay-desktop-dark": Reference(screens.replay, DESKTOP, "dark"),
    "review-desktop-light": Reference(screens.review, DESKTOP, "light"),
    "conundrum-tablet-dark": Reference(screens.conundrum, TABLET, "dark"),
    "lesson-phone-light": Reference(lambda person: screens.lesson(person, "contacts"), PHONE, "light"),
}


def shoot(browser: Browser, server: Server, reference: Reference) -> bytes:
    """A picture of the screen, as PNG."""
    touch: dict[str, Any] = {} if reference.viewport is DESKTOP else {"has_touch": True, "is_mobile": True}
    look = {"viewport": reference.viewport, "color_scheme": reference.scheme, **touch}
    with Person(browser, server, **look) as person:
        person.page.add_init_script(_ONE_DATE)
        person.prefer(timer=False)
        reference.show(person)
        person.page.mouse.move(0, 0)
        person.page.evaluate("document.fonts.ready.then(() => null)")
        return person.page.screenshot(animations="disabled", caret="hide")
