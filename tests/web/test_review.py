"""Reviews and practice in the browser: by mouse, by keyboard, from the end of a game."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from playwright.sync_api import Locator, expect

from chromino.server.identity import COOKIE
from tests.server.serving import Server, plant
from tests.server.test_review import finished
from tests.web.person import SNAIL, Person

ADA = {"kind": "me", "name": "Ada"}


def planted(person: Person, server: Server) -> str:
    """A finished game of mine against a bot."""
    with ThreadPoolExecutor(1) as thread:  # Playwright has an event loop in this one.
        game, secret = thread.submit(plant, server.database, finished(seed=3), {1: "snail"}).result()
    person.context.add_cookies([{"name": COOKIE, "value": secret, "url": server.url}])
    return game


def points(person: Person) -> Locator:
    return person.page.get_by_role("group", name="Chance to win").get_by_role("button")


def reviewed(person: Person, game: str) -> dict[str, Any]:
    found: dict[str, Any] = person.context.request.get(f"{person.url}api/games/{game}/review").json()
    return found


def shows(person: Person, choice: dict[str, Any]) -> None:
    """The page is at this choice: in the address, in words, in the chart and on the table."""
    move = choice["version"] + 1
    expect(person.page).to_have_url(re.compile(f"#{move}$"))
    expect(person.page.locator(".controls .status")).to_contain_text(f"Move {move}:")
    expect(points(person).and_(person.page.locator("[aria-current]"))).to_have_accessible_name(
        re.compile(f"^Move {move}: ")
    )
    expect(person.page.locator(".marked-played")).to_have_count(1)
    expect(person.page.locator(".marked-better")).to_have_count(int(choice["clear"]))


def test_a_review_is_clicked_through(person: Person, server: Server) -> None:
    game = planted(person, server)
    choices = reviewed(person, game)["choices"]
    assert len(choices) > 3
    person.go(f"review/{game}")
    expect(points(person)).to_have_count(len(choices))
    for number, choice in enumerate(choices):
        points(person).nth(number).locator(".chart-mark").click()
        shows(person, choice)
    person.page.get_by_role("button", name="One choice back").click()
    shows(person, choices[-2])
    costly = sorted((choice for choice in choices if choice["clear"]), key=lambda choice: -choice["cost"])
    assert costly
    person.page.locator(".costly-moves button").first.click()
    shows(person, costly[0])
    expect(points(person).and_(person.page.locator("[aria-current]"))).to_have_accessible_name(re.compile("this cost"))
    person.page.reload()
    shows(person, costly[0])  # A link leads to a move.
    person.page.get_by_label("Whose game").select_option("Snail")
    expect(person.page.get_by_text(re.compile("^Snail (won|did not win)"))).to_be_visible()
    person.page.get_by_role("link", name="Replay").click()
    expect(person.page).to_have_url(re.compile(f"/replay/{game}"))
    person.page.get_by_role("link", name="How did I do?").click()
    expect(person.page).to_have_url(re.compile(f"/review/{game}"))


def test_a_review_by_keyboard(person: Person, server: Server) -> None:
    game = planted(person, server)
    choices = reviewed(person, game)["choices"]
    person.go(f"review/{game}#{choices[0]['version'] + 1}")
    shows(person, choices[0])
    for _ in range(30):
        person.page.keyboard.press("Tab")
        if person.page.evaluate("document.activeElement.classList.contains('chart-point')"):
            break
    for key, number in (("ArrowRight", 1), ("End", -1), ("ArrowLeft", -2), ("Home", 0), ("ArrowLeft", 0)):
        person.page.keyboard.press(key)
        shows(person, choices[number])
        expect(points(person).and_(person.page.locator(":focus"))).to_have_attribute("aria-current", "true")


def test_the_end_of_a_game_leads_to_its_review_and_says_who_is_next(person: Person) -> None:
    game = person.start(ADA, SNAIL, rules={"hand_size": 3})
    person.play("roles")
    expect(person.ending.locator(".path-words")).to_have_text(re.compile(r"Snail: [01] of 1 won"))
    person.ending.get_by_role("button", name="How did I do?").click()
    expect(person.page).to_have_url(re.compile(f"/review/{game}"))
    expect(person.page.locator(".gains")).to_contain_text("The draws")
    expect(person.page.locator(".result")).to_have_text(re.compile("^You (won|did not win)"))
    person.go("games")
    person.page.get_by_role("link", name="How did I do?").click()
    expect(person.page.locator(".gains")).to_be_visible()


def test_a_review_that_there_is_not_says_why(person: Person) -> None:
    game = person.start()
    person.go(f"review/{game}")
    expect(person.page.get_by_role("alert").filter(has_text="when the game is over")).to_be_visible()
    person.errors.clear()  # The browser notes the 409.


def test_practice_by_mouse_and_by_keyboard(person: Person, server: Server) -> None:
    game = planted(person, server)
    lessons = person.context.request.get(f"{person.url}api/practice").json()["lessons"]
    person.go()
    person.page.get_by_role("link", name="Practice").click()
    for number, lesson in enumerate(lessons):
        expect(person.page.get_by_text("What would you place now?")).to_be_visible()
        expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(
            len(lesson["view"]["table"].split())
        )
        if number:
            person.place_by_keyboard()
        else:
            person.pick()
            person.page.mouse.click(*person.lit_place())
        status = person.page.locator("main > .status")
        expect(status).to_contain_text(re.compile("In your game it was [0-9]+%"))
        good = "as good as the best" in status.inner_text()
        expect(person.page.locator(".marked-better")).to_have_count(0 if good else 1)
        expect(person.page.get_by_role("link", name="Look at that game")).to_have_attribute(
            "href", f"/review/{game}#{lesson['version'] + 1}"
        )
        expect(person.page.get_by_role("button", name="Next")).to_be_focused()
        person.page.keyboard.press("Enter")
    expect(person.page.get_by_text("That was all.")).to_be_visible()
    person.page.get_by_role("button", name="Play Snail").click()
    expect(person.page).to_have_url(re.compile("/game/"))


def test_practice_without_games(person: Person) -> None:
    person.go("practice")
    expect(person.page.get_by_text("Nothing to practice yet.")).to_be_visible()
    expect(person.page.get_by_text("Begin with Snail.")).to_be_visible()
