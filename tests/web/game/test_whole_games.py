"""Whole games in the browser, in every way people play."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from chromino import Rules
from tests.helpers import more, with_open_hands
from tests.server.sites.serving import Server
from tests.web.person import ADA, BOB, PHONE, SHORT, SNAIL, Person


def test_one_click_starts_a_game_and_the_mouse_plays_it(person: Person) -> None:
    person.go()
    person.page.get_by_role("button", name="Play", exact=True).click()
    expect(person.hand).to_be_visible()
    person.page.get_by_role("button", name="Settings").click()
    person.page.get_by_role("switch", name="Bots pause before they play").click()
    person.page.get_by_role("button", name="Close").click()
    person.play("mouse", most=3)
    person.nearly_finish(Rules.classic())
    person.play("mouse")
    expect(person.ending).to_be_visible()
    person.page.get_by_role("button", name="Play again").click()
    expect(person.ending).not_to_be_attached()
    person.page.wait_for_function("() => document.querySelectorAll('.drawing > g:first-child > .tile').length <= 3")


def test_a_whole_game_can_be_played_by_touch_on_a_phone(browser: Browser, server: Server) -> None:
    with Person(browser, server, viewport=PHONE, has_touch=True, is_mobile=True) as person:
        person.start(rules=SHORT, played=2)
        person.play("touch")
        expect(person.ending).to_be_visible()


def test_a_whole_game_can_be_played_by_keyboard_alone(person: Person) -> None:
    person.go()
    for _ in range(20):
        if person.page.evaluate("document.activeElement.textContent") == "Play":
            break
        person.page.keyboard.press("Tab")
    person.page.keyboard.press("Enter")
    expect(person.hand).to_be_visible()
    person.start(rules=SHORT, played=2)
    person.play("keyboard")
    expect(person.ending).to_be_visible()
    person.page.keyboard.press("Escape")
    expect(person.ending).not_to_be_attached()


def test_a_whole_game_can_be_played_by_roles_alone_as_with_a_screen_reader(person: Person) -> None:
    game = person.start(rules=SHORT, played=2)
    person.play("roles")
    expect(person.ending).to_be_visible()
    state = person.state(game)
    spoken = person.page.locator("#announcements").inner_text()
    assert spoken
    assert state["view"]["over"]


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        more("Junior", Rules.junior()),
        more("First edition", Rules.first_edition()),
        more("First edition, scoring C", Rules.scoring_c()),
        ("Custom rules", with_open_hands(Rules.preset("classic", draw_limit=None, ending="one_more_turn"))),
    ],
)
def test_games_with_other_rules_can_be_finished(person: Person, name: str, rules: Rules) -> None:
    person.finish(rules)
    person.page.keyboard.press("Escape")
    expect(person.page.get_by_role("heading", level=1)).to_have_text(name)


def test_expert_explains_its_points(person: Person) -> None:
    game = person.finish(Rules.expert())
    scores = person.state(game)["view"]["scores"]
    assert sum(scores) > 0
    for score in scores:
        expect(person.ending).to_contain_text(f"{score} point")
    sums = re.findall(r"Points: ((?:\d+ \+ )+\d+) = (\d+)", person.page.locator(".log").inner_text())
    assert sums
    assert all(sum(map(int, parts.split(" + "))) == int(total) for parts, total in sums)


@pytest.mark.long
def test_a_solo_game_can_be_finished(person: Person) -> None:
    game = person.finish(Rules.classic(), ["Ada"])
    expect(person.ending).to_contain_text(f"The game took {person.state(game)['turns']} turns")


@pytest.mark.long
def test_a_whole_game_can_be_played_with_eight_players(person: Person) -> None:
    person.start(ADA, *[{"kind": "bot", "name": f"Bot {n}", "level": 1 + n % 3} for n in range(7)], rules=SHORT)
    expect(person.page.get_by_role("list", name="Players").get_by_role("listitem")).to_have_count(8)
    person.play("roles")
    expect(person.ending).to_be_visible()


def test_pass_and_play_hides_each_hand_behind_a_curtain(person: Person) -> None:
    game = person.start(ADA, BOB, SNAIL, rules=SHORT)
    turns = 0
    seen = set()
    while turns < 2:
        assert person.situation() == "curtain"
        expect(person.page.locator(".hand-tile")).to_have_count(0)
        name = person.state(game)["view"]["players"][person.state(game)["view"]["seat"]]
        expect(person.page.locator(".curtain")).to_contain_text(f"Pass the device to {name}")
        seen.add(name)
        person.play("roles", most=2)  # The curtain is lifted, and the turn is taken.
        if person.situation() in ("place", "draw"):
            person.play("roles", most=1)
        turns += 1
    assert seen == {"Ada", "Bob"}
    assert not re.search("drew (red|green|blue|yellow|purple)", person.page.locator(".log").inner_text())
    person.play("roles")
    expect(person.ending).to_contain_text("Bob")


def test_open_hands_need_no_curtain(person: Person) -> None:
    person.start(ADA, BOB, rules=with_open_hands(Rules.classic()).to_json())
    for _ in range(4):
        assert person.situation() in ("place", "draw")
        person.play("roles", most=1)
    expect(person.page.locator(".curtain")).to_be_hidden()
