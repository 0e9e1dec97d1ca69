"""Which rules can be combined: the values of each choice, whether each fits the other choices, and if not, why."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from chromino.deal import Deal
from chromino.errors import RulesError
from chromino.messages.rule_choices import Option, Options
from chromino.rules import CHOICES, PRESETS, Choice, Rules, Value


def options(rules: Rules, players: int) -> Options:
    """The options for each choice, given these rules. A custom number is kept as an option."""
    choices = {}
    for choice in CHOICES:
        if "page" in choice.offered:
            chosen = getattr(rules, choice.name)
            offered = choice.values if chosen in choice.values else (*choice.values, chosen)
            choices[choice.name] = [_option(rules, players, choice, value) for value in offered]
    return Options(
        rules=asdict(rules),
        preset=rules.name,
        why=_why_invalid(rules, {}, players),
        presets={name: asdict(preset) for name, preset in PRESETS.items()},
        choices=choices,
    )


def _option(rules: Rules, players: int, choice: Choice, value: Value) -> Option:
    implied = choice.also_sets.get(value, {})
    sets = {name: needed for name, needed in implied.items() if getattr(rules, name) != needed}
    why = _why_invalid(rules, {choice.name: value, **sets}, players)
    return Option(value=value, fits=why is None, why=why, sets=sets)


def _why_invalid(rules: Rules, changes: dict[str, Any], players: int) -> str | None:
    """Why the rules would be invalid with these changes, as an error code, or None if they're valid."""
    try:
        Deal.check_players(replace(rules, **changes), players)
    except RulesError as error:
        return error.code
    return None
