"""The "My games" page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.person import Person


def test_more_games_than_fit_on_a_page_can_be_loaded(person: Person) -> None:
    """With the keyboard, the focus moves to the first new game."""
    person.become_a_frequent_player(running=60, finished=70)
    person.go("games")
    page = person.page
    games = page.locator(".game-list li")
    more = page.get_by_role("button", name="Show more")
    expect(games).to_have_count(50)
    expect(page.get_by_role("heading", name="Finished")).to_have_count(0)
    more.focus()
    page.keyboard.press("Enter")
    expect(games).to_have_count(100)
    expect(page.locator(".game-list a:focus")).to_have_count(1)
    expect(page.get_by_role("heading", name="Finished")).to_be_visible()
    more.click()
    expect(games).to_have_count(130)
    expect(more).to_be_hidden()
    expect(page.get_by_role("table", name="Your wins by rule set")).to_contain_text("70")
