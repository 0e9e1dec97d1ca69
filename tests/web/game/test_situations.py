"""What can happen during a game: reloads, restarts, lost connections, other languages, wrong places, changed minds."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Route, expect

from chromino import Game, Pass, Place, Rules
from tests.helpers import more, with_open_hands
from tests.server.sites.postgres import Postgres
from tests.server.sites.serving import Server
from tests.web.person import ADA, PHONE, SNAIL, TO_THE_END, Person


def test_a_reload_loses_nothing(person: Person) -> None:
    game = person.nearly_finish(Rules.classic())
    person.situation()
    before = person.tiles_on_table()
    person.page.reload()
    person.situation()
    assert person.tiles_on_table() == before
    person.go("games")
    expect(person.page.get_by_role("heading", name="In progress")).to_be_visible()
    person.page.locator(f'.game-list a[href="/game/{game}"]').first.click()
    expect(person.page).to_have_url(re.compile(f"{game}$"))
    person.play("roles")
    person.go("games")
    expect(person.page.get_by_role("heading", name="Finished")).to_be_visible()


@pytest.mark.parametrize("how", ["killed", more("stopped")])
def test_the_page_survives_a_server_restart_mid_game(browser: Browser, own_server: Server, how: str) -> None:
    with Person(browser, own_server) as person:
        person.start(played=3)
        person.situation()
        before = person.tiles_on_table()
        own_server.stop() if how == "stopped" else own_server.kill()
        expect(person.page.locator(".banner")).to_have_text(re.compile("Connection lost"))
        own_server.start()
        expect(person.page.locator(".banner")).to_be_hidden()
        assert person.tiles_on_table() == before
        person.play("roles", most=2)
        person.forgive_network_errors()


def test_an_action_taken_offline_happens_exactly_once_after_reconnecting(person: Person) -> None:
    game = person.begin()
    version = person.state(game)["version"]
    person.context.set_offline(True)
    expect(person.page.locator(".banner")).to_be_visible()
    person.place_by_roles()
    person.context.set_offline(False)
    expect(person.page.locator(".banner")).to_be_hidden()
    person.situation()
    log = person.state(game)["view"]["log"]
    assert len([event for event in log[version:] if event["seat"] == 1 and "place" in event]) == 1
    assert len(log) > version
    person.forgive_network_errors()


@pytest.mark.long
def test_a_database_outage_is_shown_and_then_play_continues(browser: Browser) -> None:
    with Postgres() as postgres, Server(postgres.url) as server, Person(browser, server) as person:
        game = person.start()
        while person.situation() != "place":
            person.play("roles", most=1)
        version = person.state(game)["version"]
        postgres.stop()
        person.place_by_roles()
        expect(person.page.locator(".banner")).to_contain_text("Reconnecting")
        postgres.start()
        expect(person.page.locator(".banner")).to_be_hidden()
        person.situation()
        mine = [
            event for event in person.state(game)["view"]["log"][version:] if event["seat"] == 0 and "place" in event
        ]
        assert len(mine) == 1
        person.play("roles", most=2)
        person.forgive_network_errors()


def test_with_too_many_pages_open_the_game_says_so_and_continues_once_some_are_closed(person: Person) -> None:
    game = person.start()
    person.go()
    others = person.open_many_pages(f"api/games/{game}/play")
    person.go(f"game/{game}")
    expect(person.page.locator(".banner")).to_have_text("Chromino is open in too many tabs. Close some of them.")
    others.close()
    expect(person.page.locator(".banner")).to_be_hidden()
    person.play("roles", most=1)


def test_a_page_visited_once_opens_offline_and_says_so(browser: Browser, own_server: Server) -> None:
    with Person(browser, own_server, service_workers="allow") as person:
        person.go()
        person.wait_until_cached()
        own_server.stop()
        person.page.reload()
        person.page.get_by_role("button", name="Play", exact=True).click()
        expect(person.page.get_by_role("alert").filter(has_text="can’t reach the server")).to_be_visible()
        person.forgive_network_errors()
        person.errors.clear()


def test_the_language_changes_at_once_and_nothing_is_lost(person: Person) -> None:
    person.begin()
    person.fitting.first.click()
    selected = person.page.locator('.hand-tile[aria-selected="true"]')
    tile = selected.get_attribute("data-tile")
    for tag, title, hand in [
        ("fr", "Classique", "Ta main"),
        ("es", "Clásico", "Tu mano"),
        ("ca", "Clàssica", "La teva mà"),
        ("zh-Hant", "經典", "你的手牌"),
        ("en", "Classic", "Your hand"),
    ]:
        person.page.locator('[data-t-label="settings.title"]').click()
        person.page.locator("dialog .language").select_option(tag)
        expect(person.page.locator("html")).to_have_attribute("lang", tag)
        person.page.keyboard.press("Escape")
        expect(person.page.get_by_role("heading", level=1)).to_have_text(title)
        expect(person.page.get_by_role("listbox", name=hand)).to_be_visible()
        assert selected.get_attribute("data-tile") == tile
        assert not re.search(r"\b(event|place|seats|status)\.\w", person.page.locator("body").inner_text())
    person.play("roles", most=1)


def test_the_browser_chooses_the_language(browser: Browser, server: Server) -> None:
    with Person(browser, server, locale="zh-TW") as person:
        person.go()
        expect(person.page.get_by_role("button", name="馬上玩", exact=True)).to_be_visible()


def test_a_wrong_place_is_refused_and_the_table_shows_why(person: Person) -> None:
    game = person.begin()
    version = person.state(game)["version"]
    person.fitting.first.click()
    person.page.locator("chromino-table").click(position={"x": 30, "y": 30})
    words = person.page.locator(".refusal-words")
    expect(words).to_have_text("Too few matching edges: 0 of 2")
    expect(person.page.locator(".refused")).to_be_attached()
    expect(person.page.locator("#announcements")).to_contain_text("Too few matching edges: 0 of 2")
    assert person.state(game)["version"] == version
    start = person.page.locator(".drawing > g:first-child > .tile").first
    start.click(force=True)
    expect(words).to_have_text("There’s already a tile here")
    expect(person.page.locator(".cross").first).to_be_attached()
    person.page.keyboard.press("Escape")
    expect(words).to_be_hidden()
    assert person.state(game)["version"] == version


def test_a_clash_marks_its_edge_and_names_the_colors(person: Person) -> None:
    game = person.begin()
    view = person.state(game)["view"]
    left = view["table"][0]
    tile = next(tile for tile in view["hands"][1] if left not in tile and "*" not in tile)
    person.hand.locator(f'[data-tile="{tile}"]').click()
    if person.page.locator('.hand-tile[aria-selected="true"] svg[viewBox="0 0 120 40"]').count():
        person.page.keyboard.press("r")
    # Upright, with its lowest square above the left end of the starting tile.
    person.tap_square(0, -2)
    expect(person.page.locator(".refusal-words")).to_contain_text("Colors don’t match")
    expect(person.page.locator(".edge")).to_have_count(1)


def test_a_placement_can_be_taken_back_until_confirmed(person: Person) -> None:
    person.prefer(ask="always")
    game = person.begin()
    version = person.state(game)["version"]
    person.fitting.first.click()
    person.page.mouse.click(*person.lit_place())
    expect(person.page.locator(".pending")).to_be_attached()
    person.page.get_by_role("button", name="Undo").click()
    expect(person.page.locator(".pending")).not_to_be_attached()
    assert person.state(game)["version"] == version
    person.page.mouse.click(*person.lit_place())
    person.page.get_by_role("button", name="Confirm").click()
    person.wait_for_event(1)
    assert person.state(game)["version"] > version


def test_tiles_can_be_rotated_by_tap_key_and_button(person: Person) -> None:
    person.begin()
    person.fitting.first.click()
    picture = person.page.locator('.hand-tile[aria-selected="true"]')
    seen = [picture.inner_html()]
    person.page.locator('.hand-tile[aria-selected="true"]').click()
    seen.append(picture.inner_html())
    person.page.keyboard.press("r")
    seen.append(picture.inner_html())
    person.page.get_by_role("button", name="Rotate the tile").click()
    seen.append(picture.inner_html())
    assert all(before != after for before, after in pairwise(seen))


def test_two_fingers_rotate_a_dragged_tile(browser: Browser, server: Server) -> None:
    with Person(browser, server, viewport=PHONE, has_touch=True, is_mobile=True) as person:
        person.begin()
        box = person.fitting.first.bounding_box()
        assert box is not None
        x, y = box["x"] + 20, box["y"] + 20
        fingers = person.fingers
        fingers("touchStart", (x, y))
        fingers("touchMove", (x, y - 60))
        fingers("touchMove", (180, 300))
        expect(person.page.locator(".floating")).to_be_visible()
        before = person.page.locator('.hand-tile[aria-selected="true"]').inner_html()
        fingers("touchStart", (180, 300), (280, 300))
        fingers("touchMove", (180, 300), (250, 390))
        expect(person.page.locator(".floating")).to_be_visible()
        person.page.wait_for_function(
            "before => document.querySelector('.hand-tile[aria-selected=true]').innerHTML !== before", arg=before
        )
        fingers("touchEnd")


def test_two_fingers_zoom_the_table(browser: Browser, server: Server) -> None:
    with Person(browser, server, viewport=PHONE, has_touch=True, is_mobile=True) as person:
        person.begin()
        tile = person.page.locator(".drawing > g:first-child > .tile").first
        before = tile.bounding_box()
        person.fingers("touchStart", (150, 250))
        person.fingers("touchStart", (150, 250), (200, 250))
        for x in (220, 240, 260):
            person.fingers("touchMove", (150, 250), (x, 250))
        person.fingers("touchEnd")
        assert before is not None
        person.page.wait_for_function(
            "width => document.querySelector('.drawing .tile').getBoundingClientRect().width > 1.5 * width",
            arg=before["width"],
        )


def test_the_table_can_be_panned_zoomed_and_fitted(person: Person) -> None:
    person.begin()
    world = person.page.locator(".world")
    at_rest = world.get_attribute("style") or ""
    table = person.page.locator("chromino-table").bounding_box()
    assert table is not None
    person.page.mouse.move(table["x"] + 100, table["y"] + 100)
    person.page.mouse.down()
    person.page.mouse.move(table["x"] + 160, table["y"] + 140, steps=3)
    person.page.mouse.up()
    expect(world).not_to_have_attribute("style", at_rest)
    panned = world.get_attribute("style") or ""
    person.page.mouse.wheel(0, -200)
    expect(world).not_to_have_attribute("style", panned)
    zoomed = world.get_attribute("style") or ""
    person.page.get_by_role("button", name="Zoom out").click()
    expect(world).not_to_have_attribute("style", zoomed)
    person.page.get_by_role("button", name="Show the whole table").click()
    expect(world).to_have_attribute("style", at_rest)


@pytest.mark.parametrize("viewport", [{"width": 390, "height": 844}, {"width": 1280, "height": 800}])
def test_the_tiles_fill_the_table(browser: Browser, server: Server, viewport: dict[str, int]) -> None:
    """They do on the tighter axis, apart from a margin of a square and a half and what floats over the table."""
    with Person(browser, server, viewport=viewport) as person:
        game = Game.start(Rules.classic(), ["Ada"], seed=7)
        while len(game.table) < 9:
            game = game.apply(game.actions()[0])
        person.show(game)
        share, square = person.page.evaluate(
            """() => {
              const table = document.querySelector("chromino-table");
              const box = table.getBoundingClientRect();
              const tiles = [...table.querySelectorAll(".tile .frame")].map((tile) => tile.getBoundingClientRect());
              const across = Math.max(...tiles.map((t) => t.right)) - Math.min(...tiles.map((t) => t.left));
              const down = Math.max(...tiles.map((t) => t.bottom)) - Math.min(...tiles.map((t) => t.top));
              const inside = tiles.every((t) => t.left >= box.left && t.right <= box.right
                && t.top >= box.top && t.bottom <= box.bottom);
              const share = Math.max(across / box.width, down / box.height);
              return [inside ? share : 0, Math.min(tiles[0].width, tiles[0].height)];
            }"""
        )
        assert share >= 0.5, (share, square)
        assert square <= 66


def test_hints_and_the_tracker_work(person: Person) -> None:
    game = person.begin()
    person.page.get_by_role("button", name="Hint").click()
    expect(person.page.locator(".lit")).to_have_count(1)
    expect(person.page.locator("#announcements")).to_contain_text("Try ")
    person.page.keyboard.press("t")
    tracker = person.page.get_by_role("dialog", name="All tiles")
    expect(tracker.locator(".tracked-tiles").get_by_role("img")).to_have_count(80)
    expect(tracker.get_by_role("img", name="in your hand")).to_have_count(8)
    expect(tracker.get_by_role("img", name="on the table")).to_have_count(1)
    assert person.state(game)["version"] == 0


def test_the_tracker_opens_even_if_the_game_goes_on_while_it_loads(person: Person) -> None:
    game = person.begin()
    requests: list[Route] = []
    person.page.route("**/api/tiles*", lambda route: requests.append(route))
    with person.page.expect_request("**/api/tiles*"):
        person.page.keyboard.press("t")
    person.play_on(game, 1)
    expect(person.hand.get_by_role("option")).to_have_count(7)
    for request in requests:
        request.continue_()
    tracker = person.page.get_by_role("dialog", name="All tiles")
    expect(tracker.get_by_role("img", name="in your hand")).to_have_count(7)


def test_without_aids_a_tile_is_moved_freely(person: Person) -> None:
    game = person.begin(aids=False)
    expect(person.hand).to_be_visible()
    expect(person.fitting).to_have_count(0)
    expect(person.page.get_by_role("button", name="Hint")).to_be_hidden()
    expect(person.page.get_by_role("button", name="All tiles")).to_be_hidden()
    action = person.state(game)["view"]["actions"][0]
    colors, x, y, down = re.fullmatch(r"(...)@(-?\d+),(-?\d+)([>v])", action).groups()  # type: ignore[union-attr]
    tile = colors if person.page.locator(f'[data-tile="{colors}"]').count() else colors[::-1]
    person.hand.locator(f'[data-tile="{tile}"]').focus()
    person.page.keyboard.press("Enter")
    expect(person.page.locator(".lit")).to_have_count(0)
    quarters = (0 if tile == colors else 2) + (down == "v")
    for _ in range(quarters):
        person.page.keyboard.press("r")
    middle = (int(x), int(y) + 1) if down == "v" else (int(x) + 1, int(y))
    dx, dy = middle[0] - 1, middle[1]  # The tile is held over the middle of the starting tile.
    for key, count in (("ArrowRight", dx), ("ArrowLeft", -dx), ("ArrowDown", dy), ("ArrowUp", -dy)):
        for _ in range(count):
            person.page.keyboard.press(key)
    person.page.keyboard.press("Enter")
    person.wait_for_event(1)
    assert person.state(game)["view"]["log"][0]["place"] == action


def test_shortcuts_can_be_turned_off(person: Person) -> None:
    person.begin()
    person.page.keyboard.press("?")
    help_dialog = person.page.get_by_role("dialog", name="How to play")
    expect(help_dialog.locator("kbd").first).to_be_visible()
    help_dialog.get_by_role("switch", name="shortcuts").click()
    person.page.keyboard.press("Escape")
    person.page.keyboard.press("t")
    person.page.keyboard.press("?")
    expect(person.page.get_by_role("dialog")).to_have_count(0)


def test_the_tab_says_when_it_is_your_turn(person: Person) -> None:
    person.begin()
    expect(person.page).to_have_title("● Your turn – Chromino")
    person.go()
    expect(person.page).to_have_title("Chromino")


def test_missing_and_private_games_are_explained(person: Person, browser: Browser, server: Server) -> None:
    person.go("game/nothing-here")
    expect(person.page.get_by_role("heading", name="Game not found")).to_be_visible()
    expect(person.page).to_have_title("Game not found – Chromino")
    expect(person.page.get_by_text("We can’t find this game. Check the link, or start a new game.")).to_be_visible()
    game = person.start()
    with Person(browser, server) as stranger:
        stranger.go(f"game/{game}")
        expect(stranger.page.get_by_text("It isn’t open to others. Ask for a new link.")).to_be_visible()
        stranger.page.get_by_role("button", name="Home").click()
        expect(stranger.page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_two_tabs_of_one_person_stay_in_sync(person: Person) -> None:
    person.begin()
    other = person.context.new_page()
    other.goto(person.page.url)
    expect(other.locator(".hand-tile").first).to_be_visible()
    person.play("roles", most=1)
    mine = person.page.locator(".log > li").nth(1).inner_text()  # The first line is the starting tile.
    expect(other.locator(".log > li").nth(1)).to_have_text(mine, use_inner_text=True)


def test_every_part_is_rendered_once_for_each_state(person: Person) -> None:
    """This tab watches while the same person plays in another one."""
    person.begin()
    other = person.context.new_page()
    other.add_init_script(
        """window.counts = { states: 0 };
        window.WebSocket = class extends WebSocket {
          constructor(address) {
            super(address);
            this.addEventListener("message", ({ data }) => (counts.states += JSON.parse(data).type === "state"));
          }
        };
        const define = CustomElementRegistry.prototype.define;
        CustomElementRegistry.prototype.define = function (name, element) {
          const { show } = element.prototype;
          counts[name] = 0;
          element.prototype.show = function (...shown) {
            counts[name] += 1;
            return show.apply(this, shown);
          };
          return define.call(this, name, element);
        };"""
    )
    other.goto(person.page.url)
    expect(other.locator(".hand-tile").first).to_be_visible()
    person.play("roles", most=2)
    other.wait_for_function("lines => document.querySelectorAll('.log > li').length >= lines", arg=person.log_length())
    counts = other.evaluate("window.counts")
    assert len(counts) == 5
    assert set(counts.values()) == {counts["states"]}


def test_one_click_turns_sounds_off(person: Person) -> None:
    person.start()
    button = person.page.get_by_role("button", name="Sounds")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    person.page.reload()
    expect(person.page.get_by_role("button", name="Sounds")).to_have_attribute("aria-pressed", "false")


def test_markup_in_a_name_is_shown_as_text(person: Person) -> None:
    name = "<img src=x onerror=alert(1)> 🦊 עברית"
    person.start({"kind": "me", "name": name}, SNAIL)
    expect(person.page.locator(".seat-name").first).to_have_text(name)
    assert person.page.locator("img").count() == 0


def passing() -> Game:
    """A game in which Ada can place a tile, then Bob can only pass, then Ada can place again."""
    for seed in range(1000):
        game = Game.start(Rules.preset("classic", hand_size=39), ["Ada", "Bob"], seed, first=0)
        while not game.over:
            after = game.apply(game.actions()[0])
            placed = isinstance(game.actions()[0], Place)
            if placed and game.seat == 0 and after.seat == 1 and after.actions() == [Pass()]:
                later = after.apply(Pass())
                if not later.over and isinstance(later.actions()[0], Place):
                    return game
            game = after
    raise AssertionError("no seed leads to such a game")


def test_the_curtain_also_falls_for_a_player_who_only_passes(person: Person) -> None:
    person.show(passing(), pace=True)
    person.play("roles", most=2)  # The curtain is lifted, and a tile is placed.
    expect(person.page.get_by_text("Pass the device to Bob")).to_be_visible()
    assert person.situation() == "curtain"
    expect(person.page.get_by_text("Pass the device to Ada")).to_be_visible()
    expect(person.page.locator(".hand-tile")).to_have_count(0)
    expect(person.page.locator("#announcements")).not_to_contain_text("fits")


def test_a_double_click_starts_one_game(person: Person) -> None:
    person.go()
    person.page.get_by_role("button", name="Play", exact=True).dblclick()
    expect(person.page.locator(".hand-tile").first).to_be_visible()
    person.go("games")
    expect(person.page.locator(".game-list li")).to_have_count(1)


def test_open_hands_are_shown(person: Person) -> None:
    person.begin(rules=with_open_hands(Rules.classic()).to_json())
    expect(person.page.get_by_role("img", name=re.compile("^Open hand"))).to_have_count(1)
    expect(person.page.locator(".seat-open .tile-picture")).to_have_count(8)


def test_the_result_can_be_shown_again_later(person: Person) -> None:
    person.start(ADA, played=TO_THE_END)
    person.page.get_by_role("button", name="Show the result").click()
    expect(person.ending).to_contain_text("The game took")


def test_messages_on_screen_change_language_too(person: Person) -> None:
    person.begin()
    person.fitting.first.click()
    person.tap_square(1, 0)
    expect(person.page.locator(".refusal-words")).to_have_text("There’s already a tile here")
    person.page.get_by_role("button", name="Settings").click()
    person.page.locator("dialog .language").select_option("fr")
    expect(person.page.locator(".refusal-words")).to_have_text("Il y a déjà un chromino ici")
    expect(person.page).to_have_title("● À toi – Chromino")


def test_for_keyboard_users_the_focus_goes_to_what_is_next(person: Person) -> None:
    person.prefer(ask="always")
    game = person.begin()
    person.place_by_keyboard()
    expect(person.page.get_by_role("button", name="Confirm")).to_be_focused()
    person.page.keyboard.press("Escape")
    expect(person.page.locator('.hand-tile[aria-selected="true"]')).to_be_focused()
    person.page.keyboard.press("Enter")
    person.page.keyboard.press("Enter")
    person.page.keyboard.press("Enter")
    person.wait_for_event(1)
    assert person.state(game)["version"] >= 1


def test_an_unknown_url_says_so(person: Person) -> None:
    person.go("game/%E0%A4%A")
    expect(person.page.get_by_text("There’s nothing here. Check the address, or go to the home page.")).to_be_visible()
    person.page.get_by_role("button", name="Home").first.click()
    expect(person.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    person.errors.clear()  # The browser logs the 404.


def test_pages_leave_no_listeners_behind(person: Person) -> None:
    person.page.add_init_script(
        """const add = EventTarget.prototype.addEventListener;
        window.kept = new Set();
        EventTarget.prototype.addEventListener = function (name, listener, options) {
          if (this === window || this === document) {
            window.kept.add(listener);
            options?.signal?.addEventListener("abort", () => window.kept.delete(listener));
          }
          return add.call(this, name, listener, options);
        };
        const remove = EventTarget.prototype.removeEventListener;
        EventTarget.prototype.removeEventListener = function (name, listener, options) {
          window.kept.delete(listener);
          return remove.call(this, name, listener, options);
        };"""
    )
    person.go()
    person.page.get_by_role("button", name="Play", exact=True).wait_for()
    person.page.keyboard.press("Shift")  # The first key or touch enables sounds, once for all pages.
    before = person.page.evaluate("window.kept.size")
    for _ in range(3):
        person.page.get_by_role("button", name="Play", exact=True).click()
        person.page.locator(".hand-tile").first.wait_for()
        person.page.get_by_role("button", name="Home").click()
        person.page.get_by_role("button", name="Play", exact=True).wait_for()
    assert person.page.evaluate("window.kept.size") == before
