"""The desk: everybody in turn, nothing for who has gone, and no line without an end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from threading import Event

import pytest

from chromino.server.desk import Desk
from chromino.server.problems import Problem


def at_a_busy_desk(ask: Callable[[Desk, list[str]], list[Awaitable[object]]]) -> tuple[list[str], list[object]]:
    """What was done in which order, and what came of each, if all of it was asked for while the desk was busy."""
    done: list[str] = []

    async def run() -> list[object]:
        desk, free = Desk("desk"), Event()
        try:
            first = asyncio.ensure_future(desk.do("first", free.wait))
            await asyncio.sleep(0)  # It is at the desk now.
            asked = [asyncio.ensure_future(one) for one in ask(desk, done)]
            await asyncio.sleep(0)
            free.set()
            await first
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            free.set()
            desk.stop()

    return done, asyncio.run(run())


def test_who_asks_for_much_waits_behind_oneself() -> None:
    def ask(desk: Desk, done: list[str]) -> list[Awaitable[object]]:
        much = [desk.do("greedy", partial(done.append, f"greedy {n}")) for n in range(4)]
        return [*much, desk.do("ada", lambda: done.append("ada")), desk.do("bob", lambda: done.append("bob"))]

    done, _ = at_a_busy_desk(ask)
    assert done == ["greedy 0", "ada", "bob", "greedy 1", "greedy 2", "greedy 3"]


def test_nothing_is_done_for_who_has_gone() -> None:
    async def has_gone() -> bool:
        return True

    def ask(desk: Desk, done: list[str]) -> list[Awaitable[object]]:
        gone = desk.do("gone", lambda: done.append("gone"), has_gone)
        return [gone, desk.do("ada", lambda: done.append("ada"))]

    done, (gone, _) = at_a_busy_desk(ask)
    assert done == ["ada"]
    assert isinstance(gone, Problem)


def test_a_line_ends_somewhere_and_only_ones_own() -> None:
    def ask(desk: Desk, done: list[str]) -> list[Awaitable[object]]:
        much = [desk.do("greedy", lambda: done.append("greedy")) for _ in range(40)]
        return [*much, desk.do("ada", lambda: done.append("ada"))]

    done, found = at_a_busy_desk(ask)
    refused = [one for one in found if isinstance(one, Problem)]
    assert {problem.code for problem in refused} == {"too-fast"}
    assert len(done) == 41 - len(refused)
    assert done[1] == "ada"


def test_who_stops_waiting_holds_up_nobody() -> None:
    async def run() -> str:
        desk, free = Desk("desk"), Event()
        try:
            first = asyncio.ensure_future(desk.do("first", free.wait))
            waiting = [asyncio.ensure_future(desk.do("bob", lambda: "bob")) for _ in range(3)]
            await asyncio.sleep(0)
            waiting[0].cancel()  # Before it is called,
            free.set()
            await first
            waiting[1].cancel()  # or in the same moment.
            assert await waiting[2] == "bob"
            return await desk.do("ada", lambda: "ada")
        finally:
            free.set()
            desk.stop()

    assert asyncio.run(run()) == "ada"


def test_what_fails_frees_the_desk() -> None:
    async def run() -> str:
        desk = Desk("desk")
        try:
            with pytest.raises(ZeroDivisionError):
                await desk.do("ada", lambda: 1 // 0)
            return await desk.do("ada", lambda: "ada")
        finally:
            desk.stop()

    assert asyncio.run(run()) == "ada"
