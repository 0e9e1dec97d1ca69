"""Rule choices as command-line options: one option for each choice that rules.py offers to commands."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from chromino.cli.app import UserError
from chromino.rules import CHOICES, Choice, Value
from chromino.terminal.screen import whole_number

_OFFERED = [choice for choice in CHOICES if "command" in choice.offered]


def with_rule_options(command: Callable[..., None]) -> Callable[..., None]:
    """Replace the command's parameter `choices` with one option per rule choice.

    The command still gets `choices`: by name, the values that the user gave.
    """

    @wraps(command)
    def run(**arguments: Any) -> None:
        typed = [(choice, arguments.pop(choice.name)) for choice in _OFFERED]
        choices = {choice.name: _value(choice, text) for choice, text in typed if text is not None}
        command(**arguments, choices=choices)

    signature = inspect.signature(command, eval_str=True)
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        parameters += map(_option, _OFFERED) if parameter.name == "choices" else [parameter]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run


def _option(choice: Choice) -> inspect.Parameter:
    kind = bool if choice.is_switch else str
    about = f"{choice.about[0].upper()}{choice.about[1:]}"
    option: Any = Annotated[kind | None, typer.Option(help=f"{about}.")]
    return inspect.Parameter(choice.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)


def _value(choice: Choice, typed: bool | str) -> Value:
    """Convert what was typed to a rule value; "none" becomes None."""
    if isinstance(typed, bool):
        return typed
    if typed == "none" and None in choice.values:
        return None
    if not choice.is_number:
        return typed  # `Rules` checks whether this value is allowed.
    number = whole_number(typed)
    if number is None:
        none = ", or none" if None in choice.values else ""
        raise UserError(f"--{choice.name.replace('_', '-')} must be 1 or more{none}, not {typed[:20]!r}")
    return number
