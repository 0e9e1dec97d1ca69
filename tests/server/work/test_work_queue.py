"""Work in a helper process: callers take turns, nothing is done for those who've left, and everything has limits."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from chromino import Game, Rules
from chromino.bots import estimate
from chromino.draw import Theme
from chromino.messages.conundrums import TryPlacement
from chromino.server.coaching import reviews
from chromino.server.conundrums import conundrum_work
from chromino.server.pictures import painting
from chromino.server.problems import Problem
from chromino.server.work import record_work
from chromino.server.work.result_cache import ResultCache
from chromino.server.work.work_queue import WorkQueue
from tests.server.sites.serving import PATIENCE

FAR = "RGB@0,0> RGY@1000,0> RGP@0,1000> ? RRR GGG BBB YYY"


def read(path: Path) -> str:
    """Work that ends when someone writes to this pipe."""
    return path.read_text(encoding="ascii")


def forever() -> None:
    while True:
        pass


def say_and_fail() -> None:
    print("this isn't an answer")
    raise ZeroDivisionError


def while_busy(
    tmp_path: Path, ask: Callable[[WorkQueue, list[str]], list[Awaitable[object]]]
) -> tuple[list[str], list[object]]:
    """Request work while the helper is busy; returns the order in which the work was done, and its results."""
    done: list[str] = []
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    async def run() -> list[object]:
        queue = WorkQueue(PATIENCE)
        try:
            first = asyncio.ensure_future(queue.do("first", partial(read, pipe)))
            await asyncio.sleep(0)  # The helper is working now.
            asked = [asyncio.ensure_future(one) for one in ask(queue, done)]
            await asyncio.sleep(0)
            await asyncio.to_thread(pipe.write_text, "done")
            assert await first == "done"
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            await queue.stop()

    return done, asyncio.run(run())


async def noted(queue: WorkQueue, caller: str, done: list[str], name: str | None = None) -> None:
    done.append(await queue.do(caller, partial(str, name or caller)))


def test_queues_are_served_in_turn(tmp_path: Path) -> None:
    def ask(queue: WorkQueue, done: list[str]) -> list[Awaitable[object]]:
        many = [noted(queue, "greedy", done, f"greedy {n}") for n in range(4)]
        return [*many, noted(queue, "ada", done), noted(queue, "bob", done)]

    done, _ = while_busy(tmp_path, ask)
    assert done == ["greedy 0", "ada", "bob", "greedy 1", "greedy 2", "greedy 3"]


def test_no_work_is_done_for_a_caller_who_has_left(tmp_path: Path) -> None:
    async def has_left() -> bool:
        return True

    def ask(queue: WorkQueue, done: list[str]) -> list[Awaitable[object]]:
        return [queue.do("gone", forever, has_left), noted(queue, "ada", done)]

    done, (gone, _) = while_busy(tmp_path, ask)
    assert done == ["ada"]
    assert isinstance(gone, Problem)


def test_a_full_queue_affects_only_its_own_caller(tmp_path: Path) -> None:
    def ask(queue: WorkQueue, done: list[str]) -> list[Awaitable[object]]:
        return [*(noted(queue, "greedy", done) for _ in range(40)), noted(queue, "ada", done)]

    done, found = while_busy(tmp_path, ask)
    refused = [one for one in found if isinstance(one, Problem)]
    assert {problem.code for problem in refused} == {"too-fast"}
    assert len(done) == 41 - len(refused)
    assert done[1] == "ada"


def test_a_caller_who_stops_waiting_holds_nobody_up(tmp_path: Path) -> None:
    def ask(queue: WorkQueue, done: list[str]) -> list[Awaitable[object]]:
        gone = asyncio.ensure_future(noted(queue, "bob", done))
        gone.add_done_callback(lambda _: None)
        asyncio.get_running_loop().call_soon(gone.cancel)
        return [gone, noted(queue, "ada", done)]

    done, (gone, _) = while_busy(tmp_path, ask)
    assert done == ["ada"]
    assert isinstance(gone, asyncio.CancelledError)


def in_queue(work: Callable[[WorkQueue], Awaitable[None]], seconds: float = PATIENCE) -> None:
    async def run() -> None:
        queue = WorkQueue(seconds)
        try:
            await work(queue)
        finally:
            await queue.stop()

    asyncio.run(run())


def test_a_failure_frees_the_helper_and_its_output_is_not_an_answer() -> None:
    async def work(queue: WorkQueue) -> None:
        with pytest.raises(ZeroDivisionError):
            await queue.do("ada", say_and_fail)
        assert await queue.do("ada", partial(str, "ada")) == "ada"

    in_queue(work)


def test_a_problem_comes_back_unchanged() -> None:
    async def work(queue: WorkQueue) -> None:
        with pytest.raises(Problem, match="can have at most 8 tiles to place, not 9") as error:
            await queue.do("ada", partial(conundrum_work.look, "Y*R@0,0> ? RRR GGG BBB YYY PPP RGB RGY RGP RBY"))
        assert (error.value.code, error.value.status) == ("bad-conundrum", 400)

    in_queue(work)


def test_work_that_takes_too_long_is_stopped_and_the_next_task_runs() -> None:
    async def work(queue: WorkQueue) -> None:
        with pytest.raises(Problem, match="too long"):
            await queue.do("mallory", forever)
        queue._helper._seconds = PATIENCE
        assert await queue.do("ada", partial(str, "ada")) == "ada"

    in_queue(work, seconds=0.05)


def test_canceled_work_is_stopped_and_the_next_task_gets_its_own_answer() -> None:
    async def work(queue: WorkQueue) -> None:
        await queue.do("ada", partial(str, "started"))
        gone = asyncio.ensure_future(queue.do("bob", forever))
        await asyncio.sleep(0)
        gone.cancel()
        assert await queue.do("ada", partial(str, "ada")) == "ada"

    in_queue(work)


def test_a_helper_that_dies_is_replaced() -> None:
    async def work(queue: WorkQueue) -> None:
        with pytest.raises(Problem) as error:
            await queue.do("mallory", partial(os._exit, 1))
        assert error.value.code == "failed"
        assert await queue.do("ada", partial(str, "ada")) == "ada"

    in_queue(work)


def test_helpers_do_all_their_work_without_loading_the_server() -> None:
    """A helper that loads the web framework and the database would start slowly and need as much memory as a server."""
    game = Game.start(Rules.classic(), players=["Ada", "Bob"], seed=7)

    async def work(queue: WorkQueue) -> None:
        daily = await queue.do("ada", partial(conundrum_work.of_the_day, date(2026, 11, 16), 1))
        assert (await queue.do("ada", partial(conundrum_work.look, daily.conundrum))) == daily
        places = await queue.do("ada", partial(conundrum_work.missing, daily.conundrum, []))
        judged = await queue.do("ada", partial(conundrum_work.judge, TryPlacement(daily.conundrum, places[0])))
        assert judged.verdict == "right"
        view = game.view(game.seat)
        assert await queue.do("ada", partial(estimate, view, seconds=0.01))
        for kind in ("svg", "png"):
            assert (await queue.do("ada", partial(painting.draw, game.view(None), kind, Theme.LIGHT))).content
        assert (await queue.do("ada", partial(painting.qr_code, "https://example.org"))).content
        assert not (await queue.do("ada", partial(record_work.check, str(game.record)))).over
        assert await queue.do("ada", partial(reviews._positions_of, game, [], 100)) == []
        loaded = await queue.do("ada", partial(eval, "set(__import__('sys').modules)"))
        assert not loaded & {"starlette", "sqlalchemy", "uvicorn", "alembic", "chromino.server.app"}

    in_queue(work)


def test_tiles_that_are_far_apart_are_refused_at_once() -> None:
    with pytest.raises(Problem, match="too far apart"):
        conundrum_work.look(FAR)


# Cached results.


def test_concurrent_requests_share_one_result() -> None:
    made: list[str] = []

    async def run() -> list[str]:
        kept: ResultCache[str, str] = ResultCache(2)
        begun = asyncio.Event()

        async def make(name: str) -> str:
            made.append(name)
            await begun.wait()
            return name

        requests = [asyncio.ensure_future(kept.get("a", partial(make, "a"))) for _ in range(3)]
        await asyncio.sleep(0)
        assert "a" in kept
        assert not kept.is_ready("a")
        requests[0].cancel()  # This doesn't affect the others.
        begun.set()
        found = await asyncio.gather(*requests[1:])
        assert kept.is_ready("a")
        for name in "bca":
            await kept.get(name, partial(make, name))
        return found

    assert asyncio.run(run()) == ["a", "a"]
    assert made == ["a", "b", "c", "a"]  # Two are kept; the least recently used one goes.


def test_failed_work_is_not_cached() -> None:
    async def run() -> str:
        kept: ResultCache[str, str] = ResultCache(2)

        async def fail() -> str:
            raise Problem("took-too-long")

        async def make() -> str:
            return "made"

        with pytest.raises(Problem):
            await kept.get("a", fail)
        assert "a" not in kept
        return await kept.get("a", make)

    assert asyncio.run(run()) == "made"
