"""Tables for tests."""

from __future__ import annotations

from typing import Any

from chromino import Draw, Game, Pass, Rules
from chromino.fair_deal import commitment_of, derived_part
from chromino.seated import Chair, Gathering, Seat, SeatedGame, move

NOW = 1000.0
ADA, BOB, CLEO = "id-of-ada", "id-of-bob", "id-of-cleo"


def seated(
    *who: str | Seat, hand_size: int = 8, limit: int | None = None, seed: int = 7, preset: str = "classic", **how: Any
) -> SeatedGame:
    """A game in which everyone is present and the first seat goes first. Strings are people; bots need a `Seat`."""
    seats = tuple(one if isinstance(one, Seat) else Seat(one, None) for one in who)
    rules = Rules.preset(preset, hand_size=hand_size)
    game = Game.start(rules, [f"Player {number}" for number in range(len(seats))], seed, first=0)
    return SeatedGame.begin("a-game", game, seats, NOW, turn_limit=limit, **how)


SNAIL = Seat(None, "snail")


def gathered(*who: str, free: int = 1, first: int | None = None, parts: bool = False) -> Gathering:
    """A table where these people are seated and present, then free chairs; with `parts`, everyone contributes to the
    deal."""
    chairs = tuple(
        Chair(
            "person", name.removeprefix("id-of-").title(), name, commitment=commitment_of(part(name)) if parts else None
        )
        for name in who
    )
    free_chairs = [Chair("free")] * free
    return Gathering("a-game", who[0], (*chairs, *free_chairs), Rules.classic(), first, entropy="entropy")


def part(person: str, number: int = 0) -> str:
    """A person's part of the deal."""
    return derived_part(person, number)


def turn_over(table: SeatedGame) -> SeatedGame:
    """The table when it's the next seat's turn: everyone takes the first legal action."""
    seat = table.game.seat
    while not table.game.over and table.game.seat == seat:
        table = move(table, table.game.actions()[0], NOW).table
    return table


def to_the_end(table: SeatedGame) -> SeatedGame:
    """Play to the end, with everyone taking the first legal action."""
    while not table.game.over:
        table = move(table, table.game.actions()[0], NOW).table
    return table


def after_a_draw(*who: str | Seat) -> SeatedGame:
    """A game in which the first seat has drawn a tile, and it's still that seat's turn."""
    for seed in range(1000):
        table = seated(*who, hand_size=1, seed=seed)
        if table.game.actions() == [Draw()]:
            table = move(table, Draw(), NOW).table
            if table.game.seat == 0:
                return table
    raise AssertionError("no seed leads to a draw")


def must_pass() -> SeatedGame:
    """A game in which Ada has drawn a tile that doesn't fit, so she can only pass."""
    for seed in range(1000):
        table = seated(ADA, BOB, hand_size=1, seed=seed)
        if table.game.actions() == [Draw()]:
            table = move(table, Draw(), NOW).table
            if table.game.seat == 0 and table.game.actions() == [Pass()]:
                return table
    raise AssertionError("no seed leads to a pass")
