"""The leaderboard in the browser: after a game, with and without your name, in other languages, and empty."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.server.sites.in_process import InProcessServer
from tests.web.catalogs import catalog
from tests.web.person import ADA, SNAIL, TO_THE_END, Person

HEDGEHOG = {"kind": "bot", "name": "Hedgehog", "level": 2}


def finish(person: Person, *seats: dict[str, Any], **rules: str) -> None:
    """Play a rated game to its end, so it counts."""
    person.start(*seats, rules=rules, played=TO_THE_END, rated=True, aids=False, turn_limit=600)
    person.be_rated("junior" if "joining" in rules else "classic")


def test_a_game_against_a_bot_puts_both_on_the_leaderboard(browser: Browser, own_site: InProcessServer) -> None:
    with Person(browser, own_site) as person:
        finish(person, ADA, HEDGEHOG)
        person.page.get_by_role("button", name="Show the result").click()
        expect(person.ending).to_contain_text(re.compile(r"For your rating, this counts as rank [12] of 2\."))
        expect(person.ending.get_by_role("button", name="Play again", exact=True)).to_be_visible()  # Rated, too.
        person.go("games")
        expect(person.page.locator(".game-list li")).to_contain_text("Classic · rated")
        person.go()
        person.page.get_by_role("link", name="Leaderboard").click()
        rows = person.page.get_by_role("row")
        expect(rows).to_have_count(2)
        mine = person.page.get_by_role("row", name=re.compile("You only you can see this row"))
        expect(mine).to_contain_text(re.compile(r"\d+ ± \d+"))
        expect(mine.locator(".interval")).to_be_visible()
        headers = person.page.get_by_role("columnheader")
        assert headers.all_text_contents() == ["Rank", "Player", "Rating", "Games"]
        expect(person.page.get_by_text("you rank below everyone who played to the end")).to_be_visible()
        person.page.get_by_label("Who to show").select_option("bots")
        expect(person.page.get_by_role("rowheader", name="Hedgehog bot, level 2")).to_be_visible()


def test_nobody_is_listed_against_their_will(browser: Browser, own_site: InProcessServer) -> None:
    with Person(browser, own_site) as ada, Person(browser, own_site) as bob:
        finish(ada, ADA, SNAIL)
        bob.go("ratings")
        expect(bob.page.get_by_text("Nobody’s here yet.")).to_be_visible()
        expect(bob.page.get_by_text("After your first game, you can choose to be on the leaderboard.")).to_be_visible()
        expect(bob.page.get_by_role("switch")).to_be_hidden()
        ada.go("ratings")
        switch, name = (
            ada.page.get_by_role("switch", name="Show me on the leaderboard"),
            ada.page.get_by_label("Your name"),
        )
        # Nobody can be listed without a name.
        switch.click()
        expect(ada.page.get_by_role("status")).to_have_text("Enter a name of up to 40 characters.")
        expect(switch).not_to_be_checked()
        expect(name).to_be_focused()
        ada.errors.clear()  # The browser writes each refusal to its console.
        name.fill("Ada <b>")
        switch.click()
        expect(ada.page.get_by_role("status")).to_have_text("You’re on the leaderboard wherever you have a rating.")
        expect(ada.page.locator(".board .mine")).to_contain_text("Ada <b> you")
        bob.page.reload()
        expect(bob.page.get_by_role("rowheader", name="Ada <b>")).to_be_visible()
        # Another name, then none.
        name.fill("Zoë")
        name.press("Enter")
        expect(ada.page.locator(".board .mine")).to_contain_text("Zoë")
        ada.page.reload()
        expect(switch).to_be_checked()
        expect(name).to_have_value("Zoë")
        switch.focus()
        ada.page.keyboard.press("Space")
        expect(ada.page.get_by_role("status")).to_contain_text("You’re not on the leaderboard")
        bob.page.reload()
        expect(bob.page.get_by_text("Nobody’s here yet.")).to_be_visible()


@pytest.mark.long
def test_each_family_has_its_own_list(browser: Browser, own_site: InProcessServer) -> None:
    with Person(browser, own_site) as person:
        person.go("ratings")
        expect(person.page.get_by_text("Nobody’s here yet.")).to_be_visible()
        for scheme in ("light", "dark"):
            person.page.emulate_media(color_scheme=scheme)
            found = Axe().run(person.page, options={"resultTypes": ["violations"]})
            assert found.violations_count == 0, found.generate_report()
        finish(person, ADA, SNAIL, joining="ends")
        person.go("ratings")
        expect(person.page.get_by_text("Nobody’s here yet.")).to_be_visible()
        person.page.get_by_role("radio", name="Classic").focus()
        person.page.keyboard.press("ArrowRight")
        expect(person.page.get_by_role("table", name="Junior: strongest first")).to_be_visible()
        expect(person.page.get_by_role("row")).to_have_count(2)
        person.page.reload()
        expect(person.page.get_by_role("radio", name="Junior")).to_be_checked()
        expect(person.page.get_by_role("row")).to_have_count(2)
        person.page.get_by_role("radio", name="Expert").check()
        expect(person.page.get_by_role("table")).to_have_count(0)


@pytest.mark.long
def test_the_leaderboard_changes_its_language_at_once(person: Person) -> None:
    finish(person, ADA, SNAIL)
    person.go("ratings")
    person.page.locator("select").filter(has_text="Bots").select_option("bots")
    for language in ("fr", "es", "ca", "zh-Hant"):
        words = catalog(language)
        caption = words["ratings.caption"].replace("{family}", words["preset.classic"])
        person.page.locator("header select.language").select_option(language)
        expect(person.page.get_by_role("table", name=caption)).to_be_visible()
        expect(person.page.get_by_role("rowheader", name=words["bot.snail"])).to_be_visible()
