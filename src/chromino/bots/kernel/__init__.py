"""Uses the compiled kernel where possible, and its Python twin otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import thread_time
from typing import TypeAlias

from chromino.bots.kernel import twin
from chromino.bots.kernel.twin import TURN_COST, PlayoutSums
from chromino.bots.worlds import World
from chromino.game import Game
from chromino.tiles import Placement

try:
    from chromino.bots.kernel import _kernel
except ImportError:  # There was no compiler at installation.
    COMPILED = False
else:
    COMPILED = True

_TWIN_GAMES = 100  # The maximum number of random games for the twin. They take 0.1 to 0.2 seconds.

Position: TypeAlias = "twin.Position | _kernel.Position"


def position(game: Game, turn_cost: float = TURN_COST) -> Position:
    """A position for counting placements and playing on, as fast as this machine and table allow."""
    if COMPILED:
        try:
            return _kernel.Position(game, turn_cost)
        except OverflowError:
            pass  # The table is too large for the kernel's window.
    return twin.Position(game, turn_cost)


def counts_before_and_after(game: Game, placements: Sequence[Placement]) -> tuple[list[int], list[list[int]]]:
    """How many placements every tile has, by tile number: now, and after each of these placements."""
    start = position(game)
    try:
        return start.counts(), start.counts_after(placements)
    except OverflowError:
        return start.counts(), twin.Position(game).counts_after(placements)


def playouts(
    world: World,
    candidates: Sequence[Placement],
    *,
    seed: int,
    seconds: float,
    max_worlds: int,
    eliminate: bool,
    by_margin: bool = False,
    turn_cost: float = TURN_COST,
) -> list[PlayoutSums]:
    """Play random games after each candidate, within the time limit.

    The twin makes up for games that left the kernel's window. It gets an extra tenth of the time for that.
    """
    arguments = world.hidden, world.may_be_in_bag, seed
    twin_position = twin.Position(world.game, turn_cost)
    criterion = (2 if by_margin else 1) if eliminate else 0
    try:
        sums, escaped = position(world.game, turn_cost).playouts(candidates, *arguments, seconds, max_worlds, criterion)
    except OverflowError:
        sums, escaped = twin_position.playouts(candidates, *arguments, seconds, max_worlds, criterion)
    end = thread_time() + 0.1 * seconds
    waiting = sorted((number for number in range(len(escaped)) if escaped[number]), key=escaped.__getitem__)
    while waiting and (left := end - thread_time()) > 0:
        share = left / len(waiting)
        number = waiting.pop()
        (extra,), _ = twin_position.playouts([candidates[number]], *arguments, share, escaped[number], 0)
        sums[number] = added(sums[number], extra)
    return sums


def prospects(world: World, seat: int, *, seed: int, max_worlds: int, turn_cost: float = TURN_COST) -> PlayoutSums:
    """Play random games from a world, and return the results for one seat.

    If games left the kernel's window, the twin plays a few in their place.
    """
    arguments = world.hidden, world.may_be_in_bag, seed
    start = position(world.game, turn_cost)
    sums, escaped = start.prospects(
        seat, *arguments, min(max_worlds, _TWIN_GAMES) if isinstance(start, twin.Position) else max_worlds
    )
    if escaped:
        sums = added(
            sums, twin.Position(world.game, turn_cost).prospects(seat, *arguments, min(escaped, _TWIN_GAMES))[0]
        )
    return sums


def added(one: PlayoutSums, other: PlayoutSums) -> PlayoutSums:
    """The sums for two sets of playouts together."""
    played, *rest = (mine + theirs for mine, theirs in zip(one, other, strict=True))
    return int(played), rest[0], rest[1], rest[2], rest[3]


def random_games(start: Position, count: int, seed: int) -> int:
    """Play random games from a position, with hands and bag reshuffled, and return the total number of turns."""
    if isinstance(start, twin.Position):
        rng = Random(seed)
        return sum(twin.random_game(twin.redealt(start.game, rng), rng).turns for _ in range(count))
    _, turns, _ = _kernel.random_games(start, count, seed)
    return turns
