"""The `chromino` command. Each command reads its words, calls the library and prints; no rules in here."""

from chromino.cli import admin, bot, bots, conundrums, play, serve, tables  # Each adds its commands to the app.
from chromino.cli.app import main

__all__ = ["admin", "bot", "bots", "conundrums", "main", "play", "serve", "tables"]
