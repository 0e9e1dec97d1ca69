"""The rules page: complete in five languages, with an address for every rule, and printable."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from chromino.rules import CHOICES
from tests.figures import positions, read
from tests.helpers import more
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import Server
from tests.web.catalogs import catalog
from tests.web.person import PHONE, Person
from tests.web.screens import SCREENS

OUTLINE = read("outline")
IDS = [rule for section in OUTLINE["sections"] for rule in section["rules"]]


def top_of(person: Person, rule: str) -> float:
    """How far below the top of the window a rule begins, in pixels."""
    top: float = person.page.evaluate("id => document.getElementById(id).getBoundingClientRect().top", rule)
    return top


@pytest.mark.parametrize("language", ["en", "zh-Hant", *map(more, ["fr", "es", "ca"])])
def test_every_language_shows_all_the_rules(browser: Browser, server: Server, language: str) -> None:
    with Person(browser, server, locale=language) as person:
        SCREENS["rules"](person)
        page, texts = person.page, read(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("h1")).to_have_text(catalog(language)["rules.title"])
        assert page.locator(".chapter").evaluate_all("parts => parts.map(({ id }) => id)") == [
            *texts["sections"],
            "rulings",
        ]
        for rule, entry in texts["rules"].items():
            part = page.locator(f'[id="{rule}"]')
            expect(part.locator("h3")).to_contain_text(entry["title"])
            marks = part.get_by_role("note", name=texts["words"]["ruling"])
            expect(marks).to_have_count(1 if "ruling" in entry else 0)
            if "why" in entry:
                expect(marks).to_contain_text(f"{texts['words']['why']} {entry['why']}")
        text = page.locator("main").inner_text()
        assert not re.search(r"undefined|null|\{|\}", text)
        for paragraph in texts["rules"]["3.2"]["text"][1]:
            assert paragraph in text


@pytest.mark.long
def test_figures_have_names_and_say_whether_they_are_allowed(person: Person) -> None:
    SCREENS["rules"](person)
    page, words = person.page, read("en")["words"]
    figures = positions()
    assert page.locator("figure").evaluate_all("all => all.map((one) => one.dataset.figure)") == [
        name for rule in IDS for name in OUTLINE["figures"].get(rule, [])
    ]
    for name, figure in figures.items():
        shown = page.locator(f'figure[data-figure="{name}"]')
        label = shown.locator("> svg").get_attribute("aria-label") or ""
        assert label.count(" going ") == len(figure.table) + len(figure.places)
        expect(shown.locator("> svg > .tile")).to_have_count(len(figure.table) + len(figure.places))
        expect(shown.locator(".edge")).to_have_count(len(figure.good) + len(figure.bad))
        expect(shown.locator(".cross")).to_have_count(len(figure.bad))
        if figure.verdict and not figure.points:
            expected = words["legal"] if figure.verdict == "legal" else words["illegal"]
            expect(shown.locator(".verdict")).to_have_text(expected)
    expect(
        page.get_by_role("img", name="On the table: purple-red-red going right, on the starting square. Placed: ")
    ).to_have_count(4)


def test_every_rule_has_an_address(person: Person) -> None:
    person.go("rules#5.4")
    page = person.page
    expect(page.get_by_role("heading", name="5.4 One more turn")).to_be_in_viewport()
    assert abs(top_of(person, "5.4")) < 60
    page.get_by_role("link", name="6 Other ways to play").click()
    expect(page).to_have_url(re.compile(r"/rules#6$"))
    expect(page.get_by_role("heading", name="6 Other ways to play")).to_be_in_viewport()
    page.go_back()
    expect(page.get_by_role("heading", name="5.4 One more turn")).to_be_in_viewport()
    targets = page.locator('main a[href^="#"]').evaluate_all(
        "all => all.filter(({ hash }) => !document.getElementById(hash.slice(1))).map(({ hash }) => hash)"
    )
    assert targets == []
    person.go()
    person.go("rules#nothing")
    expect(page.get_by_role("heading", level=1, name="Rules")).to_be_in_viewport()


def test_switching_languages_keeps_the_reading_position(person: Person) -> None:
    person.go("rules#6.4-c")
    page = person.page
    expect(page.get_by_role("heading", name="Scoring C")).to_be_in_viewport()
    before = top_of(person, "6.4-c")
    page.locator("select.language").select_option("zh-Hant")
    expect(page.get_by_role("heading", name="計分 C")).to_be_in_viewport()
    assert abs(top_of(person, "6.4-c") - before) < 3
    expect(page.locator(".rules-content")).to_have_attribute("lang", "zh-Hant")
    expect(page).to_have_title("規則 – Chromino")
    expect(page).to_have_url(re.compile("#6.4-c$"))


def test_the_rules_are_one_click_from_home_and_from_help(person: Person) -> None:
    person.go()
    page = person.page
    page.get_by_role("link", name=re.compile("^Rules")).click()
    expect(page.get_by_role("heading", level=1, name="Rules")).to_be_visible()
    expect(page.get_by_role("heading", name="4.2 At least two contacts")).to_be_attached()
    page.get_by_role("button", name="Home").click()
    page.get_by_role("button", name="How to play").click()
    with person.context.expect_page() as opened:
        page.get_by_role("link", name="Full rules (new tab)").press("Enter")
    expect(opened.value).to_have_url(re.compile("/rules$"))
    expect(opened.value.get_by_role("heading", name="4.2 At least two contacts")).to_be_attached()
    opened.value.get_by_role("button", name="How to play").click()
    expect(opened.value.get_by_role("link", name="Full rules (new tab)")).to_have_count(0)  # They're already here.


@pytest.mark.parametrize("link", ["Full rules (new tab)", more("Learn to play (new tab)")])
def test_opening_help_loses_nothing(person: Person, link: str) -> None:
    """A half-finished conundrum and the focus are unchanged when you come back."""
    person.go("conundrum/2026-11-15/1")
    person.page.locator(".hand-tile").first.wait_for()
    person.page.get_by_role("button", name="Hint").click()
    person.page.locator(".area").wait_for(state="attached")
    person.page.get_by_role("button", name="How to play").click()
    with person.context.expect_page() as opened:
        person.page.get_by_role("link", name=link).press("Enter")
    opened.value.close()
    expect(person.page.get_by_role("link", name=link)).to_be_focused()
    person.page.keyboard.press("Escape")
    expect(person.page.get_by_role("button", name="How to play")).to_be_focused()
    expect(person.page.locator(".area")).to_be_attached()


@pytest.mark.parametrize(
    ("rules", "link", "heading"),
    [
        ({}, "Full rules", "Rules"),
        more({"joining": "ends"}, "Placing: more about this rule", "6.3 Junior"),
        ({"scoring": "expert"}, "Winning: more about this rule", "6.4 Expert"),
        more({"draw_limit": None}, "Drawing: more about this rule", "6.1 Drawing"),
    ],
)
def test_a_games_rules_open_in_a_new_tab(person: Person, rules: dict[str, str | None], link: str, heading: str) -> None:
    """Help links this game's choices to the rules that explain them."""
    person.begin(rules=rules)
    person.page.get_by_role("button", name="How to play").click()
    with person.context.expect_page() as opened:
        person.page.get_by_role("link", name=f"{link} (new tab)").click()
    expect(opened.value.get_by_role("heading", name=heading, exact=True)).to_be_in_viewport()
    expect(person.page.locator("chromino-table")).to_be_attached()


def test_help_explains_every_choice_of_the_game(person: Person) -> None:
    person.begin(rules={"hand_size": 7, "ending": "at_once"})
    person.page.get_by_role("button", name="How to play").click()
    expect(person.page.locator(".rules-summary dd")).to_have_count(len(CHOICES))
    expect(person.page.locator(".rules-summary")).to_contain_text("Everyone starts with 7 tiles.")
    expect(person.page.locator(".rules-summary")).to_contain_text("the game is over right away")


def test_the_rules_list_every_choice(person: Person) -> None:
    SCREENS["rules"](person)
    for choice in CHOICES:
        line = person.page.locator(f'[id="{choice.rule}"] .choose')
        expect(line).to_contain_text(f"Options for “{catalog('en')[choice.title_key]}”:")
        assert (line.text_content() or "").count(" · ") == len(choice.values) - 1


def test_a_game_does_not_fetch_the_rules(browser: Browser, server: Server) -> None:
    with Person(browser, server) as person:
        asked: list[str] = []
        person.page.on("request", lambda request: asked.append(request.url))
        person.begin()
        assert any(url.endswith("/js/game/game_page.js") for url in asked)
        assert not [url for url in asked if "rules" in url]


def test_the_rules_can_be_read_by_keyboard(person: Person) -> None:
    SCREENS["rules"](person)
    page = person.page
    link = page.get_by_role("link", name="3 Your turn")
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="3 Your turn")).to_be_in_viewport()
    page.keyboard.press("Tab")  # The focus moves on from there, not from the contents.
    assert page.evaluate("document.activeElement.hash") == "#3.1"


def test_printed_rules_have_no_buttons(person: Person) -> None:
    SCREENS["rules"](person)
    page = person.page
    page.emulate_media(media="print", color_scheme="dark")
    for hidden in (".bar", ".contents", "#rulings", ".button", ".see"):
        expect(page.locator(hidden).first).to_be_hidden()
    for shown in ("h1", ".ruling", "figure svg", ".wide table"):
        expect(page.locator(shown).first).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 248, 241)"


def test_the_rules_fit_a_phone_in_chinese(browser: Browser, server: Server) -> None:
    with Person(browser, server, locale="zh-TW", viewport=PHONE, has_touch=True, is_mobile=True) as person:
        SCREENS["rules"](person)
        assert person.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_an_outage_is_reported_and_the_rules_can_be_loaded_later(browser: Browser, own_site: InProcessServer) -> None:
    with Person(browser, own_site) as person:
        page = person.page
        person.go()
        page.get_by_role("link", name=re.compile("^Rules")).wait_for()
        page.route("**/rules/*.json", lambda route: route.abort())
        page.get_by_role("link", name=re.compile("^Rules")).click()
        expect(page.locator(".rules .problem")).to_have_text(
            "We can’t reach the server. Check your connection and try again."
        )
        page.unroute("**/rules/*.json")
        page.locator("select.language").select_option("fr")
        expect(page.get_by_role("heading", name="6.3 Bambino")).to_be_attached()
        expect(page.locator(".rules .problem")).to_be_hidden()
        person.forgive_network_errors()


def test_a_script_that_fails_to_load_is_reported(browser: Browser, own_site: InProcessServer) -> None:
    with Person(browser, own_site) as person:
        page = person.page
        page.route("**/js/learn/rules_page.js", lambda route: route.abort())
        person.go("rules")
        expect(page.get_by_text("We can’t reach the server. Check your connection and try again.")).to_be_visible()
        person.forgive_network_errors()
