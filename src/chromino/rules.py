"""`Rules`: the choices made before a game, fixed until its end (rules 2.5 and 6).

Other modules read the choices where they matter: drawing and ending in game.py, joining in table.py, scoring in
scoring.py. This module says what can be chosen and which choices don't go together. The command, the page, the server
and the environment read its table, `CHOICES`, to offer, explain and encode choices.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self, get_args

from chromino.errors import RulesError
from chromino.tiles import CHAMELEONS, CLASSIC_TILES, Tile

Joining = Literal["contacts", "ends"]
Scoring = Literal["expert", "a", "b", "c"]
_ENDING_AT_ONCE: tuple[Scoring, ...] = ("a", "b", "c")  # With these, leftover tiles cost points (6.4).
Ending = Literal["round", "one_more_turn", "at_once"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The choices for one game; each of the rulebooks' presets is a class method.

    >>> Rules.preset("expert", draw_limit=None, open_hands=True).scoring
    'expert'
    """

    chameleons: bool = True
    """Are the five chameleons in the bag? Not in the first edition (1.5)."""
    hand_size: int = 8
    draw_limit: int | None = 1
    """How many tiles you may draw in a turn; None means until one fits (6.1)."""
    open_hands: bool = False
    joining: Joining = "contacts"
    """`contacts`: two or more matching edges (4.2); `ends`: end to end, like dominoes, as in Junior (6.3)."""
    scoring: Scoring | None = None
    """None: a race to run out of tiles; otherwise, how points are counted (6.4)."""
    ending: Ending = "round"
    """When someone runs out: finish the round (5.3), give the others one more turn, or stop at once (both 5.4)."""

    def __post_init__(self) -> None:
        for choice in CHOICES:
            choice.check(getattr(self, choice.name))
        if self.hand_size > len(self.tiles) - 1:
            raise RulesError(
                f"hand_size {self.hand_size} is more than the {len(self.tiles) - 1} tiles in the bag", "bag-too-small"
            )
        if self.scoring in _ENDING_AT_ONCE and self.ending != "at_once":
            raise RulesError(
                f"scoring {self.scoring!r} needs ending 'at_once', not {self.ending!r}: "
                "points are deducted for the tiles left when the first player runs out",
                "scoring-ends-at-once",
            )

    @classmethod
    def classic(cls) -> Self:
        """The standard game, with chameleons."""
        return cls()

    @classmethod
    def junior(cls) -> Self:
        """End to end, like dominoes. Also called Bambino or Patufet."""
        return cls(joining="ends")

    @classmethod
    def expert(cls) -> Self:
        """Points for each placement; the highest score wins."""
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
        """First edition, points for each contact, multiplied at short edges."""
        return cls(chameleons=False, scoring="c", ending="at_once")

    @classmethod
    def preset(cls, name: str, **choices: Any) -> Rules:
        """A preset by name, with individual choices changed.

        >>> Rules.preset("classic", draw_limit=3).draw_limit
        3
        """
        preset = PRESETS.get(name.replace("-", "_")) if isinstance(name, str) else None
        if preset is None:
            raise RulesError(f"there is no preset {name!r}; choose from {', '.join(PRESETS)}")
        for choice in choices:
            if choice not in _DEFAULTS:
                raise RulesError(f"there is no rule choice {choice!r}; choose from {', '.join(_DEFAULTS)}")
        return replace(preset, **choices)

    @property
    def name(self) -> str | None:
        """The name of the preset with exactly these choices, if any."""
        return next((name for name, rules in PRESETS.items() if rules == self), None)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All the tiles of the edition, in a fixed order."""
        return CLASSIC_TILES + CHAMELEONS if self.chameleons else CLASSIC_TILES

    def to_json(self) -> dict[str, Any]:
        """The choices by name, ready for `json.dumps`. Those added after version 1.0 are left out if unchanged.

        That way, records don't change when a choice is added, and older versions can read games that don't use it.
        """
        chosen = {name: getattr(self, name) for name in _DEFAULTS}
        return {name: value for name, value in chosen.items() if name in ALWAYS_WRITTEN or value != _DEFAULTS[name]}

    @classmethod
    def from_json(cls, data: object) -> Self:
        """The rules that `to_json` wrote; a missing choice gets its default.

        >>> Rules.from_json({"joining": "ends"}) == Rules.junior()
        True
        """
        if not isinstance(data, Mapping):
            raise RulesError(f"rules must be an object with rule choices, not {type(data).__name__}")
        if unknown := " or ".join(f"{name!r:.40}" for name in data if name not in _DEFAULTS):
            raise RulesError(f"this version of Chromino doesn't know the rule choice {unknown}; please update")
        return cls(**data)


ALWAYS_WRITTEN = ("chameleons", "hand_size", "draw_limit", "open_hands", "joining", "scoring", "ending")
"""The choices of version 1.0: they're in every record and every observation of the environment."""

Value = bool | int | str | None
OfferedIn = Literal["page", "command"]

_DEFAULTS: Mapping[str, Any] = {choice.name: choice.default for choice in fields(Rules)}
"""Each field's default, in the order in which records list the fields."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A row of the table: everything needed to offer and explain one field of `Rules`."""

    name: str
    """The name of the field."""
    values: tuple[Value, ...]
    """The values on offer, in order. If they're numbers, any other whole number above 0 is allowed too."""
    rule: str
    """The number of the rule that explains the choice, in docs/rules.md and on the page."""
    about: str
    """The explanation for the command line; the page uses `about_key`."""
    own_rules: Mapping[str, str] = field(default_factory=dict)
    """For each value that has its own rule, the number of that rule."""
    also_sets: Mapping[Value, Mapping[str, Value]] = field(default_factory=dict)
    """For each value, the other choices it needs. The page sets them too, so you only choose once."""
    offered: tuple[OfferedIn, ...] = ("page", "command")
    """Where people can change this choice on its own; presets and programs can always set it."""

    @property
    def default(self) -> Value:
        """The classic value."""
        value: Value = _DEFAULTS[self.name]
        return value

    @property
    def is_switch(self) -> bool:
        """Is it a yes-or-no choice?"""
        return isinstance(self.values[0], bool)

    @property
    def is_number(self) -> bool:
        """Is it a whole number, 1 or more? If None is on offer, None means no limit."""
        return not self.is_switch and any(isinstance(value, int) for value in self.values)

    @property
    def title_key(self) -> str:
        """The key of the choice's name in the page's catalogs."""
        return f"rule.{self.name}"

    def text_key(self, value: Value) -> str:
        """The key of a value's text in the page's catalogs; numbers share a text, in which `n` stands for the number.

        >>> [choice.text_key(choice.default) for choice in CHOICES][:3]
        ['rule.joining_contacts', 'rule.draw_limit_n', 'rule.hand_size_n']
        """
        if self.is_number and value is not None:
            return f"{self.title_key}_n"
        return f"{self.title_key}_{value if isinstance(value, str) else json.dumps(value)}"

    def about_key(self, value: Value) -> str:
        """The key of a sentence in the page's catalogs that explains what the value means in play."""
        return f"{self.text_key(value)}_about"

    def check(self, value: object) -> None:
        """Raise an error if the value can't be chosen."""
        if self.is_number:
            fits = (value is None and None in self.values) or (type(value) is int and value >= 1)
            allowed = "a whole number, 1 or more" + (", or None for no limit" if None in self.values else "")
        else:
            fits = any(value == option and type(value) is type(option) for option in self.values)
            allowed = "True or False" if self.is_switch else f"one of {', '.join(map(repr, self.values))}"
        if not fits:
            raise RulesError(f"{self.name} must be {allowed}, not {value!r}")


CHOICES = (
    Choice(
        "joining",
        get_args(Joining),
        rule="6.3",
        about="contacts: two or more matching edges; ends: like dominoes",
        offered=("page",),  # In the terminal, the preset junior is shorter to type.
    ),
    Choice(
        "draw_limit",
        (1, 3, 4, 5, None),
        rule="6.1",
        about="how many tiles you may draw in a turn, or none to draw until one fits",
    ),
    Choice("hand_size", (4, 5, 6, 7, 8, 9, 10, 12), rule="2.3", about="how many tiles each player gets"),
    Choice("open_hands", (False, True), rule="6.2", about="everyone sees every hand"),
    Choice(
        "scoring",
        (None, *get_args(Scoring)),
        rule="6.4",
        own_rules={scoring: f"6.4-{scoring}" for scoring in get_args(Scoring)},
        also_sets={scoring: {"ending": "at_once"} for scoring in _ENDING_AT_ONCE},
        about="how you win: none (be first to run out of tiles), or expert, a, b, or c (have the highest score)",
    ),
    Choice(
        "ending",
        get_args(Ending),
        rule="5.4",
        about="when someone runs out of tiles: round (finish the round), "
        "one_more_turn (everyone else gets one more turn) or at_once (stop right away)",
    ),
    Choice("chameleons", (True, False), rule="1.5", about="include the five chameleons"),
)
"""All choices, in the order they're offered."""

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
