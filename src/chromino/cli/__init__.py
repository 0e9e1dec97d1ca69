"""The `chromino` command. Each command parses its arguments, calls the library and prints; there are no rules here."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import NoReturn

from chromino.cli import app

_MODULES = {
    "admin": ["admin"],
    "bot": ["bot"],
    "bots": ["bots", "match", "tournament"],
    "conundrums": ["conundrum"],
    "people": ["admin"],
    "play": ["play"],
    "review": ["review"],
    "serve": ["serve"],
    "show": ["show"],
    "study": ["study"],
    "tables": ["positions", "replay", "rules"],
}
"""For each module, the commands that it adds to the app."""


def main() -> NoReturn:
    """Run the command. Only the modules that it needs are loaded, so every command starts fast."""
    command = sys.argv[1] if len(sys.argv) > 1 else "serve"
    needed = [module for module, commands in _MODULES.items() if command in commands]
    for module in needed or _MODULES:  # To list the commands, load every module.
        import_module(f"chromino.cli.{module}")
    app.main()
