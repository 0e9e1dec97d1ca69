"""The answer about bots: who beats whom, and by how much."""

from __future__ import annotations

from itertools import pairwise

from chromino.study.answers.answer import Answer, Share, all_games, known, listed
from chromino.study.cells import UNIT
from chromino.study.plan import Study
from chromino.study.plots import Row, Section, intervals
from chromino.study.results import Results


def bots(study: Study, results: Results) -> Answer | None:
    found = known(study.pairs, results)
    if not found:
        return None
    scores = {pair: sums.ratios["first bot"].estimate(UNIT) for pair, sums in found.items()}
    names = list(dict.fromkeys(name for pair in study.pairs for name in pair))
    steps = [pair for pair in pairwise(names) if pair in scores]
    ladder = listed(f"{strong} {scores[strong, weak].percent()} against {weak}" for strong, weak in steps)
    sentences = [f"Each level against the one below: {ladder}."] if steps else []
    absent = [name for name in names if not any(name in pair for pair in scores)]
    if absent:
        sentences.append(f"Nothing is known yet of {listed(absent)}: who thinks long plays in studies of many games.")
    return Answer(
        "bots",
        all_games(found.values()),
        tuple(sentences),
        ("bots", "games", "the first one wins"),
        tuple((" v ".join(pair), found[pair].games, Share(score)) for pair, score in scores.items()),
        {
            "bots": intervals(
                "How much of the games each bot wins against each other one",
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
        "Games of two; each deal is played twice, with the seats changed, and counts as one for the intervals. Owl "
        "and dragon think by the clock: on a slower machine they are weaker, and the same seed may give other games.",
    )
