"""The game: whose turn it is, what's allowed, and when it ends (rules 3 and 5).

A game is a value made from its deal and its log; everything else follows from them. `actions` lists what's allowed,
`refusal` says why something isn't, and `apply` returns the game after an action.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from chromino.deal import Deal
from chromino.errors import ChrominoError, IllegalAction, RecordError, RulesError
from chromino.events import Action, Draw, Drew, Event, Pass, Passed, Place, Placed, event_to_json
from chromino.record import Record, event_line
from chromino.refusal import Reason, Refusal
from chromino.rules import Rules
from chromino.scoring import costs, points
from chromino.table import Table
from chromino.tiles import Placement, Tile, sorted_hand
from chromino.view import View

T = TypeVar("T")

_INVISIBLE = {"Cf", "Zs"}
"""The Unicode categories of formatting characters and spaces. A name can't consist of these alone."""
_DIRECTION_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
"""The bidirectional classes of Unicode's embeddings, overrides and isolates, which a name can't contain."""


@dataclass(frozen=True, eq=False, repr=False)
class Game:
    """One moment of a game. Immutable; compared and hashed by its start and its log.

    >>> game = Game.start(Rules.classic(), players=["Ada", "Bob"], seed=7)
    >>> game = game.apply(game.actions()[0])
    >>> len(game.log), game.over
    (1, False)
    """

    rules: Rules
    players: tuple[str, ...]
    deal: Deal
    log: tuple[Event, ...]
    table: Table
    hands: tuple[tuple[Tile, ...], ...]
    bag: tuple[Tile, ...]
    seat: int
    """Whose turn it is; when the game is over, who had the last turn."""
    drawn: Tile | None
    """The tile drawn this turn; no other tile may be placed (3.2)."""
    draws: int
    """How many tiles have been drawn this turn."""
    earned: tuple[int, ...]
    """Points earned by placements so far."""
    first_out: int | None
    """The seat that ran out of tiles first."""
    over: bool

    @classmethod
    def start(cls, rules: Rules, players: Iterable[str], seed: int | str | bytes, first: int | None = None) -> Game:
        """Shuffle and deal; the same seed gives the same game. `first` goes first; None lets the seed decide.

        >>> Game.start(Rules.junior(), ["Ada", "Bob", "Cy"], seed="friday", first=2).seat
        2
        """
        names = checked_names(players)
        return cls._begin(rules, names, Deal.shuffle(rules, len(names), seed, first))

    @classmethod
    def dealt(cls, rules: Rules, players: Iterable[str], deal: Deal) -> Game:
        """A game that starts with this deal."""
        names = checked_names(players)
        if len(names) != len(deal.hands):
            raise RulesError(f"the deal is for {len(deal.hands)} players, not {len(names)}")
        deal.check(rules)
        return cls._begin(rules, names, deal)

    @classmethod
    def _begin(cls, rules: Rules, players: tuple[str, ...], deal: Deal) -> Game:
        return cls(
            rules=rules,
            players=players,
            deal=deal,
            log=(),
            table=Table().lay(deal.start_placement),
            hands=tuple(map(sorted_hand, deal.hands)),
            bag=deal.bag,
            seat=deal.first,
            drawn=None,
            draws=0,
            earned=(0,) * len(players),
            first_out=None,
            over=False,
        )

    @classmethod
    def replay(cls, record: Record | str | Iterable[str]) -> Game:
        """Rebuild the game from a record: a `Record`, its text, or its lines (an open file is fine).

        >>> game = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7)
        >>> Game.replay(game.record) == Game.replay(str(game.record)) == game
        True
        """
        if not isinstance(record, Record):
            record = Record.parse(record)
        try:
            game = cls.dealt(record.rules, record.players, record.deal)
        except ChrominoError as error:
            raise RecordError(1, str(error)) from None
        for number, event in enumerate(record.events):
            line = event_line(number)
            if event.seat != game.seat and not game.over:
                raise RecordError(line, f"it's seat {game.seat}'s turn, not seat {event.seat}'s")
            try:
                game = game.apply(event.action)
            except IllegalAction as error:
                raise RecordError(line, str(error)) from None
            if game.log[-1] != event:
                expected, given = (json.dumps(event_to_json(each)) for each in (game.log[-1], event))
                raise RecordError(line, f"according to the rules, this must be {expected}, not {given}")
        return game

    @property
    def record(self) -> Record:
        """How the game started and what happened. To save it, write `str(game.record)` to a file."""
        return Record(self.rules, self.players, self.deal, self.log)

    def view(self, seat: int | None) -> View:
        """What one seat may know; None means a spectator.

        >>> Game.start(Rules.classic(), ["Ada", "Bob"], seed=7).view(None).hand_sizes
        (8, 8)
        """
        return View.of(self, seat)

    @property
    def first(self) -> int:
        """The seat that went first."""
        return self.deal.first

    @property
    def bag_count(self) -> int:
        """How many tiles are left to draw."""
        return len(self.bag)

    def hand(self, seat: int) -> tuple[Tile, ...]:
        """A player's tiles, sorted so that their order reveals nothing."""
        if seat not in range(len(self.hands)):
            raise ValueError(f"there is no seat {seat!r}; seats go from 0 to {len(self.hands) - 1}")
        return self.hands[seat]

    @property
    def turns(self) -> int:
        """How many turns have ended: in solo games, the number to beat (5.6)."""
        return len(self.log) - list(map(type, self.log)).count(Drew)

    @property
    def scores(self) -> tuple[int, ...]:
        """Points by seat; at the end, minus the cost of leftover tiles (6.4). All zero in a race."""
        costs = self.costs
        return (
            tuple(earned - sum(lost) for earned, lost in zip(self.earned, costs, strict=True)) if costs else self.earned
        )

    @property
    def costs(self) -> tuple[tuple[int, ...], ...]:
        """What each leftover tile cost its seat, once a game with scoring is over (6.4); otherwise empty."""
        scoring = self.rules.scoring
        return tuple(costs(hand, scoring) for hand in self.hands) if scoring and self.over else ()

    @property
    def winners(self) -> tuple[int, ...]:
        """The winning seats, several if they share the win; empty during the game, or if nobody won."""
        if not self.over:
            return ()
        if len(self.players) == 1:  # 5.6: you win a solo game by running out, whatever your points.
            return (0,) if not self.hands[0] else ()
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)

    @property
    def ranks(self) -> tuple[int, ...]:
        """Final ranks by seat: 1 is the best, and ties share a rank. Empty during the game."""
        if not self.over:
            return ()
        # 5.3, 5.5: whoever has the fewest tiles wins a race; with scoring, whoever has the most points wins.
        results = self.scores if self.rules.scoring else [-len(hand) for hand in self.hands]
        return tuple(1 + sum(other > result for other in results) for result in results)

    def actions(self) -> list[Action]:
        """All legal placements; if there are none, a single draw or pass. Empty once the game is over (3.1 to 3.3).

        >>> Game.start(Rules.first_edition(), ["Ada", "Bob"], seed=3).actions()
        [Draw()]
        """
        if self.over:
            return []
        placements: list[Action] = [
            Place(placement)
            for tile in _placeable(self.hands[self.seat], self.drawn)
            for placement in self.table.placements(tile, self.rules)
        ]
        return placements or [Draw() if self._may_draw else Pass()]

    @property
    def _may_draw(self) -> bool:
        """Is there a tile to draw, and a draw left in this turn (6.1)?"""
        limit = self.rules.draw_limit
        return bool(self.bag) and (limit is None or self.draws < limit)

    def _can_place(self, seat: int) -> bool:
        """Could this seat place a tile if it were its turn? After a draw, this only works for the seat that drew."""
        return any(self.table.fits(tile, self.rules) for tile in _placeable(self.hands[seat], self.drawn))

    def refusal(self, action: Action) -> Refusal | None:
        """None if the action is legal now; otherwise, why it isn't.

        >>> print(Game.start(Rules.classic(), ["Ada", "Bob"], seed=7).refusal(Pass()))
        you can place a tile, so you must
        """
        if self.over:
            return Refusal(Reason.GAME_OVER)
        if isinstance(action, Place):
            return self._tile_refusal(action.placement.tile) or self.table.refusal(action.placement, self.rules)
        if self._can_place(self.seat):
            return Refusal(Reason.MUST_PLACE)
        if isinstance(action, Draw):
            return None if self._may_draw else Refusal(Reason.MUST_PASS)
        if isinstance(action, Pass):
            return Refusal(Reason.MUST_DRAW) if self._may_draw else None
        raise TypeError(f"an action must be a Place, a Draw, or a Pass, not {action!r}")

    def _tile_refusal(self, tile: Tile) -> Refusal | None:
        """Why the player may not place this tile, no matter where; None if they may."""
        hand = self.hands[self.seat]
        if tile in _placeable(hand, self.drawn):
            return None
        if tile not in hand:
            return Refusal(Reason.NOT_IN_HAND)
        return Refusal(Reason.LAST_CHAMELEON if self.drawn is None else Reason.ONLY_DRAWN_TILE)

    def apply(self, action: Action) -> Game:
        """The game after the action. An illegal action raises `IllegalAction` with the refusal, or
        `IllegalPlacement` if the tile doesn't fit the table.

        >>> game = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7)
        >>> game.apply(game.actions()[0]).log[0].action == game.actions()[0]
        True
        """
        if isinstance(action, Place) and not self.over:
            # `Table.place` refuses tiles that don't fit, so calling `self.refusal` here would check that twice.
            if refusal := self._tile_refusal(action.placement.tile):
                raise IllegalAction(refusal)
            return self._place(action.placement, self.table.place(action.placement, self.rules))
        if refusal := self.refusal(action):
            raise IllegalAction(refusal)
        return self.apply_legal(action)

    def apply_legal(self, action: Action) -> Game:
        """The game after an action from `actions`. The action isn't checked again, which saves a fifth of the time.

        >>> game = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7)
        >>> game.apply_legal(game.actions()[0]) == game.apply(game.actions()[0])
        True
        """
        if isinstance(action, Place):
            return self._place(action.placement, self.table.lay(action.placement))
        return self._draw() if isinstance(action, Draw) else self._end_turn(Passed(self.seat))

    def _place(self, placement: Placement, table: Table) -> Game:
        seat, scoring, placed = self.seat, self.rules.scoring, placement.tile
        hand = tuple([tile for tile in self.hands[seat] if tile is not placed])
        parts = points(self.table, placement, scoring) if scoring else ()
        return self._end_turn(
            Placed(seat, placement, parts, hand[0] if len(hand) == 1 else None),
            table=table,
            hands=_changed(self.hands, seat, hand),
            earned=_changed(self.earned, seat, self.earned[seat] + sum(parts)),
            first_out=seat if not hand and self.first_out is None else self.first_out,
        )

    def _draw(self) -> Game:
        seat, tile = self.seat, self.bag[0]
        return self._with(
            log=(*self.log, Drew(seat, tile)),
            hands=_changed(self.hands, seat, sorted_hand((*self.hands[seat], tile))),
            bag=self.bag[1:],
            drawn=tile,
            draws=self.draws + 1,
        )

    def _end_turn(self, event: Event, **changes: Any) -> Game:
        """Start the next player's turn, or end the game (5.3 to 5.5)."""
        next_seat = (self.seat + 1) % len(self.players)
        game = self._with(log=(*self.log, event), seat=next_seat, drawn=None, draws=0, **changes)
        if game._is_last_turn_over() or game._is_blocked():
            return game._with(seat=self.seat, over=True)
        return game

    def _with(self, **changes: Any) -> Game:
        """Like `dataclasses.replace`, but much faster: this is the engine's most frequent step."""
        game = object.__new__(Game)
        vars(game).update(vars(self), **changes)
        return game

    def _is_last_turn_over(self) -> bool:
        """Is someone out of tiles, and has everyone with a turn left taken it?"""
        if self.first_out is None:
            return False
        if self.rules.ending == "round":
            return self.seat == self.first
        return self.rules.ending == "at_once" or self.seat == self.first_out

    def _is_blocked(self) -> bool:
        """5.5: the bag is empty and nobody can place a tile, now or later."""
        return not self.bag and not any(map(self._can_place, range(len(self.players))))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.log, self.deal, self.players, self.rules) == (other.log, other.deal, other.players, other.rules)

    def __hash__(self) -> int:
        return hash((self.log, self.deal, self.players, self.rules))

    def __repr__(self) -> str:
        return f"<Game of {len(self.players)}, {len(self.log)} events: {self.table}>"


def checked_names(players: Iterable[str]) -> tuple[str, ...]:
    """The players' names. Raises an error if one can't be shown on a line."""
    names = tuple(players)  # `players` may be an iterator.
    if isinstance(players, str) or not all(isinstance(name, str) for name in names):
        raise RulesError("players must be a list of names")
    for name in names:
        # Control characters, surrogates, line breaks and direction controls garble the screen, or can't be saved or
        # drawn.
        categories = {unicodedata.category(letter) for letter in name}
        has_controls = any(unicodedata.bidirectional(letter) in _DIRECTION_CONTROLS for letter in name)
        is_garbled = has_controls or categories & {"Cc", "Cs", "Zl", "Zp"} or any(map(_is_noncharacter, name))
        if is_garbled or categories <= _INVISIBLE:
            raise RulesError(f"a name must be one line of text, not {name!r}")
    return names


def _is_noncharacter(letter: str) -> bool:
    """Is this one of the code points that Unicode will never assign? Its category can't tell us: it's the same as for
    characters that are too new for this Python's Unicode tables."""
    return "\ufdd0" <= letter <= "\ufdef" or ord(letter) & 0xFFFE == 0xFFFE


def _placeable(hand: tuple[Tile, ...], drawn: Tile | None) -> tuple[Tile, ...]:
    """The tiles of a hand that may be placed: the one just drawn (3.2), or any except a lone chameleon (5.2)."""
    if drawn is not None:
        return (drawn,)
    if len(hand) == 1 and hand[0].is_chameleon:
        return ()
    return hand


def _changed(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
