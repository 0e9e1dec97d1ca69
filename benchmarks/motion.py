"""What carrying a tile over a full table costs, from the browser's own trace: `python -m benchmarks.motion`."""

from __future__ import annotations

from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks.engine import heading, print_table
from chromino import Game, Rules
from tests.server.sites.serving import Server
from tests.web.person import Person, launch

MOVES = 300
SCRIPT_AND_STYLE = {"EventDispatch", "FireAnimationFrame", "UpdateLayoutTree", "Layout"}


def full_table() -> Game:
    """A solo game with all tiles but one on the table."""
    game = Game.start(Rules.preset("classic", hand_size=79), ["Ada"], seed=0)
    while len(game.hand(0)) > 1:
        actions = game.actions()
        game = game.apply(actions[len(actions) // 2])
    return game


def trace(browser: Browser, server: Server) -> tuple[int, list[dict[str, Any]]]:
    """How many tiles are on the table, and the browser's trace of a tile being carried over them."""
    game = full_table()
    with Person(browser, server, reduced_motion="no-preference") as person:
        person.show(game)
        person.pick()
        person.page.mouse.move(300, 300)
        cdp = person.context.new_cdp_session(person.page)
        events: list[dict[str, Any]] = []
        cdp.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
        done: list[bool] = []
        cdp.on("Tracing.tracingComplete", lambda _: done.append(True))
        cdp.send("Tracing.start", {"categories": "devtools.timeline,disabled-by-default-devtools.timeline"})
        for n in range(MOVES):
            person.page.mouse.move(300 + 2 * n, 300 + 100 * ((n // 20) % 3))
        cdp.send("Tracing.end")
        while not done:
            person.page.wait_for_timeout(50)
        return len(game.table), events


def per_frame(events: list[dict[str, Any]]) -> list[float]:
    """Milliseconds of CPU time for script and style in each frame; nested events count once."""
    main = next(event["tid"] for event in events if event["name"] == "EventDispatch")
    frames: list[float] = [0.0]
    busy_until = 0.0
    for event in sorted((e for e in events if e["tid"] == main), key=lambda e: float(e["ts"])):
        if event["name"] == "Commit":
            frames.append(0.0)
        elif event["name"] in SCRIPT_AND_STYLE and "dur" in event and event["ts"] >= busy_until:
            frames[-1] += event.get("tdur", event["dur"]) / 1000  # This is CPU time, so other processes don't count.
            busy_until = event["ts"] + event["dur"]
    return sorted(time for time in frames if time)


def main() -> None:
    with (
        TemporaryDirectory() as folder,
        Server(Path(folder) / "games.sqlite") as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        tiles, events = trace(browser, server)
        browser.close()
    times = per_frame(events)
    painted = sum(event["name"] == "Paint" and event["args"]["data"]["nodeName"] == "#document" for event in events)
    rasters = sum(event["name"] == "RasterTask" for event in events)
    print(heading("one"))
    print_table(
        ["a tile carried over a full table", "figure"],
        [
            ["tiles on the table", str(tiles)],
            ["frames", str(len(times))],
            [
                "script and style in a frame, median / p99",
                f"{median(times):.2f} / {quantiles(times, n=100)[98]:.2f} ms",
            ],
            ["frames in which anything but the carried tile is painted", str(painted)],
            ["areas repainted in each of those frames", f"{rasters / max(1, painted):.1f}"],
        ],
    )


if __name__ == "__main__":
    main()
