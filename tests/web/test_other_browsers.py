"""The page works in Firefox and WebKit, too: the home page, placing a tile, a conundrum."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date

import pytest

from chromino.conundrum.making import daily
from tests.server.sites.serving import Server
from tests.web.other_browsers import OtherBrowser, firefox, webkit
from tests.web.person import ADA, SNAIL

DAY = date(2026, 11, 15)

# Start a game in which I go first and have a tile that fits.
_BEGIN = """async () => {
  for (;;) {
    const body = JSON.stringify({ seats: SEATS, first: 1, pace: false });
    const headers = { "content-type": "application/json" };
    const { game } = await (await fetch("/api/games", { method: "POST", headers, body })).json();
    const { view } = await (await fetch(`/api/games/${game}`)).json();
    if (view.actions[0].includes("@")) return game;
  }
}""".replace("SEATS", json.dumps([SNAIL, ADA]))

_SQUARE = """() => {
  const { left, top, width } = document.querySelector("chromino-table").rectOf({ x: X, y: Y, down: true });
  return [Math.round(left + width / 2), Math.round(top + width / 2)];
}"""


@pytest.mark.long
@pytest.mark.parametrize("started", [firefox, webkit])
def test_the_page_works_in_other_browsers(
    server: Server, started: Callable[[], AbstractContextManager[OtherBrowser]]
) -> None:
    with started() as browser:
        shows_the_home_page(browser, server)
        places_a_tile(browser, server)
        finds_a_place(browser, server)


def shows_the_home_page(browser: OtherBrowser, server: Server) -> None:
    browser.go(server.url)
    browser.middle(".hero .tile")
    assert browser.run("() => document.fonts.ready.then(() => document.fonts.check('16px Fredoka'))")
    assert browser.run("() => document.documentElement.scrollWidth <= innerWidth")
    browser.click(".hero .button.primary")
    browser.until("document.querySelectorAll('.hand-tile').length === 8")
    assert browser.complaints == []


def places_a_tile(browser: OtherBrowser, server: Server) -> None:
    game = browser.run(_BEGIN)
    browser.go(f"{server.url}game/{game}")
    tile = browser.click(".hand-tile.fits")
    x, y = browser.middle(".lit:not(.faint) .outline")
    browser.press("\ue00c")  # Escape, since we want to drag the tile.
    browser.drag(tile, (tile[0], tile[1] - 40), (x + 3, y + 3), (x, y))
    browser.until("document.querySelectorAll('.drawing > g:first-child > .tile').length >= 2")
    browser.until("document.querySelectorAll('.log > li').length >= 2")
    assert browser.complaints == []


def finds_a_place(browser: OtherBrowser, server: Server) -> None:
    browser.go(f"{server.url}conundrum/{DAY}/1")
    tile, places = next(iter(daily(DAY, 1).solutions.items()))
    browser.click(f'[data-tile="{tile}"]')
    quarters = (0 if places[0].colors == str(tile) else 2) + places[0].down
    for _ in range(quarters):
        browser.press("r")
    x, y = places[0].squares[1]
    browser.middle("chromino-table .tile")
    browser.drag(browser.run(_SQUARE.replace("X", str(x)).replace("Y", str(y))))
    browser.until("document.querySelector('.found')")
    browser.until("document.querySelector('.asked').textContent.includes('1 of')")
    assert browser.complaints == []
