"""A playable lesson: short steps, each a moment of a real game in which the learner makes the next move.

A step is data: the deal, the moves so far, and places that look right but aren't. The rules judge the learner's
actions. Nothing is stored: with each attempt, the page sends all actions of the step so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from chromino.deal import Deal
from chromino.errors import IllegalAction, ParseError
from chromino.events import Action, Pass, Place, Placed, parse_action
from chromino.game import Game
from chromino.refusal import Contact, Refusal
from chromino.rules import Rules
from chromino.scoring import points
from chromino.tiles import Placement, Tile, parse_tiles

LEARNER = 0
"""The learner's seat; a bot plays the other one."""


class Verdict(StrEnum):
    """The result of an attempt."""

    RIGHT = "right"  # The step is done.
    GO_ON = "go-on"  # Legal, but there's more to do.
    OTHER = "other"  # Legal, but not what the step asks for: nothing happens, and the learner can try again.
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step. Tiles and placements are strings, separated by spaces."""

    name: str
    rules: Rules
    start: str
    """The first tile on the table."""
    hands: tuple[str, str]
    """The learner's tiles and the bot's, as dealt."""
    moves: str
    """The placements made before this step, starting with the seat `first`."""
    first: int = LEARNER
    bag: str = ""
    """The next tiles to draw; the rest of the box follows in a fixed order."""
    decoys: str = ""
    """Places that look right, but are refused for the reason the step teaches."""
    wanted: str = ""
    """The tile to place, if it must be a certain one; or "most" for the places that earn the most points."""
    to_the_end: bool = False
    """Is the step done when the game is over, rather than when the learner has placed a tile?"""
    extra: bool = False
    """Is it an optional step, after the seven main ones?"""

    @property
    def position(self) -> Game:
        """The game at the start of the step, when it's the learner's turn."""
        return _position(self)

    def offers(self, game: Game) -> tuple[Placement, ...]:
        """The places to choose from: the legal ones and those that only look right."""
        legal = [action.placement for action in game.actions() if isinstance(action, Place)]
        decoys = map(Placement.parse, self.decoys.split()) if game.seat == LEARNER and legal else ()
        return (*legal, *decoys)

    def is_done(self, game: Game) -> bool:
        if self.to_the_end:
            return game.over
        new_events = game.log[len(self.position.log) :]
        return any(isinstance(event, Placed) and event.seat == LEARNER for event in new_events)

    def is_wanted(self, game: Game, action: Action) -> bool:
        """Is this legal action what the step asks for?"""
        if not self.wanted or not isinstance(action, Place):
            return True
        if self.wanted != "most":
            return action.placement.tile == Tile.parse(self.wanted)
        earned = [sum(_points(game, other.placement)) for other in game.actions() if isinstance(other, Place)]
        return sum(_points(game, action.placement)) == max(earned)


@dataclass(frozen=True, slots=True)
class Judgment:
    """The verdict on the last action, and what that action led to."""

    verdict: Verdict
    game: Game
    """The game after the action; unchanged if the action was wrong."""
    refusal: Refusal | None = None
    contacts: tuple[Contact, ...] = ()
    """The contacts of the tile that the learner placed."""
    points: tuple[int, ...] = ()
    """The points that the tile earned, or would have earned."""


def attempt(step: LessonStep, actions: Sequence[str]) -> Judgment:
    """Judge the last action; the ones before it must have been right, without completing the step."""
    if not actions:
        raise ParseError("there must be at least one action to judge")
    judgment = Judgment(Verdict.GO_ON, step.position)
    for text in actions:
        if judgment.verdict is not Verdict.GO_ON:
            raise ParseError(f"{text} can't come next: the action before it was wrong, or completed the step")
        judgment = _act(step, judgment.game, parse_action(text))
    return judgment


def _act(step: LessonStep, game: Game, action: Action) -> Judgment:
    placement = action.placement if isinstance(action, Place) else None
    contacts = game.table.contacts(placement) if placement else ()
    try:
        new_game = game.apply(action)
    except IllegalAction as error:
        return Judgment(Verdict.REFUSED, game, error.refusal)
    earned = _points(game, placement) if placement else ()
    if not step.is_wanted(game, action):
        return Judgment(Verdict.OTHER, game, contacts=contacts, points=earned)
    while not step.is_done(new_game) and not new_game.over and _is_automatic(new_game):
        new_game = new_game.apply(new_game.actions()[0])
    verdict = Verdict.RIGHT if step.is_done(new_game) else Verdict.GO_ON
    return Judgment(verdict, new_game, contacts=contacts, points=earned)


def _is_automatic(game: Game) -> bool:
    """Is it the bot's turn, or does the learner have to pass? Both happen automatically, as in any game."""
    return game.seat != LEARNER or game.actions() == [Pass()]


def _points(game: Game, placement: Placement) -> tuple[int, ...]:
    return points(game.table, placement, game.rules.scoring) if game.rules.scoring else ()


@cache
def _position(step: LessonStep) -> Game:
    start, hands, drawn = Tile.parse(step.start), tuple(_tiles(hand) for hand in step.hands), _tiles(step.bag)
    used = {start, *drawn, *(tile for hand in hands for tile in hand)}
    bag = (*drawn, *(tile for tile in step.rules.tiles if tile not in used))
    game = Game.dealt(step.rules, ("Learner", "Bot"), Deal(step.first, start, hands, bag))
    for move in step.moves.split():
        game = game.apply(Place(Placement.parse(move)))
    return game


def _tiles(text: str) -> tuple[Tile, ...]:
    return parse_tiles(text.split())


STEPS = (
    # Two squares of the tile touch their own color, above or below. At the end of the row, only one would.
    LessonStep(
        "contacts",
        Rules.preset("first_edition", hand_size=2),
        start="RGB",
        hands=("RRG PPY", "YYY YPY"),
        moves="",
        decoys="GRR@-3,0>",
    ),
    # Below, two colors match and nothing else touches. Above, red would touch green.
    LessonStep(
        "clash",
        Rules.preset("first_edition", hand_size=2),
        start="BGY",
        hands=("RBG PPR", "GBG YPY"),
        moves="GBG@-1,-1>",
        first=1,
        decoys="RBG@-1,-2>",
    ),
    # In the corner, one green square touches two tiles. In the decoy, blue only meets blue diagonally.
    LessonStep(
        "corners",
        Rules.preset("first_edition", hand_size=2),
        start="GYB",
        hands=("GRB PPP", "GGY RPR"),
        moves="GGY@-1,-1>",
        first=1,
        decoys="BRG@3,1>",
    ),
    # The wild center matches green, but red doesn't.
    LessonStep(
        "chameleon",
        Rules.preset("classic", hand_size=2),
        start="R*P",
        hands=("GPG YYB", "YYY BBB"),
        moves="",
        decoys="GPG@-3,0>",
    ),
    # Nothing fits, not even the first tile drawn, but the second one does.
    LessonStep(
        "drawing",
        Rules.preset("first_edition", hand_size=2),
        start="RGB",
        hands=("PPP YYP", "RRG BBG"),
        moves="",
        bag="YYY GBP",
    ),
    # Two tiles left: the chameleon must go first.
    LessonStep(
        "last",
        Rules.preset("classic", hand_size=3),
        start="G*B",
        hands=("GPB Y*P RBG", "GRB GGG RRY"),
        moves="GRB@0,-1> GPB@0,1> GGG@-1,-1v",
        first=1,
        wanted="Y*P",
    ),
    # One tile left each: the learner runs out first, and the bot finishes the round.
    LessonStep(
        "round",
        Rules.preset("classic", hand_size=2),
        start="B*Y",
        hands=("BGY RBG", "BYY YBP"),
        moves="BGY@0,1> BYY@0,-1>",
        to_the_end=True,
    ),
    # Tiles join end to end, like dominoes; side by side isn't allowed.
    LessonStep(
        "junior",
        Rules.preset("junior", hand_size=2),
        start="G*B",
        hands=("YYP RRB", "BRY PPP"),
        moves="BRY@3,0>",
        first=1,
        decoys="YYP@5,1>",
        extra=True,
    ),
    # Three places that earn 4, 6 and 9.
    LessonStep(
        "scoring",
        Rules.preset("expert", hand_size=3),
        start="Y*P",
        hands=("PYP GPP RRB", "GYG YPP BBB"),
        moves="GYG@-1,-1> PYP@-1,1> YPP@0,2>",
        first=1,
        wanted="most",
        extra=True,
    ),
)
"""The seven main steps in order, then the optional ones."""
