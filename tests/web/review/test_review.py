"""Reviews and practice in the browser: by mouse, by keyboard, from the end of a game."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from chromino import Rules
from tests.server.sample_games import finished
from tests.web.person import Person


def planted(person: Person) -> str:
    """A finished game of mine against a bot."""
    return person.have(finished(seed=1), {1: "snail"})


def points(person: Person, chart: str = "Chance of winning, move by move") -> Locator:
    return person.page.get_by_role("group", name=chart).get_by_role("button")


def reviewed(person: Person, game: str, measure: str = "win") -> dict[str, Any]:
    address = f"{person.url}api/games/{game}/review?measure={measure}"
    found: dict[str, Any] = person.context.request.get(address).json()
    return found


def assert_shows(person: Person, choice: dict[str, Any]) -> None:
    """Check that the page is at this choice: in the address, in words, in the chart and on the table."""
    move = choice["version"] + 1
    expect(person.page).to_have_url(re.compile(f"#{move}$"))
    expect(person.page.locator(".controls .status")).to_contain_text(f"Move {move}:")
    expect(person.page.locator(".move[aria-current]")).to_have_accessible_name(re.compile(f"^Move {move}: "))
    expect(points(person).and_(person.page.locator("[aria-current]"))).to_have_accessible_name(
        re.compile(f"^Move {move}: ")
    )
    expect(person.page.locator(".marked-played")).to_have_count(1)
    expect(person.page.locator(".marked-better")).to_have_count(int(choice["clear"]))


def test_a_review_can_be_clicked_through(person: Person) -> None:
    game = planted(person)
    choices = reviewed(person, game)["choices"]
    assert len(choices) > 3
    person.go(f"review/{game}")
    expect(points(person)).to_have_count(len(choices))
    for number in (0, len(choices) // 2, len(choices) - 1):
        points(person).nth(number).locator(".chart-mark").click()
        assert_shows(person, choices[number])
    person.page.get_by_role("button", name="Previous move").click()
    assert_shows(person, choices[-2])
    person.page.keyboard.press("ArrowLeft")  # This works wherever the focus is.
    assert_shows(person, choices[-3])
    costly = max((choice for choice in choices if choice["clear"]), key=lambda choice: choice["cost"])
    person.page.locator(".move", has=person.page.locator(".move-cost")).nth(
        [choice for choice in choices if choice["clear"]].index(costly)
    ).click()
    assert_shows(person, costly)
    expect(points(person).and_(person.page.locator("[aria-current]"))).to_have_accessible_name(re.compile(", cost "))
    expect(person.page.locator(".compared")).not_to_contain_text("start")  # Tiles, not coordinates.
    expect(person.page.locator(".compared [data-colors]")).to_have_count(2)
    person.page.reload()
    assert_shows(person, costly)  # A link leads to a move.
    person.go(f"review/{game}")  # Without a move in the link, the page starts with the costliest one.
    expect(person.page.locator(".move[aria-current]")).to_have_accessible_name(
        re.compile(f"^Move {costly['version'] + 1}: ")
    )
    person.page.get_by_label("Player", exact=True).select_option("Snail")
    expect(person.page.get_by_text(re.compile("^Snail (won|didn’t win)"))).to_be_visible()
    person.page.get_by_role("link", name="Replay").click()
    expect(person.page).to_have_url(re.compile(f"/replay/{game}"))
    person.page.get_by_role("link", name="Review").click()
    expect(person.page).to_have_url(re.compile(f"/review/{game}"))


def test_a_review_is_next_to_the_table_and_on_a_phone_the_table_stays_on_top(person: Person) -> None:
    person.go(f"review/{planted(person)}")
    page = person.page
    row = page.locator(".move").first
    row.wait_for()
    boxes = {name: page.locator(name).bounding_box() for name in (".table-box", ".chart-box", ".moves")}
    table, chart, moves = (box for box in boxes.values() if box)
    assert table["x"] + table["width"] <= chart["x"] == moves["x"]
    assert table["width"] > 1.5 * chart["width"]
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.set_viewport_size({"width": 1280, "height": 600})  # The list scrolls to the current move.
    for key in ("End", "Home", "End"):
        page.keyboard.press(key)
        expect(page.locator(".move[aria-current]")).to_be_in_viewport(ratio=0.9)
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".move").last.scroll_into_view_if_needed()
    expect(page.locator("chromino-table")).to_be_in_viewport(ratio=1)
    page.locator(".move").last.click()
    expect(page.locator(".move").last).to_have_attribute("aria-current", "true")


@pytest.mark.long
def test_a_review_can_be_read_by_keyboard(person: Person) -> None:
    game = planted(person)
    choices = reviewed(person, game)["choices"]
    person.go(f"review/{game}#{choices[0]['version'] + 1}")
    assert_shows(person, choices[0])
    for _ in range(30):
        person.page.keyboard.press("Tab")
        if person.page.evaluate("document.activeElement.classList.contains('chart-point')"):
            break
    for key, number in (("ArrowRight", 1), ("End", -1), ("ArrowLeft", -2), ("Home", 0), ("ArrowLeft", 0)):
        person.page.keyboard.press(key)
        assert_shows(person, choices[number])
        expect(points(person).and_(person.page.locator(":focus"))).to_have_attribute("aria-current", "true")
    person.page.locator(".move").first.focus()
    for key, number in (("ArrowDown", 1), ("ArrowRight", 2), ("ArrowUp", 1), ("End", -1)):
        person.page.keyboard.press(key)
        assert_shows(person, choices[number])
        expect(person.page.locator(".move:focus")).to_have_attribute("aria-current", "true")


@pytest.mark.long
def test_a_review_can_be_in_points(person: Person) -> None:
    game = person.have(finished(seed=3, rules=Rules.preset("expert", hand_size=5)), {1: "snail"})
    found = reviewed(person, game, "points")
    person.go(f"review/{game}")
    expect(points(person)).not_to_have_count(0)
    person.page.get_by_role("radio", name="Points").check()
    chart = points(person, "Lead in points, move by move")
    expect(chart).to_have_count(len(found["choices"]))
    expect(person.page.get_by_role("radio", name="Points")).to_be_focused()
    person.page.get_by_text("What made the difference").click()
    gains = person.page.locator(".gains dd")
    assert gains.first.inner_text() == "0 points"
    assert gains.last.inner_text() == f"{found['result']:+.0f} points".replace("-", "−")
    for number, choice in enumerate(found["choices"]):
        if choice["clear"]:
            words = f", cost {choice['cost']:.1f}".removesuffix(".0")
            expect(chart.nth(number)).to_have_accessible_name(re.compile(re.escape(words)))
    numbers = [float(words.replace("−", "-")) for words in person.page.locator(".chart-grid text").all_text_contents()]
    values = [step["after"]["mean"] for step in found["steps"]]
    assert 0 in numbers
    assert min(numbers) <= min(values)
    assert max(values) <= max(numbers)
    person.page.reload()
    expect(chart).to_have_count(len(found["choices"]))  # The address says that the review is in points.
    person.page.get_by_role("radio", name="Chance of winning").check()
    expect(points(person)).to_have_count(len(reviewed(person, game)["choices"]))


@pytest.mark.long
def test_a_solo_game_is_reviewed_in_points_or_by_the_chance_of_running_out(person: Person) -> None:
    scored = finished(seed=3, players=1, rules=Rules.preset("expert", hand_size=3))
    person.go(f"review/{person.have(scored)}")
    expect(person.page.get_by_role("heading", name="Final points")).to_be_visible()
    expect(person.page.locator(".gains")).not_to_contain_text("other players")
    expect(person.page.locator(".gains dd").last).to_have_text(f"{scored.scores[0]} points")
    expect(person.page.get_by_text(f"The game took {scored.turns} turns.")).to_be_visible()
    person.go(f"review/{person.have(finished(seed=3, players=1))}")
    expect(person.page.get_by_role("heading", name="Chance of playing every tile")).to_be_visible()
    expect(person.page.get_by_role("radio")).to_have_count(0)  # There are no points to count.


def test_the_end_of_a_game_leads_to_its_review_and_says_which_bot_to_play_next(person: Person) -> None:
    game = person.finish(Rules.preset("classic", hand_size=3))
    expect(person.ending.locator(".ladder-words")).to_have_text(
        re.compile("You’ve beaten Snail once|Win 6 of 10 games against Snail")
    )
    person.ending.get_by_role("button", name="Review").click()
    expect(person.page).to_have_url(re.compile(f"/review/{game}"))
    person.page.get_by_text("What made the difference").click()
    expect(person.page.locator(".gains")).to_contain_text("Draws from the bag")
    expect(person.page.locator(".result")).to_have_text(re.compile("^You (won|didn’t win)"))
    person.go("games")
    person.page.get_by_role("link", name="Review").click()
    expect(person.page.locator(".headline-number")).to_be_visible()


def test_a_missing_review_says_why(person: Person) -> None:
    game = person.start()
    person.go(f"review/{game}")
    expect(person.page.get_by_role("alert").filter(has_text="until the game is over")).to_be_visible()
    person.errors.clear()  # The browser logs the 409.


def test_practice_works_by_mouse_and_by_keyboard(person: Person) -> None:
    game = planted(person)
    positions = person.context.request.get(f"{person.url}api/practice").json()["positions"]
    person.go()
    person.page.get_by_role("link", name="Practice").click()
    for number, position in enumerate(positions):
        expect(person.page.get_by_text("What would you play now?")).to_be_visible()
        expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(
            len(position["view"]["table"].split())
        )
        if number:
            person.place_by_keyboard()
        else:
            person.pick()
            person.page.mouse.click(*person.lit_place())
        status = person.page.locator("main > .status")
        expect(status).to_contain_text(re.compile("In your game: [0-9]+%"))
        good = "you can’t do better" in status.inner_text()
        expect(person.page.locator(".marked-better")).to_have_count(0 if good else 1)
        expect(person.page.locator(".compared", has_text="★")).to_have_count(0 if good else 1)
        expect(person.page.get_by_role("link", name="See that game")).to_have_attribute(
            "href", f"/review/{game}#{position['version'] + 1}"
        )
        expect(person.page.get_by_role("button", name="Next")).to_be_focused()
        person.page.keyboard.press("Enter")
    expect(person.page.get_by_text("That’s all for now.")).to_be_visible()
    person.page.get_by_role("button", name="Play Snail").click()
    expect(person.page).to_have_url(re.compile("/game/"))


def test_practice_without_games_says_so(person: Person) -> None:
    person.go("practice")
    expect(person.page.get_by_text("Nothing to practice right now.")).to_be_visible()
    expect(person.page.get_by_text("Start with Snail.")).to_be_visible()


def test_practice_does_not_wait_for_games_that_cannot_be_reviewed(person: Person) -> None:
    waiting: list[int] = []

    def answer(route: Route) -> None:
        waiting.append(max(2, 4 - len(waiting)))
        route.fulfill(json={"positions": [], "waiting": waiting[-1]})

    person.page.route("**/api/practice", answer)
    person.go("practice")
    expect(person.page.get_by_text("Nothing to practice right now.")).to_be_visible()
    assert waiting == [4, 3, 2, 2]
