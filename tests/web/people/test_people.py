"""Two people looking for an opponent play each other; someone you've played with can be invited with one tap."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from chromino import Game, Rules
from tests.server.sites.serving import Server
from tests.web.person import Person


def test_two_people_searching_for_an_opponent_play_each_other(browser: Browser, server: Server) -> None:
    with Person(browser, server) as ada, Person(browser, server) as bob:
        bob.prefer(name="Bob")
        ada.go()
        ada.page.get_by_role("link", name="Find an opponent").click()
        ada.page.get_by_label("Your name").fill("Ada")
        ada.page.get_by_role("button", name="Find someone").press("Enter")
        expect(ada.page.get_by_role("button", name="Stop looking")).to_be_focused()
        expect(ada.page.locator("#announcements")).to_contain_text("Looking for someone to play Classic…")
        bob.go("play")
        for person in (ada, bob):
            expect(person.page.locator("chromino-table .tile").first).to_be_attached()
        assert ada.page.url == bob.page.url
        expect(ada.page.locator(".seat", has_text="Bob")).to_be_visible()
        # The game may start just as a page asks about the table, which is then gone. The browser logs that.
        for person in (ada, bob):
            person.errors[:] = [error for error in person.errors if "404" not in error]


def test_it_takes_one_tap_to_invite_someone_you_have_played_with_and_one_to_accept(
    browser: Browser, server: Server
) -> None:
    game = Game.start(Rules.preset("classic", hand_size=1), ["Ada", "Bob"], seed=4)
    while not game.over:
        game = game.apply(game.actions()[0])
    with Person(browser, server) as ada, Person(browser, server) as bob:
        _, (_, secret) = ada.have_with_others(game)
        bob.be(secret)
        for person, name in ((ada, "Ada"), (bob, "Bob")):
            person.prefer(name=name)
        ada.go()
        ada.page.get_by_role("button", name="Invite Bob").click()
        expect(ada.page.locator(".known-person", has_text="Bob")).to_contain_text("Invited")
        bob.go()
        invited = bob.page.locator(".known-person", has_text="Ada invited you")
        invited.get_by_role("button", name="Accept").click()
        expect(bob.page.locator(".chair", has_text="Bob")).to_contain_text("you")
        expect(ada.page.locator(".chair", has_text="Bob")).to_be_visible()
