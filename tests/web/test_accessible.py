"""Every screen works for everyone: axe finds nothing, targets are large, nothing is cut off at 320 px or 200%."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from chromino import Game, Rules
from tests.helpers import more, with_open_hands
from tests.server.sites.serving import Server
from tests.web.catalogs import LANGUAGES, catalog
from tests.web.person import PHONE, Person
from tests.web.screens import SCREENS

# Exceptions: options of the places' listbox, which only a screen reader sees, and checkboxes under their labels.
# Tiles of a hand are tall, and eight of them fit in a row: each is at least 36 pixels wide.
_SMALL_TARGETS = """() => [...document.querySelectorAll('button, a, select, input, summary, [role="option"]')]
  .filter((element) => !element.closest(".spoken, [hidden]") && !element.matches(".places-free"))
  .map((element) => element.closest("label") ?? element)
  .map((element) => [element, element.getBoundingClientRect()])
  .filter(([element, { width, height }]) =>
    width && height && (width < (element.matches(".hand-tile") ? 36 : 43.5) || height < 43.5))
  .map(([element, { width, height }]) => `${element.outerHTML.slice(0, 120)} ${width} x ${height}`)"""

_OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll(".tools button")]
    .map((element) => [element.ariaLabel || element.textContent, element.getBoundingClientRect()])
    .filter(([, { width }]) => width);
  return boxes.flatMap(([a, one], number) => boxes.slice(number + 1)
    .filter(([, two]) => one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom)
    .map(([b]) => `${a} and ${b}`));
}"""

# Put each of these clocks into each seat, one at a time. It must fit into the seat and into the list.
_CUT_CLOCKS = """(texts) => [...document.querySelectorAll(".seat-clock")].flatMap((clock) => texts.filter((text) => {
  for (const other of document.querySelectorAll(".seat-clock")) other.textContent = "";
  clock.textContent = text;
  const range = document.createRange();
  range.selectNodeContents(clock);
  const { left, right } = range.getBoundingClientRect();
  return [clock, clock.closest(".seat"), clock.closest(".seats")]
    .map((element) => element.getBoundingClientRect())
    .some((box) => left < box.left - 0.5 || right > box.right + 0.5);
}))"""
_CLOCKS = ["0:59", "59:59", *(catalog(language)["time.hours"].replace("{n}", "24") for language in LANGUAGES)]

# Names that are cut off, and open tiles outside their seats.
_CUT_SEATS = """() => [
  ...[...document.querySelectorAll(".seat-name")].filter((name) => name.scrollWidth > name.clientWidth),
  ...[...document.querySelectorAll(".seat-open .tile-picture")].filter((tile) => {
    const [inner, outer] = [tile, tile.closest(".seat")].map((element) => element.getBoundingClientRect());
    return inner.left < outer.left || inner.right > outer.right || inner.bottom > outer.bottom;
  }),
].map((element) => element.parentElement.outerHTML.slice(0, 120))"""

# How many pixels the page is wider than the screen.
_EXCESS_WIDTH = """() => document.documentElement.scrollWidth - document.documentElement.clientWidth"""


@pytest.mark.long
@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_no_problems_in_either_theme(browser: Browser, server: Server, screen: str) -> None:
    with Person(browser, server, color_scheme="light") as person:
        SCREENS[screen](person)
        assert_accessible(person)


_FIRST = [
    "conundrum",
    "eight-players",
    "ending",
    "gathering",
    "home",
    "lesson",
    "picked",
    "review",
]  # The other screens share their parts.
_ALL = [name if name in _FIRST else more(name) for name in SCREENS]


@pytest.mark.parametrize("screen", _ALL)
def test_a_narrow_phone_shows_everything_with_large_targets(browser: Browser, server: Server, screen: str) -> None:
    """A desktop of 640 px also has 320 px at 200%."""
    narrow: dict[str, Any] = {"width": 320, "height": 568}
    with Person(browser, server, viewport=narrow, has_touch=True, is_mobile=True, color_scheme="light") as person:
        SCREENS[screen](person)
        assert person.page.evaluate(_EXCESS_WIDTH) <= 0
        assert person.page.evaluate(_SMALL_TARGETS) == []
        assert person.page.evaluate(_OVERLAPS) == []
        is_home = person.page.url == person.url
        assert (person.page.title() == "Chromino") == is_home  # A title says what the page is.
        assert_accessible(person)
        for width in (320, 390):
            person.page.set_viewport_size({"width": width, "height": 568})
            assert person.page.evaluate(_CUT_CLOCKS, _CLOCKS) == []


@pytest.mark.parametrize("names", [["Hedgehog", "Hedgehog"], ["Ada", "Fox", "Owl"]], ids=len)
def test_seats_show_names_and_open_hands_on_a_phone(browser: Browser, server: Server, names: list[str]) -> None:
    with Person(browser, server, viewport=PHONE, has_touch=True, is_mobile=True) as person:
        game = Game.start(with_open_hands(Rules.classic()), names, seed=7, first=0)
        person.go(f"game/{person.have(game, dict.fromkeys(range(1, len(names)), 'fox'))}")
        person.page.locator(".seat-open .tile-picture").first.wait_for()
        assert person.page.evaluate(_CUT_SEATS) == []


def assert_accessible(person: Person) -> None:
    """Run axe in light and dark."""
    for scheme in ("light", "dark"):
        person.page.emulate_media(color_scheme=scheme)
        found = Axe().run(person.page, options={"resultTypes": ["violations"]})
        assert found.violations_count == 0, f"{scheme}: {found.generate_report()}"


@pytest.mark.parametrize("viewport", [{"width": 640, "height": 360}, more({"width": 640, "height": 400})])
def test_a_phone_in_landscape_keeps_the_table_and_the_hand_in_view(
    browser: Browser, server: Server, viewport: dict[str, int]
) -> None:
    with Person(browser, server, viewport=viewport, has_touch=True, is_mobile=True) as person:
        SCREENS["picked"](person)
        table = person.page.locator("chromino-table").bounding_box()
        assert table is not None
        assert table["width"] >= 280
        assert table["height"] >= 200
        expect(person.page.locator(".hand-tile").first).to_be_in_viewport()


def test_tiles_keep_their_colors_when_colors_are_forced(browser: Browser, server: Server) -> None:
    with Person(browser, server, forced_colors="active") as person:
        colorful = Game.start(Rules.classic(), ["Ada", "Bob"], seed=0, first=0)  # A hand with all five colors.
        person.go(f"game/{person.have(colorful, {1: 'snail'})}")
        expect(person.page.locator(".hand-tile")).to_have_count(8)
        fills = person.page.evaluate(
            "[...document.querySelectorAll('.defs .square')].map((square) => getComputedStyle(square).fill)"
        )
        assert len(set(fills)) >= 5


def test_only_your_turn_interrupts_a_screen_reader(person: Person) -> None:
    person.begin()
    assertive = person.page.locator('[aria-live="assertive"]')
    expect(assertive).to_have_text("Your turn.")
    polite = person.page.locator('[aria-live="polite"]')
    person.play("roles", most=1)
    person.situation()
    expect(polite).to_contain_text("Ada played")
    expect(polite).to_contain_text("from the start")


def test_the_focus_is_never_lost(browser: Browser, server: Server) -> None:
    with Person(browser, server, viewport=PHONE) as person:
        person.begin()
        person.hand.get_by_role("option").first.focus()
        person.place_by_keyboard()
        person.wait_for_event(1)
        expect(person.page.locator(".hand-tile:focus")).to_have_count(1)
