"""A hundred people can watch a game: what they see is written once for all of them, and not after every change."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

from chromino import Game, Rules
from chromino.bots import BOTS
from chromino.seated.automatic import answer_delay
from chromino.seated.events import TimeGivenBack
from chromino.seated.game import apply
from chromino.server.games.live_game import LiveGame
from tests.server.rated_games import other_process
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import FREE, ME, SNAIL, Client, plant_multiplayer


def with_game(database: Path, turn_limit: int | None, look: Callable[[LiveGame], None]) -> None:
    game, _ = plant_multiplayer(database, Game.start(Rules.classic(), ["Ada", "Bob"], seed=7), turn_limit=turn_limit)

    async def run() -> None:
        async with other_process(database) as (_, games):
            look(await games.get(game))

    asyncio.run(run())


def test_all_spectators_of_a_version_get_the_same_text(tmp_path: Path) -> None:
    def look(live: LiveGame) -> None:
        first = live.text_for(None)
        assert live.text_for("a stranger") is first
        assert json.loads(first)["watching"]
        live.notify()
        second = live.text_for(None)
        assert second == first
        assert second is not first
        mine = live.table.seats[0].person
        assert json.loads(live.text_for(mine))["view"]["me"] == 0

    with_game(tmp_path / "db.sqlite", None, look)


def test_a_running_clock_is_sent_with_its_current_time(tmp_path: Path) -> None:
    def look(live: LiveGame) -> None:
        first = json.loads(live.text_for(None))["turn_left"]
        live._spectator_text = (live._changes, 0.0, live._spectator_text[2])  # As if a moment had passed.
        live.table = apply(live.table, TimeGivenBack(-5.0))
        assert json.loads(live.text_for(None))["turn_left"] <= first - 5

    with_game(tmp_path / "db.sqlite", 3600, look)


def test_a_spectator_sees_the_end_no_matter_how_many_updates_were_skipped(client: Client) -> None:
    game = client.gather(ME, {**SNAIL, "name": "One"}, {**SNAIL, "name": "Two"}, FREE, rules={"hand_size": 3})
    client.begin(game)
    with client.open(game) as page, Client(client.url).open(game) as watching:
        last = page.play_on()
        seen = watching.state_when(lambda state: state["view"]["over"])
    assert seen["version"] == last["version"]
    assert len(watching.states) < last["version"]


def test_changes_of_pace_are_rate_limited(client: Client) -> None:
    with client.open(client.new_game()) as page:
        answers = [page.ask({"type": "pace", "id": f"toggle-{n}", "pace": n % 2 == 0}) for n in range(30)]
    assert answers[0]["type"] == "done"
    assert "too-fast" in [answer.get("code") for answer in answers]


def test_a_bots_timing_does_not_reveal_whether_it_had_a_choice() -> None:
    for bot in BOTS[:5]:
        assert {answer_delay(bot, 0.0, thought * bot.tick) for thought in (0.001, 0.1, 0.5, 0.99)} == {bot.tick}
        assert answer_delay(bot, 0.0, 1.5 * bot.tick) == 2 * bot.tick  # On a slow machine.
        assert answer_delay(bot, 0.9, 0.3 * bot.tick) == 0.9


def test_a_server_with_spectators_can_stop(tmp_path: Path) -> None:
    with InProcessServer(tmp_path / "db.sqlite") as server:
        client = Client(server.url)
        game = client.gather(ME, SNAIL)
        client.begin(game)
        with Client(server.url).open(game) as watching:
            watching.receive()
