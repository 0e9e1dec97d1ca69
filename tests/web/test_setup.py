"""Setting up a game: seats, presets, single choices, and what doesn't combine."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from chromino import Rules
from tests.helpers import opened
from tests.web.person import Person


def test_seats_rules_and_a_game_of_them(person: Person) -> None:
    person.go("new")
    page = person.page
    page.get_by_label("Name at seat 1").fill("Ada")
    page.get_by_role("button", name="Add a seat").click()
    page.get_by_label("Seat 3", exact=True).select_option("here")
    page.get_by_label("Name at seat 3").fill("Bob")
    page.get_by_label("Seat 2", exact=True).select_option("bot 5")
    page.get_by_role("radio", name="Expert").check()
    page.get_by_text("More choices").click()
    page.get_by_label("Drawing").select_option("Until one fits")
    page.get_by_label(re.compile("^Hands")).select_option("Open to everyone")
    page.get_by_label("Who begins").select_option("Bob")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Own choice")
    state = person.state(page.url.rpartition("/")[2])
    assert state["view"]["players"] == ["Ada", "Dragon", "Bob"]
    assert state["view"]["first"] == 2
    assert [seat["level"] for seat in state["seats"]] == [None, 5, None]
    assert state["view"]["rules"] == opened(Rules.preset("expert", draw_limit=None)).to_json()
    person.go("new")  # The last choices are back.
    expect(page.get_by_label("Name at seat 3")).to_have_value("Bob")


def test_what_does_not_go_together_cannot_be_chosen_and_says_why(person: Person) -> None:
    person.go("new")
    page = person.page
    page.get_by_text("More choices").click()
    page.get_by_label("Winning").select_option("Points B")
    ending = page.get_by_label("When someone is out")
    expect(ending).to_have_value("Stop at once")
    refused = ending.locator("option", has_text="Finish the round")
    expect(refused).to_be_disabled()
    expect(refused).to_contain_text("go with stopping at once")
    for _ in range(6):
        page.get_by_role("button", name="Add a seat").click()
    expect(page.get_by_role("button", name="Add a seat")).to_be_hidden()
    large = page.get_by_label("Tiles in each hand").locator("option", has_text="10 tiles")
    expect(large).to_be_disabled()
    expect(large).to_contain_text("not enough tiles")


def test_too_many_seats_for_the_hands_is_told(person: Person) -> None:
    person.go("new")
    page = person.page
    page.get_by_text("More choices").click()
    page.get_by_label("Tiles in each hand").select_option("12 tiles")
    for _ in range(6):
        page.get_by_role("button", name="Add a seat").click()
    expect(page.get_by_role("alert").filter(has_text="not enough tiles")).to_be_visible()
    expect(page.get_by_role("button", name="Start")).to_be_disabled()
    page.get_by_role("button", name="Remove seat 8").click()
    page.get_by_role("button", name="Remove seat 7").click()
    expect(page.get_by_role("button", name="Start")).to_be_enabled()


def test_together_on_this_device_is_two_clicks_away(person: Person) -> None:
    person.go()
    person.page.get_by_role("link", name="Together on this device").click()
    person.page.get_by_role("button", name="Start").click()
    expect(person.page.get_by_text("Pass the device to Player")).to_be_visible()


def test_the_level_is_remembered(person: Person) -> None:
    person.go()
    person.page.get_by_role("combobox", name="Opponent").select_option("against Fox")
    person.page.reload()
    expect(person.page.get_by_role("combobox", name="Opponent")).to_have_value("3")
    person.page.get_by_role("button", name="Play now").click()
    expect(person.page.get_by_role("list", name="Players")).to_contain_text("Fox")


def test_a_running_game_is_one_click_away_from_home(person: Person) -> None:
    game = person.start()
    person.go()
    person.page.get_by_role("link", name="Go on with your game").click()
    assert person.page.url.endswith(game)


def test_no_games_yet(person: Person) -> None:
    person.go("games")
    expect(person.page.get_by_text("No games yet")).to_be_visible()
