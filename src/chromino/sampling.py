"""Full games that are consistent with a view: hidden tiles are filled in at random.

A hidden tile is in a *slot*: it's been in a seat's hand since the deal, or since the event that drew it, or it's still
in the bag. The log limits which tile can be in which slot:

- a tile that a seat placed, or was seen holding, was dealt to that seat, or drawn by that seat before being placed;
- a tile shown as the last one (5.1) was the only tile in its seat's hand at that point;
- a player who drew or passed had nothing that fit the table at that moment (3.1), except a lone chameleon (5.2).

We learn nothing more from the fact that a game wasn't blocked (5.5): once the bag is empty, everyone knows which tiles
are left in hands, and a lone chameleon, which can't be placed, is visible.

So a sample is a perfect matching of tiles and slots. Augmenting paths in random order find one (there must be one: the
true deal). Then random swaps, which keep it a matching, make all matchings about equally likely.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import inf
from random import Random
from typing import NamedTuple

from chromino.deal import Deal
from chromino.events import Drew, Placed
from chromino.game import Game
from chromino.table import Table
from chromino.tiles import Tile
from chromino.view import View

_DEAL = -1  # The "event" that dealt the hands.
_BAG = -1  # The "seat" that holds the bag.
_SWAPS_PER_SLOT = 8  # How many swaps to try for each slot outside the bag.


class _Slot(NamedTuple):
    """Where a hidden tile is, or was until it was placed."""

    seat: int
    since: int


class Sampler:
    """Makes any number of games consistent with one view, and analyzes the view only once.

    >>> from chromino import Game, Rules
    >>> sampler = Sampler(Game.start(Rules.classic(), ["Ada", "Bob"], seed=7).view(0))
    >>> len({sampler.sample(Random(seed)) for seed in range(10)})
    10
    """

    def __init__(self, view: View) -> None:
        self._view = view
        story = _Story(view)
        self._known = story.known
        self._slots = story.hidden_slots
        self._hidden = story.hidden_tiles
        self._fits = {
            slot: frozenset(tile for tile in self._hidden if story.allows(tile, slot))
            for slot in {*self._slots, _Slot(_BAG, _DEAL)}
        }
        self._never_in_bag = [tile for tile in self._hidden if tile not in self.may_be_in_bag]

    @property
    def may_be_in_bag(self) -> frozenset[Tile]:
        """The tiles that may still be in the bag."""
        return self._fits[_Slot(_BAG, _DEAL)]

    def sample(self, rng: Random) -> Game:
        """A random full game; all games consistent with the view are about equally likely."""
        return self.sample_with_alternatives(rng)[0]

    def sample_with_alternatives(self, rng: Random) -> tuple[Game, list[tuple[int, Tile, frozenset[Tile]]]]:
        """A sample and, for each hidden tile in a hand, its seat, the tile, and the tiles that could replace it."""
        view = self._view
        dealt: list[list[Tile]] = [list(hand or ()) for hand in view.dealt]
        drawn: dict[int, Tile] = {}
        in_slots, bag = self._matching(rng)
        for (seat, since), tile in [*self._known, *zip(self._slots, in_slots, strict=True)]:
            if since == _DEAL:
                dealt[seat].append(tile)
            else:
                drawn[since] = tile
        log = tuple(
            replace(event, tile=drawn[number]) if number in drawn and isinstance(event, Drew) else event
            for number, event in enumerate(view.log)
        )
        draws = [event.tile for event in log if isinstance(event, Drew) and event.tile]
        deal = Deal(view.first, view.table.laid[0].tile, tuple(map(tuple, dealt)), (*draws, *bag))
        # Derive the rest from the log without replaying it, which would take a hundred times as long.
        hands, earned, first_out = [set(hand) for hand in dealt], [0] * len(dealt), None
        for event in log:
            if isinstance(event, Drew) and event.tile:
                hands[event.seat].add(event.tile)
            elif isinstance(event, Placed):
                hands[event.seat].remove(event.placement.tile)
                earned[event.seat] += sum(event.points)
                if not hands[event.seat] and first_out is None:
                    first_out = event.seat
        game = Game(
            rules=view.rules,
            players=view.players,
            deal=deal,
            log=log,
            table=view.table,
            hands=tuple(tuple(sorted(hand)) for hand in hands),
            bag=bag,
            seat=view.seat,
            drawn=draws[-1] if view.draws and not view.over else None,
            draws=view.draws,
            earned=tuple(earned),
            first_out=first_out,
            over=view.over,
        )
        places = [
            (slot.seat, tile, self._fits[slot])
            for slot, tile in zip(self._slots, in_slots, strict=True)
            if tile in hands[slot.seat]
        ]
        return game, places

    def _matching(self, rng: Random) -> tuple[list[Tile], tuple[Tile, ...]]:
        """A random tile for each slot, and the remaining tiles as the bag, in random order."""
        slots, fits = self._slots, [self._fits[slot] for slot in self._slots]
        in_bag = self.may_be_in_bag
        tiles = self._hidden.copy()
        rng.shuffle(tiles)
        tile_in: dict[int, Tile] = {}  # By slot number.
        slot_of: dict[Tile, int] = {}

        def put(tile: Tile, number: int) -> None:
            tile_in[number] = tile
            slot_of[tile] = number

        def find_slot(tile: Tile, tried: set[int]) -> bool:
            for number in order:
                if tile in fits[number] and number not in tried:
                    tried.add(number)
                    if number not in tile_in or find_slot(tile_in[number], tried):
                        put(tile, number)
                        return True
            return False

        def find_tile(number: int, tried: set[Tile]) -> bool:
            for tile in tiles:
                if tile in fits[number] and tile not in tried:
                    tried.add(tile)
                    if tile not in slot_of or find_tile(slot_of[tile], tried):
                        put(tile, number)
                        return True
            return False

        order = list(range(len(slots)))
        rng.shuffle(order)
        # Start with the tiles that can't be in the bag; filling the other slots only moves them from slot to slot.
        for tile in self._never_in_bag:
            find_slot(tile, set())
        for number in order:
            if number not in tile_in:
                find_tile(number, set())
        for _ in range(_SWAPS_PER_SLOT * len(slots)):
            number, tile = rng.choice(order), rng.choice(tiles)
            old_tile, other = tile_in[number], slot_of.get(tile)
            if tile in fits[number] and old_tile in (in_bag if other is None else fits[other]):
                del slot_of[old_tile]
                put(tile, number)
                if other is not None:
                    put(old_tile, other)
        return [tile_in[number] for number in range(len(slots))], tuple(tile for tile in tiles if tile not in slot_of)


class _Story:
    """What a view's log reveals about hidden tiles."""

    def __init__(self, view: View) -> None:
        self._placed: dict[Tile, int] = {}  # The event that placed a tile.
        self._holder: dict[Tile, int] = {}  # The seat that's known to have, or have had, a tile.
        self._shown: list[tuple[int, int, Tile]] = []  # Seat, event, last tile.
        self._stuck: list[tuple[int, int, frozenset[Tile]]] = []  # Seat, event, tiles that weren't in that hand.
        hidden_seats = [seat for seat, hand in enumerate(view.dealt) if hand is None or _has_hidden_draw(view, seat)]
        known = {
            _Slot(before.seat, number): event.placement.tile
            for number, (before, event) in enumerate(pairwise(view.log))
            if isinstance(before, Drew) and before.tile is None and isinstance(event, Placed)
        }  # 3.2: a tile placed after drawing is the one just drawn.
        self.known = list(known.items())
        draws = [
            _Slot(event.seat, number)
            for number, event in enumerate(view.log)
            if isinstance(event, Drew) and event.tile is None
        ]
        deals = [_Slot(seat, _DEAL) for seat, hand in enumerate(view.dealt) if hand is None]
        self.hidden_slots = [slot for slot in draws if slot not in known] + deals * view.rules.hand_size
        seen = {view.table.laid[0].tile, *known.values()}
        seen.update(tile for hand in view.dealt for tile in hand or ())
        seen.update(event.tile for event in view.log if isinstance(event, Drew) and event.tile)
        self.hidden_tiles = [tile for tile in view.rules.tiles if tile not in seen]
        for seat, hand in enumerate(view.hands):
            self._holder.update(dict.fromkeys(hand or (), seat))
        self._read(view, hidden_seats)

    def _read(self, view: View, hidden_seats: list[int]) -> None:
        table = Table().lay(view.table.laid[0])
        lone_tiles = [hand[0] if hand and len(hand) == 1 else None for hand in view.dealt]
        exempt: Tile | None = None  # A lone chameleon, which the player couldn't place even if it fit (5.2).
        turn_begins = True
        for number, event in enumerate(view.log):
            seat = event.seat
            if turn_begins:
                tile = lone_tiles[seat]
                exempt = tile if tile and tile.is_chameleon else None
            if isinstance(event, Placed):
                self._placed[event.placement.tile] = number
                self._holder[event.placement.tile] = seat
                lone_tiles[seat] = event.shows
                if event.shows:
                    self._holder[event.shows] = seat
                    self._shown.append((seat, number, event.shows))
                table = table.lay(event.placement)
            elif seat in hidden_seats:
                absent = (tile for tile in self.hidden_tiles if tile is not exempt and table.fits(tile, view.rules))
                self._stuck.append((seat, number, frozenset(absent)))
            if isinstance(event, Drew):
                lone_tiles[seat] = None
            turn_begins = not isinstance(event, Drew)

    def allows(self, tile: Tile, slot: _Slot) -> bool:
        """Can this hidden tile be, or have been, in this slot?"""
        if slot.seat == _BAG:
            return tile not in self._holder
        if self._holder.get(tile, slot.seat) != slot.seat:
            return False
        since, until = slot.since, self._placed.get(tile, inf)
        if since >= until:
            return False
        for seat, event, last in self._shown:
            # When a seat showed its last tile, all its other tiles had been placed or hadn't been drawn yet.
            if seat == slot.seat and since < event and tile is not last and until > event:
                return False
            if tile is last and since > event:
                return False
        return not any(
            seat == slot.seat and since < event < until and tile in absent for seat, event, absent in self._stuck
        )


def _has_hidden_draw(view: View, seat: int) -> bool:
    return any(isinstance(event, Drew) and event.seat == seat and event.tile is None for event in view.log)
