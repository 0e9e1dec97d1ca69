"""Someone who plays in the browser: by mouse, touch, keys, or what a screen reader sees."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any, Self

from playwright.sync_api import Browser, CDPSession, ConsoleMessage, Error, Locator, Page, expect

from chromino import Game, Place, Rules
from chromino.messages.people import COOKIE
from chromino.server.http.limits import MAX_SOCKETS_PER_IDENTITY
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import Client, Server, plant, plant_many, plant_multiplayer
from tests.web.profiles import Profiles
from tests.web.profiles import launch as launch

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 640}
ADA = {"kind": "me", "name": "Ada"}
BOB = {"kind": "here", "name": "Bob"}
SNAIL = {"kind": "bot", "name": "Snail", "level": 1}
SHORT = {"hand_size": 3}  # Rules for a game that ends soon.
TO_THE_END = sys.maxsize

# What's on the screen decides what to do next. This runs in the page, so that each answer is about one moment.
_SITUATION = """() => {
  if (document.querySelector("dialog.ending")) return "over";
  if (document.querySelector(".curtain:not([hidden]) button:not([hidden])")) return "curtain";
  if (document.querySelector(".bag.pulses")) return "draw";
  if (document.querySelector(".pending")) return null;
  return document.querySelector(".hand-tile.fits") ? "place" : null;
}"""


def nearly_over(rules: Rules, players: Sequence[str]) -> Game:
    """A game in which the current player can place their last tile."""
    for seed in range(1000):
        game = Game.start(rules, players, seed)
        while not game.over:
            action = game.actions()[0]
            if isinstance(action, Place) and len(game.hand(game.seat)) == 1:
                return game
            game = game.apply(action)
    raise AssertionError("no seed leads to such a game")


def _play_on(client: Client, game: str, actions: int) -> None:
    with client.open(game) as socket:
        socket.play_on(actions)


class Person:
    """A browser profile with one page; any error in the page fails the test.

    The service worker, which costs as much as the page itself, is off unless it's allowed.
    """

    def __init__(self, browser: Browser, server: Server | InProcessServer, **choices: Any) -> None:
        standard = {"viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce", "service_workers": "block"}
        self._choices = {**standard, **choices}
        self._profiles = Profiles.of(browser)
        self._profile = self._profiles.take(self._choices, origin=server.url.rstrip("/"))
        self.context, self.page = self._profile.context, self._profile.page
        self._server = server
        self.url = server.url
        self.where = server.where
        self.errors: list[str] = []
        self._touch: CDPSession | None = None
        self.page.on("pageerror", self._on_error)
        self.page.on("console", self._on_console)

    def _on_error(self, error: Error) -> None:
        self.errors.append(str(error))

    def _on_console(self, line: ConsoleMessage) -> None:
        if line.type == "error":
            self.errors.append(line.text)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self._choices["service_workers"] == "block":
            self.page.remove_listener("pageerror", self._on_error)
            self.page.remove_listener("console", self._on_console)
            self._profiles.give_back(self._profile, self._choices)
        else:
            self.context.close()
        assert kind is not None or not self.errors, self.errors

    def wait_until_cached(self) -> None:
        """Wait until the service worker has cached every file of this page."""
        self.page.wait_for_function("""() => {
            const files = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
            const mine = files.filter((file) => file.origin === location.origin && !file.pathname.startsWith("/api/"));
            void Promise.all(["/", ...mine.map(({ pathname }) => pathname)].map((file) => caches.match(file))).then(
                (found) => (window.isCached = found.every(Boolean)),
            );
            return window.isCached; // From an earlier look: this function can't wait for a promise.
        }""")

    def forgive_network_errors(self) -> None:
        """Ignore failed connections, which the browser logs: they're expected if the server goes away."""
        self.errors = [error for error in self.errors if "ERR_" not in error and "WebSocket" not in error]

    # Getting into a game.

    def go(self, path: str = "") -> None:
        self.page.goto(self.url + path)

    def begin(self, **choices: Any) -> str:
        """Start a game against a bot in which I go first and have a tile that fits."""
        while True:
            game = self._create(SNAIL, ADA, first=1, **choices)
            if "@" in self.state(game)["view"]["actions"][0]:
                return self._enter(game)

    def start(self, *seats: dict[str, Any], played: int = 0, **choices: Any) -> str:
        """Start a game directly on the server, with bots that don't pause, and show it; returns its id.

        First, `played` actions are taken without the page, each time the first legal one.
        """
        game = self._create(*(seats or (ADA, SNAIL)), **choices)
        if played:
            self.play_on(game, played)
        return self._enter(game)

    def play_on(self, game: str, actions: int) -> None:
        """Take this many actions without the page, each time the first legal one."""
        with ThreadPoolExecutor(1) as thread:  # Playwright has an event loop in this thread.
            thread.submit(_play_on, self.client, game, actions).result()

    @property
    def client(self) -> Client:
        """The same person without a page."""
        secret = next(cookie["value"] for cookie in self.context.cookies() if cookie["name"] == COOKIE)
        return Client(self.url, secret)

    def _create(self, *seats: dict[str, Any], **choices: Any) -> str:
        answer = self.context.request.post(self.url + "api/games", data={"seats": seats, "pace": False, **choices})
        assert answer.status == 201, answer.text()
        game: str = answer.json()["game"]
        return game

    def _enter(self, game: str) -> str:
        self.go(f"game/{game}")
        expect(self.page.locator("chromino-table .tile").first).to_be_attached()
        return game

    def finish(self, rules: Rules, players: Sequence[str] = ("Ada", "Snail")) -> str:
        """Play the last turns of a game by these rules, against bots if there are others; returns its id."""
        name = self.nearly_finish(rules, players)
        self.play("roles")
        expect(self.ending).to_be_visible()
        return name

    def nearly_finish(self, rules: Rules, players: Sequence[str] = ("Ada", "Snail")) -> str:
        """Get to the last turns of a game by these rules; returns its id."""
        game = nearly_over(rules, players)
        return self._enter(self.have(game, {seat: "snail" for seat in range(len(players)) if seat != game.seat}))

    def be(self, secret: str) -> None:
        """Become someone the server already knows."""
        self.context.add_cookies([{"name": COOKIE, "value": secret, "url": self.url}])

    def have(self, game: Game, bots: dict[int, str] | None = None) -> str:
        """Make a game that was played elsewhere mine, except for the bots' seats; returns its id."""
        with ThreadPoolExecutor(1) as thread:  # Playwright has an event loop in this thread.
            name, secret = thread.submit(plant, self.where, game, bots).result()
        self.be(secret)
        return name

    def show(self, game: Game, *, pace: bool = False) -> None:
        """Show a game that was played elsewhere, with all seats mine."""
        with ThreadPoolExecutor(1) as thread:
            self._open(game, *thread.submit(plant, self.where, game, pace=pace).result())

    def show_with_others(self, game: Game, turn_limit: int, stood_in: int = 0, away_for: float = 0.0) -> None:
        """Show a game in which only the first seat is mine, and the others are away."""
        plants = partial(plant_multiplayer, turn_limit=turn_limit, stood_in=stood_in, away_for=away_for)
        with ThreadPoolExecutor(1) as thread:
            name, keys = thread.submit(plants, self.where, game).result()
        self._open(game, name, keys[0])

    def have_with_another(self, game: Game) -> tuple[str, Client]:
        """Make a game that was played elsewhere mine and somebody else's; returns its id, and the other person."""
        name, keys = self.have_with_others(game)
        return name, Client(self.url, keys[1])

    def have_with_others(self, game: Game) -> tuple[str, tuple[str, ...]]:
        """Become the person in the first seat of a game with others; returns its id, and everyone's secrets."""
        with ThreadPoolExecutor(1) as thread:
            name, keys = thread.submit(plant_multiplayer, self.where, game).result()
        self.be(keys[0])
        return name, keys

    def become_a_frequent_player(self, running: int, finished: int) -> None:
        """Become someone with this many games."""
        with ThreadPoolExecutor(1) as thread:
            *_, secret = thread.submit(plant_many, self.where, running, finished).result()
        self.be(secret)

    def _open(self, game: Game, name: str, secret: str) -> None:
        self.be(secret)
        self.go(f"game/{name}")
        expect(self.page.locator(".drawing > g:first-child > .tile")).to_have_count(len(game.table))

    def open_many_pages(self, socket: str) -> Page:
        """Open as many of these sockets as allowed in one tab: until the tab is closed, the next socket is refused."""
        tab = self.context.new_page()
        tab.goto(self.url)
        tab.evaluate(
            """async ([address, most]) => {
              window.open_sockets = [];  // Kept, so that they are not collected.
              while (window.open_sockets.length < most) {
                const socket = new WebSocket(address);
                const { data } = await new Promise((resolve) => (socket.onmessage = resolve));
                if (JSON.parse(data).type !== "refused") window.open_sockets.push(socket);
              }
            }""",
            [f"{self.url.replace('http', 'ws', 1)}{socket}", MAX_SOCKETS_PER_IDENTITY],
        )
        return tab

    def tool(self, name: str) -> None:
        """Press a button in the page's header; on small screens, a game's buttons are in a menu."""
        menu = self.page.get_by_role("button", name="Menu")
        if menu.is_visible():
            menu.click()
        self.page.get_by_role("button", name=name).click()

    def pick(self) -> None:
        """Pick up a tile that fits."""
        if self.page.locator('.hand-tile[aria-selected="true"]').count() == 0:
            self.fitting.first.click()

    def state(self, game: str) -> dict[str, Any]:
        """The game's state on the server."""
        answer = self.context.request.get(f"{self.url}api/games/{game}")
        state: dict[str, Any] = answer.json()
        return state

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until this is true; it's checked again after everything the server does."""
        assert isinstance(self._server, InProcessServer)
        self._server.until(holds)

    def be_rated(self, family: str = "classic") -> None:
        """Wait until a finished game counts, which takes a moment."""
        address = f"{self.url}api/ratings/{family}"
        self.until(lambda: any(line["mine"] for line in self.context.request.get(address).json()["players"]))

    def prefer(self, **settings: Any) -> None:
        """Store these settings in the browser, as if they had been chosen before."""
        if self.page.url == "about:blank":  # There's no page yet, and we don't have to load one for this.
            chosen = json.dumps(json.dumps(settings))
            self.page.add_init_script(f"localStorage.chromino ??= {chosen};")
            return
        self.page.evaluate(
            """settings => {
              const before = JSON.parse(localStorage.getItem("chromino") ?? "{}");
              localStorage.setItem("chromino", JSON.stringify({...before, ...settings}));
            }""",
            settings,
        )

    # Where things are.

    @property
    def fitting(self) -> Locator:
        return self.page.locator(".hand-tile.fits")

    @property
    def hand(self) -> Locator:
        return self.page.get_by_role("listbox", name="Your hand")

    @property
    def places(self) -> Locator:
        return self.page.get_by_role("listbox", name="Places for")

    @property
    def bag(self) -> Locator:
        return self.page.locator(".bag")

    @property
    def ending(self) -> Locator:
        return self.page.locator("dialog.ending")

    def tiles_on_table(self) -> int:
        """How many tiles are on the table."""
        return self.page.locator(".drawing > g:first-child > .tile").count()

    def situation(self) -> str:
        """Wait until there is something to do: "place", "draw", "curtain" or "over"."""
        found: str = self.page.wait_for_function(_SITUATION).json_value()
        return found

    def now(self) -> str | None:
        """The situation right now; None if there's nothing to do."""
        found: str | None = self.page.evaluate(_SITUATION)
        return found

    def seat_to_act(self, people: int) -> int | None:
        """Wait until it's the turn of someone in the first seats; None if the game is over."""
        found: dict[str, int] = self.page.wait_for_function(
            """people => {
              if (document.querySelector("dialog.ending")) return { seat: -1 };
              const seat = [...document.querySelectorAll(".seat")].findIndex((item) => item.matches(".turn"));
              return seat >= 0 && seat < people ? { seat } : null;
            }""",
            arg=people,
        ).json_value()
        return found["seat"] if found["seat"] >= 0 else None

    def can_act(self, seat: int) -> bool:
        """Wait until I can act in my seat; false if its turn is over before that."""
        found = self.page.wait_for_function(
            f"""seat => {{
              const situation = ({_SITUATION})();
              const isTurn = document.querySelectorAll(".seat")[seat]?.matches(".turn");
              return situation ?? (isTurn ? null : "over");
            }}""",
            arg=seat,
        )
        return str(found.json_value()) != "over"

    def wait_for_event(self, before: int) -> None:
        """Wait until the page shows more events than before."""
        self.page.wait_for_function("before => document.querySelectorAll('.log > li').length > before", arg=before)

    def log_length(self) -> int:
        """How many lines the log has."""
        return self.page.locator(".log > li").count()

    # Ways to play. Each plays one action; `play` repeats it to the end.

    def play(self, way: str, most: int = 10_000) -> None:
        """Play until the game is over, or for this many actions."""
        for _ in range(most):
            situation = self.situation()
            if situation == "over":
                return
            if situation == "curtain":
                self.page.get_by_role("button", name=re.compile("show my tiles")).click()
                continue
            before = self.log_length()
            getattr(self, f"{situation}_by_{way}")()
            self.wait_for_event(before)

    def place_by_mouse(self) -> None:
        """Drag a tile to a place where it fits."""
        self.fitting.first.hover()
        self.page.mouse.down()
        box = self.fitting.first.bounding_box()
        assert box is not None
        self.page.mouse.move(box["x"] + 20, box["y"] - 20)
        x, y = self.lit_place()
        self.page.mouse.move(x, y, steps=4)
        self.page.mouse.up()

    def draw_by_mouse(self) -> None:
        self.bag.click()

    def place_by_touch(self) -> None:
        """Tap a tile, then one of the lit places; if several share the square, the page asks which one."""
        if self.page.locator('.hand-tile[aria-selected="true"]').count() == 0:
            self.fitting.first.tap()
        before, outcome = self.log_length(), "missed"
        while outcome == "missed":  # The table was resized at that moment: tap where the place is now.
            x, y = self.lit_place()
            self.page.touchscreen.tap(x, y)
            outcome = self.page.wait_for_function(
                """([before, x, y]) => {
                  if (document.querySelector(".confirming:not([hidden])")) return "asked";
                  if (document.querySelectorAll(".log > li").length > before) return "placed";
                  const lit = [...document.querySelectorAll(".lit:not(.faint) .outline")];
                  const boxes = lit.map((outline) => outline.getBoundingClientRect());
                  const isThere = boxes.some((box) =>
                    Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y) < 2);
                  return boxes.length && !isThere ? "missed" : null;
                }""",
                arg=[before, x, y],
            ).json_value()
        if outcome == "asked":
            self.page.get_by_role("button", name="Confirm").tap()

    def draw_by_touch(self) -> None:
        self.bag.tap()

    def lit_place(self) -> tuple[float, float]:
        """The middle of a lit place for the tile as it's rotated, in sight and not under a button."""
        lit = self.page.locator(".lit:not(.faint) .outline")
        lit.first.wait_for(state="attached")
        middle = lit.evaluate_all(
            """async (outlines) => {
              const find = () => outlines.map((outline) => {
                const { x, y, width, height } = outline.getBoundingClientRect();
                return [x + width / 2, y + height / 2];
              });
              let middles = [];
              do {  // The table may be resized.
                middles = find();
                for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
              } while (String(find()) !== String(middles));
              const isFree = ([x, y]) => document.elementFromPoint(x, y)?.closest("chromino-table");
              return middles.find(isFree) ?? null;
            }"""
        )
        if middle is None:
            self.page.get_by_role("button", name="Show the whole table").click()
            return self.lit_place()
        x, y = middle
        return x, y

    def fingers(self, kind: str, *points: tuple[float, float]) -> None:
        """Touch with several fingers at once, which Playwright itself can't do."""
        self._touch = self._touch or self.context.new_cdp_session(self.page)
        touching = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touching})

    def tap_square(self, x: int, y: int) -> None:
        """Click the middle of a square on the table."""
        self.page.mouse.click(
            *self.page.evaluate(
                """async ([x, y]) => {
                  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);  // The table may be resized.
                  const { left, top, width } = document.querySelector("chromino-table").rectOf({ x, y, down: true });
                  return [left + width / 2, top + width / 2];
                }""",
                [x, y],
            )
        )

    def place_by_keyboard(self) -> None:
        """Tab to the hand, arrows to a tile that fits, Enter, an arrow, Enter."""
        press = self.page.keyboard.press
        for _ in range(60):
            if self.page.evaluate("document.activeElement.closest('.places') !== null"):
                break  # A drawn tile that fits is already picked, and the focus is on its places.
            label = self.page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''")
            role = self.page.evaluate("document.activeElement.getAttribute('role')")
            if role != "option":
                press("Tab")
            elif label.endswith(", fits"):
                press("Enter")
                break
            else:
                press("ArrowRight")
        else:
            raise AssertionError("no key leads to a tile that fits")
        expect(self.places).to_be_attached()
        press("ArrowRight")
        press("Enter")

    def draw_by_keyboard(self) -> None:
        self.page.keyboard.press("d")

    def place_by_roles(self) -> None:
        """Use only roles and names, and the click that a screen reader makes."""
        self.hand.get_by_role("option", name=re.compile(", fits$")).first.dispatch_event("click")
        self.places.get_by_role("option").first.dispatch_event("click")

    def draw_by_roles(self) -> None:
        self.page.get_by_role("button", name=re.compile("^Draw a tile")).dispatch_event("click")
