"""Rule choices before a game, and the tiles that come with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from chromino.messages.bounds import Bounds
from chromino.messages.views import RuleChoices, WireRules
from chromino.rules import Value


@dataclass(frozen=True, slots=True)
class RulesToCheck:
    """Choices to check before a game, to see which others can be combined with them."""

    rules: RuleChoices = field(default_factory=dict)
    players: Annotated[int, Bounds(ge=1, le=8)] = 2


@dataclass(frozen=True, slots=True)
class Option:
    """One value of one choice."""

    value: int | str | bool | None
    fits: bool
    why: str | None = None
    """A code that says why, if the value doesn't fit."""
    sets: RuleChoices = field(default_factory=dict)
    """Other choices that change with this value."""


@dataclass(frozen=True, slots=True)
class Options:
    """Each choice with its values; `rules` are complete, and `preset` is their name, if any."""

    rules: WireRules
    preset: str | None
    why: str | None
    """A code that says why, if these rules and this number of players can't be combined."""
    presets: dict[str, WireRules]
    """What each preset chooses."""
    choices: dict[str, list[Option]]


@dataclass(frozen=True, slots=True)
class WhichTiles:
    """The query string for the list of tiles."""

    chameleons: Annotated[Literal["true", "false"], Bounds(description="Are the chameleons in the box?")] = "true"


@dataclass(frozen=True, slots=True)
class Tiles:
    """All tiles of an edition, by kind."""

    kinds: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class OfferedChoice:
    """A choice on offer. Its keys in the catalogs are `rule.NAME`, `rule.NAME_VALUE`, `rule.NAME_VALUE_about`."""

    name: str
    values: list[Value]
    """The values on offer, in order."""
    default: Value
    rule: str
    """The number of the rule that explains the choice, which is also its anchor on the rules page."""
    own_rules: dict[str, str]
    """For values that have a rule of their own, its number."""


@dataclass(frozen=True, slots=True)
class OfferedChoices:
    """All choices, in the order they're offered."""

    choices: list[OfferedChoice]
