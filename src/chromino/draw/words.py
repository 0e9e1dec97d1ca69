"""Tiles, places and events in English, for screen readers, pipes and logs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chromino.events import Drew, Event, Placed
from chromino.game import Game
from chromino.tiles import COLOR_NAMES, Placement, Square


def tile_words(colors: str) -> str:
    """The colors in order.

    >>> tile_words("Y*R")
    'yellow-wild-red'
    """
    return "-".join(COLOR_NAMES[color] for color in colors)


def square_words(square: Square) -> str:
    """Where a square is, seen from the starting square: the first square of the first tile.

    >>> square_words((2, -1))
    '2 squares to the right and 1 square up from the starting square'
    """
    x, y = square
    if not x and not y:
        return "on the starting square"
    parts = [f"{_squares(x)} to the {'right' if x > 0 else 'left'}"] if x else []
    parts += [f"{_squares(y)} {'down' if y > 0 else 'up'}"] if y else []
    return f"{' and '.join(parts)} {'from' if y else 'of'} the starting square"


def _squares(distance: int) -> str:
    return f"{abs(distance)} square{'' if abs(distance) == 1 else 's'}"


def place_words(placement: Placement) -> str:
    """A placement in words.

    >>> place_words(Placement.parse("YBR@3,-2v"))
    'yellow-blue-red going down, 3 squares to the right and 2 squares up from the starting square'
    """
    direction = "going down" if placement.down else "going right"
    return f"{tile_words(placement.colors)} {direction}, {square_words((placement.x, placement.y))}"


def event_words(event: Event, players: Sequence[str]) -> str:
    """What happened, in one sentence.

    >>> from chromino import Passed
    >>> event_words(Passed(1), ["Ada", "Bob"])
    'Bob passes.'
    """
    name = players[event.seat]
    match event:
        case Placed(_, placement, points, shows):
            words = f"{name} places {place_words(placement)}"
            if points:
                words += f", for {points_words(points)}"
            if shows:
                words += f", and shows their last tile: {tile_words(str(shows))}"
            return words + "."
        case Drew(_, None):
            return f"{name} draws a tile."
        case Drew(_, tile):
            return f"{name} draws {tile_words(str(tile))}."
    return f"{name} passes."


def result_words(game: Game) -> str:
    """How a game ended, in sentences: who won, and everyone's points or tiles."""
    if not game.over:
        return f"The game isn't over: it's {game.players[game.seat]}'s turn."
    result = winners_words(game.players, game.winners)
    if game.first_out is None:
        result = f"The game is blocked: nobody can place another tile. {result}"
    if game.rules.scoring:
        scores = (f"{name} {score}" for name, score in zip(game.players, game.scores, strict=True))
        return f"{result} Points: {', '.join(scores)}."
    if len(game.players) == 1:
        return f"{result} Turns: {game.turns}."
    tiles = (f"{name} {len(hand)}" for name, hand in zip(game.players, game.hands, strict=True))
    return f"{result} Tiles left: {', '.join(tiles)}."


def winners_words(players: Sequence[str], winners: Sequence[int]) -> str:
    """Who won.

    >>> winners_words(["Ada", "Bob", "Eve"], [0, 2])
    'Ada and Eve win together.'
    """
    names = [players[seat] for seat in winners]
    return f"{listed(names)} {'win together' if len(names) > 1 else 'wins'}." if names else "Nobody wins."


def listed(words: Iterable[object]) -> str:
    """Names or numbers as a list in a sentence.

    >>> listed(["Ada", "Bob"]), listed([2, 3, 4])
    ('Ada and Bob', '2, 3, and 4')
    """
    texts = [str(word) for word in words]
    if len(texts) < 3:
        return " and ".join(texts)
    return f"{', '.join(texts[:-1])}, and {texts[-1]}"


def points_words(parts: Sequence[int]) -> str:
    """Points as the sum of their parts.

    >>> points_words((2, 1, 2))
    '2 + 1 + 2 = 5 points'
    """
    total = sum(parts)
    terms = " + ".join(map(str, parts)) + " = " if len(parts) > 1 else ""
    return f"{terms}{total} point{'' if total == 1 else 's'}"
