"""Conundrums (rule 6.5): given a table and some tiles, find every place where each tile fits.

`conundrum.py` has the conundrum itself, `grading.py` says how hard a conundrum is and why, and `making.py` makes new
ones.
"""

from chromino.conundrum.conundrum import Attempt, Conundrum, Verdict
from chromino.conundrum.grading import GRADES, Difficulty, difficulty
from chromino.conundrum.making import MakingError, daily, make

__all__ = ["GRADES", "Attempt", "Conundrum", "Difficulty", "MakingError", "Verdict", "daily", "difficulty", "make"]
