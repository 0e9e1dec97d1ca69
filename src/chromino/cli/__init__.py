"""The `chromino` command. Each command reads its words, calls the library and prints; no rules in here."""

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
"""The commands of each module, which adds them to the app."""


def main() -> NoReturn:
    """Run the command that is asked for; only its module is loaded, so that each starts fast."""
    asked = sys.argv[1] if len(sys.argv) > 1 else "serve"
    needed = [module for module, commands in _MODULES.items() if asked in commands]
    for module in needed or _MODULES:  # All, to tell what there is.
        import_module(f"chromino.cli.{module}")
    app.main()
