"""The client for programs, against a real server."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from chromino import Game
from chromino.client import Answer, CallRefused, Client, ClientError, Http, IdentityFile, OpenGame, Unreachable
from chromino.fair_deal import DealCheck
from chromino.messages.games import AskForHint, Created, Hint, NewGame, Said, Say, SeatChoice, State
from chromino.messages.gatherings import Begun, ChairChoice, GatheringState, NewGathering
from chromino.messages.rule_choices import Tiles
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import PATIENCE, Server

ROOT = Path(__file__).parents[2]
NEW = NewGame([SeatChoice("me", "Ada"), SeatChoice("bot", "Snail", 1)], rules={"hand_size": 3}, first=0, pace=False)


def run(work: Callable[[], Awaitable[Any]]) -> Any:
    async def with_timeout() -> Any:
        async with asyncio.timeout(PATIENCE):
            return await work()

    return asyncio.run(with_timeout())


def test_the_example_plays_a_whole_game(server: InProcessServer) -> None:
    arguments = [sys.executable, str(ROOT / "examples" / "client.py"), server.url]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout.startswith("Winners: ")


def test_two_people_gather_play_and_have_a_rematch(server: InProcessServer) -> None:
    chairs = [ChairChoice("me", "Ada"), ChairChoice("free")]

    async def work() -> None:
        async with Client(server.url) as ada, Client(server.url) as bob:
            game = await ada.gather(NewGathering(chairs, pace=False, public=True))
            assert game in [gathering.game for gathering in (await bob.lobby()).gatherings]
            async with bob.watch(game) as socket:
                assert isinstance(await socket.receive(), GatheringState)
                assert [chair.mine for chair in (await bob.sit(game, "Bob")).chairs] == [False, True]
                assert await ada.begin(game) == game
                assert await bob.dealt(game) == game
                while (message := await socket.receive()) != Begun(game, begun=True):
                    assert isinstance(message, GatheringState)
            async with ada.play(game) as one, bob.play(game) as other:
                await one.state_when(lambda state: all(seat.present for seat in state.seats))
                ends = await asyncio.gather(to_the_end(one), to_the_end(other))
            assert ends[0].view.table == ends[1].view.table
            assert Game.replay(await ada.record(game)).winners == tuple(ends[0].view.winners)
            assert await ada.verify(game) == await bob.verify(game) == DealCheck("verified")
            again = await bob.rematch(game)
            assert again not in [found.game for found in (await ada.games()).games]
            assert await ada.rematch(game) == again
            await asyncio.gather(ada.dealt(again), bob.dealt(again))
            assert again in [found.game for found in (await ada.games()).games]

    async def to_the_end(table: OpenGame) -> State:
        state = await table.my_turn()
        while not state.view.over:
            state = await table.my_turn(await table.act(state, state.view.actions[0]))
        return state

    run(work)


class DelayedHttp(Http):
    """Holds back the server's answer when a table is opened."""

    def __init__(self, site: str) -> None:
        super().__init__(site)
        self.answered, self.arrives = asyncio.Event(), asyncio.Event()
        self.table = ""

    async def request(self, method: str, path: str, *arguments: Any) -> Answer:
        answer = await super().request(method, path, *arguments)
        if path == "/api/gatherings":
            self.table = answer.json["game"]
            self.answered.set()
            await self.arrives.wait()
        return answer


def test_a_part_can_be_revealed_before_the_answer_that_opened_the_table_arrives(server: InProcessServer) -> None:
    async def work() -> None:
        http = DelayedHttp(server.url)
        async with Client(http) as ada, Client(server.url) as bob:
            await ada.call("POST", "/api/games", Created, NEW)  # Now she has an identity.
            opening = asyncio.create_task(ada.gather(NewGathering([ChairChoice("me", "Ada"), ChairChoice("free")])))
            await http.answered.wait()
            await bob.sit(http.table, "Bob")
            begun = await ada.call("POST", f"/api/gatherings/{http.table}/begin", Created)
            assert begun.deal is not None
            reveals = asyncio.create_task(ada.take_part(http.table, begun.deal))
            await asyncio.sleep(0)
            http.arrives.set()
            assert await reveals
            assert await opening == await bob.dealt(http.table)

    run(work)


def test_hints_and_phrases_work(server: InProcessServer) -> None:
    async def work() -> None:
        async with Client(server.url) as ada:
            # Ada can place a tile in most deals; skip games in which she has to draw.
            actions = ["draw"]
            while actions == ["draw"]:
                game = await ada.start(NewGame([SeatChoice("me", "Ada"), SeatChoice("here", "Bob")], first=0))
                actions = (await ada.state(game)).view.actions
            async with ada.open(game) as socket, ada.play(game) as table:
                state = await table.my_turn()
                hint = await table.ask(AskForHint("hint-0001", state.version))
                assert isinstance(hint, Hint)
                assert hint.placement in state.view.actions
                await table.ask(Say("say-00001", "hello"))
                while await socket.receive() != Said(0, "hello"):
                    pass  # States come in between.

    run(work)


def test_a_refusal_has_a_code_and_a_reason(server: InProcessServer) -> None:
    async def work() -> None:
        async with Client(server.url) as ada, Client(server.url) as stranger:
            with pytest.raises(CallRefused, match="there's no such game") as refused:
                await ada.state("nothing")
            assert refused.value.code == "no-such-game"
            with pytest.raises(CallRefused, match="there's no such game"):
                async with ada.play("nothing") as table:
                    await table.my_turn()
            game = await ada.start(NEW)
            async with ada.play(game) as table:
                state = await table.my_turn()
                with pytest.raises(CallRefused) as refused:
                    await table.act(state, "pass")
                assert refused.value.refusal is not None
                assert refused.value.refusal.reason in ("must-place", "must-draw")
                with pytest.raises(CallRefused) as refused:
                    await table.act(state, "nonsense")
                assert refused.value.code == "bad-message"
            with pytest.raises(CallRefused, match="you have no identity here yet"):
                await stranger.rematch(game)

    run(work)


def test_an_identity_lasts_as_long_as_its_file(server: InProcessServer, tmp_path: Path) -> None:
    file = tmp_path / "bots" / "ada.json"

    def client() -> Client:
        return Client(server.url, IdentityFile(file, server.url))

    async def work() -> None:
        async with client() as ada:
            game = await ada.start(NEW)
        async with client() as ada:
            assert [found.game for found in (await ada.games()).games] == [game]
            await ada.ask("POST", "/api/me/erase")
        async with client() as nobody:
            assert (await nobody.games()).games == []

    run(work)
    with pytest.raises(ClientError, match="is an identity for"):
        IdentityFile(file, "http://elsewhere.example")
    file.write_text("[]")
    with pytest.raises(ClientError, match="isn't an identity file"):
        client()


def test_a_resent_action_happens_once(tmp_path: Path) -> None:
    async def work() -> None:
        with Server(tmp_path / "db.sqlite") as server:
            async with Client(server.url) as ada:
                game = await ada.start(NewGame([SeatChoice("me", "Ada"), SeatChoice("here", "Bob")], first=0))
                async with ada.play(game) as table:
                    state = await table.my_turn()
                    await asyncio.to_thread(server.kill)
                    acting = asyncio.create_task(table.act(state, state.view.actions[0]))
                    await asyncio.to_thread(server.start)
                    assert await acting == 1
                    assert (await table.my_turn(1)).version == 1

    run(work)


def test_a_server_that_does_not_answer_is_unreachable() -> None:
    async def work() -> None:
        async with Client("http://127.0.0.1:1") as ada:
            for ask in (ada.lobby(), ada.open("abc").__aenter__()):
                with pytest.raises(Unreachable, match=r"can't reach http://127.0.0.1:1: "):
                    await ask

    run(work)


def test_connections_are_reused(server: InProcessServer) -> None:
    async def work() -> None:
        async with Client(Http(server.url, connections=2, keep_alive=True)) as ada:
            for _ in range(3):
                await asyncio.gather(*(ada.call("GET", "/api/tiles", Tiles) for _ in range(4)))
            assert len(ada.http._idle) == 2
            assert (await ada.ask("HEAD", "/")).content == b""
            [(reader, writer, since)] = ada.http._idle
            ada.http._idle = [(reader, writer, since - 60)]
            await ada.call("GET", "/api/tiles", Tiles)
            [(_, another, _)] = ada.http._idle
            assert another is not writer  # That one had been idle for too long.

    run(work)


def test_an_action_waits_until_another_program_unlocks_the_database(tmp_path: Path) -> None:
    database = tmp_path / "db.sqlite"

    async def work() -> None:
        with InProcessServer(database) as server, closing(sqlite3.connect(database)) as other:
            told = asyncio.Event()
            async with Client(server.url, tell=lambda _text: told.set()) as ada:
                game = await ada.start(NewGame([SeatChoice("me", "Ada"), SeatChoice("here", "Bob")], first=0))
                async with ada.play(game) as table:
                    state = await table.my_turn()
                    other.execute("BEGIN IMMEDIATE")
                    acting = asyncio.create_task(table.act(state, state.view.actions[0]))
                    await told.wait()  # The server has closed the connection.
                    other.rollback()
                    assert await acting == 1

    run(work)
