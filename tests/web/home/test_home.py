"""The home page: its table is legal, and a game in progress comes first."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from chromino import CHAMELEONS, CLASSIC_TILES, Placement, Table, Tile
from tests.web.catalogs import WEB
from tests.web.person import ADA, SNAIL, Person


def test_the_table_on_the_home_page_is_legal() -> None:
    found = re.search(r'LAID = "(.*)"', (WEB / "js/home/hero_table.js").read_text(encoding="utf-8"))
    assert found is not None
    first, *others = map(Placement.parse, found[1].split())
    assert first.colors[1] == "*"  # A game starts with a chameleon.
    table = Table().lay(first)
    for placement in others:
        table = table.place(placement)  # This refuses illegal placements.
    tiles = [Tile.parse(placement.colors) for placement in table.laid]
    assert len(set(tiles)) == len(tiles) > 5
    assert set(tiles) <= {*CLASSIC_TILES, *CHAMELEONS}


def test_the_table_is_animated_unless_motion_is_reduced(person: Person) -> None:
    """Motion is reduced in tests unless they say otherwise."""
    person.go()
    person.page.locator(".hero-table .tile").last.wait_for(state="attached")
    moving = "document.querySelector('.hero-table').getAnimations({subtree: true}).length"
    assert person.page.evaluate(moving) == 0
    person.page.emulate_media(reduced_motion="no-preference")
    assert person.page.evaluate(moving) > 0


def test_a_game_in_progress_comes_first_with_its_opponents_and_its_table(person: Person) -> None:
    game = person.start(ADA, SNAIL)
    person.go()
    link = person.page.locator("main a").first
    expect(link).to_have_attribute("href", f"/game/{game}")
    expect(link).to_contain_text("against Snail")
    expect(link).to_contain_text("on the table")
    expect(link.locator(".thumbnail [class^=color]")).not_to_have_count(0)
