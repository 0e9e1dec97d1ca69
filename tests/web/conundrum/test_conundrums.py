"""Conundrums in the browser: by mouse, by keyboard, with hints, and given up."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from chromino import Placement
from chromino.conundrum import Conundrum
from chromino.conundrum.making import daily
from tests.web.person import Person

DAY = date(2026, 11, 15)


def open_daily(person: Person, grade: int) -> Conundrum:
    person.go(f"conundrum/{DAY}/{grade}")
    expect(person.page.locator(".hand-tile").first).to_be_visible()
    return daily(DAY, grade)


def rotate_to(person: Person, place: Placement, tile: str) -> None:
    """Rotate the picked tile to fit the place."""
    quarters = (0 if place.colors == tile else 2) + place.down
    for _ in range(quarters):
        person.page.keyboard.press("r")


def test_a_conundrum_can_be_solved_by_mouse(person: Person) -> None:
    person.go("conundrums")
    person.page.get_by_role("link", name=re.compile("Level 2")).wait_for()
    conundrum = open_daily(person, 2)
    for tile, places in conundrum.solutions.items():
        for number, place in enumerate(places, start=1):
            if person.page.locator('.hand-tile[aria-selected="true"]').count():
                person.page.keyboard.press("Escape")
            person.page.locator(f'[data-tile="{tile}"]').click()
            rotate_to(person, place, str(tile))
            x, y = place.squares[1]
            person.tap_square(x, y)
            expect(person.page.locator(".asked")).to_contain_text(f"{number} of {len(places)}")
    expect(person.page.get_by_text("Solved in")).to_be_visible()
    expect(person.page.get_by_role("button", name="Share the result")).to_be_visible()
    person.go("conundrums")
    person.page.get_by_label("Date").fill(str(DAY))
    expect(person.page.get_by_role("link", name=re.compile("Level 2.*Solved in"))).to_be_visible()


def test_a_conundrum_can_be_solved_by_keyboard(person: Person) -> None:
    conundrum = open_daily(person, 1)
    held = (1, 0)
    for tile, places in conundrum.solutions.items():
        for place in places:
            person.page.locator(f'[data-tile="{tile}"]').focus()
            person.page.keyboard.press("Escape")
            person.page.locator(f'[data-tile="{tile}"]').focus()
            person.page.keyboard.press("Enter")
            rotate_to(person, place, str(tile))
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
    expect(person.page.locator(".refusal-words")).to_have_text("There’s already a tile here")
    expect(person.page.locator(".asked")).to_contain_text("0 of")


def test_a_hint_follows_the_language(person: Person) -> None:
    open_daily(person, 1)
    person.page.get_by_role("button", name="Hint").click()
    status = person.page.locator(".status")
    expect(status).to_contain_text("in this area")
    person.page.get_by_label("Language").select_option("fr")
    expect(status).to_contain_text(re.compile("(rouge|vert|bleu|jaune|violet)"))


@pytest.mark.long
def test_hints_come_in_three_steps_then_everything_can_be_shown(person: Person) -> None:
    conundrum = open_daily(person, 3)
    areas = []
    for words in ("in this area", "in this line", "goes here"):
        person.page.get_by_role("button", name="Hint").click()
        expect(person.page.get_by_text(words)).to_be_visible()
        width, height = (float(person.page.locator(".area").get_attribute(name) or 0) for name in ("width", "height"))
        areas.append(width * height)
    assert areas == sorted(areas, reverse=True)
    assert len(set(areas)) == 3
    person.page.get_by_role("button", name="Show the solution").click()
    expect(person.page.locator(".found")).to_have_count(sum(conundrum.counts.values()))
    expect(person.page.locator(".hand-tile")).to_have_count(0)


def test_missed_places_can_be_looked_at_one_by_one_before_the_next_conundrum(person: Person) -> None:
    """Different tiles may fit in the same place."""
    person.go("conundrum/2026-11-19/2")
    person.page.get_by_role("button", name="Show the solution").click()
    missed = person.page.locator(".missed-places button")
    expect(missed).to_have_count(4)
    expect(person.page.locator(".found")).to_have_count(4)
    missed.last.click()
    expect(person.page.locator(".found")).to_have_count(1)
    expect(missed.last).to_have_attribute("aria-pressed", "true")
    missed.last.click()
    expect(person.page.locator(".found")).to_have_count(4)
    person.page.get_by_role("link", name="Next level").click()
    expect(person.page).to_have_url(re.compile("/conundrum/2026-11-19/3$"))


def test_a_conundrum_that_does_not_exist_leads_to_those_that_do(person: Person) -> None:
    person.go("conundrum/2031-11-15/3")
    expect(person.page.get_by_text("There’s nothing here")).to_be_visible()
    expect(person.page.get_by_role("button", name="Hint")).to_be_hidden()
    person.page.get_by_role("link", name="Conundrums").click()
    expect(person.page.get_by_role("heading", name="Conundrums")).to_be_visible()
    person.errors.clear()


def test_places_that_are_shown_to_you_do_not_count_as_found(person: Person) -> None:
    person.go("conundrum?t=RRR@0,0%3E %3F RRB")
    person.page.locator('[data-tile="RRB"]').click()
    person.tap_square(2, 1)
    expect(person.page.locator(".asked")).to_contain_text("1 of 4")
    person.page.get_by_role("button", name="Show the solution").click()
    expect(person.page.locator(".found")).to_have_count(4)
    expect(person.page.locator(".asked")).to_contain_text("1 of 4")
    expect(person.page.locator(".asked .done")).to_have_count(0)


def test_a_link_can_contain_a_conundrum_and_a_broken_link_says_so(person: Person) -> None:
    person.page.goto(f"{person.url}conundrum?t=Y*R@0,0%3E GRR@1,1%3E %3F YBR")
    expect(person.page.locator(".asked")).to_contain_text("0 of 3")
    person.page.goto(f"{person.url}conundrum?t=hello")
    expect(person.page.get_by_text("doesn’t lead to a conundrum")).to_be_visible()
    person.errors.clear()  # The browser logs the 400.


def test_a_conundrum_without_places_says_so_and_is_over(person: Person) -> None:
    person.go("conundrum?t=RRR@0,0%3E %3F BGY")
    expect(person.page.get_by_text("Nothing to find here")).to_be_visible()
    expect(person.page.locator(".asked")).to_contain_text("0 of 0")
    for button in ("Hint", "Show the solution", "Share the result"):
        expect(person.page.get_by_role("button", name=button)).to_be_hidden()


@pytest.mark.parametrize("language", ["fr", "zh-Hant"])
def test_conundrums_are_translated(person: Person, language: str) -> None:
    person.prefer(language=language)
    open_daily(person, 2)
    assert "conundrum." not in person.page.locator("main").inner_text()
    assert "reason." not in person.page.locator("main").inner_text()


def test_days_in_a_row_are_counted_for_each_identity(person: Person) -> None:
    today = datetime.now(UTC).date()
    for day, seconds in ((today, 7), (today - timedelta(days=1), 9)):
        found = [str(place) for places in daily(day, 1).solutions.values() for place in places]
        done = {"day": str(day), "grade": 1, "seconds": seconds, "found": found}
        assert person.context.request.post(f"{person.url}api/solved", data=done).status == 200
    lie = {"day": str(today - timedelta(days=2)), "grade": 1, "seconds": 1, "found": []}
    assert person.context.request.post(f"{person.url}api/solved", data=lie).json()["code"] == "bad-conundrum"
    person.go("conundrums")
    expect(person.page.get_by_text("2-day streak")).to_be_visible()
    expect(person.page.get_by_text("Solved in 0:07")).to_be_visible()


def test_one_place_is_enough_for_beginners(person: Person) -> None:
    conundrum = open_daily(person, 1)
    person.page.get_by_role("switch", name="Find just one place for each tile").click()
    for tile, places in conundrum.solutions.items():
        person.page.locator(f'[data-tile="{tile}"]').click()
        rotate_to(person, places[0], str(tile))
        person.tap_square(*places[0].squares[1])
    expect(person.page.get_by_text("Solved in")).to_be_visible()


def test_you_can_make_your_own_conundrum(person: Person) -> None:
    person.go("conundrums/make")
    person.page.locator('[data-tile="RRR"]').click()
    expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(1)
    person.page.locator('[data-tile="RGR"]').click()
    person.tap_square(1, 3)
    expect(person.page.locator(".refusal-words")).to_have_text("Too few matching edges: 0 of 2")
    person.page.get_by_role("switch", name="Free").click()
    person.tap_square(1, 3)
    expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(2)
    person.page.get_by_role("button", name="Find places for red-red-green").click()
    expect(person.page.locator("main")).to_contain_text("red-red-green: ")
    person.page.reload()
    expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(2)
    link = person.page.get_by_label("Link to this conundrum")
    expect(link).to_have_value(re.compile("^http"))
    assert link.evaluate("link => link.offsetWidth === link.parentElement.querySelector('h1').offsetWidth")
    person.page.goto(link.input_value())
    expect(person.page.locator(".asked")).to_contain_text("red-red-green: 0 of")


def test_if_the_tiles_fail_to_load_the_page_says_so_and_the_last_conundrum_stays(person: Person) -> None:
    person.go("conundrums/make")
    person.page.locator('[data-tile="RRR"]').click()
    expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(1)
    person.page.route("**/api/tiles*", lambda route: route.abort())
    person.page.reload()
    expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(1)
    expect(person.page.locator("main > .status")).to_have_text(
        "We can’t reach the server. Check your connection and try again."
    )
    person.forgive_network_errors()


_MORE = [pytest.param(*more, marks=pytest.mark.long) for more in ((2, "Letter"), (4, "A4"))]


@pytest.mark.parametrize(("per_page", "paper"), [(1, "A4"), (6, "Letter"), *_MORE])
def test_conundrums_can_be_printed(person: Person, tmp_path: Path, per_page: int, paper: str) -> None:
    person.go("conundrums/print")
    person.page.get_by_label("Conundrums per page").select_option(str(per_page))
    expect(person.page.locator(".sheet figure")).to_have_count(2 * per_page)
    pdf = person.page.pdf(path=tmp_path / "out.pdf", format=paper)
    assert pdf.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 2
    assert not re.search(rb"/Subtype\s*/Image\b", pdf)  # Everything is drawn as vectors, which are sharp and small.
