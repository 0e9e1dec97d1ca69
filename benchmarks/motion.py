"""What a carried tile costs on a full table, from a trace of the browser's own: `python -m benchmarks.motion`."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks.engine import heading, print_table
from chromino import Game, Place, Rules
from tests.server.serving import Server
from tests.web.person import Person, launch

TILES = 75  # On the table: as many as a game can have that isn't over. The hands hold the rest.
MOVES = 300
SCRIPT_AND_STYLE = {"EventDispatch", "FireAnimationFrame", "UpdateLayoutTree", "Layout"}


def full_table() -> Game:
    """A game with nearly all tiles on the table, in which somebody can place."""
    best: Game | None = None
    for seed in range(60):
        game = Game.start(Rules.classic(), ["Ada", "Bob"], seed)
        while not game.over:
            actions = game.actions()
            can = isinstance(actions[0], Place) and len(game.hand(game.seat)) > 1
            if can and (best is None or len(game.table) > len(best.table)):
                best = game
            game = game.apply(actions[0])
    assert best is not None
    return best


def trace(browser: Browser, server: Server) -> tuple[int, list[dict[str, Any]]]:
    """How many tiles lie there, and what happened while a tile was carried over them."""
    game = full_table()
    with Person(browser, server, reduced_motion="no-preference") as person:
        person.show(game)
        person.page.get_by_role("button", name="show my tiles").click()
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
    """Milliseconds of script and style in each frame; what is inside something else is counted once."""
    main = next(event["tid"] for event in events if event["name"] == "EventDispatch")
    frames: list[float] = [0.0]
    busy_until = 0.0
    for event in sorted((e for e in events if e["tid"] == main), key=lambda e: float(e["ts"])):
        if event["name"] == "BeginMainThreadFrame":
            frames.append(0.0)
        elif event["name"] in SCRIPT_AND_STYLE and "dur" in event and event["ts"] >= busy_until:
            frames[-1] += event["dur"] / 1000
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
    from collections import Counter
    print(Counter((e["name"], e["ph"]) for e in events).most_common(60))
    print([e for e in events if e["name"]=="Paint"][:3])
    times = per_frame(events)
    areas = []
    for event in events:
        clip = event.get("args", {}).get("data", {}).get("clip") if event["name"] == "Paint" else None
        if clip:
            areas.append((clip[2] - clip[0]) * (clip[5] - clip[1]))
    heading("A carried tile")
    print_table(
        [
            ("tiles on the table", str(tiles)),
            ("frames", str(len(times))),
            ("script and style in a frame, median", f"{quantiles(times)[1]:.2f} ms"),
            ("script and style in a frame, p99", f"{quantiles(times, n=100)[98]:.2f} ms"),
            ("paints, and the largest, in pixels", f"{len(areas)}, {round(max(areas, default=0))}"),
        ]
    )
    print(json.dumps(sorted({event["name"] for event in events if "aint" in event["name"]})))


if __name__ == "__main__":
    main()
