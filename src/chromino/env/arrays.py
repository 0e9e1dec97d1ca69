"""A game as arrays: what each number in an observation means, and the space of each array.

The table has no edge, but each tile can be placed only once, so 80 rows are enough for any table. Each legal action is
a row of numbers, too, and you choose an action by the index of its row. If there are too many rows, the last action
turns the page.

Seats are counted from the observer: 0 is the observer's own seat, and 1 plays next. A seat's arrays contain nothing
that's hidden from it. `View` decides what's hidden, and tests make sure that the arrays agree with it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import fields
from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from chromino.deal import MAX_PLAYERS
from chromino.events import Action, Draw, Drew, Event, Place, Placed
from chromino.game import Game
from chromino.rules import CHOICES, Choice, Rules, Value
from chromino.scoring import points_with
from chromino.tiles import CHAMELEONS, CLASSIC_TILES, COLORS, WILD

Ints: TypeAlias = NDArray[np.int16]
Flags: TypeAlias = NDArray[np.int8]
Arrays: TypeAlias = dict[str, NDArray[Any]]

ACTIONS = 256
"""The number of actions: one for each of 255 rows, and one that turns the page."""
TURN_PAGE = ACTIONS - 1
ROWS = ACTIONS - 1

TILES = CLASSIC_TILES + CHAMELEONS
"""The tiles in the order of all arrays. A tile's number is its position here, counted from 1; 0 means no tile."""
COLOR = {color: number for number, color in enumerate(COLORS + WILD, start=1)}

# No square is farther than this from the first tile: each tile adds three squares at most.
_MAX_DISTANCE = 3 * len(TILES)
# A placement covers a square next to a tile on the table (each has 8 at most) with one of its own three squares, across
# or down, and either way around. There are 80 tiles, so at most 40 × 40 pairs of a tile on the table and one in hand.
_MAX_PAGES = -(-8 * 12 * 40 * 40 // ROWS)
_MAX_POINTS = 8 * 4 * 4  # Eight contacts, each worth 4 × 4 at most (in C, two values are multiplied).


class ACTION(IntEnum):
    """Columns of `actions`."""

    KIND = 0
    """0: no action, 1: place, 2: draw, 3: pass, 4: turn the page."""
    TILE = 1
    FIRST = 2
    MIDDLE = 3
    LAST = 4
    X = 5
    Y = 6
    DOWN = 7
    CONTACTS = 8
    POINTS = 9


class TABLE(IntEnum):
    """Columns of `table`: one row per tile, in the order placed."""

    TILE = 0
    FIRST = 1
    MIDDLE = 2
    LAST = 3
    X = 4
    Y = 5
    DOWN = 6
    BY = 7
    """Who placed the tile: 1 is the observer, 2 the next player, and 0 nobody (for the first tile)."""


class PLAYER(IntEnum):
    """Columns of `players`: one row per seat."""

    TILES = 0
    POINTS = 1
    BEGAN = 2
    """1 for the seat that went first."""
    MOVES = 3
    """1 for the seat whose turn it is or, once the game is over, for the seat that had the last turn."""
    STUCK = 4
    """How many tiles were on the table when this seat last had to draw or pass; 0 if it never had to."""


class TURN(IntEnum):
    """Positions in `turn`."""

    BAG = 0
    LAID = 1
    DRAWS = 2
    DRAWN = 3
    """The tile just drawn, if the observer may know it."""
    TURNED = 4
    """How many times the page has been turned since the last action. The rows show page TURNED mod PAGES."""
    PAGES = 5
    OVER = 6


class RULES(IntEnum):
    """Positions in `rules`: the choices of version 1.0, then one for each choice added since."""

    CHAMELEONS = 0
    HAND_SIZE = 1
    DRAW_LIMIT = 2
    """0 means no limit."""
    OPEN_HANDS = 3
    ENDS = 4
    """1 if tiles are joined end to end, as in Junior; otherwise 0."""
    SCORING = 5
    """0: a race; 1 to 4: Expert, A, B, C."""
    ENDING = 6
    """When the game ends. 0: after the round, 1: after one more turn, 2: at once."""


_TILE_NUMBERS = {tile: number for number, tile in enumerate(TILES, start=1)}
_WAY_NUMBERS = {
    way: (number, *(COLOR[color] for color in way)) for tile, number in _TILE_NUMBERS.items() for way in tile.ways
}
"""For the colors of a tile as placed: the number of the tile, and the numbers of its colors."""

_SEAT_ORDER = {
    seats: [[(me + place) % seats for place in range(seats)] for me in range(seats)]
    for seats in range(1, MAX_PLAYERS + 1)
}
"""For each number of seats and each observer: the seats in the order of the observer's rows."""
_RELATIVE = {
    seats: [np.array([(seat - me) % seats + 1 for me in range(seats)], np.int16) for seat in range(seats)]
    for seats in range(1, MAX_PLAYERS + 1)
}
"""For each number of seats and each seat: the number that each observer has for that seat in `TABLE.BY`."""

_PLACE, _DRAW, _PASS, _NEXT_PAGE = 1, 2, 3, 4


def arrays_space(rules: Rules, players: int) -> spaces.Dict:
    """The space of a seat's arrays."""
    placement_bounds = {"TILE": (0, len(TILES)), "FIRST": (0, 6), "MIDDLE": (0, 6), "LAST": (0, 6)}
    placement_bounds |= {"X": (-_MAX_DISTANCE, _MAX_DISTANCE), "Y": (-_MAX_DISTANCE, _MAX_DISTANCE), "DOWN": (0, 1)}
    max_points = len(TILES) * _MAX_POINTS
    return spaces.Dict(
        {
            "actions": _rows_space(
                ACTIONS, ACTION, placement_bounds | {"KIND": (0, 4), "CONTACTS": (0, 8), "POINTS": (0, _MAX_POINTS)}
            ),
            "table": _rows_space(len(TILES), TABLE, placement_bounds | {"BY": (0, players)}),
            "hands": spaces.Box(0, 1, (players, len(TILES)), np.int8),
            "unseen": spaces.Box(0, 1, (len(TILES),), np.int8),
            "players": _rows_space(
                players,
                PLAYER,
                {"TILES": (0, 80), "POINTS": (-4 * 80, max_points), "BEGAN": (0, 1), "MOVES": (0, 1), "STUCK": (0, 80)},
            ),
            "turn": _row_space(
                TURN,
                {
                    "BAG": (0, 80),
                    "LAID": (1, 80),
                    "DRAWS": (0, 80),
                    "DRAWN": (0, 80),
                    "TURNED": (0, 2 * _MAX_PAGES),
                    "PAGES": (0, _MAX_PAGES),
                    "OVER": (0, 1),
                },
            ),
            "rules": _rules_space(rules),
        }
    )


def mask_space() -> spaces.Box:
    """The space of a mask, which has a 1 for each allowed action."""
    return spaces.Box(0, 1, (ACTIONS,), np.int8)


def _row_space(columns: type[IntEnum], bounds: dict[str, tuple[int, int]]) -> spaces.Box:
    low, high = (np.array([bounds[column.name][end] for column in columns], np.int16) for end in (0, 1))
    return spaces.Box(low, high, dtype=np.int16)


def _rows_space(rows: int, columns: type[IntEnum], bounds: dict[str, tuple[int, int]]) -> spaces.Box:
    line = _row_space(columns, bounds)
    return spaces.Box(np.tile(line.low, (rows, 1)), np.tile(line.high, (rows, 1)), dtype=np.int16)


_CHOICES = {choice.name: choice for choice in CHOICES}


def _listed_choices(rules: Rules) -> list[Choice]:
    """The choices that have a position: those of version 1.0, and newer ones up to the last one not at its default.

    That way, a new choice doesn't change the arrays of games that don't use it, and trained agents can still play them.
    """
    names = [field.name for field in fields(rules)]
    written = rules.to_json()
    while names[-1] not in written:
        names.pop()
    return [_CHOICES[name] for name in names]


def rules_numbers(rules: Rules) -> tuple[int, ...]:
    """The choices of a game as numbers, each within the bounds of its space."""
    return tuple(_number(choice, getattr(rules, choice.name)) for choice in _listed_choices(rules))


def _number(choice: Choice, value: Value) -> int:
    """A switch is 0 or 1, a number is itself (0 for no limit), and anything else is its position among the values."""
    if isinstance(value, int):
        return value if value <= len(TILES) else 0  # More draws than tiles means no limit.
    return 0 if choice.is_number else choice.values.index(value)


def _rules_space(rules: Rules) -> spaces.Box:
    bounds = []
    for choice in _listed_choices(rules):
        if choice.is_number:
            bounds.append((0 if None in choice.values else 1, len(TILES)))
        else:
            bounds.append((0, len(choice.values) - 1))
    low, high = np.array(bounds, np.int16).T
    return spaces.Box(low, high, dtype=np.int16)


def pages(actions: int) -> int:
    """How many pages this many legal actions need."""
    return -(-actions // ROWS)


def may_turn_page(actions: int, turned: int) -> bool:
    """May the page be turned again? Seeing every page twice is enough to choose, and the limit makes every game end."""
    return actions > ROWS and turned < 2 * pages(actions) - 1


def page_of(actions: Sequence[Action], turned: int) -> Sequence[Action]:
    """The actions on the current page."""
    if len(actions) <= ROWS:
        return actions
    page = turned % pages(len(actions))
    return actions[page * ROWS : (page + 1) * ROWS]


class GrowingArrays:
    """The arrays that grow with a game. They're updated with each event, so an observation only has to copy them."""

    __slots__ = ("_hands", "_off_table", "_players", "_relative", "_rules", "_stuck", "_tables")

    def __init__(self, game: Game) -> None:
        seats = len(game.players)
        self._players = seats
        self._rules = rules_numbers(game.rules)
        self._relative = _RELATIVE[seats]
        self._tables = np.zeros((seats, len(TILES), len(TABLE)), np.int16)
        """One table per observer, since it says who placed each tile from that observer's point of view."""
        self._hands = np.zeros((seats, len(TILES)), np.int8)
        self._off_table = np.zeros(len(TILES), np.int8)
        """The tiles that aren't on the table."""
        self._stuck = [0] * seats
        self._off_table[[_TILE_NUMBERS[tile] - 1 for tile in game.rules.tiles]] = 1
        for seat, hand in enumerate(game.deal.hands):
            self._hands[seat, [_TILE_NUMBERS[tile] - 1 for tile in hand]] = 1
        first = game.deal.start_placement
        self._tables[:, 0, : TABLE.BY] = *_WAY_NUMBERS[first.colors], first.x, first.y, first.down
        self._off_table[_TILE_NUMBERS[first.tile] - 1] = 0
        laid = 1
        for event in game.log:
            laid += isinstance(event, Placed)
            self.follow(event, laid)

    def copy(self) -> GrowingArrays:
        """An independent copy."""
        arrays = object.__new__(GrowingArrays)
        arrays._players, arrays._relative, arrays._rules = self._players, self._relative, self._rules
        arrays._tables, arrays._stuck = self._tables.copy(), self._stuck.copy()
        arrays._hands, arrays._off_table = self._hands.copy(), self._off_table.copy()
        return arrays

    def follow(self, event: Event, laid: int) -> None:
        """Update the arrays after an event; `laid` is how many tiles are then on the table."""
        seat = event.seat
        if isinstance(event, Placed):
            colors, x, y, down = event.placement
            way = _WAY_NUMBERS[colors]
            tile = way[0] - 1
            rows = self._tables[:, laid - 1]
            rows[:, : TABLE.BY] = *way, x, y, down
            rows[:, TABLE.BY] = self._relative[seat]
            self._hands[seat, tile] = 0
            self._off_table[tile] = 0
            return
        if isinstance(event, Drew) and event.tile:
            self._hands[seat, _TILE_NUMBERS[event.tile] - 1] = 1
        self._stuck[seat] = laid

    def observation(self, game: Game, me: int, actions: Sequence[Action], turned: int) -> Arrays:
        """What the seat `me` observes. `actions` are its legal actions; there are none if it's another seat's turn."""
        seats, rules, tiles = self._players, game.rules, game.hands
        open_hands = rules.open_hands or game.over
        hands = np.zeros((seats, len(TILES)), np.int8)
        unseen = self._off_table.copy()
        scores = game.scores if rules.scoring else game.earned  # All zero in a race.
        first, moves, stuck = game.deal.first, game.seat, self._stuck
        numbers: list[int] = []
        for place, seat in enumerate(_SEAT_ORDER[seats][me]):
            count = len(tiles[seat])
            # As in `View.of`, observers see their own hand, open hands, and last tiles (rule 5.1).
            if place == 0 or open_hands or count == 1:
                hand = self._hands[seat]
                hands[place] = hand
                unseen -= hand
            numbers += (count, scores[seat], seat == first, seat == moves, stuck[seat])
        drawn = _TILE_NUMBERS[game.drawn] if game.drawn and (game.seat == me or rules.open_hands) else 0
        numbers += (len(game.bag), len(game.table), game.draws, drawn, turned, pages(len(actions)), game.over)
        numbers += self._rules
        packed = _fast_array(numbers)
        turn = seats * len(PLAYER)
        rules_start = turn + len(TURN)
        return {
            "actions": _action_rows(game, actions, turned),
            "table": self._tables[me].copy(),
            "hands": hands,
            "unseen": unseen,
            "players": packed[:turn].reshape(seats, len(PLAYER)),
            "turn": packed[turn:rules_start],
            "rules": packed[rules_start:],
        }


def _action_rows(game: Game, actions: Sequence[Action], turned: int) -> Ints:
    rows = np.zeros((ACTIONS, len(ACTION)), np.int16)
    if may_turn_page(len(actions), turned):
        rows[TURN_PAGE, ACTION.KIND] = _NEXT_PAGE
    actions = page_of(actions, turned)
    if actions and not isinstance(actions[0], Place):
        rows[0, ACTION.KIND] = _DRAW if isinstance(actions[0], Draw) else _PASS
        return rows
    table, scoring = game.table, game.rules.scoring
    numbers: list[int] = []
    for action in actions:
        placement = action.placement  # type: ignore[union-attr]
        colors, x, y, down = placement
        neighbors = table.neighbors(placement)
        earned = sum(points_with(table, placement, neighbors, scoring)) if scoring else 0
        numbers += (_PLACE, *_WAY_NUMBERS[colors], x, y, down, len(neighbors), earned)
    rows.reshape(-1)[: len(numbers)] = _fast_array(numbers)
    return rows


def _fast_array(numbers: list[int]) -> Ints:
    """Like `np.array`, but three times as fast."""
    return np.frombuffer(array("h", numbers), np.int16)


def table_grid(parts: Arrays, size: int = 33) -> tuple[Flags, int, int]:
    """The table as a square image of color numbers, 0 where it's empty, and the x and y of the image's top left corner.

    The image is centered on the table. Squares that don't fit are cut off, but they're still in `parts["table"]`.
    """
    rows = parts["table"][: int(parts["turn"][TURN.LAID])].astype(np.int64)
    down = rows[:, TABLE.DOWN, None]
    steps = np.arange(3)
    x, y = rows[:, TABLE.X, None] + steps * (1 - down), rows[:, TABLE.Y, None] + steps * down
    left, top = (int(along.min() + along.max() + 1 - size) // 2 for along in (x, y))
    inside = (x >= left) & (x < left + size) & (y >= top) & (y < top + size)
    grid = np.zeros((size, size), np.int8)
    grid[y[inside] - top, x[inside] - left] = rows[:, TABLE.FIRST : TABLE.LAST + 1][inside]
    return grid, left, top


def mask_of(actions: Sequence[Action], turned: int) -> Flags:
    """A mask with a 1 for each number you may choose, given the legal actions."""
    mask = np.zeros(ACTIONS, np.int8)
    mask[: len(page_of(actions, turned))] = 1
    if may_turn_page(len(actions), turned):
        mask[TURN_PAGE] = 1
    return mask
