"""Answers to the questions of a study."""

from chromino.study.answers.answer import Answer, Entry, shown
from chromino.study.answers.bots import bots
from chromino.study.answers.games import beginning, endings, length, variants
from chromino.study.answers.tiles import keeping, tiles
from chromino.study.plan import QUESTIONS, Study
from chromino.study.results import Results

_ANSWERERS = {
    "beginning": beginning,
    "length": length,
    "endings": endings,
    "variants": variants,
    "tiles": tiles,
    "keeping": keeping,
    "bots": bots,
}


def answers(study: Study, results: Results) -> list[Answer]:
    """The answers, in the order of the questions. Questions for which nothing has been played are left out."""
    all_answers = (_ANSWERERS[name](study, results) for name in QUESTIONS if name in study.questions)
    return [answer for answer in all_answers if answer is not None]


__all__ = ["Answer", "Entry", "answers", "shown"]
