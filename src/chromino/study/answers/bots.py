"""The answer about bots: who beats whom, and how often."""

from __future__ import annotations

from itertools import pairwise

from chromino.draw.words import listed
from chromino.study.answers.answer import Answer, Share, all_games, known
from chromino.study.cells import UNIT
from chromino.study.plan import Study
from chromino.study.plots import Row, Section, intervals
from chromino.study.results import Results


def bots(study: Study, results: Results) -> Answer | None:
    cells = known(study.pairs, results)
    if not cells:
        return None
    scores = {pair: sums.ratios["first bot"].estimate(UNIT) for pair, sums in cells.items()}
    names = list(dict.fromkeys(name for pair in study.pairs for name in pair))
    steps = [pair for pair in pairwise(names) if pair in scores]
    ladder = listed(f"{strong} {scores[strong, weak].percent()} against {weak}" for strong, weak in steps)
    sentences = [f"Each level against the one below: {ladder}."] if steps else []
    absent = [name for name in names if not any(name in pair for pair in scores)]
    if absent:
        sentences.append(f"There are no games with {listed(absent)} yet: slow bots only play in larger studies.")
    return Answer(
        "bots",
        all_games(cells.values()),
        tuple(sentences),
        ("bots", "games", "the first one wins"),
        tuple((" vs. ".join(pair), cells[pair].games, Share(score)) for pair, score in scores.items()),
        {
            "bots": intervals(
                "How often each bot beats each of the others",
                [
                    Section(
                        f"{name} wins against",
                        [Row(weak, score) for (strong, weak), score in scores.items() if strong == name],
                    )
                    for name in names
                    if any(strong == name for strong, _ in scores)
                ],
                middle=0.5,
                shared=True,
            )
        },
        "Two-player games. Each deal is played twice, with seats swapped, and counts once in the intervals. Owl "
        "and dragon think for a fixed time: they're weaker on a slower machine, and the same seed may give different "
        "games.",
    )
