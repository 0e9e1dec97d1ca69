"""Bots from outside: any program that reads lines and writes lines plays a seat on any server.

`program.py` has the program, and `playing.py` what goes between it and the client.
"""

from chromino.bot_programs.playing import play
from chromino.bot_programs.program import ProgramFailed

__all__ = ["ProgramFailed", "play"]
