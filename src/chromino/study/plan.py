"""The questions of a study, and the cells of games that answer them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from chromino.bots import find
from chromino.deal import Deal
from chromino.errors import RulesError
from chromino.rules import PRESETS, Rules
from chromino.study.cells import Cell, StudyError

QUESTIONS = {
    "beginning": "Is going first an advantage?",
    "length": "How long is a game?",
    "endings": "How often are there several winners, and how often is a game blocked?",
    "variants": "What does each variant change?",
    "tiles": "Which tiles are easiest to place?",
    "keeping": "Which tiles are good to have, and which are worth keeping?",
    "bots": "How good are the bots?",
}

_QUICK, _SLOW, _SLOWEST = ("random", "snail", "hedgehog", "fox"), "owl", "dragon"
LADDER = (*_QUICK, _SLOW, _SLOWEST)
"""The bots to compare in pairs: random play, then the five levels."""

_CHANGES: Mapping[str, Mapping[str, Any]] = {
    "draw until one fits": {"draw_limit": None},
    "draw up to three": {"draw_limit": 3},
    "open hands": {"open_hands": True},
    "one more turn": {"ending": "one_more_turn"},
    "stop at once": {"ending": "at_once"},
}
"""Single changes to the rules to try, besides the presets."""

_MIN_GAMES = 10
"""Pairs with a slow bot that would play fewer games than this are left out: the result would be meaningless."""


@dataclass(frozen=True, slots=True)
class Study:
    """What to study: the questions, how many games to play, the rules, and who plays."""

    games: int = 1000
    questions: tuple[str, ...] = tuple(QUESTIONS)
    rules: Rules = PRESETS["classic"]
    players: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8)
    bot: str = "fox"
    """The bot that plays: foxes are quick, and consider points and what others may hold."""

    def __post_init__(self) -> None:
        if self.games < 1:
            raise StudyError(f"a study needs 1 game or more, not {self.games}")
        for name in self.questions:
            if name not in QUESTIONS:
                raise StudyError(f"there is no question {name!r}; choose from {', '.join(QUESTIONS)}")
        for number in self.players:
            Deal.check_players(self.rules, number)
        object.__setattr__(self, "bot", find(self.bot).name)  # The bot may be given as a level.
        if not self.by_players and set(self.questions) - {"length", "bots"}:
            raise StudyError(
                "with one player, only the questions length and bots make sense: add 2 or a higher number to --players"
            )

    @property
    def base(self) -> Cell:
        """The games that most questions are about: those with the smallest number of players above one."""
        return next(iter(self.by_players.values()))

    @property
    def by_players(self) -> dict[int, Cell]:
        """Games with several players, by number of players."""
        return {number: self._cell(number) for number in sorted(set(self.players)) if number > 1}

    @property
    def solo(self) -> Cell | None:
        """Games with one player."""
        return self._cell(1) if 1 in self.players else None

    def _cell(self, players: int) -> Cell:
        return Cell(self.rules, players, (self.bot,))

    @property
    def variants(self) -> dict[str, Cell]:
        """The chosen rules, the other presets, and single changes, all with the same number of players."""
        players, bots = self.base.players, (self.bot,)
        variants = {"as chosen": self.rules} | {name: rules for name, rules in PRESETS.items() if rules != self.rules}
        variants |= dict(_changed(self.rules))
        return {
            name: Cell(rules, players, bots)
            for name, rules in variants.items()
            if players * rules.hand_size < len(rules.tiles)  # There are enough tiles for everyone.
        }

    @property
    def experiment(self) -> Cell:
        """The games of the experiment that measures what keeping a tile is worth."""
        return replace(self.base, is_experiment=True)

    @property
    def pairs(self) -> dict[tuple[str, str], Cell]:
        """All pairs of bots, the stronger one first."""
        ladder = LADDER[::-1]
        return {
            (strong, weak): Cell(self.rules, 2, (strong, weak))
            for number, strong in enumerate(ladder)
            for weak in ladder[number + 1 :]
        }

    def plan(self) -> dict[Cell, int]:
        """How many batches of each cell to play."""
        batches: dict[Cell, int] = {}

        def want(cells: Iterable[Cell], games: int) -> None:
            for cell in cells:
                batches[cell] = max(batches.get(cell, 0), -(-games // cell.batch_size))

        asked = set(self.questions)
        if asked - {"variants", "bots"} and self.by_players:
            want([self.base], self.games)
        if asked & {"beginning", "length", "endings"}:
            want(self.by_players.values(), self._part(12))
        if "length" in asked and self.solo:
            want([self.solo], self._part(12))
        if "variants" in asked:
            want(self.variants.values(), self._part(len(self.variants)))
        if "keeping" in asked:
            want([self.experiment], self._part(2))
        if "bots" in asked:
            for pair, cell in self.pairs.items():
                divisor = 1500 if _SLOWEST in pair else 200 if _SLOW in pair else 6
                if divisor == 6 or self.games // divisor >= _MIN_GAMES:
                    want([cell], self._part(divisor))
        return batches

    def _part(self, divisor: int) -> int:
        """The number of games divided by this, rounded up."""
        return -(-self.games // divisor)


def _changed(rules: Rules) -> Iterable[tuple[str, Rules]]:
    for name, changes in _CHANGES.items():
        try:
            changed = replace(rules, **changes)
        except RulesError:  # Some choices can't be combined.
            continue
        if changed != rules and changed not in PRESETS.values():
            yield name, changed
