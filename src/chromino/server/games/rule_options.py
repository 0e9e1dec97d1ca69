"""Which rules go together: for each choice its values, whether they fit the others, and if not, why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

from chromino.deal import Deal
from chromino.errors import RulesError
from chromino.messages.rule_choices import Option, Options
from chromino.rules import PRESETS, Ending, Joining, Rules, Scoring

_VALUES: dict[str, tuple[Any, ...]] = {
    "chameleons": (True, False),
    "hand_size": (4, 5, 6, 7, 8, 9, 10, 12),
    "draw_limit": (1, 3, 4, 5, None),
    "open_hands": (False, True),
    "joining": get_args(Joining),
    "scoring": (None, *get_args(Scoring)),
    "ending": get_args(Ending),
}
"""What the page offers; the rules allow more hand sizes and draw limits, and those are kept if given."""

_CARRIED = {"a": {"ending": "at_once"}, "b": {"ending": "at_once"}, "c": {"ending": "at_once"}}
"""Scorings that bring their ending along (6.4), so that choosing one is one choice."""


def options(rules: Rules, players: int) -> Options:
    """All choices around these rules."""
    choices = {}
    for name, values in _VALUES.items():
        chosen = getattr(rules, name)
        offered = values if chosen in values else (*values, chosen)
        choices[name] = [_option(rules, players, name, value) for value in offered]
    return Options(
        rules=rules.to_json(),
        preset=rules.name,
        why=_why(rules, {}, players),
        presets={name: preset.to_json() for name, preset in PRESETS.items()},
        choices=choices,
    )


def _option(rules: Rules, players: int, name: str, value: Any) -> Option:
    carried = _CARRIED.get(value, {}) if name == "scoring" else {}
    sets = {field: needed for field, needed in carried.items() if getattr(rules, field) != needed}
    why = _why(rules, {name: value, **sets}, players)
    return Option(value=value, fits=why is None, why=why, sets=sets)


def _why(rules: Rules, changes: dict[str, Any], players: int) -> str | None:
    """The code of what is wrong with these rules, changed so."""
    try:
        Deal.check_players(replace(rules, **changes), players)
    except RulesError as error:
        return error.code
    return None
