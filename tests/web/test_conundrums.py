"""Conundrums in the browser: by mouse, by keyboard, with hints, and given up."""

from __future__ import annotations

import re
from datetime import date

import pytest
from playwright.sync_api import expect

from chromino import Placement
from chromino.conundrum import Conundrum
from chromino.making import daily
from tests.web.person import Person

DAY = date(2026, 11, 15)


def open_daily(person: Person, grade: int) -> Conundrum:
    person.go(f"conundrum/{DAY}/{grade}")
    expect(person.page.locator(".hand-tile").first).to_be_visible()
    return daily(DAY, grade)


def turn_to(person: Person, place: Placement, tile: str) -> None:
    """Turn the picked tile as the place needs it."""
    quarters = (0 if place.colors == tile else 2) + place.down
    for _ in range(quarters):
        person.page.keyboard.press("r")


def test_a_conundrum_is_solved_by_mouse(person: Person) -> None:
    person.go("conundrums")
    person.page.get_by_role("link", name=re.compile("Grade 2")).wait_for()
    conundrum = open_daily(person, 2)
    for tile, places in conundrum.solutions.items():
        for number, place in enumerate(places, start=1):
            if person.page.locator('.hand-tile[aria-selected="true"]').count():
                person.page.keyboard.press("Escape")
            person.page.locator(f'[data-tile="{tile}"]').click()
            turn_to(person, place, str(tile))
            x, y = place.squares[1]
            person.tap_square(x, y)
            expect(person.page.locator(".asked")).to_contain_text(f"{number} of {len(places)}")
    expect(person.page.get_by_text("Solved in")).to_be_visible()
    expect(person.page.get_by_role("button", name="Share the result")).to_be_visible()
    person.page.evaluate(
        "localStorage.setItem('chromino-solved', JSON.stringify({[new Date().toISOString().slice(0, 10) + '/1']: 5}))"
    )
    person.go("conundrums")
    expect(person.page.get_by_text("1 day in a row")).to_be_visible()
    expect(person.page.get_by_text("Solved in 0:05")).to_be_visible()


def test_a_conundrum_is_solved_by_keyboard(person: Person) -> None:
    conundrum = open_daily(person, 1)
    held = (1, 0)
    for tile, places in conundrum.solutions.items():
        for place in places:
            person.page.locator(f'[data-tile="{tile}"]').focus()
            person.page.keyboard.press("Escape")
            person.page.locator(f'[data-tile="{tile}"]').focus()
            person.page.keyboard.press("Enter")
            turn_to(person, place, str(tile))
            x, y = place.squares[1]
            for key, steps in (
                ("Right", x - held[0]),
                ("Left", held[0] - x),
                ("Down", y - held[1]),
                ("Up", held[1] - y),
            ):
                for _ in range(steps):
                    person.page.keyboard.press(f"Arrow{key}")
            person.page.keyboard.press("Enter")
            expect(person.page.locator(".found").nth(0)).to_be_attached()
    expect(person.page.get_by_text("Solved in")).to_be_visible()


def test_a_wrong_place_shows_why_and_costs_nothing(person: Person) -> None:
    conundrum = open_daily(person, 1)
    tile = str(conundrum.tiles[0])
    person.page.locator(f'[data-tile="{tile}"]').click()
    person.tap_square(1, 0)
    expect(person.page.locator(".blame-words")).to_have_text("There is a tile already")
    expect(person.page.locator(".asked")).to_contain_text("0 of")


def test_hints_in_three_steps_then_all(person: Person) -> None:
    conundrum = open_daily(person, 3)
    widths = []
    for words in ("look in this area", "it lies just here", "its middle is here"):
        person.page.get_by_role("button", name="Hint").click()
        expect(person.page.get_by_text(words)).to_be_visible()
        width, height = (float(person.page.locator(".area").get_attribute(name) or 0) for name in ("width", "height"))
        widths.append(width * height)
    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) == 3
    person.page.get_by_role("button", name="Show all").click()
    expect(person.page.locator(".found")).to_have_count(sum(conundrum.counts.values()))
    expect(person.page.locator(".hand-tile")).to_have_count(0)


def test_a_link_carries_a_conundrum_and_a_broken_one_says_so(person: Person) -> None:
    person.page.goto(f"{person.url}conundrum?t=Y*R@0,0%3E GRR@1,1%3E %3F YBR")
    expect(person.page.locator(".asked")).to_contain_text("0 of 3")
    person.page.goto(f"{person.url}conundrum?t=hello")
    expect(person.page.get_by_text("This is no conundrum")).to_be_visible()
    person.errors.clear()  # The browser notes the 400.


@pytest.mark.parametrize("language", ["fr", "zh-Hant"])
def test_conundrums_speak_the_language(person: Person, language: str) -> None:
    person.go()
    person.prefer(language=language)
    open_daily(person, 2)
    assert "conundrum." not in person.page.locator("main").inner_text()
    assert "reason." not in person.page.locator("main").inner_text()
