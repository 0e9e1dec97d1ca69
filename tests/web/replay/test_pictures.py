"""Pictures in the browser: downloads, an animated SVG, and an offline page that reveals no game.

The SVG is shown under its content security policy.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import ImageColor
from playwright.sync_api import Browser, expect

from chromino.draw.look import TEXTURES, VIVID
from tests.server.sample_games import played
from tests.server.sites.serving import Server, plant_multiplayer
from tests.web.person import Person


def planted(server: Server, names: tuple[str, ...] = ("Ada", "Bob")) -> str:
    with ThreadPoolExecutor(1) as thread:  # Playwright has an event loop in this thread.
        return thread.submit(plant_multiplayer, server.database, played(names, hand_size=3)).result()[0]


def downloaded(person: Person, role: str, name: str) -> bytes:
    with person.page.expect_download() as download:
        person.page.get_by_role(role, name=name, exact=True).click()  # type: ignore[arg-type]
    return Path(download.value.path()).read_bytes()


def test_tiles_look_the_same_on_the_page_and_in_files(person: Person) -> None:
    person.go()
    for color, texture in TEXTURES.items():
        assert person.page.locator(f"#texture-{color}").get_attribute("d") == texture
    used = person.page.evaluate("name => getComputedStyle(document.querySelector(name)).stroke", "#texture-B")
    assert used == f"rgb{ImageColor.getrgb(VIVID.inks['B'])}"


def test_a_replay_can_be_saved_as_a_picture(person: Person, server: Server) -> None:
    person.go(f"replay/{planted(server)}")
    person.page.get_by_role("button", name="Last move").click()
    svg = downloaded(person, "button", "Table as SVG")
    assert svg.startswith(b"<svg ")
    person.page.get_by_role("button", name="First move").click()
    start = downloaded(person, "button", "Table as SVG")
    assert start.count(b'class="tile"') < svg.count(b'class="tile"')
    assert downloaded(person, "button", "Table as PNG").startswith(b"\x89PNG")
    assert downloaded(person, "button", "Whole game as GIF").startswith(b"GIF89a")
    assert b"@keyframes" in downloaded(person, "button", "Whole game as animated SVG")


def test_the_end_of_a_game_offers_pictures(person: Person) -> None:
    person.show(played())
    person.page.get_by_role("button", name="Show the result").click()
    person.ending.get_by_role("button", name="More").click()
    assert downloaded(person, "link", "Save image").startswith(b"\x89PNG")
    assert downloaded(person, "link", "Save game as GIF").startswith(b"GIF89a")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_an_animated_svg_moves_under_its_content_policy_unless_motion_is_reduced(
    motion: str, browser: Browser, server: Server
) -> None:
    with Person(browser, server, reduced_motion=motion) as person:
        person.go(f"api/games/{planted(server)}/animated.svg")
        moving = person.page.evaluate("document.getAnimations().length")
        assert (moving > 0) == (motion == "no-preference")
        if motion == "reduce":  # The end: every tile is there, and one ring.
            shown = """name => [...document.getElementsByClassName(name)]
                .filter((group) => getComputedStyle(group).opacity !== "0").length"""
            assert person.page.evaluate(shown, "tile") == len(played(hand_size=3).table)
            assert person.page.evaluate(shown, "last") == 1


def test_the_page_cached_for_offline_use_reveals_no_game(browser: Browser, server: Server) -> None:
    game = planted(server, ("Somebody", "Else"))
    with Person(browser, server, service_workers="allow") as person:
        person.go()
        person.wait_until_cached()
        person.go(f"replay/{game}")
        expect(person.page.locator(".viewer")).to_be_visible()
        title = person.page.locator('meta[property="og:title"]')
        expect(title).to_have_attribute("content", re.compile("Somebody"))
        page = person.page.evaluate("caches.match('/').then((answer) => answer.text())")
        assert "og:title" in page
        assert "Somebody" not in page
        addresses = person.page.evaluate(
            "caches.open('chromino-page').then((c) => c.keys()).then((all) => all.map(({ url }) => url))"
        )
        assert not any(game in address for address in addresses)
