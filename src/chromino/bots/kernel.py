"""Uses the compiled kernel where possible, and its Python twin otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import thread_time
from typing import TypeAlias

from chromino.bots import twin
from chromino.bots.twin import TURN_COST, PlayoutSums
from chromino.bots.worlds import World
from chromino.game import Game
from chromino.tiles import Placement

try:
    from chromino.bots import _kernel
except ImportError:  # There was no compiler at installation.
    COMPILED = False
else:
    COMPILED = True

_TWIN_GAMES = 100  # How many random games the twin plays in a tenth or two of a second.

Position: TypeAlias = "twin.Position | _kernel.Position"


def position(game: Game, turn_cost: float = TURN_COST) -> Position:
    """A position for counting placements and playing on, as fast as this machine and table allow."""
    if COMPILED:
        try:
            return _kernel.Position(game, turn_cost)
        except OverflowError:
            pass  # The table is too large for the kernel's window.
    return twin.Position(game, turn_cost)


def counts_around(game: Game, placements: Sequence[Placement]) -> tuple[list[int], list[list[int]]]:
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
    most: int,
    eliminate: bool,
    by_margin: bool = False,
    turn_cost: float = TURN_COST,
) -> list[PlayoutSums]:
    """Play random games after each candidate, within the time limit. The twin gets a tenth more time for games that
    left the kernel's window."""
    arguments = world.hidden, world.in_bag, seed
    slow = twin.Position(world.game, turn_cost)
    by = (2 if by_margin else 1) if eliminate else 0
    try:
        found, escaped = position(world.game, turn_cost).playouts(candidates, *arguments, seconds, most, by)
    except OverflowError:
        found, escaped = slow.playouts(candidates, *arguments, seconds, most, by)
    end = thread_time() + 0.1 * seconds
    waiting = sorted((number for number in range(len(escaped)) if escaped[number]), key=escaped.__getitem__)
    while waiting and (left := end - thread_time()) > 0:
        share = left / len(waiting)
        number = waiting.pop()
        (more,), _ = slow.playouts([candidates[number]], *arguments, share, escaped[number], 0)
        found[number] = added(found[number], more)
    return found


def prospects(world: World, seat: int, *, seed: int, most: int, turn_cost: float = TURN_COST) -> PlayoutSums:
    """Play random games from a world, and return the results for one seat. The twin plays a few of the games that left
    the kernel's window."""
    arguments = world.hidden, world.in_bag, seed
    start = position(world.game, turn_cost)
    found, escaped = start.prospects(
        seat, *arguments, min(most, _TWIN_GAMES) if isinstance(start, twin.Position) else most
    )
    if escaped:
        found = added(
            found, twin.Position(world.game, turn_cost).prospects(seat, *arguments, min(escaped, _TWIN_GAMES))[0]
        )
    return found


def added(one: PlayoutSums, other: PlayoutSums) -> PlayoutSums:
    """The sums of two sets of playouts."""
    played, *sums = (mine + theirs for mine, theirs in zip(one, other, strict=True))
    return int(played), sums[0], sums[1], sums[2], sums[3]


def random_games(start: Position, count: int, seed: int) -> int:
    """Play this many random games from a position, with hands and bag reshuffled; returns the total number of turns."""
    if isinstance(start, twin.Position):
        rng = Random(seed)
        return sum(twin.random_game(twin.redealt(start.game, rng), rng).turns for _ in range(count))
    _, turns, _ = _kernel.random_games(start, count, seed)
    return turns
