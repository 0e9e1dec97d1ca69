"""Reviews: their numbers agree with exact ones, add up, and use only what the player could know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice
from math import sqrt
from random import Random

import pytest

from chromino import Draw, Drew, Game, Pass, Place, Placement, Rules
from chromino.bots import kernel
from chromino.bots.bot import placements
from chromino.bots.kernel import twin
from chromino.bots.worlds import inferred_world, shuffled_world
from chromino.errors import RecordError
from chromino.record import Record
from chromino.review import Cause, Measure, Review, ReviewError, climb, measures, practice_position, review
from chromino.review.reviewing import expected, judged
from chromino.review.values import Value, after_each, compared, outcome, worth
from tests.helpers import (
    NAMES,
    VARIANTS,
    each_variant,
    game_of,
    more,
    position,
    states,
    unseen,
    with_open_hands,
    with_swapped_tiles,
)

FEW = 2000 if kernel.COMPILED else 200


def finished(rules: Rules, players: int, seed: int) -> Game:
    *_, game = states(rules, players, seed)
    return game


# Exact values, the slow and obvious way.


class TooMany(Exception):
    """There are too many ways to continue."""


def counted(game: Game, seat: int, measure: Measure) -> float:
    """The result of a game, by the rules."""
    if measure is Measure.WIN:
        return 1 / len(game.winners) if seat in game.winners else 0.0
    others = [score for other, score in enumerate(game.scores) if other != seat]
    return game.scores[seat] - max(others, default=0)


class Exact:
    """The exact value of a position for a seat if everyone plays at random, by trying everything."""

    def __init__(self, me: int, measure: Measure, most: int) -> None:
        self.me = me
        self.measure = measure
        self.left = most

    def of(self, game: Game) -> float:
        self.left -= 1
        if self.left < 0:
            raise TooMany
        if game.over:
            return counted(game, self.me, self.measure)
        actions = game.actions()
        if actions == [Draw()]:
            after = [
                replace(game, bag=(tile, *(other for other in game.bag if other is not tile))) for tile in game.bag
            ]
            return sum(self.of(next_.apply(Draw())) for next_ in after) / len(after)
        return sum(self.of(game.apply(action)) for action in actions) / len(actions)


def deals(game: Game, me: int) -> list[Game]:
    """All full games of one or two players that give `me` the same view, found by trying and replaying every deal.

    `Exact` handles the order of the bag, since it draws each tile.
    """
    if len(game.players) == 1:
        return [game]
    other, view = 1 - me, game.view(me)
    hidden = unseen(game, me)
    hand = len(game.hand(other)) if len(game.hand(other)) > 1 else 0
    assert not any(isinstance(event, Drew) and event.seat == other for event in game.log)
    found = []
    for kept in combinations(hidden, hand):
        names = dict(zip(sorted(game.hand(other)), kept, strict=False)) if hand else {}
        left = [tile for tile in hidden if tile not in kept]
        names |= dict(zip(game.bag, left, strict=True))
        sample = with_swapped_tiles(game, names)
        try:
            replayed = Game.replay(Record(game.rules, game.players, replace(sample.deal, seed=None), sample.log))
        except RecordError:
            continue
        if replayed.view(me) == view:
            found.append(replayed)
    return found


def small_positions(
    rules: Rules, players: int, measure: Measure, wanted: int
) -> Iterator[tuple[Game, float, dict[Placement, float]]]:
    """Late choices with few hidden tiles, each with the exact value of the position and of each placement."""
    for seed in range(10_000):
        for game in states(rules, players, seed):
            me = game.seat
            drew = any(isinstance(event, Drew) and event.seat != me for event in game.log)
            if game.over or drew or len(unseen(game, me)) > 5 or not 2 <= len(game.actions()) <= 6:
                continue
            exact = Exact(me, measure, most=2000)
            try:
                possible = deals(game, me)
                values = {
                    place: sum(exact.of(deal.apply(Place(place))) for deal in possible) / len(possible)
                    for place in placements(game.view(me))
                }
            except TooMany:
                continue
            if len(possible) + len(game.bag) > 2 and len(set(values.values())) > 1:
                yield game, sum(values.values()) / len(values), values
                wanted -= 1
                break
        if not wanted:
            return


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("name", "players", "hand_size", "measure"),
    [
        ("classic", 2, 39, Measure.WIN),  # One tile is left in the bag.
        ("scoring_b", 2, 36, Measure.POINTS),
        more("expert", 1, 77, Measure.POINTS),
        more("no draw limit", 2, 39, Measure.WIN),
        more("expert", 2, 39, Measure.POINTS),
        more("classic", 1, 77, Measure.WIN),
    ],
)
def test_values_agree_with_exact_ones_within_their_errors(
    name: str, players: int, hand_size: int, measure: Measure
) -> None:
    """Exact values try every deal that fits the view and every random game, so only chance may make a difference."""
    rules = replace(VARIANTS[name], hand_size=hand_size)
    deviations: list[float] = []
    playouts = 4000 if kernel.COMPILED else 200
    rare = 3 * (10 if measure is Measure.POINTS else 1) / playouts
    for game, value, values in small_positions(rules, players, measure, wanted=4):
        view, me = game.view(game.seat), game.seat
        found = [(worth(view, me, playouts, Random(1), measure), value)]
        places = list(values)
        found += zip(after_each(view, places, playouts, Random(2), measure), values.values(), strict=True)
        for estimate, exact in found:
            # If all playouts ended alike, the error says nothing, because rarer results may be missing.
            deviations.append((estimate.mean - exact) / max(estimate.error, rare))
    assert len(deviations) > 12
    assert max(map(abs, deviations)) < 4.5
    assert sqrt(sum(z * z for z in deviations) / len(deviations)) < 1.5


def test_the_value_of_a_choice_is_the_mean_of_its_placements() -> None:
    game = next(game for game in list(states(Rules.classic(), 2, seed=4))[9:] if len(game.actions()) > 2)
    view, me = game.view(game.seat), game.seat
    whole = worth(view, me, 10 * FEW, Random(1))
    each = after_each(view, placements(view), FEW, Random(2))
    mean = sum(value.mean for value in each) / len(each)
    error = sqrt(whole.error**2 + sum(value.error**2 for value in each) / len(each) ** 2)
    assert abs(mean - whole.mean) < 4.5 * error


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["classic", "junior", "scoring_b", "no draw limit", "open hands"])
def test_prospects_agree_with_the_twin_for_any_seat(name: str) -> None:
    for game in islice(states(VARIANTS[name], 3, seed=6), 14, 20, 5):
        for seat in range(3):
            world = inferred_world(game.view(seat), Random(1))
            n, total, squares, *_ = kernel.prospects(world, seat, seed=1, max_worlds=FEW)
            start = twin.Position(world.game)
            (m, other, *_), escaped = start.prospects(seat, world.hidden, world.may_be_in_bag, 1, 25)
            assert (n, m, escaped) == (FEW, 25, 0)
            error = sqrt(max(squares / n - (total / n) ** 2, 1e-3) * (1 / n + 1 / m))
            assert abs(total / n - other / m) < 4.5 * error


# What a review says.


@each_variant("classic", "junior", "expert", "open hands")
def test_luck_choices_and_others_add_up_to_the_result(name: str) -> None:
    for players, seat in ((1, 0), (2, 1), (3, 2)):
        game = finished(VARIANTS[name], players, seed=5)
        for measure in measures(game):
            found = review(game, seat, measure=measure, playouts=100)
            assert found.result == outcome(game, seat, measure) == counted(game, seat, measure)
            assert sum(found.gain(kind).mean for kind in Cause) == pytest.approx(found.result - found.fair)
            assert found.gain(*Cause).mean == pytest.approx(found.result - found.fair)
            # The end is known, and so is the start, except in solo games and in points with three players.
            assert found.gain(*Cause).error == pytest.approx(found.steps[0].before.error)
            assert (found.steps[0].before.error == 0) >= (players == 2 or (players > 1 and measure is Measure.WIN))
            for one, other in zip(found.steps, found.steps[1:], strict=False):
                assert one.after == other.before  # Nothing is left out between two steps.
                assert one.until <= other.since
            assert found.steps[-1].until == len(game.log)
            mine = [number for number, event in enumerate(game.log) if event.seat == seat]
            drawn = [number for number in mine if isinstance(game.log[number], Drew)]
            assert [step.since for step in found.steps if step.kind is Cause.DRAW] == drawn
            assert {choice.version for choice in found.choices} <= set(mine) - set(drawn)


def test_every_choice_is_judged_and_nothing_else() -> None:
    *before, game = states(Rules.classic(), 2, seed=3)
    found = {choice.version: choice for choice in review(game, 1, playouts=300).choices}
    for version, moment in enumerate(before):
        event = game.log[version]
        assert (version in found) == (moment.seat == 1 and len(moment.actions()) > 1)
        if version in found:
            assert found[version].chosen == event.action.placement  # type: ignore[union-attr]
            assert Place(found[version].best) in moment.actions()
            assert found[version].options == len(moment.actions())


def test_the_same_seed_gives_the_same_review() -> None:
    game = finished(Rules.classic(), 2, seed=2)
    assert review(game, 0, playouts=500, seed=1) == review(game, 0, playouts=500, seed=1)
    assert review(game, 0, playouts=500, seed=1) != review(game, 0, playouts=500, seed=2)


@pytest.mark.compiled
@pytest.mark.parametrize("measure", Measure)
def test_hidden_tiles_change_nothing(measure: Measure) -> None:
    """With other tiles where the player couldn't look, every value is the same to the last bit."""
    rng = Random(1)
    permuted = 0
    for game in states(Rules.preset("expert", hand_size=5), 2, seed=9):
        if game.over or not 2 <= len(game.actions()) <= 40:
            continue
        hidden = unseen(game, game.seat)
        changed = with_swapped_tiles(game, dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True)))
        permuted += changed.hands != game.hands
        chosen = placements(game.view(game.seat))[0]
        one, other = (judged(moment, chosen, Value(0.5), 0, measure, 200, 50, seed=1) for moment in (game, changed))
        assert one == other
        me = game.seat
        values = [worth(moment.view(me), me, 100, Random(1), measure) for moment in (game, changed)]
        assert values[0] == values[1]
    assert permuted > 3


def judged_often(game: Game, chosen: Placement, times: int) -> list[float]:
    return [judged(game, chosen, Value(0.5), 0, Measure.WIN, 5000, 1000, seed).cost for seed in range(times)]


@pytest.mark.compiled
def test_the_best_choice_costs_nothing_on_average_and_the_worst_its_full_cost() -> None:
    """The best of many estimates looks better than it is, which must not fool a review."""
    costs: list[float] = []
    for game in list(states(Rules.classic(), 2, seed=4))[4:20]:
        if game.over or len(game.actions()) < 4:
            continue
        view = game.view(game.seat)
        ranked = compared(view, placements(view), 40_000, Random(1))
        costs += judged_often(game, ranked[0].placement, times=2)
        worst = ranked[-1]
        assert worst.value < ranked[0].value
        found = judged_often(game, worst.placement, times=2)
        spread = sqrt(0.5 / 1000 / len(found)) + ranked[0].error + worst.error
        assert abs(sum(found) / len(found) - (ranked[0].value - worst.value)) < 4 * spread
    assert len(costs) > 5
    error = sqrt(0.5 / 1000 / len(costs))
    assert -0.01 - 4 * error < sum(costs) / len(costs) < 4 * error


def test_the_costliest_choices_come_first_and_only_if_they_are_clear() -> None:
    found = review(finished(Rules.classic(), 2, seed=3), 0, playouts=10 * FEW)
    costliest = found.costliest()
    assert costliest == sorted(costliest, key=lambda choice: choice.cost, reverse=True)
    assert all(choice.cost > 2 * choice.error and choice.best != choice.chosen for choice in costliest)
    assert all(choice.cost == choice.error == 0 for choice in found.choices if choice.best == choice.chosen)
    assert len(found.costliest(1)) <= 1
    clear = [choice for choice in found.choices if choice.is_clear]
    assert len(clear) < len(found.choices)  # Small costs may be chance, so they don't add to the total.
    assert found.cost.mean == pytest.approx(sum(choice.cost for choice in clear))


def test_errors_of_sums_leave_out_what_cancels_out() -> None:
    found: Review = review(finished(VARIANTS["no draw limit"], 2, seed=8), 0, playouts=500)
    for kind in Cause:
        steps = [step for step in found.steps if step.kind is kind]
        most = sqrt(sum(step.before.error**2 + step.after.error**2 for step in steps))
        assert found.gain(kind).error <= most + 1e-12


def test_games_that_cannot_be_reviewed_are_refused() -> None:
    with pytest.raises(ReviewError, match="only review a game that's over"):
        review(game_of(Rules.classic(), 2, seed=1), 0)
    game = finished(Rules.classic(), 2, seed=1)
    with pytest.raises(ReviewError, match="there is no seat 2; seats go from 0 to 1"):
        review(game, 2)
    with pytest.raises(ReviewError, match="this game has no points"):
        review(game, 0, measure=Measure.POINTS)
    for version in (-1, len(game.log), next(n for n, event in enumerate(game.log) if event.action in (Draw(), Pass()))):
        with pytest.raises(ReviewError, match="isn't a placement"):
            practice_position(game, version)


@pytest.mark.long
@pytest.mark.heavy
@pytest.mark.compiled
def test_random_players_gain_nothing_on_average() -> None:
    """Neither luck nor random choices pay off: over many random games, the mean gain from each cause is zero."""
    rules = Rules.preset("classic", hand_size=4)
    found = [review(finished(rules, 2, seed), seed % 2, playouts=1000) for seed in range(40)]
    for kind in Cause:
        gains = [one.gain(kind).mean for one in found]
        mean = sum(gains) / len(gains)
        spread = sqrt(sum((gain - mean) ** 2 for gain in gains) / len(gains))
        assert abs(mean) < 4 * spread / sqrt(len(gains)), kind


# Points.


def test_scoring_games_are_reviewed_in_points() -> None:
    for name, rules in VARIANTS.items():
        for players in (1, 2):
            found = measures(game_of(rules, players, seed=1))
            assert (Measure.POINTS in found) == (rules.scoring is not None), name
            assert found[0] is (Measure.POINTS if rules.scoring and players == 1 else Measure.WIN)


@pytest.mark.compiled
def test_the_most_points_are_found_even_if_another_choice_wins_more_often() -> None:
    """Placements are dropped early by the requested measure, so the best one by that measure is left."""
    others = 0
    for game in (game for seed in range(2) for game in list(states(Rules.expert(), 1, seed))[2:10]):
        if game.over or len(game.actions()) < 4:
            continue
        view = game.view(game.seat)
        places = placements(view)
        values = dict(zip(places, after_each(view, places, FEW, Random(2), Measure.POINTS), strict=True))
        best, wins = (compared(view, places, 10_000, Random(1), one)[0] for one in (Measure.POINTS, Measure.WIN))
        behind = max(value.mean for value in values.values()) - values[best.placement].mean
        assert behind <= 5 * values[best.placement].error
        others += best.placement != wins.placement
    assert others


@pytest.mark.parametrize("players", [more(1), 3])
def test_the_expected_result_is_the_mean_over_many_deals(players: int) -> None:
    """The estimate from one hidden deal agrees with the results of random games with many deals."""
    rules = Rules.preset("scoring_a", hand_size=2)
    start = game_of(rules, players, seed=1)
    found = expected(start, Measure.POINTS, 20 * FEW, seed=1)
    finals = [finished(rules, players, seed) for seed in range(150)]
    results = [counted(game, seat, Measure.POINTS) for game in finals for seat in range(players)]
    mean = sum(results) / len(results)
    spread = sqrt(sum((one - mean) ** 2 for one in results) / len(results))
    assert abs(found.mean - mean) < 4.5 * (spread / sqrt(len(finals)) + found.error)
    # The actual deal plays no part, even if hands are open.
    other = replace(start, hands=start.hands[::-1], deal=replace(start.deal, hands=start.deal.hands[::-1]))
    shown = replace(other, rules=with_open_hands(rules))
    assert expected(other, Measure.POINTS, FEW, seed=1) == expected(start, Measure.POINTS, FEW, seed=1)
    assert expected(shown, Measure.POINTS, FEW, seed=1).mean == pytest.approx(
        expected(start, Measure.POINTS, FEW, seed=1).mean, abs=6 * found.error + 3
    )


def test_solo_games_are_reviewed_by_the_chance_of_running_out() -> None:
    """Running out counts fully, no matter how many turns it took."""
    game = finished(Rules.preset("junior", hand_size=4), 1, seed=1)
    assert game.winners == (0,)
    found = review(game, 0, playouts=FEW)
    assert (found.result, found.steps[-1].after.mean) == (1, 1)
    assert found.gain(Cause.OTHERS).mean == 0  # There are no others.


# Practice, and which bot to play next.


def test_a_position_is_a_view_with_the_value_of_each_placement() -> None:
    *before, game = states(Rules.classic(), 2, seed=3)
    version = next(version for version, moment in enumerate(before) if len(moment.actions()) > 3)
    found = practice_position(game, version, playouts=FEW)
    moment = before[version]
    assert found.view == moment.view(moment.seat)
    assert found.played == game.log[version].action.placement  # type: ignore[union-attr]
    assert sorted(str(one.placement) for one in found.values) == sorted(map(str, moment.actions()))
    best = found.values[0]
    assert best.playouts == max(one.playouts for one in found.values)
    assert all(0 <= one.value <= 1 and one.error >= 0 for one in found.values)
    forced = next(version for version, moment in enumerate(before) if len(moment.actions()) == 1)
    with pytest.raises(ReviewError):
        practice_position(game, forced)


def test_a_position_agrees_with_the_review() -> None:
    """They agree about the placement played and the best one, and no other is shown as better than that."""
    game = finished(Rules.classic(), 2, seed=3)
    for choice in review(game, 0, playouts=FEW).choices[:4]:
        found = practice_position(game, choice.version, reviewed=choice, playouts=64)
        values = {one.placement: (one.value, one.error) for one in found.values}
        assert len(values) == choice.options
        assert found.values[0].placement == choice.best
        assert values[choice.best] == (choice.best_value.mean, choice.best_value.error)
        assert values[choice.chosen] == (choice.value.mean, choice.value.error)
        assert all(one.value <= choice.best_value.mean for one in found.values if one.placement != choice.chosen)


def test_six_wins_in_the_latest_ten_games_lead_to_the_next_bot() -> None:
    assert climb([]).next == 1
    assert [rung.level for rung in climb([]).rungs] == [1, 2, 3, 4, 5]
    assert climb([(3, False)]).next == 3  # Where you are.
    assert climb([(1, True)] * 5).next == 1  # Not enough wins yet.
    assert climb([(1, True)] * 6).next == 2
    assert climb([(3, True)] * 6 + [(3, False)] * 4).next == 4
    assert climb([(3, True)] * 5 + [(3, False)] * 5).next == 3
    assert climb([(4, False)] * 3 + [(3, True)] * 6).next == 4
    assert climb([(5, True)] * 10).next == 5
    latest = climb([(2, False)] * 10 + [(2, True)] * 90)  # The first ten count, because they're the latest.
    assert (latest.rungs[1].played, latest.rungs[1].won, latest.next) == (10, 0, 2)


def test_names_do_not_affect_a_review() -> None:
    game = finished(Rules.junior(), 2, seed=2)
    other = replace(game, players=tuple(reversed(NAMES[:2])))
    assert review(game, 0, playouts=200) == review(other, 0, playouts=200)


def test_a_table_larger_than_the_window_is_left_to_the_twin() -> None:
    line = " ".join(f"RRR@{x},0>" for x in range(0, 60, 3))
    game = position(line, ["RRG BBB", "RRB YYY"], bag="GGG")
    found = kernel.prospects(shuffled_world(game.view(0), Random(1)), 0, seed=1, max_worlds=5)
    assert found[0] == 5
