"""A small version of `benchmarks.hostile.rating_attacks`: no attack on the ratings ends far above honest play."""

from __future__ import annotations

from statistics import fmean

from benchmarks.hostile.rating_attacks import HONEST_PLAY, final_ratings_of_runs, highest_allowed


def test_no_attack_gains_more_than_two_deviations_over_honest_play() -> None:
    found = {name: [one.points for one in ratings] for name, ratings in final_ratings_of_runs(seeds=3, games=6).items()}
    limit = highest_allowed(found[HONEST_PLAY])
    assert {name: fmean(points) for name, points in found.items() if fmean(points) > limit} == {}
