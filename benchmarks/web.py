"""The server and the page, measured with a real browser and a real database on loopback: `make bench`."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from playwright.sync_api import Browser, Response, sync_playwright

from benchmarks.engine import heading, print_table
from chromino import client
from chromino.messages.games import NewGame, SeatChoice
from chromino.messages.people import COOKIE
from chromino.server.http.assets import read_assets
from tests.server.blocking import wait_for
from tests.server.sites.serving import Server
from tests.web.person import Person, launch
from tests.web.screens import SCREENS

ACTIONS = 1000
LOADS = 20
SECONDS_DRAGGED = 5
NOT_ENGLISH = ("ca.json", "es.json", "fr.json", "zh-Hant.json")

# Collects the milliseconds between frames while the mouse is dragging.
_WATCH = """() => {
  window.frames_seen = [];
  let before = performance.now();
  const watch = (now) => {
    window.frames_seen.push(now - before);
    before = now;
    window.watching = requestAnimationFrame(watch);
  };
  window.watching = requestAnimationFrame(watch);
}"""


def acknowledgments(server: Server) -> list[float]:
    """Milliseconds from an action to its acknowledgment, one game at a time."""
    times: list[float] = []
    while len(times) < ACTIONS:
        times += wait_for(_acknowledgments(server.url))  # In batches, because starting games is rate-limited.
    return sorted(times)


async def _acknowledgments(url: str) -> list[float]:
    times = []
    async with client.Client(url) as ada:
        new = NewGame([SeatChoice("me", "Ada"), SeatChoice("bot", "Snail", 1)], pace=False)
        async with ada.play(await ada.start(new)) as table:
            state = await table.my_turn()
            while not state.view.over:
                begin = perf_counter()
                version = await table.act(state, state.view.actions[0])
                times.append(1000 * (perf_counter() - begin))
                state = await table.my_turn(version)
    return times


def weight(browser: Browser, server: Server) -> tuple[int, int, int]:
    """Bytes over the wire for the first view of a game, for all pages in one language, and for everything."""
    with Person(browser, server, service_workers="allow") as person:
        game = person.start()
        sizes: list[int] = []

        def on_response(response: Response) -> None:
            path = response.url.removeprefix(server.url)
            if not path.startswith(("api/", "game/")):
                sizes.append(len(assets[path].compressed))

        assets = read_assets()
        person.page.on("response", on_response)
        person.go(f"game/{game}")
        person.page.locator(".hand-tile").first.wait_for()
    sizes.append(len(assets["index.html"].compressed))
    everything = {path: len(asset.compressed) for path, asset in assets.items()}
    other = sum(size for path, size in everything.items() if path.endswith(NOT_ENGLISH))
    return sum(sizes), sum(everything.values()) - other, sum(everything.values())


def playable(browser: Browser, server: Server) -> list[float]:
    """Milliseconds from opening a game's address until the hand is on the screen, in a new browser profile."""
    times = []
    for _ in range(LOADS):
        with Person(browser, server) as person:
            game = person.start()
            (secret,) = (cookie["value"] for cookie in person.context.cookies() if cookie["name"] == COOKIE)
        with Person(browser, server, service_workers="allow") as person:
            person.context.add_cookies([{"name": COOKIE, "value": secret, "url": server.url}])
            begin = perf_counter()
            person.page.goto(f"{server.url}game/{game}", wait_until="commit")
            person.page.locator(".hand-tile").first.wait_for()
            times.append(1000 * (perf_counter() - begin))
    return sorted(times)


def frames(browser: Browser, server: Server) -> list[float]:
    """Milliseconds per frame while a table of 80 tiles is dragged around."""
    with Person(browser, server) as person:
        SCREENS["full-table"](person)
        mouse = person.page.mouse
        mouse.move(500, 350)
        mouse.down()
        person.page.evaluate(_WATCH)
        end = perf_counter() + SECONDS_DRAGGED
        step = 0
        while perf_counter() < end:
            step += 1
            mouse.move(500 + 5 * (step % 40), 350 + 3 * (step % 30))
        mouse.up()
        person.page.evaluate("cancelAnimationFrame(window.watching)")
        times: list[float] = person.page.evaluate("window.frames_seen.slice(1)")
    return sorted(times)


def figures(times: list[float], quantile: float, digits: int) -> str:
    """The median and a quantile of sorted times."""
    high = times[min(len(times) - 1, int(quantile * len(times)))]
    return f"{median(times):.{digits}f} / {high:.{digits}f} ms"


def main() -> None:
    with (
        TemporaryDirectory() as folder,
        Server(Path(folder) / "games.sqlite") as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        first_view, english, everything = weight(browser, server)
        loaded = playable(browser, server)
        drawn = frames(browser, server)
        browser.close()
        acknowledged = acknowledgments(server)
    print(heading("two"))
    print_table(
        ("the page and the server, on loopback", "figure"),
        [
            ("page weight over the wire, first view of a game", f"{first_view / 1000:.0f} kB"),
            ("page weight over the wire, all pages in English", f"{english / 1000:.0f} kB"),
            ("page weight over the wire, all files, five languages", f"{everything / 1000:.0f} kB"),
            ("from address to playable table, median / p95", figures(loaded, 0.95, 0)),
            ("frame while dragging a table of 80 tiles, median / p95", figures(drawn, 0.95, 1)),
            ("action to acknowledgment, median / p99", figures(acknowledged, 0.99, 1)),
        ],
    )


if __name__ == "__main__":
    main()
