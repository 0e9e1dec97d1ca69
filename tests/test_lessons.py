"""Checks the lesson against the rules: what it asks for is legal, and decoys are refused for the reason it teaches."""

from __future__ import annotations

import pytest

from chromino import Draw, Game, Pass, Place, Placement, Tile
from chromino.errors import ParseError
from chromino.events import Action, Drew, Passed, Placed
from chromino.lessons import LEARNER, STEPS, LessonStep, Verdict, attempt
from chromino.refusal import Reason
from chromino.tiles import WILD

BY_NAME = {step.name: step for step in STEPS}
MAIN_STEPS = ("contacts", "clash", "corners", "chameleon", "drawing", "last", "round")
TAUGHT = {
    "contacts": Reason.TOO_FEW_CONTACTS,
    "clash": Reason.CLASH,
    "corners": Reason.TOO_FEW_CONTACTS,
    "chameleon": Reason.CLASH,
    "junior": Reason.NOT_BY_AN_END,
}


def placements(game: Game) -> list[Placement]:
    return [action.placement for action in game.actions() if isinstance(action, Place)]


def rest(step: LessonStep, done: list[str]) -> list[list[str]]:
    """All ways to finish a step with legal actions."""
    tried = attempt(step, done) if done else None
    if tried is not None and tried.verdict is not Verdict.GO_ON:
        return [done] if tried.verdict is Verdict.RIGHT else []
    game = tried.game if tried else step.position
    return [way for action in game.actions() for way in rest(step, [*done, str(action)])]


def test_there_are_seven_steps_and_two_extra_ones() -> None:
    assert tuple(step.name for step in STEPS if not step.extra) == MAIN_STEPS
    assert [step.name for step in STEPS if step.extra] == ["junior", "scoring"]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_each_step_is_a_moment_of_a_real_game_and_can_be_done(step: LessonStep) -> None:
    game = step.position
    assert Game.replay(str(game.record)) == game
    assert game.seat == LEARNER
    assert not game.over
    ways = rest(step, [])
    assert ways
    assert all(len(way) <= 3 for way in ways)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_decoys_are_refused_for_the_reason_taught(step: LessonStep) -> None:
    assert bool(step.decoys) == (step.name in TAUGHT)
    for text in step.decoys.split():
        tried = attempt(step, [text])
        assert tried.verdict is Verdict.REFUSED
        assert tried.refusal is not None
        assert tried.refusal.reason is TAUGHT[step.name]
        assert tried.game == step.position
        decoy = Placement.parse(text)
        assert decoy.tile in step.position.hand(LEARNER)
        for legal in placements(step.position):  # Far enough apart for a finger.
            assert not set(decoy.squares) & set(legal.squares)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_offers_are_the_legal_placements_plus_the_decoys(step: LessonStep) -> None:
    offers = step.offers(step.position)
    assert len(set(offers)) == len(offers)
    legal = placements(step.position)
    decoys = [Placement.parse(text) for text in step.decoys.split()]
    assert sorted(offers) == sorted([*legal, *decoys])


def test_4_2_two_squares_each_touch_their_own_color() -> None:
    game = BY_NAME["contacts"].position
    assert len(game.table) == 1
    for place in placements(game):
        contacts = game.table.contacts(place)
        assert len({contact.square for contact in contacts}) == 2
        assert all(contact.color == contact.neighbor_color for contact in contacts)
    (decoy,) = map(Placement.parse, BY_NAME["contacts"].decoys.split())
    assert len(game.table.contacts(decoy)) == 1


def test_4_3_a_clash_is_one_wrong_edge_among_right_ones() -> None:
    step = BY_NAME["clash"]
    (decoy,) = map(Placement.parse, step.decoys.split())
    matches = [contact.matches for contact in step.position.table.contacts(decoy)]
    assert sorted(matches) == [False, True, True]
    (right,) = placements(step.position)
    assert right.colors == decoy.colors  # What matters is where the tile is, not how it's turned.


def test_4_2_a_square_in_a_corner_touches_two_tiles_and_touching_corners_do_not_count() -> None:
    step = BY_NAME["corners"]
    game = step.position
    for place in placements(game):
        contacts = game.table.contacts(place)
        assert len({contact.square for contact in contacts}) == 1
        assert len({contact.neighbor_index for contact in contacts}) == 2
    (decoy,) = map(Placement.parse, step.decoys.split())
    assert game.table.contacts(decoy) == ()
    around = [
        (x + dx, y + dy, color)
        for (x, y), color in zip(decoy.squares, decoy.colors, strict=True)
        for dx in (-1, 1)
        for dy in (-1, 1)
    ]
    assert any(game.table.color_at((x, y)) == color for x, y, color in around)


def test_4_4_the_chameleon_takes_a_color_that_is_not_its_own() -> None:
    step = BY_NAME["chameleon"]
    for place in placements(step.position):
        found = [(contact.color, contact.neighbor_color) for contact in step.position.table.contacts(place)]
        assert WILD in {neighbor for _, neighbor in found}
        assert any(color == neighbor for color, neighbor in found)
        assert len(found) == 2  # Without the wild center, there would be too few.


def test_3_2_nothing_in_the_hand_fits_nor_does_the_first_tile_drawn_but_the_second_does() -> None:
    step = BY_NAME["drawing"]
    assert step.position.actions() == [Draw()]
    first = attempt(step, ["draw"])
    assert first.verdict is Verdict.GO_ON
    kinds: list[type] = [type(event) for event in first.game.log]
    assert kinds == [Drew, Passed, Placed]  # Passes are automatic, as in a game.
    assert first.game.seat == LEARNER
    assert first.game.actions() == [Draw()]
    second = attempt(step, ["draw", "draw"])
    assert second.game.drawn is not None
    (place,) = placements(second.game)
    assert place.tile is second.game.drawn
    assert step.offers(second.game) == (place,)
    assert attempt(step, ["draw", "draw", str(place)]).verdict is Verdict.RIGHT
    for action, reason in ((Pass(), Reason.MUST_DRAW), (Place(Placement.parse("PPP@0,1>")), Reason.CLASH)):
        refused = attempt(step, [str(action)])
        assert refused.refusal is not None
        assert refused.refusal.reason is reason


def test_5_1_and_5_2_the_chameleon_goes_first_and_the_last_tile_is_shown() -> None:
    step = BY_NAME["last"]
    game = step.position
    chameleon, other = Tile.parse("Y*P"), Tile.parse("RBG")
    assert set(game.hand(LEARNER)) == {chameleon, other}
    assert game.view(LEARNER).hands[1] == game.hand(1)  # The bot's last tile is open.
    assert len(game.hand(1)) == 1
    by_tile = {place.tile: str(place) for place in placements(game)}
    assert attempt(step, [by_tile[other]]).verdict is Verdict.OTHER
    after = attempt(step, [by_tile[chameleon]])
    assert after.verdict is Verdict.RIGHT
    assert after.game.view(1).hands[LEARNER] == (other,)
    foolish = game.apply(Place(Placement.parse(by_tile[other])))
    assert foolish.hand(LEARNER) == (chameleon,)


def test_5_3_the_round_is_finished_and_both_win() -> None:
    step = BY_NAME["round"]
    assert step.position.first == LEARNER
    for place in placements(step.position):
        after = attempt(step, [str(place)])
        assert after.verdict is Verdict.RIGHT
        assert after.game.over
        assert after.game.winners == (LEARNER, 1)


def test_6_3_in_junior_tiles_join_at_one_end() -> None:
    game = BY_NAME["junior"].position
    assert all(len(game.table.contacts(place)) == 1 for place in placements(game))


def test_6_4_scoring_asks_for_the_place_that_earns_the_most() -> None:
    step = BY_NAME["scoring"]
    tries = [attempt(step, [str(place)]) for place in placements(step.position)]
    assert sorted((sum(tried.points), tried.verdict) for tried in tries) == [
        (4, Verdict.OTHER),
        (6, Verdict.OTHER),
        (9, Verdict.RIGHT),
    ]
    for tried in tries:
        assert tried.game == step.position or tried.game.earned[LEARNER] == step.position.earned[LEARNER] + 9


@pytest.mark.parametrize(
    "actions",
    [
        [],
        ["nothing"],
        ["GRR@-3,0>", "RRG@-1,1>"],  # After a refusal, the learner tries again from the same position.
        ["RRG@-1,1>", "draw"],  # Nothing comes after the end of a step.
    ],
)
def test_invalid_tries_are_refused(actions: list[str]) -> None:
    with pytest.raises(ParseError):
        attempt(BY_NAME["contacts"], actions)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_every_action_has_a_verdict(step: LessonStep) -> None:
    tiles = [Tile.parse("RRG"), *step.position.hand(LEARNER)]
    actions: list[Action] = [Draw(), Pass()]
    actions += [
        Place(Placement(tile.colors, x, y, down=False)) for tile in tiles for x in range(-4, 5) for y in (-1, 1)
    ]
    legal = step.position.actions()
    for action in actions:
        tried = attempt(step, [str(action)])
        assert (tried.verdict is Verdict.REFUSED) == (action not in legal)
        assert (tried.refusal is None) == (action in legal)
