"""One caller's many games don't delay the bots of others."""

from __future__ import annotations

import asyncio

import pytest

from chromino.server.problems import Problem
from chromino.server.work.fair_queue import FairQueue


def test_callers_take_turns_no_matter_how_many_run_at_once() -> None:
    done: list[str] = []

    async def run() -> None:
        queue, free = FairQueue(2, 100, 100), asyncio.Event()

        async def take_turn(caller: str, *, first: bool = False) -> None:
            async with queue.turn(caller):
                if first:
                    await free.wait()
                else:
                    done.append(caller)

        held = [asyncio.ensure_future(take_turn("mallory", first=True)) for _ in range(2)]
        await asyncio.sleep(0)
        rest = [asyncio.ensure_future(take_turn(name)) for name in (*["mallory"] * 5, "ada", "bob")]
        await asyncio.sleep(0)
        free.set()
        await asyncio.gather(*held, *rest)

    asyncio.run(run())
    assert sorted(done[:3]) == ["ada", "bob", "mallory"]
    assert done[3:] == ["mallory"] * 4


def test_a_full_queue_refuses_everyone() -> None:
    async def run() -> None:
        queue, free = FairQueue(1, 10, 3), asyncio.Event()

        async def take_turn(caller: str) -> None:
            async with queue.turn(caller):
                await free.wait()

        waiting = [asyncio.ensure_future(take_turn(f"caller {number}")) for number in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="too many requests"):
            await take_turn("ada")
        free.set()
        await asyncio.gather(*waiting)
        await take_turn("ada")  # There's room again.

    asyncio.run(run())
