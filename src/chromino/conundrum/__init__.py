"""Conundrums (rule 6.5): given a table and some tiles, find every place where each tile fits.

`puzzle.py` has the conundrum itself, `grading.py` says how hard a conundrum is and why, and `making.py` makes new ones.
"""

from chromino.conundrum.grading import GRADES, Difficulty, difficulty
from chromino.conundrum.making import MakingError, daily, make
from chromino.conundrum.puzzle import Attempt, Conundrum, Verdict

__all__ = ["GRADES", "Attempt", "Conundrum", "Difficulty", "MakingError", "Verdict", "daily", "difficulty", "make"]
