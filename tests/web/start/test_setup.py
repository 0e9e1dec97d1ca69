"""Setting up a game: seats, presets, individual choices, and choices that don't go together."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from chromino import PRESETS, Placement, Rules, Table, Tile, scoring
from tests.helpers import with_open_hands
from tests.server.sites.serving import Server
from tests.web.catalogs import WEB
from tests.web.person import Person
from tests.web.screens import table_options


def test_chosen_seats_and_rules_start_a_game(person: Person) -> None:
    person.go("new")
    page = person.page
    expect(page.get_by_label("Who goes first").locator("option").nth(1)).to_have_text("You")
    page.get_by_label("Name for seat 1").fill("Ada")
    page.get_by_role("button", name="Add a player").click()
    page.get_by_label("Seat 3", exact=True).select_option("here")
    page.get_by_label("Name for seat 3").fill("Bob")
    page.get_by_label("Seat 2", exact=True).select_option("bot 5")
    page.get_by_role("radio", name="Expert").check()
    page.get_by_text("More options").click()
    page.get_by_label("Drawing").select_option("Draw until one fits")
    page.get_by_label(re.compile("^Hands")).select_option("Face up")
    page.get_by_label("Who goes first").select_option("Bob")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Custom rules")
    state = person.state(page.url.rpartition("/")[2])
    assert state["view"]["players"] == ["Ada", "Dragon", "Bob"]
    assert state["view"]["first"] == 2
    assert [seat["level"] for seat in state["seats"]] == [None, 5, None]
    assert state["view"]["rules"] == with_open_hands(Rules.preset("expert", draw_limit=None)).to_json()
    person.go("new")  # The latest choices are remembered.
    expect(page.get_by_label("Name for seat 3")).to_have_value("Bob")


def test_incompatible_choices_are_disabled_and_say_why(person: Person) -> None:
    person.go("new")
    page = person.page
    page.get_by_text("More options").click()
    page.get_by_label("Winning").select_option("Scoring B")
    ending = page.get_by_label("When someone runs out of tiles")
    expect(ending).to_have_value("Stop right away")
    expect(ending.locator("option", has_text="Finish the round")).to_be_disabled()
    expect(ending).to_have_accessible_description(re.compile("as soon as someone runs out"))
    for _ in range(6):
        page.get_by_role("button", name="Add a player").click()
    expect(page.get_by_role("button", name="Add a player")).to_be_hidden()
    sizes = page.get_by_label("Hand size")
    expect(sizes.locator("option", has_text="10 tiles")).to_be_disabled()
    expect(sizes).to_have_accessible_description(
        re.compile(r"^Not available: “10 tiles each” and “12 tiles each”\. .*aren’t enough tiles")
    )
    widths = page.locator(".more .choice:visible select").evaluate_all("all => all.map((one) => one.clientWidth)")
    assert len(set(widths)) == 1  # No list is wider than the others, no matter how long its text is.


def test_the_setup_explains_when_there_are_too_many_seats_for_the_hand_size(person: Person) -> None:
    person.go("new")
    page = person.page
    page.get_by_text("More options").click()
    page.get_by_label("Hand size").select_option("12 tiles each")
    for _ in range(6):
        page.get_by_role("button", name="Add a player").click()
    expect(page.get_by_role("alert").filter(has_text="aren’t enough tiles")).to_be_visible()
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_disabled()
    page.get_by_role("button", name="Remove seat 8").click()
    page.get_by_role("button", name="Remove seat 7").click()
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_enabled()


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, {"width": 390, "height": 844}], ids=str)
def test_the_setup_fits_on_one_screen_and_shows_problems_next_to_the_button(
    browser: Browser, server: Server, size: ViewportSize
) -> None:
    with Person(browser, server, viewport=size) as person:
        page = person.page
        person.go("new")
        page.locator(".preset").first.wait_for()
        for _ in range(6):
            page.get_by_role("button", name="Add a player").click()
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        page.get_by_text("More options").click()  # Now the page is longer than the screen, and we're in the middle.
        page.route("**/api/games", lambda route: route.fulfill(status=429, json={"code": "too-many"}))
        page.get_by_role("button", name="Start", exact=True).click()
        problem = page.get_by_role("alert").filter(has_text=re.compile("."))
        expect(problem).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("button", name="Start", exact=True)).to_be_in_viewport(ratio=1)
        person.errors.clear()  # The browser writes refused calls to its console.


def test_the_rated_switch_says_why_it_is_disabled_without_asking_the_server(person: Person) -> None:
    person.go("new")
    page = person.page
    page.get_by_text("More options").click()
    rated = page.get_by_role("switch", name="Rated")
    rated.check()
    expect(page.get_by_role("button", name="More options")).to_contain_text("rated · 60 seconds per turn")
    page.get_by_label("Seat 2", exact=True).select_option("here")
    expect(rated).to_be_disabled()
    expect(rated).not_to_be_checked()
    expect(rated).to_have_accessible_description(re.compile("their own device"))
    page.get_by_label("Seat 2", exact=True).select_option("bot 3")
    expect(rated).to_be_checked()  # A rated game is possible again, and it was wanted.
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("list", name="Players")).to_be_visible()
    assert person.state(page.url.rpartition("/")[2])["rated"]


def test_all_switches_of_a_table_are_in_two_even_columns(person: Person) -> None:
    table_options(person)
    switches = person.page.locator(".switches .switch")
    expect(switches).to_have_count(person.page.locator(".more .switch").count())
    columns = Counter(switches.evaluate_all("all => all.map((one) => one.getBoundingClientRect().left)"))
    assert list(columns.values()) == [3, 3]


def test_pictures_of_presets_follow_their_rules() -> None:
    source = (WEB / "js/start/preset_cards.js").read_text(encoding="utf-8")
    shared = re.search(r'SCORING_TABLE = "(.*)"', source)
    assert shared is not None
    found = re.findall(r"  (\w+): \{ laid: (\S+|\".*?\")(?:, points: (\d+))? \}", source)
    assert [name for name, *_ in found] == list(PRESETS)
    for name, laid, points in found:
        rules = PRESETS[name]
        first, *others = map(Placement.parse, (shared[1] if laid == "SCORING_TABLE" else laid.strip('"')).split())
        assert ("*" in first.colors) == rules.chameleons
        tables = [Table().lay(first)]
        for placement in others:
            tables.append(tables[-1].place(placement, rules))  # This refuses illegal placements.
        tiles = [Tile.parse(placement.colors) for placement in tables[-1].laid]
        assert set(tiles) <= set(rules.tiles)
        assert len(set(tiles)) == len(tiles)
        earned = rules.scoring and sum(scoring.points(tables[-2], others[-1], rules.scoring))
        assert earned == (int(points) if points else None)


def test_playing_together_on_one_device_is_two_clicks_away(person: Person) -> None:
    person.go()
    person.page.get_by_role("link", name="Play on one device").click()
    person.page.get_by_role("button", name="Start", exact=True).click()
    expect(person.page.get_by_text("Pass the device to Player")).to_be_visible()


def test_the_opponents_level_is_remembered(person: Person) -> None:
    person.go()
    person.page.get_by_role("combobox", name="Opponent").select_option("against Fox")
    person.page.reload()
    expect(person.page.get_by_role("combobox", name="Opponent")).to_have_value("3")
    person.page.get_by_role("button", name="Play", exact=True).click()
    expect(person.page.get_by_role("list", name="Players")).to_contain_text("Fox")


def test_a_running_game_is_one_click_away_from_home(person: Person) -> None:
    game = person.start()
    person.go()
    person.page.get_by_role("link", name="Continue your game").click()
    assert person.page.url.endswith(game)


def test_an_empty_list_of_games_says_so(person: Person) -> None:
    person.go("games")
    expect(person.page.get_by_text("No games yet")).to_be_visible()


def test_people_on_one_device_choose_their_faces(person: Person) -> None:
    """My own face is remembered, by the browser and with my identity."""
    page = person.page
    person.go("new?together")
    for seat, face in ((1, "Glasses"), (2, "Braids")):
        page.get_by_role("button", name=f"Face for seat {seat}").click()
        page.get_by_role("radio", name=face).click(force=True)  # Its picture covers it.
        expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".face-button").first).to_have_attribute("data-face", "glasses")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/game/*")
    assert [seat["face"] for seat in person.state(page.url.rpartition("/")[2])["seats"]] == ["glasses", "braids"]
    assert page.context.request.get(f"{person.url}api/me").json()["face"] == "glasses"
    person.go("new")
    expect(page.locator(".face-button").first).to_have_attribute("data-face", "glasses")
