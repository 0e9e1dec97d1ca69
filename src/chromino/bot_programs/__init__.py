"""Bots as programs: any program that reads and writes lines can play a seat on any server.

`program.py` runs the program, and `playing.py` connects it to the client.
"""

from chromino.bot_programs.playing import play
from chromino.bot_programs.program import ProgramFailed

__all__ = ["ProgramFailed", "play"]
