"""The table of rule choices, for pages that explain the rules of a game. What goes together is in options.py."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from chromino.rules import CHOICES, Value


@dataclass(frozen=True, slots=True)
class OfferedChoice:
    """A choice, as the rules know it. Its words are `rule.NAME` and `rule.NAME_VALUE` of the page's catalogs."""

    name: str
    values: list[Value]
    """What is offered, in this order."""
    default: Value
    rule: str
    """The rule that explains it: an address on the page of the rules."""
    own_rules: dict[str, str]
    """Values that have a rule of their own."""


@dataclass(frozen=True, slots=True)
class OfferedChoices:
    """All choices, in the order in which they are offered."""

    choices: list[OfferedChoice]


async def all_choices(_request: Request, _body: None) -> OfferedChoices:
    return OfferedChoices(
        [
            OfferedChoice(choice.name, list(choice.values), choice.default, choice.rule, dict(choice.own_rules))
            for choice in CHOICES
        ]
    )
