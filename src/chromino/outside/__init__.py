"""Bots from outside: any program that reads lines and writes lines plays a seat on any server.

`site.py` has the link, the identity and the calls, `open_game.py` a game's socket, `program.py` the program, and
`playing.py` what goes between them. It speaks to a server as anyone may (docs/bots.md), and imports nothing of it.
"""

from chromino.outside.playing import play
from chromino.outside.program import ProgramFailed
from chromino.outside.site import CannotPlay, Link

__all__ = ["CannotPlay", "Link", "ProgramFailed", "play"]
