"""How ratings are computed: how much each opponent counts, and what's remembered."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from chromino.server.rating_model import RECENT_GAMES, Rating, Result, compute_ratings, updated_ratings

KNOWN = Rating(25.0, 2.5, 80)


def duel(winner: str, loser: str) -> list[Result]:
    return [Result(0, winner, 1), Result(1, loser, 2)]


def gain(me: Rating, other: str, rating: Rating, met: int = 0) -> float:
    """How much you gain by beating this opponent."""
    before = {"p:me": me, other: rating}
    found = updated_ratings(before, duel("p:me", other), {"p:me": Counter({other: met}), other: Counter({"p:me": met})})
    return found["p:me"].mu - me.mu


def test_a_new_player_starts_at_1000_plus_or_minus_1000() -> None:
    assert (Rating().points, Rating().uncertainty) == (1000, 1000)
    assert Rating().ordinal == pytest.approx(0.0)


def test_the_winner_goes_up_and_both_become_more_certain() -> None:
    found = compute_ratings([("classic", duel("b:fox", "b:owl"))])
    winner, loser = found["classic", "b:fox"], found["classic", "b:owl"]
    assert winner.mu > Rating().mu > loser.mu
    assert max(winner.sigma, loser.sigma) < Rating().sigma
    assert (winner.games, loser.games) == (1, 1)
    equal = compute_ratings([("classic", [Result(0, "b:fox", 1), Result(1, "b:owl", 1)])])
    assert equal["classic", "b:fox"] == equal["classic", "b:owl"]
    assert equal["classic", "b:fox"].mu == pytest.approx(Rating().mu)


def test_built_in_bots_count_fully_every_time() -> None:
    assert gain(Rating(), "b:fox", KNOWN) == gain(Rating(), "b:fox", KNOWN, met=50) > 2


def test_a_new_identity_moves_others_only_a_little() -> None:
    assert 0 < gain(KNOWN, "p:new", Rating()) < gain(KNOWN, "b:fox", Rating()) / 500
    assert 0 < gain(KNOWN, "p:new", Rating(sigma=9.0)) < gain(KNOWN, "b:fox", Rating()) / 500
    steps = [gain(KNOWN, "p:other", Rating(25.0, sigma)) for sigma in (8.0, 7.0, 6.0, 4.0, 2.0)]
    assert steps == sorted(steps)
    assert steps[-1] > 0.8 * gain(KNOWN, "b:fox", Rating(25.0, 2.0))


def test_a_new_identity_moves_as_far_as_anyone() -> None:
    new = updated_ratings({"p:new": Rating(), "p:old": KNOWN}, duel("p:new", "p:old"), {"p:new": {}, "p:old": {}})
    assert new["p:new"].mu - Rating().mu > 2
    assert 0 < KNOWN.mu - new["p:old"].mu < 0.001


def test_a_repeat_opponent_counts_less_and_less() -> None:
    first, second, third = (gain(KNOWN, "p:other", KNOWN, met) for met in range(3))
    assert second == pytest.approx(first / 4)
    assert third == pytest.approx(first / 9)


def test_only_the_latest_games_are_remembered() -> None:
    """This way, adding a result never takes long: see `RECENT_GAMES`."""
    others = [("classic", duel("p:me", f"p:other-{number}")) for number in range(RECENT_GAMES)]
    met = [("classic", duel("p:me", "p:friend"))]
    warm = [("classic", duel("b:fox", player)) for player in ("p:me", "p:friend") for _ in range(20)]

    def moved(*log: tuple[str, list[Result]]) -> float:
        before, now = compute_ratings([*warm, *log]), compute_ratings([*warm, *log, *met])
        return now["classic", "p:me"].mu - before["classic", "p:me"].mu

    assert moved(*met) < 0.3 * moved()
    assert moved(*met, *others[1:]) < 0.3 * moved(*others[1:])
    assert moved(*met, *others) > 0.9 * moved(*others)


def test_opponents_that_count_little_hardly_change_the_rest_of_a_game() -> None:
    three = [Result(0, "p:me", 2), Result(1, "p:new", 1), Result(2, "b:fox", 3)]
    before = {"p:me": KNOWN, "p:new": Rating(), "b:fox": KNOWN}
    with_new = updated_ratings(before, three, {player: {} for player in before})["p:me"]
    without = updated_ratings(before, [three[0], three[2]], {player: {} for player in before})["p:me"]
    assert with_new.mu == pytest.approx(without.mu, abs=0.01)
    assert with_new.mu < without.mu


def test_only_the_order_of_ranks_counts() -> None:
    players = ("b:snail", "b:fox", "b:owl")

    def rated(*places: int) -> dict[tuple[str, str], Rating]:
        return compute_ratings(
            [("classic", [Result(seat, *one) for seat, one in enumerate(zip(players, places, strict=True))])]
        )

    assert rated(1, 4, 4) == rated(1, 2, 2) != rated(1, 2, 3)


def test_families_are_rated_separately_but_share_repeat_opponents() -> None:
    warm = [(family, duel("b:fox", p)) for family in ("classic", "expert") for p in ("p:a", "p:b") for _ in range(20)]
    fresh = compute_ratings([*warm, ("expert", duel("p:a", "p:b"))])["expert", "p:a"]
    met = compute_ratings([*warm, ("classic", duel("p:b", "p:a")), ("expert", duel("p:a", "p:b"))])["expert", "p:a"]
    assert met.mu < fresh.mu


def test_a_long_history_of_random_games_stays_in_bounds() -> None:
    rng = Random(5)
    players = [*(f"p:{number}" for number in range(6)), "b:snail", "b:fox"]
    log = []
    for _ in range(300):
        seated = rng.sample(players, rng.randint(2, 8))
        log.append(("classic", [Result(seat, one, rng.randint(1, 8)) for seat, one in enumerate(seated)]))
    found = compute_ratings(log)
    assert len(found) == len(players)
    assert all(0 < rating.sigma < Rating().sigma and 0 < rating.mu < 50 for rating in found.values())
