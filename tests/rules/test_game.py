"""Rules 3, 5 and 6: turns, the end, and variants."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from chromino import (
    Draw,
    Drew,
    Game,
    IllegalAction,
    IllegalPlacement,
    Pass,
    Passed,
    Place,
    Placed,
    Placement,
    Reason,
    Rules,
)
from chromino.events import Action, parse_action
from tests.helpers import VARIANTS, assert_same_state, game_of, position, states, tiles

pytestmark = pytest.mark.rules

RED = "RRR@0,0>"  # Tiles with two reds side by side fit this table, and so do chameleons with red.


def place(text: str) -> Place:
    return Place(Placement.parse(text))


def reason(game: Game, action: Action) -> Reason | None:
    refusal = game.refusal(action)
    return refusal.reason if refusal else None


def after(game: Game, *texts: str) -> Game:
    """The game after placements, `draw` and `pass`."""
    for text in texts:
        game = game.apply(parse_action(text))
    return game


# 3. A turn


def test_3_1_you_must_place_if_you_can() -> None:
    game = position(RED, ["RRG BBB", "GGG BBY"], bag="YYY")
    assert all(isinstance(action, Place) for action in game.actions())
    assert {action.placement.tile for action in game.actions() if isinstance(action, Place)} == set(tiles("RRG"))
    assert reason(game, Draw()) is Reason.MUST_PLACE
    assert reason(game, Pass()) is Reason.MUST_PLACE
    assert after(game, "RRG@1,1>").seat == 1


def test_3_2_you_draw_one_tile_if_you_cannot_place() -> None:
    game = position(RED, ["BBB GGG", "YYY"], bag="GGB BBG")
    assert game.actions() == [Draw()]
    assert reason(game, Pass()) is Reason.MUST_DRAW
    game = game.apply(Draw())
    assert game.drawn == tiles("GGB")[0]
    assert game.bag == tiles("BBG")
    assert game.log == (Drew(0, tiles("GGB")[0]),)


def test_3_2_a_drawn_tile_that_fits_must_be_placed_at_once() -> None:
    game = position(RED, ["BBB", "YYY YYB"], bag="RRG GGG").apply(Draw())
    assert {action.placement.tile for action in game.actions() if isinstance(action, Place)} == set(tiles("RRG"))
    assert reason(game, Pass()) is Reason.MUST_PLACE
    assert reason(game, Draw()) is Reason.MUST_PLACE
    game = after(game, "RRG@1,1>")
    assert (game.seat, game.drawn, game.draws) == (1, None, 0)


def test_3_2_only_the_drawn_tile_may_be_placed() -> None:
    # The lone chameleon would fit, and it isn't alone anymore, but only the drawn tile counts.
    game = position(RED, ["G*R", "YYY YYB"], bag="BBB RRG").apply(Draw())
    assert game.actions() == [Pass()]
    assert reason(game, place("G*R@-1,1>")) is Reason.ONLY_DRAWN_TILE
    assert reason(game, Draw()) is Reason.MUST_PASS
    assert reason(game, Pass()) is None


def test_3_2_a_drawn_tile_that_does_not_fit_is_kept() -> None:
    game = after(position(RED, ["BBB", "YYY YYB"], bag="GGG GGB"), "draw", "pass")
    assert set(game.hand(0)) == set(tiles("BBB GGG"))
    assert (game.seat, game.drawn, game.draws) == (1, None, 0)
    assert game.log[-1] == Passed(0)


def test_3_3_with_an_empty_bag_you_pass() -> None:
    game = position(RED, ["BBB", "RRG YYY"])
    assert game.actions() == [Pass()]
    assert reason(game, Draw()) is Reason.MUST_PASS
    assert after(game, "pass").seat == 1


def test_3_a_tile_must_be_in_the_current_players_hand() -> None:
    game = position(RED, ["RRG BBB", "RRB"])
    assert reason(game, place("RRB@1,1>")) is Reason.NOT_IN_HAND
    with pytest.raises(IllegalAction, match="isn't in the hand"):
        game.apply(place("RRB@1,1>"))


def test_an_illegal_placement_says_why_and_changes_nothing() -> None:
    game = position(RED, ["RRG BBB", "RRB"])
    with pytest.raises(IllegalPlacement, match="clash: green on 0,1 touches red on 0,0"):
        game.apply(place("GRR@0,1>"))
    with pytest.raises(IllegalAction, match="so you must"):
        game.apply(Pass())
    assert game.log == ()
    assert reason(game, place("GRR@0,1>")) is Reason.CLASH


@pytest.mark.parametrize("action", ["draw", None, Draw, 7])
def test_anything_but_an_action_is_an_error(action: Any) -> None:
    game = position(RED, ["BBB", "RRG YYY"])
    with pytest.raises(TypeError, match="an action must be a Place, a Draw, or a Pass"):
        game.apply(action)


# 5. The end


def test_5_1_the_last_tile_is_shown_while_it_is_the_only_one() -> None:
    game = after(position(RED, ["RRG BBB", "GGG YYY"], bag="GGB"), "RRG@1,1>")
    assert game.log[-1] == Placed(0, Placement.parse("RRG@1,1>"), (), shows=tiles("BBB")[0])
    assert game.view(1).hands[0] == game.view(None).hands[0] == tiles("BBB")
    game = after(position(RED, ["BBB", "GGG YYY"], bag="GGB YYB"), "draw", "pass")
    assert game.view(1).hands[0] is None


def test_5_2_a_lone_chameleon_must_draw_and_never_deadlocks() -> None:
    game = position(RED, ["G*R", "GGG YYY"], bag="RRG PPP")
    assert game.table.fits(tiles("G*R")[0])
    assert game.actions() == [Draw()]
    assert reason(game, place("G*R@-1,1>")) is Reason.LAST_CHAMELEON
    game = after(game, "draw", "RRG@1,1>")
    assert game.hand(0) == tiles("G*R")
    assert not game.over


def test_5_2_a_lone_chameleon_passes_with_an_empty_bag() -> None:
    assert position(RED, ["G*R", "RRG YYY"]).actions() == [Pass()]


def test_5_2_a_drawn_chameleon_can_be_placed() -> None:
    game = position("GRY@0,0>", ["BBB", "YYY"], bag="G*Y").apply(Draw())
    assert place("G*Y@0,1>") in game.actions()
    game = after(game, "G*Y@0,1>")
    assert game.hand(0) == tiles("BBB")


def test_5_2_a_chameleon_with_another_tile_can_be_placed() -> None:
    game = position("GRY@0,0>", ["BBB G*Y", "YYY"])
    assert place("G*Y@0,1>") in game.actions()


def test_5_3_the_round_is_finished_and_all_who_run_out_win_together() -> None:
    game = position(RED, ["RRG", "RRB", "RRY BBB"], bag="PPP")
    game = after(game, "RRG@1,1>")
    assert (game.over, game.first_out, game.winners) == (False, 0, ())
    game = after(game, "RRB@1,-1>")
    assert not game.over
    game = game.apply(game.actions()[0])
    assert game.over
    assert game.winners == (0, 1)


def test_5_3_a_player_who_ran_out_stays_a_winner_even_if_the_others_pass() -> None:
    game = after(position(RED, ["RRG", "BBB YYY", "GGG PPP"]), "RRG@1,1>")
    # Nobody can place a tile and the bag is empty, so it's over at once, and the player who ran out wins.
    assert game.over
    assert game.winners == (0,)
    game = after(
        position(RED, ["RRG", "BBB YYY", "GGG PPP"], bag="YYB BBY"), "RRG@1,1>", "draw", "pass", "draw", "pass"
    )
    assert game.over
    assert game.winners == (0,)
    assert game.seat == 2


def test_5_3_the_round_ends_before_the_first_players_turn() -> None:
    """Seat 1 went first, so seat 0 plays last in each round."""
    game = after(position(RED, ["RRG", "RRB RRY"], seat=0, first=1, bag="PPP"), "RRG@1,1>")
    assert game.over
    assert game.winners == (0,)
    game = after(position(RED, ["RRB RRY", "RRG"], seat=1, first=1, bag="PPP"), "RRG@1,1>")
    assert not game.over
    assert game.seat == 0


def test_5_4_every_other_player_gets_one_more_turn() -> None:
    rules = Rules.preset("classic", ending="one_more_turn")
    game = after(
        position(RED, ["BBB YYY", "RRG", "GGG PPP"], seat=1, first=0, bag="YYB BBY PPY", rules=rules), "RRG@1,1>"
    )
    assert (game.over, game.seat) == (False, 2)
    game = after(game, "draw", "pass")
    assert (game.over, game.seat) == (False, 0)
    game = after(game, "draw", "pass")
    assert (game.over, game.seat) == (True, 0)
    assert game.winners == (1,)


def test_ending_at_once_lets_nobody_else_play() -> None:
    rules = Rules.preset("classic", ending="at_once")
    game = after(position(RED, ["RRG", "RRB"], rules=rules, bag="PPP"), "RRG@1,1>")
    assert game.over
    assert game.winners == (0,)


def test_5_5_a_blocked_game_is_over_at_once_and_the_fewest_tiles_win() -> None:
    game = after(position(RED, ["RRG BBB", "GGG", "YYY PPP"]), "RRG@1,1>")
    assert (game.over, game.first_out, game.seat) == (True, None, 0)
    assert game.winners == (0, 1)
    assert game.actions() == []
    assert reason(game, Pass()) is Reason.GAME_OVER
    with pytest.raises(IllegalAction, match="the game is over"):
        game.apply(place("RRG@1,1>"))


def test_5_3_ranks_in_a_race_go_by_the_tiles_left() -> None:
    game = position(RED, ["RRG", "GGG PPP", "BBB", "YYY YYB"], bag="PPY PPB PPG")
    assert game.ranks == ()
    game = after(game, "RRG@1,1>", "draw", "pass", "draw", "pass", "draw", "pass")
    assert (game.over, game.winners) == (True, (0,))
    assert list(map(len, game.hands)) == [0, 3, 2, 3]
    assert game.ranks == (1, 3, 2, 3)


def test_6_4_ranks_go_by_points_even_if_someone_else_ran_out() -> None:
    game = position(RED, ["RRB YYY", "RRG", "PPP BBB"], rules=Rules.expert(), bag="GGG PPG")
    game = after(game, "RRB@1,-1>", "RRG@1,1>", "draw", "pass")
    assert game.over
    assert (game.scores, game.ranks) == ((3, 3, 0), (1, 1, 3))
    game = after(position(RED, ["RRG", "GBY YYY", "YYY"], rules=Rules.scoring_a(), bag="PPP"), "RRG@1,1>")
    assert (game.scores, game.ranks) == ((3, -4, -1), (1, 3, 2))


def test_5_5_a_lone_chameleon_that_would_fit_does_not_keep_a_game_alive() -> None:
    assert after(position(RED, ["RRG BBB", "G*R"]), "RRG@1,1>").over
    # With another tile in the hand it does, because it could still be placed.
    assert not after(position(RED, ["RRG BBB", "G*R PPP"]), "RRG@1,1>").over


def test_5_5_a_tile_left_in_the_bag_keeps_the_game_alive() -> None:
    assert not after(position(RED, ["RRG BBB", "YYY"], bag="PPP"), "RRG@1,1>").over


def test_5_5_a_blocked_game_with_scoring_goes_to_the_most_points() -> None:
    game = after(position(RED, ["RRG BBB YYY", "GGG"], rules=Rules.expert()), "RRG@1,1>")
    assert game.over
    assert game.scores == (3, 0)
    assert game.winners == (0,)


def test_5_6_a_solo_game_is_won_by_running_out() -> None:
    game = after(position(RED, ["RRG"], bag="PPP"), "RRG@1,1>")
    assert (game.over, game.winners, game.turns) == (True, (0,), 1)


def test_5_6_a_blocked_solo_game_has_no_winner() -> None:
    game = after(position(RED, ["RRG BBB"]), "RRG@1,1>")
    assert (game.over, game.winners) == (True, ())
    game = after(position(RED, ["RRG BBB"], rules=Rules.expert()), "RRG@1,1>")
    assert (game.over, game.winners, game.scores) == (True, (), (3,))


def test_5_6_turns_count_placements_and_passes_but_not_draws() -> None:
    game = after(position(RED, ["BBB"], bag="GGB YYB PPP"), "draw", "pass")
    assert game.turns == 1
    game = after(game, "draw", "pass")
    assert game.turns == 2
    assert len(game.log) == 4


# 6. Variants


def test_6_1_unlimited_drawing_continues_until_a_tile_fits() -> None:
    rules = Rules.preset("classic", draw_limit=None)
    game = position(RED, ["BBB", "YYY"], bag="GGG GGB GGY RRG", rules=rules)
    for draws in range(4):
        assert game.actions() == [Draw()]
        assert game.draws == draws
        game = game.apply(Draw())
    assert {action.placement.tile for action in game.actions() if isinstance(action, Place)} == set(tiles("RRG"))


def test_6_1_the_bag_may_run_out_during_unlimited_drawing() -> None:
    rules = Rules.preset("classic", draw_limit=None)
    game = after(position(RED, ["BBB", "RRG YYY"], bag="GGG GGB", rules=rules), "draw", "draw")
    assert game.actions() == [Pass()]
    game = after(game, "pass")
    assert (game.over, game.seat) == (False, 1)


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_6_1_drawing_stops_at_the_limit(limit: int) -> None:
    rules = Rules.preset("classic", draw_limit=limit)
    game = position(RED, ["BBB", "YYY"], bag="GGG GGB GGY GGP PPP", rules=rules)
    for _ in range(limit):
        assert game.actions() == [Draw()]
        game = game.apply(Draw())
    assert game.actions() == [Pass()]
    assert reason(game, Draw()) is Reason.MUST_PASS
    assert game.bag_count == 5 - limit


def test_6_2_everyone_sees_open_hands() -> None:
    game = game_of(Rules.preset("classic", open_hands=True), 3, seed=1)
    assert game.view(0).hands == game.view(None).hands == game.hands


def test_6_3_junior_joins_tiles_end_to_end() -> None:
    game = position("RGB@0,0>", ["BYP GGG RYP", "PPP GBB"], bag="YYY", rules=Rules.junior())
    assert [str(action) for action in game.actions()] == ["BYP@3,0>", "PYR@-3,0>"]
    assert reason(game, place("BYP@3,0>")) is None
    assert reason(game, place("RYP@0,1v")) is Reason.NOT_BY_AN_END
    game = after(game, "BYP@3,0>")
    assert reason(game, Draw()) is Reason.MUST_PLACE
    assert after(game, "PPP@6,0>").actions() == [place("PYR@-3,0>"), place("PYR@9,0>")]


def test_6_4_points_are_earned_at_once() -> None:
    game = after(position(RED, ["RRG BBB", "RRB YYY"], rules=Rules.expert(), bag="PPP"), "RRG@1,1>")
    assert game.scores == (3, 0)
    assert game.log[-1] == Placed(0, Placement.parse("RRG@1,1>"), (2, 1), tiles("BBB")[0])
    assert after(game, "RRB@1,-1>").scores == (3, 3)


def test_6_4_expert_ends_like_a_race_but_the_most_points_win() -> None:
    game = position(RED, ["RRG", "RRB YYY"], rules=Rules.expert(), bag="PPP")
    game = after(game, "RRG@1,1>")
    assert not game.over
    game = after(game, "RRB@1,-1>")
    assert game.over
    assert game.scores == (3, 3)
    assert game.winners == (0, 1)


def test_6_4_a_subtracts_the_tiles_left() -> None:
    rules = Rules.scoring_a()
    game = after(position(RED, ["RRG", "GBY YYY"], rules=rules, bag="PPP"), "RRG@1,1>")
    assert game.over
    assert game.earned == (3, 0)
    assert game.costs == ((), (3, 1))
    assert game.scores == (3, -4)
    assert game.winners == (0,)


def test_6_4_players_tied_on_points_win_together() -> None:
    game = position(RED, ["RRG BBB", "RRB YYY", "PPP"], rules=Rules.expert())
    game = after(game, "RRG@1,1>", "RRB@1,-1>")
    assert game.over
    assert game.scores == (3, 3, 0)
    assert game.winners == (0, 1)


# Values


def test_games_are_values() -> None:
    one, two = game_of(Rules.classic(), 2, 7), game_of(Rules.classic(), 2, 7)
    assert one == two
    assert hash(one) == hash(two)
    later = one.apply(one.actions()[0])
    assert later != one
    assert later == two.apply(two.actions()[0])
    assert one != "a game"
    assert one != Game.start(Rules.classic(), ["Ada", "Eve"], 7)
    assert one != Game.start(Rules.expert(), ["Ada", "Bob"], 7)
    assert hash(one) != hash(later)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.seat = 1  # type: ignore[misc]


def test_repr_summarizes_a_game() -> None:
    game = game_of(Rules.classic(), 2, 7)
    assert repr(game) == f"<Game of 2, 0 events: {game.table}>"


def test_turns_go_around_in_seat_order() -> None:
    *_, game = states(Rules.classic(), 3, seed=1)
    turns = [event.seat for event in game.log if not isinstance(event, Drew)]
    assert turns == [(game.first + number) % 3 for number in range(len(turns))]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_legal_action_need_not_be_checked_again(variant: str) -> None:
    for game in states(VARIANTS[variant], 3, seed=1):
        for action in game.actions():
            assert_same_state(game.apply_legal(action), game.apply(action))
            if isinstance(action, Place):
                contacts = game.table.contacts(action.placement)
                assert game.table.neighbors(action.placement) == [
                    (contact.neighbor_index, contact.is_vertical == action.placement.down) for contact in contacts
                ]
