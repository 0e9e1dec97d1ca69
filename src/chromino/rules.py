"""`Rules`: the choices made before a game, which then hold to its end (rules 2.5 and 6).

What each choice means is asked where it matters: drawing and ending in game.py, joining in table.py,
scoring in scoring.py. Here is only what may be chosen, and what does not go together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, Self, get_args

from chromino.errors import RulesError
from chromino.tiles import CHAMELEONS, CLASSIC_TILES, Tile

Joining = Literal["contacts", "ends"]
Scoring = Literal["expert", "a", "b", "c"]
Ending = Literal["round", "one_more_turn", "at_once"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The choices of one game; each preset of the rulebooks is a class method.

    >>> Rules.preset("expert", draw_limit=None, open_hands=True).scoring
    'expert'
    """

    chameleons: bool = True
    """Are the five chameleons in the bag? Not in the first edition (1.5)."""
    hand_size: int = 8
    draw_limit: int | None = 1
    """How many tiles a turn may draw; None: until one can be placed (6.1)."""
    open_hands: bool = False
    joining: Joining = "contacts"
    """`contacts`: two or more of equal color (4.2); `ends`: like dominoes, Junior (6.3)."""
    scoring: Scoring | None = None
    """None: a race, the first to run out wins; else the points of 6.4."""
    ending: Ending = "round"
    """When someone is out: finish the round (5.3), one more turn for the others (5.4), or stop (6.4)."""

    def __post_init__(self) -> None:
        for name in ("chameleons", "open_hands"):
            if not isinstance(getattr(self, name), bool):
                raise RulesError(f"{name} is True or False, not {getattr(self, name)!r}")
        _one_of("joining", self.joining, get_args(Joining))
        _one_of("scoring", self.scoring, (None, *get_args(Scoring)))
        _one_of("ending", self.ending, get_args(Ending))
        if not _is_int(self.hand_size) or self.hand_size < 1:
            raise RulesError(f"hand_size is a number from 1 up, not {self.hand_size!r}")
        if self.hand_size > len(self.tiles) - 1:
            raise RulesError(
                f"hand_size {self.hand_size} is more than the {len(self.tiles) - 1} tiles in the bag", "bag-too-small"
            )
        if self.draw_limit is not None and (not _is_int(self.draw_limit) or self.draw_limit < 1):
            raise RulesError(
                f"draw_limit is a number from 1 up, or None for no limit, not {self.draw_limit!r}: "
                "whoever cannot place must draw"
            )
        if self.scoring in ("a", "b", "c") and self.ending != "at_once":
            raise RulesError(
                f"scoring {self.scoring!r} goes with ending 'at_once', not {self.ending!r}: "
                "it takes off the tiles left when the first player runs out",
                "scoring-ends-at-once",
            )

    @classmethod
    def classic(cls) -> Self:
        """The current rulebooks' game, with chameleons."""
        return cls()

    @classmethod
    def junior(cls) -> Self:
        """Bambino, Patufet: end to end, like dominoes."""
        return cls(joining="ends")

    @classmethod
    def expert(cls) -> Self:
        """Points for each placement, the most points win."""
        return cls(scoring="expert")

    @classmethod
    def first_edition(cls) -> Self:
        """75 tiles, no chameleons."""
        return cls(chameleons=False)

    @classmethod
    def scoring_a(cls) -> Self:
        """First edition, simple points."""
        return cls(chameleons=False, scoring="a", ending="at_once")

    @classmethod
    def scoring_b(cls) -> Self:
        """First edition, points for each contact."""
        return cls(chameleons=False, scoring="b", ending="at_once")

    @classmethod
    def scoring_c(cls) -> Self:
        """First edition, points multiply at short edges."""
        return cls(chameleons=False, scoring="c", ending="at_once")

    @classmethod
    def preset(cls, name: str, **choices: Any) -> Rules:
        """A preset by its name, with single choices changed.

        >>> Rules.preset("classic", draw_limit=3).draw_limit
        3
        """
        known = PRESETS.get(name.replace("-", "_")) if isinstance(name, str) else None
        if known is None:
            raise RulesError(f"there is no preset {name!r}; there are {', '.join(PRESETS)}")
        _only_known(choices)
        return replace(known, **choices)

    @property
    def name(self) -> str | None:
        """The preset that these rules are, if they are one."""
        return next((name for name, rules in PRESETS.items() if rules == self), None)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All the tiles of the edition, in a fixed order."""
        return CLASSIC_TILES + CHAMELEONS if self.chameleons else CLASSIC_TILES

    def to_json(self) -> dict[str, Any]:
        """Every choice by its name, ready for `json.dumps`."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: object) -> Self:
        """The rules that `to_json` wrote; a choice that is missing has its classic value.

        >>> Rules.from_json({"joining": "ends"}) == Rules.junior()
        True
        """
        if not isinstance(data, Mapping):
            raise RulesError(f"rules are an object of choices, not {type(data).__name__}")
        _only_known(data)
        return cls(**data)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _one_of(name: str, value: object, choices: tuple[object, ...]) -> None:
    if value not in choices:
        raise RulesError(f"{name} is one of {', '.join(map(repr, choices))}, not {value!r}")


def _only_known(choices: Mapping[str, Any]) -> None:
    names = [field.name for field in fields(Rules)]
    for name in choices:
        if name not in names:
            raise RulesError(f"rules have no choice {name!r}; they have {', '.join(names)}")


PRESETS: Mapping[str, Rules] = {
    "classic": Rules.classic(),
    "junior": Rules.junior(),
    "expert": Rules.expert(),
    "first_edition": Rules.first_edition(),
    "scoring_a": Rules.scoring_a(),
    "scoring_b": Rules.scoring_b(),
    "scoring_c": Rules.scoring_c(),
}
"""The presets by name."""

CLASSIC = PRESETS["classic"]
