"""Reviews: how a finished game went for one seat, judged by what that seat could know at each moment.

`review` says how much the deal, the draws, the choices and the others helped or hurt, and which choices cost the most;
`practice_position` makes a position to practice on; `climb` says which bot to play next. docs/learn.md explains the
numbers.
"""

from chromino.review.bot_ladder import Climb, Rung, climb
from chromino.review.positions import Position, practice_position
from chromino.review.reviewing import Cause, Choice, Review, ReviewError, Step, measures, review
from chromino.review.values import Measure, Value

__all__ = [
    "Cause",
    "Choice",
    "Climb",
    "Measure",
    "Position",
    "Review",
    "ReviewError",
    "Rung",
    "Step",
    "Value",
    "climb",
    "measures",
    "practice_position",
    "review",
]
