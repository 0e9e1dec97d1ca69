"""What one seat, or a spectator, may know about a game. Only this module decides that, by listing what's shown.

Other hands (unless open), the order of the bag, and the seed are never part of a view. When the game is over,
all hands are shown. `to_json` and `from_json` carry a view to another program and back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from chromino.errors import ParseError
from chromino.events import Action, Drew, Event, event_from_json, event_to_json, parse_action
from chromino.rules import Rules
from chromino.table import Table
from chromino.tiles import Tile, parse_tiles, sorted_hand

if TYPE_CHECKING:
    from chromino.game import Game

Hand = tuple[Tile, ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class View:
    """A game as seen from one seat: `view = game.view(0)`."""

    me: int | None
    """The seat whose view this is; None for a spectator."""
    rules: Rules
    players: tuple[str, ...]
    first: int
    """The seat that went first."""
    dealt: tuple[Hand | None, ...]
    """The hands at the start; None for those I didn't see."""
    log: tuple[Event, ...]
    """What happened; a drawn tile that I didn't see is None."""
    table: Table
    hands: tuple[Hand | None, ...]
    """The hands I can see now: mine, open ones, last tiles (5.1); None for the others."""
    hand_sizes: tuple[int, ...]
    bag_count: int
    scores: tuple[int, ...]
    seat: int
    """Whose turn it is."""
    drawn: Tile | None
    """The tile just drawn this turn, if I saw it."""
    draws: int
    """How many tiles have been drawn this turn."""
    actions: tuple[Action, ...]
    """What I may do; empty unless it's my turn."""
    over: bool
    winners: tuple[int, ...]

    @classmethod
    def of(cls, game: Game, me: int | None) -> View:
        """What `me` may know about a game."""
        if me is not None and me not in range(len(game.players)):
            raise ValueError(
                f"there is no seat {me!r}; seats go from 0 to {len(game.players) - 1}; None means a spectator"
            )
        seen = seen_seats(game, me)
        return cls(
            me=me,
            rules=game.rules,
            players=game.players,
            first=game.first,
            dealt=seen_deal(game, seen),
            log=tuple([seen_event(event, seen) for event in game.log]),
            table=game.table,
            hands=seen_hands(game, seen),
            hand_sizes=tuple(map(len, game.hands)),
            bag_count=game.bag_count,
            scores=game.scores,
            seat=game.seat,
            drawn=seen_draw(game, seen),
            draws=game.draws,
            actions=tuple(game.actions()) if game.seat == me else (),
            over=game.over,
            winners=game.winners,
        )

    @property
    def hand(self) -> Hand:
        """My own tiles; a spectator has none."""
        mine = None if self.me is None else self.hands[self.me]
        return mine or ()

    def sample(self, rng: Random) -> Game:
        """A full game that could be the one I see: same view, same log, hidden tiles filled in at random.

        It's consistent with everything seen so far. For example, a player who drew had nothing to place at that moment.
        If you need many samples of one view, use a `chromino.sampling.Sampler`.

        >>> from chromino import Game
        >>> view = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7).view(0)
        >>> view.sample(Random(1)).view(0) == view
        True
        """
        from chromino.sampling import Sampler  # Imported here because samplers make games, and games make views.

        return Sampler(self).sample(rng)

    def to_json(self) -> dict[str, Any]:
        """The view as plain objects, ready for `json.dumps`.

        >>> from chromino import Game
        >>> Game.start(Rules.classic(), ["Ada", "Bob"], seed=7).view(0).to_json()["bag_count"]
        63
        """
        return {
            "me": self.me,
            "rules": self.rules.to_json(),
            "players": list(self.players),
            "first": self.first,
            "dealt": list(map(hand_texts, self.dealt)),
            "log": list(map(event_to_json, self.log)),
            "table": str(self.table),
            "hands": list(map(hand_texts, self.hands)),
            "hand_sizes": list(self.hand_sizes),
            "bag_count": self.bag_count,
            "scores": list(self.scores),
            "seat": self.seat,
            "drawn": self.drawn and str(self.drawn),
            "draws": self.draws,
            "actions": list(map(str, self.actions)),
            "over": self.over,
            "winners": list(self.winners),
        }

    @classmethod
    def from_json(cls, data: object) -> View:
        """The view that `to_json` wrote. Only its form is checked, not whether such a view is possible."""
        names = [field.name for field in fields(cls)]
        if not isinstance(data, Mapping) or sorted(data) != sorted(names):
            raise ParseError(f"a view must be an object with the keys {', '.join(names)}")
        return cls(
            me=None if data["me"] is None else _number(data["me"]),
            rules=Rules.from_json(data["rules"]),
            players=_list(data["players"], _text),
            first=_number(data["first"]),
            dealt=_list(data["dealt"], _hand),
            log=_list(data["log"], event_from_json),
            table=Table.parse(data["table"]),
            hands=_list(data["hands"], _hand),
            hand_sizes=_list(data["hand_sizes"], _number),
            bag_count=_number(data["bag_count"]),
            scores=_list(data["scores"], _number),
            seat=_number(data["seat"]),
            drawn=None if data["drawn"] is None else Tile.parse(data["drawn"]),
            draws=_number(data["draws"]),
            actions=_list(data["actions"], lambda action: parse_action(_text(action))),
            over=_flag(data["over"]),
            winners=_list(data["winners"], _number),
        )


def are_hands_open(rules: Rules) -> bool:
    """Does everyone, including spectators, see all hands?"""
    return rules.open_hands


# The parts of a view. The server writes many views, and only recomputes the parts that have changed.


def public_fields(game: Game) -> dict[str, Any]:
    """The fields that are the same for all observers, as in `View.to_json`."""
    return {
        "rules": game.rules.to_json(),
        "players": game.players,
        "first": game.first,
        "table": str(game.table),
        "hand_sizes": list(map(len, game.hands)),
        "bag_count": game.bag_count,
        "scores": game.scores,
        "seat": game.seat,
        "draws": game.draws,
        "over": game.over,
        "winners": game.winners,
    }


def seen_seats(game: Game, me: int | None) -> list[bool]:
    """For each seat, can `me` see its tiles, whether dealt, drawn or in hand?"""
    is_open = are_hands_open(game.rules)
    return [is_open or seat == me for seat in range(len(game.players))]


def seen_deal(game: Game, seen: list[bool]) -> tuple[Hand | None, ...]:
    """The hands at the start; None for those that can't be seen. A hand of one tile is always shown (5.1)."""
    return tuple(
        sorted_hand(hand) if is_seen or len(hand) == 1 else None
        for hand, is_seen in zip(game.deal.hands, seen, strict=True)
    )


def seen_hands(game: Game, seen: list[bool]) -> tuple[Hand | None, ...]:
    """The hands now; None for those that can't be seen."""
    return tuple(
        [
            hand if is_seen or len(hand) <= 1 or game.over else None
            for hand, is_seen in zip(game.hands, seen, strict=True)
        ]
    )


def seen_draw(game: Game, seen: list[bool]) -> Tile | None:
    """The tile just drawn this turn, if it can be seen."""
    return game.drawn if seen[game.seat] else None


def seen_event(event: Event, seen: list[bool]) -> Event:
    """The event, without the drawn tile if that can't be seen."""
    return Drew(event.seat, None) if isinstance(event, Drew) and not seen[event.seat] else event


def hand_texts(hand: Hand | None) -> list[str] | None:
    return None if hand is None else list(map(str, hand))


# Readers for the parts of a view in JSON. Each checks the form of its part.


def _hand(data: object) -> Hand | None:
    return None if data is None else parse_tiles(data)


def _list(data: object, read: Callable[[object], T]) -> tuple[T, ...]:
    if not isinstance(data, list):
        raise ParseError(f"{data!r:.40} isn't a list")
    return tuple(map(read, data))


def _number(data: object) -> int:
    if not isinstance(data, int) or isinstance(data, bool):
        raise ParseError(f"{data!r:.40} isn't a whole number")
    return data


def _text(data: object) -> str:
    if not isinstance(data, str):
        raise ParseError(f"{data!r:.40} isn't text")
    return data


def _flag(data: object) -> bool:
    if not isinstance(data, bool):
        raise ParseError(f"{data!r:.40} isn't true or false")
    return data
