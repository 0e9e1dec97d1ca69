"""The lesson in the browser: by mouse, keyboard, touch and roles; wrong tries, leaving and coming back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, expect

from chromino import Placement
from chromino.lessons import STEPS
from tests.server.sites.serving import Server
from tests.web.catalogs import LANGUAGES, catalog
from tests.web.person import PHONE, Person
from tests.web.screens import SCREENS

STEP_NAMES = [step.name for step in STEPS if not step.extra]
RIGHT = {
    "contacts": "RRG@-1,1>",
    "clash": "RBG@-1,1>",
    "corners": "BRG@-3,0>",
    "chameleon": "GPG@1,1>",
    "drawing": "GBP@1,1>",
    "last": "P*Y@1,2>",
    "round": "RBG@-1,2>",
    "junior": "YYP@6,0>",
    "scoring": "PPG@2,1>",
}
Way = Callable[[Person, str], None]


def english(key: str) -> str:
    text: str = catalog("en")[key].replace("{name}", "Snail")
    return text


def open_step(person: Person, name: str = "") -> None:
    if name and "/learn#" in person.page.url:
        person.page.evaluate("(name) => (location.hash = name)", name)
    else:
        person.go(f"learn#{name}" if name else "learn")
    expect(person.page.locator(".step").first).to_be_visible()


def title(person: Person) -> Locator:
    return person.page.locator("#step-title")


def feedback(person: Person) -> Locator:
    return person.page.locator(".feedback")


def tile_of(text: str) -> str:
    return str(Placement.parse(text).tile)


def learn(person: Person, draw: Callable[[Person], None], place: Way, next_step: Callable[[Person], None]) -> None:
    """Do all seven steps, from the first to the end."""
    for name in STEP_NAMES:
        expect(title(person)).to_have_text(english(f"learn.{name}"))
        if name == "drawing":
            draw(person)
            expect(feedback(person)).to_contain_text("so you keep it, and Snail plays")
            draw(person)
            expect(feedback(person)).to_contain_text("It fits!")
        place(person, RIGHT[name])
        expect(feedback(person)).to_contain_text(english(f"learn.{name}_done").split("{")[0])
        next_step(person)
    expect(title(person)).to_have_text("You can play now!")
    expect(person.page.locator(".step.done")).to_have_count(7)


# By mouse.


def drag(person: Person, text: str) -> None:
    """Drag the tile from the hand to its place, where it's rotated to fit."""
    tile = person.page.locator(f'[data-tile="{tile_of(text)}"]')
    tile.hover()
    person.page.mouse.down()
    box = tile.bounding_box()
    assert box is not None
    person.page.mouse.move(box["x"] + 20, box["y"] - 30)
    person.page.mouse.move(*spot(person, text), steps=4)
    person.page.mouse.up()


def spot(person: Person, text: str) -> tuple[float, float]:
    """Where the middle of a place is on the screen."""
    x, y = Placement.parse(text).squares[1]
    found: tuple[float, float] = person.page.evaluate(
        """async ([x, y]) => {
          for (const _ of [1, 2]) await new Promise(requestAnimationFrame);  // The table may be resized.
          const { left, top, width } = document.querySelector("chromino-table").rectOf({ x, y, down: true });
          return [left + width / 2, top + width / 2];
        }""",
        [x, y],
    )
    return found


def test_the_whole_lesson_can_be_done_by_mouse_and_leads_to_a_game(person: Person) -> None:
    person.go()
    person.page.get_by_role("link", name="New here? Learn to play").click()
    learn(
        person,
        draw=lambda person: person.bag.click(),
        place=drag,
        next_step=lambda person: person.page.get_by_role("button", name="Next").click(),
    )
    expect(person.page.get_by_role("link", name="Full rules")).to_have_attribute("href", "/rules")
    person.page.get_by_role("button", name="Play", exact=True).click()
    person.page.wait_for_url("**/game/*")
    state = person.state(person.page.url.rpartition("/")[2])
    assert [seat["level"] for seat in state["seats"]] == [None, 1]
    person.go()
    expect(person.page.get_by_role("link", name=re.compile("Continue your game"))).to_be_visible()
    expect(person.page.get_by_role("link", name="New here?")).to_be_hidden()
    expect(person.page.get_by_role("link", name="Learn to play")).to_be_visible()


# By keyboard alone.


def focused(person: Person) -> str:
    """What a screen reader would say about the focused element."""
    found: str = person.page.evaluate("(({ ariaLabel, innerText }) => ariaLabel ?? innerText)(document.activeElement)")
    return found


def tab_to(person: Person, *names: str) -> None:
    for _ in range(40):
        if any(name in focused(person) for name in names):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"Tab doesn't lead to {names}")


def words(text: str) -> str:
    """The tile as placed, in words."""
    return "-".join(english(f"color.{color}") for color in Placement.parse(text).colors)


def place_by_keyboard(person: Person, text: str) -> None:
    press = person.page.keyboard.press
    if "just drawn" not in focused(person):
        tab_to(person, ", fits", "be placed now")
    for _ in range(8):
        if re.search(rf"^({words(text)}|{words(text[2::-1] + text[3:])}), (just drawn, )?fits", focused(person)):
            break
        press("ArrowRight")
    press("Enter")
    expect(person.places).to_be_attached()
    place = Placement.parse(text)
    where = english("place.down" if place.down else "place.right").partition("{where}")[0]
    for _ in range(8):
        if where.replace("{tile}", words(text)) in focused(person) and focused_place(person) == text:
            break
        press("ArrowRight")
    press("Enter")


def focused_place(person: Person) -> str:
    found: str = person.page.evaluate("document.activeElement.dataset.key")
    return found


def test_the_whole_lesson_can_be_done_by_keyboard_alone(person: Person) -> None:
    open_step(person)

    def draw(person: Person) -> None:
        tab_to(person, "Draw a tile")
        person.page.keyboard.press("Enter" if "72" in focused(person) else "d")

    def next_step(person: Person) -> None:
        assert focused(person) == "Next"  # The button has the focus at once.
        person.page.keyboard.press("Enter")

    learn(person, draw, place_by_keyboard, next_step)
    tab_to(person, "Play")
    assert focused(person) == "Play"


# By touch, on a phone.


@pytest.mark.long
def test_the_whole_lesson_can_be_done_by_touch_on_a_phone(browser: Browser, server: Server) -> None:
    with Person(browser, server, viewport=PHONE, has_touch=True, is_mobile=True) as person:
        open_step(person)

        def place(person: Person, text: str) -> None:
            option = person.page.locator(f'[data-tile="{tile_of(text)}"]')
            if option.get_attribute("aria-selected") != "true":
                option.tap()
            person.page.touchscreen.tap(*spot(person, text))

        learn(
            person,
            draw=lambda person: person.bag.tap(),
            place=place,
            next_step=lambda person: person.page.get_by_role("button", name="Next").tap(),
        )


def test_a_phone_in_landscape_keeps_the_table_and_the_hand_in_view(browser: Browser, server: Server) -> None:
    with Person(browser, server, viewport={"width": 640, "height": 360}, has_touch=True, is_mobile=True) as person:
        open_step(person, "clash")
        table = person.page.locator("chromino-table").bounding_box()
        assert table is not None
        assert table["width"] >= 280
        assert table["height"] >= 180
        expect(person.page.locator(".hand-tile").last).to_be_in_viewport()


# By roles alone, as a screen reader does.


def place_by_roles(person: Person, text: str) -> None:
    tile = re.compile(f"^({words(text)}|{words(text[2::-1] + text[3:])}),.*fits$")
    person.hand.get_by_role("option", name=tile).dispatch_event("click")
    person.places.locator(f'[role="option"][data-key="{text}"]').dispatch_event("click")


@pytest.mark.long
def test_the_whole_lesson_can_be_done_by_roles_and_announcements(person: Person) -> None:
    open_step(person)
    spoken = person.page.locator("#announcements")

    def next_step(person: Person) -> None:
        expect(spoken).to_contain_text(feedback(person).inner_text())
        person.page.get_by_role("button", name="Next").dispatch_event("click")
        expect(person.page.get_by_role("region", name=title(person).inner_text())).to_be_focused()

    learn(
        person,
        draw=lambda person: person.page.get_by_role("button", name=re.compile("^Draw a tile")).dispatch_event("click"),
        place=place_by_roles,
        next_step=next_step,
    )
    expect(spoken).to_contain_text("Snail played purple-blue-yellow")


# Other situations.


def test_a_wrong_place_shows_why_kindly_and_can_be_tried_again(person: Person) -> None:
    why = {
        "contacts": "Too few matching edges: 1 of 2",
        "clash": "Colors don’t match: red next to green",
        "corners": "Too few matching edges: 0 of 2",
        "chameleon": "Colors don’t match: green next to red",
        "junior": "With these rules, tiles can only touch end to end",
    }
    for step in STEPS:
        if not step.decoys:
            continue
        name = step.name
        open_step(person, name)
        person.page.locator(f'[data-tile="{tile_of(RIGHT[name])}"]').click()
        person.page.mouse.click(*spot(person, step.decoys))
        expect(person.page.locator(".refused")).to_have_count(1)
        expect(person.page.locator(".refusal-words")).to_have_text(why.pop(name))  # The same words as in a game.
        expect(feedback(person)).to_contain_text("Try another place.")
        for line in (feedback(person).inner_text(), person.page.locator(".refusal-words").inner_text()):
            expect(person.page.locator("#announcements")).to_contain_text(line)
        person.page.mouse.click(*spot(person, RIGHT[name]))
        expect(person.page.locator(".joined").first).to_be_attached()
        expect(person.page.locator(".refused")).to_have_count(0)
        expect(feedback(person)).to_contain_text(english(f"learn.{name}_done"))
    assert not why


def test_junior_never_asks_for_two_edges(person: Person) -> None:
    open_step(person, "junior")
    person.page.locator('[data-tile="YYP"]').click()
    person.page.mouse.click(*spot(person, "YYP@6,2>"))  # It touches nothing.
    expect(person.page.locator(".refusal-words")).to_have_text("Too few matching edges: 0 of 1")
    expect(feedback(person)).to_contain_text("Almost! One end must touch the same color.")


def test_a_wrong_place_by_keyboard_leaves_the_tile_where_it_is(person: Person) -> None:
    open_step(person, "clash")
    place_by_keyboard(person, "RBG@-1,-2>")
    expect(feedback(person)).to_contain_text("Oops")
    assert focused_place(person) == "RBG@-1,-2>"
    person.page.keyboard.press("ArrowRight")
    person.page.keyboard.press("Enter")
    expect(feedback(person)).to_contain_text("Right!")


def test_a_legal_placement_that_is_not_the_goal_says_so(person: Person) -> None:
    open_step(person, "last")
    person.page.locator('[data-tile="RBG"]').click()
    person.page.mouse.click(*spot(person, "RBG@1,-2>"))
    expect(feedback(person)).to_contain_text("Play it first!")
    expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(4)
    open_step(person, "scoring")
    person.page.locator('[data-tile="GPP"]').click()
    person.page.mouse.click(*spot(person, "PPG@1,3>"))
    expect(feedback(person)).to_have_text("2 + 2 = 4. Not bad, but another place scores more!")
    person.page.mouse.click(*spot(person, "PPG@2,1>"))
    expect(feedback(person)).to_contain_text("2 + 2 + 3 + 2 = 9")


def test_when_nothing_fits_every_try_says_to_draw(person: Person) -> None:
    open_step(person, "drawing")
    person.page.locator('[data-tile="PPP"]').click()
    person.page.mouse.click(*spot(person, "PPP@0,1>"))
    expect(person.page.locator(".refused")).to_have_count(1)
    expect(feedback(person)).to_have_text("Draw a tile from the bag.")


def test_the_last_tile_is_shown_and_both_win(person: Person) -> None:
    open_step(person, "last")
    place_by_roles(person, RIGHT["last"])
    expect(person.page.get_by_role("img", name="Last tile: red-blue-green")).to_be_visible()
    expect(person.page.get_by_role("img", name="Last tile: red-red-yellow")).to_be_visible()
    person.page.get_by_role("button", name="Next").click()
    place_by_roles(person, RIGHT["round"])
    expect(person.page.locator(".seat.winner")).to_have_count(2)


def test_the_lesson_can_be_left_resumed_and_restarted(person: Person) -> None:
    open_step(person)
    place_by_roles(person, RIGHT["contacts"])
    person.page.get_by_role("button", name="Next").click()
    person.page.get_by_role("button", name="Home").click()
    person.page.get_by_role("link", name=re.compile("^Learn to play")).click()
    expect(title(person)).to_have_text(english("learn.clash"))
    expect(person.page.get_by_role("button", name="Step 1: Match two edges, done")).to_be_visible()
    expect(person.page.get_by_role("button", name="Step 2: Colors must match")).to_have_attribute(
        "aria-current", "step"
    )
    person.page.get_by_role("button", name="Step 4: The chameleon").click()
    person.page.reload()
    expect(title(person)).to_have_text(english("learn.chameleon"))
    person.page.evaluate("(names) => localStorage.setItem('chromino.learned', JSON.stringify(names))", STEP_NAMES)
    person.page.goto("about:blank")
    open_step(person)
    expect(title(person)).to_have_text("You can play now!")
    person.page.get_by_role("button", name="Start over").click()
    expect(title(person)).to_have_text(english("learn.contacts"))
    expect(person.page.locator(".step.done")).to_have_count(0)


def test_a_step_can_be_tried_again(person: Person) -> None:
    open_step(person, "contacts")
    place_by_roles(person, RIGHT["contacts"])
    person.page.get_by_role("button", name="Try again").click()
    expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(1)
    expect(person.hand.get_by_role("option")).to_have_count(2)


def test_a_step_that_was_left_does_not_continue_later(person: Person) -> None:
    """The other player takes a moment; if you restart in the meantime, everything is as it was."""
    person.page.emulate_media(reduced_motion="no-preference")
    open_step(person, "round")
    place_by_roles(person, RIGHT["round"])
    expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(4)
    person.page.get_by_role("button", name="Step 7").click()
    expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(3)
    place_by_roles(person, RIGHT["round"])
    expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(5)
    expect(person.page.get_by_role("button", name="Next")).to_be_focused()


def test_extras_come_after_the_end_and_lead_back_to_it(person: Person) -> None:
    open_step(person, "end")
    for name, button in (("junior", "Junior"), ("scoring", "Points")):
        person.page.get_by_role("button", name=re.compile(f"^{button}")).click()
        place_by_roles(person, RIGHT[name])
        person.page.get_by_role("button", name="Next").click()
        expect(title(person)).to_have_text("You can play now!")


def test_how_to_play_leads_to_the_lesson_and_invalid_stored_data_does_no_harm(person: Person) -> None:
    person.begin()
    person.page.evaluate("localStorage.setItem('chromino.learned', '{')")
    person.page.get_by_role("button", name="How to play").click()
    with person.context.expect_page() as opened:
        person.page.get_by_role("link", name="Learn to play").click()
    expect(opened.value.locator("#step-title")).to_have_text(english("learn.contacts"))


def test_the_lesson_survives_a_server_outage(person: Person) -> None:
    open_step(person, "contacts")
    person.context.set_offline(True)
    place_by_roles(person, RIGHT["contacts"])
    expect(feedback(person)).to_contain_text("We can’t reach the server")
    person.context.set_offline(False)
    place_by_roles(person, RIGHT["contacts"])
    expect(feedback(person)).to_contain_text("Well done!")
    person.forgive_network_errors()


def test_every_language_is_complete(person: Person) -> None:
    open_step(person)
    for language in LANGUAGES:
        person.page.locator("select.language").first.select_option(language)
        texts = catalog(language)
        for step in STEPS:
            open_step(person, step.name)
            expect(title(person)).to_have_text(texts[f"learn.{step.name}"])
            assert not re.search(r"learn\.|\{", person.page.locator("main").inner_text())


def test_the_language_can_be_changed_mid_lesson(person: Person) -> None:
    open_step(person, "contacts")
    place_by_roles(person, RIGHT["contacts"])
    person.page.get_by_label("Language").select_option("fr")
    expect(title(person)).to_have_text(catalog("fr")["learn.contacts"])
    expect(feedback(person)).to_contain_text("Bien joué !")
    expect(feedback(person)).to_contain_text("rouge contre rouge")
    expect(person.page.get_by_role("button", name="Étape 1")).to_be_visible()


def test_the_lesson_is_worded_for_a_child() -> None:
    for language in LANGUAGES:
        for step in STEPS:
            text = catalog(language)[f"learn.{step.name}_text"]
            assert len(re.findall(r"[.!?。！？]+(?=\s|$|[^\s])", text)) <= 2, text
            assert len(text) <= 120, text


def test_the_words_of_a_refusal_do_not_cover_the_mistake(browser: Browser, server: Server) -> None:
    """On the narrowest phone, in every language: the refused tile and the edge to blame are in sight."""
    with Person(browser, server, viewport={"width": 320, "height": 568}, has_touch=True, is_mobile=True) as person:
        SCREENS["lesson-wrong"](person)
        for language in ("fr", "es", "ca", "zh-Hant", "en"):
            before = person.page.locator(".refusal-words").inner_text()
            person.page.locator("select.language").select_option(language)
            expect(person.page.locator(".refusal-words")).not_to_have_text(before)
            hidden = person.page.evaluate(
                """() => {
                  const words = document.querySelector(".refusal-words").getBoundingClientRect();
                  return [...document.querySelectorAll(".refused, .edge")].filter((part) => {
                    const { left, right, top, bottom } = part.getBoundingClientRect();
                    return left < words.right && right > words.left && top < words.bottom && bottom > words.top;
                  }).length;
                }"""
            )
            assert hidden == 0, language
            expect(person.page.locator(".refusal-words")).to_be_in_viewport(ratio=1)
