"""How the page feels: carried tiles, overlapping places, sheets that close, endings."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser, expect

from chromino import Game, Place, Rules
from tests.server.sites.serving import Server
from tests.web.person import PHONE, Person, nearly_over

# Records sounds and vibrations for tests to read.
_LISTEN = """
  window.sounds = 0;
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function () { window.sounds += 1; return start.call(this); };
  window.contexts = 0;
  window.buzzes = [];
  navigator.vibrate = (time) => window.buzzes.push(time);
  window.AudioContext = class extends window.AudioContext {
    constructor(...all) { super(...all); window.contexts += 1; }
  };
"""

# Elements whose focus rings are cut off.
_CUT_RINGS = """() => [...document.querySelectorAll("button, a[href], [tabindex='0']")]
  .filter((element) => element.checkVisibility() && !element.closest(".spoken, .places"))
  .flatMap((element) => {
    element.focus({ preventScroll: false, focusVisible: true });
    const { outlineOffset, outlineWidth } = getComputedStyle(element);
    const reach = parseFloat(outlineOffset) + parseFloat(outlineWidth);
    const ring = element.getBoundingClientRect();
    const sides = [ring.left - reach, ring.top - reach, ring.right + reach, ring.bottom + reach];
    const clips = [new DOMRect(0, 0, innerWidth, innerHeight)];
    for (let box = element.parentElement; box; box = box.parentElement) {
      if (getComputedStyle(box).overflow !== "visible") clips.push(box.getBoundingClientRect());
    }
    const isCut = clips.some(({ left, top, right, bottom }) =>
      sides[0] < left - 1 || sides[1] < top - 1 || sides[2] > right + 1 || sides[3] > bottom + 1);
    return isCut ? [element.getAttribute("aria-label") ?? element.className] : [];
  })"""


def carried(person: Person) -> dict[str, float]:
    """Where the tile under the pointer is."""
    box = person.page.locator(".floating").bounding_box()
    assert box is not None
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "width": box["width"]}


def square(person: Person) -> float:
    """How large a square of the table is."""
    size: float = person.page.evaluate("document.querySelector('chromino-table').squareSize")
    return size


def test_a_tile_is_carried_snaps_and_flies_back(browser: Browser, server: Server) -> None:
    """A tile behaves the same under the mouse, whether it's dragged or picked up with a click."""
    with Person(browser, server, reduced_motion="no-preference") as person:
        person.context.add_init_script(_LISTEN)
        game = person.begin()
        page = person.page
        assert page.evaluate("[contexts, sounds]") == [0, 0]  # Silent before the first touch.
        tile = person.fitting.first
        name = tile.get_attribute("data-tile")
        gap = page.locator(".hand-tile.gone")
        for is_dragged in (True, False):
            tile.hover()
            if is_dragged:
                page.mouse.down()
                page.mouse.move(400, 500)
                assert gap.get_attribute("data-tile") == name
            else:
                page.locator(f'[data-tile="{name}"]').click()
            x, y = person.lit_place()
            size = square(person)
            page.mouse.move(x - 3 * size, y + 0.9 * size)
            page.mouse.move(x - 2.5 * size, y + 0.9 * size)
            here = carried(person)
            assert (round(here["x"]), round(here["y"])) == (round(x - 2.5 * size), round(y + 0.9 * size))
            assert 0.9 < here["width"] / size < 3.3  # At the table's scale, in either direction.
            expect(gap).to_have_count(1)
            page.mouse.move(x + 0.3 * size, y - 0.2 * size)
            expect(page.locator(".floating.snapped")).to_be_visible()
            expect(page.locator(".lit.aimed")).to_have_count(1)
            page.wait_for_function(  # Within a pixel of the place.
                "([x, y]) => { const box = document.querySelector('.floating').getBoundingClientRect();"
                " return Math.abs(box.x + box.width / 2 - x) < 1 && Math.abs(box.y + box.height / 2 - y) < 1; }",
                arg=[x, y],
            )
            page.mouse.move(x + 0.5 * size, y)
            expect(page.locator(".floating.snapped")).to_have_count(0)
            box = page.locator("chromino-table").bounding_box()
            assert box is not None
            page.mouse.move(box["x"] + 4, box["y"] + 4)
            assert carried(person)["x"] < box["x"] + 8  # It's never clipped at the table's edge.
            if is_dragged:
                page.mouse.up()
            else:
                page.mouse.click(box["x"] + 4, box["y"] + 4)
            expect(page.locator(".refusal-words")).to_be_visible()
            expect(page.locator(".floating")).to_be_hidden()
            expect(page.locator(".hand-tile.concealed, .flying")).to_have_count(0)
            expect(gap).to_have_count(0)
            page.keyboard.press("Escape")
        assert person.state(game)["version"] == 0
        assert page.evaluate("sounds") >= 6  # Picked, snapped and refused, twice.
        tile.hover()
        page.mouse.down()
        page.mouse.move(400, 500)
        page.keyboard.press("r")
        for _ in range(3):
            page.keyboard.press("r")
        page.mouse.move(*person.lit_place())
        page.mouse.up()
        person.wait_for_event(1)
        assert page.evaluate(
            "document.activeElement === document.body || !document.activeElement.matches('.hand-tile')"
        )


def overlapping() -> tuple[Game, str, tuple[int, int]]:
    """A game, a tile with two places that share a square, and that square."""
    for seed in range(500):
        game = Game.start(Rules.classic(), ["Ada", "Snail"], seed, first=0)
        places = [action.placement for action in game.actions() if isinstance(action, Place)]
        for one in places:
            for other in places:
                if one == other or one.tile != other.tile:
                    continue
                shared = set(one.squares) & set(other.squares)
                if shared:
                    return game, str(one.tile), next(iter(shared))
    raise AssertionError("no seed leads to such a game")


def test_a_finger_chooses_between_places_that_overlap(browser: Browser, server: Server) -> None:
    game, tile, (x, y) = overlapping()
    with Person(browser, server, viewport=PHONE, has_touch=True, is_mobile=True) as person:
        person.context.add_init_script(_LISTEN)
        name = person.have(game, {1: "snail"})
        person.go(f"game/{name}")
        page = person.page
        page.locator(f'[data-tile="{tile}"], [data-tile="{tile[::-1]}"]').tap()
        assert page.locator(".lit").count() == page.locator(".lit .outline").count()
        expect(page.locator(".lit .square")).to_have_count(0)  # Outlines only.
        point = page.evaluate(
            """async ([x, y]) => {
              for (const _ of [1, 2]) await new Promise(requestAnimationFrame);  // The table may be resized.
              const { left, top, width } = document.querySelector("chromino-table").rectOf({ x, y, down: true });
              return [left + width / 2, top + width / 2];
            }""",
            [x, y],
        )
        page.touchscreen.tap(*point)
        pending = page.locator(".pending")
        expect(pending).to_have_count(1)
        expect(page.get_by_role("button", name="Confirm")).to_be_visible()
        page.touchscreen.tap(*point)
        expect(pending).to_have_count(1)
        shown: Any = [pending.get_attribute("transform"), pending.inner_html()]
        page.touchscreen.tap(*point)
        assert [pending.get_attribute("transform"), pending.inner_html()] != shown
        assert person.state(name)["version"] == len(game.record.events)
        page.get_by_role("button", name="Confirm").tap()
        person.wait_for_event(1)
        # A tile that a finger carries floats above it.
        person.situation()
        if person.now() == "place":
            box = person.fitting.first.bounding_box()
            assert box is not None
            at = (box["x"] + box["width"] / 2, box["y"] + 10)
            person.fingers("touchStart", at)
            person.fingers("touchMove", (at[0], at[1] - 40))
            person.fingers("touchMove", (180, 330))
            page.wait_for_function("() => document.querySelector('.floating').getBoundingClientRect().bottom < 330")
            buzzes = page.evaluate("buzzes.length")
            place_x, place_y = person.lit_place()
            tile_box = page.locator(".floating").bounding_box()
            assert tile_box is not None
            middle = tile_box["y"] + tile_box["height"] / 2
            person.fingers("touchMove", (place_x, place_y + 330 - middle))  # The tile's own middle is at the place.
            expect(page.locator(".floating.snapped")).to_be_visible()
            assert page.evaluate("buzzes.slice(-1)[0]") == 12
            assert page.evaluate("buzzes.length") == buzzes + 1
            person.fingers("touchEnd")


def test_the_log_is_a_sheet_and_going_back_closes_it_before_leaving_the_page(browser: Browser, server: Server) -> None:
    with Person(browser, server, viewport=PHONE, has_touch=True, is_mobile=True) as person:
        person.go()
        person.begin()
        page = person.page
        address = page.url
        sheet = page.locator(".side")

        def open_log() -> None:
            page.evaluate("document.querySelector('[data-t-label=\"log.title\"]').click()")
            expect(sheet).to_be_visible()

        open_log()
        table, box = page.locator("chromino-table").bounding_box(), sheet.bounding_box()
        assert table is not None
        assert box is not None
        assert box["height"] <= 0.75 * table["height"]
        assert box["y"] > table["y"]  # The table can still be seen.
        expect(person.hand).to_be_visible()
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
        open_log()
        page.go_back()
        expect(sheet).to_be_hidden()
        assert page.url == address
        open_log()
        person.fitting.first.tap()
        expect(sheet).to_be_hidden()
        page.keyboard.press("Escape")
        open_log()
        box = sheet.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + 12
        person.fingers("touchStart", (x, y))
        for step in (20, 60, 120, 180):
            person.fingers("touchMove", (x, y + step))
        person.fingers("touchEnd")
        expect(sheet).to_be_hidden()
        page.keyboard.press("t")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        page.go_back()
        expect(dialog).to_have_count(0)
        assert page.url == address
        assert page.evaluate(_CUT_RINGS) == []
        page.go_back()
        expect(page).not_to_have_url(address)


def test_the_ending_is_celebrated_and_offers_what_is_next(browser: Browser, server: Server) -> None:
    game = nearly_over(Rules.classic(), ["Ada", "Snail"])
    with Person(browser, server, viewport=PHONE, has_touch=True, reduced_motion="no-preference") as person:
        name = person.have(game, {seat: "snail" for seat in range(2) if seat != game.seat})
        person.go(f"game/{name}")
        page = person.page
        page.evaluate(
            """() => addEventListener("transitionrun", ({ target, elapsedTime }) => {
              if (target.matches(".world.finale")) window.finale = getComputedStyle(target).transitionDuration;
            })"""
        )
        person.situation()
        page.evaluate("document.querySelector('chromino-table').zoom(1.5)")  # Not everything is in sight.
        person.play("roles")
        expect(person.ending).to_be_visible()
        assert page.evaluate("window.finale") == "0.9s"
        expect(person.ending.get_by_role("heading")).to_have_text(re.compile("You won!|So close!|Good game!"))
        expect(person.ending.locator(".final-tile").first).to_be_visible()
        expect(person.ending.get_by_role("button", name="Play again")).to_be_focused()
        for label in ("Review", "Share", "More"):
            expect(person.ending.get_by_role("button", name=label)).to_be_visible()
        expect(person.ending.get_by_role("button", name="Replay")).to_be_hidden()
        person.context.grant_permissions(["clipboard-write"])
        person.ending.get_by_role("button", name="Share").click()
        expect(page.locator("#announcements")).to_contain_text("Image copied.")  # Only this device could open a link.
        person.context.clear_permissions()
        person.ending.get_by_role("button", name="More").click()
        expect(person.ending.get_by_role("button", name="Replay")).to_be_visible()
        expect(person.ending.get_by_role("link", name="Save image")).to_be_visible()
        sheet = person.ending.bounding_box()
        assert sheet is not None
        assert sheet["y"] > 50
        assert round(sheet["y"] + sheet["height"]) == PHONE["height"]
        page.keyboard.press("Escape")
        expect(person.ending).to_have_count(0)
        page.get_by_role("button", name="Show the result").click()
        expect(person.ending).to_be_visible()
        page.go_back()
        expect(person.ending).to_have_count(0)
        assert page.url.endswith(name)


def test_in_scoring_games_the_place_under_the_pointer_shows_its_points(person: Person) -> None:
    game = person.begin(rules={"scoring": "expert"})
    person.fitting.first.click()
    preview = person.page.locator(".points-preview")
    expect(preview).to_be_hidden()
    x, y = person.lit_place()
    person.page.mouse.move(x, y)
    expect(preview).to_have_text(re.compile(r"^\+\d+$"))
    shown = int(preview.inner_text())
    person.page.mouse.click(x, y)
    person.until(lambda: person.state(game)["version"] > 0)
    assert sum(person.state(game)["view"]["log"][0]["points"]) == shown


def test_keyboard_users_hear_what_a_place_earns(person: Person) -> None:
    person.begin(rules={"scoring": "expert"})
    person.fitting.first.focus()
    person.page.keyboard.press("Enter")
    expect(person.places.get_by_role("option", selected=True)).to_have_text(re.compile(r"\d+ points?$"))
    expect(person.page.locator(".points-preview")).to_be_visible()


def test_a_shortcut_shows_no_focus_ring_to_mouse_users(person: Person) -> None:
    person.begin()
    ring = "getComputedStyle(document.activeElement).outlineStyle"
    person.fitting.first.click()
    person.page.keyboard.press("r")
    assert person.page.evaluate("document.activeElement.matches('.hand-tile:focus-visible')")
    assert person.page.evaluate(ring) == "none"
    person.page.keyboard.press("ArrowRight")
    assert person.page.evaluate(ring) != "none"


def test_a_finger_may_wobble_during_a_tap(person: Person) -> None:
    person.start()
    mouse, table = person.page.mouse, person.page.locator("chromino-table")
    table.evaluate(
        "table => table.addEventListener('tap', () => (table.dataset.taps = 1 + Number(table.dataset.taps)))"
    )
    table.evaluate("table => (table.dataset.taps = 0)")
    box = table.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + 20
    for wobbles, taps in ((3, "1"), (30, "1")):
        mouse.move(x, y)
        mouse.down()
        for _ in range(5):
            mouse.move(x + wobbles, y)
            mouse.move(x, y)
        mouse.up()
        expect(table).to_have_attribute("data-taps", taps)
