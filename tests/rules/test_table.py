"""Rules 4 and 6.3: which placements are legal, and why others aren't. test_against_oracle.py asks the oracle."""

from __future__ import annotations

import pytest

from chromino import IllegalPlacement, ParseError, Placement, Reason, Rules, Table, Tile

pytestmark = pytest.mark.rules

JUNIOR = Rules.junior()


def reason(table: str, placement: str, rules: Rules = Rules.classic()) -> Reason | None:  # noqa: B008
    refusal = Table.parse(table).refusal(Placement.parse(placement), rules)
    return refusal.reason if refusal else None


def places(table: str, tile: str, rules: Rules = Rules.classic()) -> list[str]:  # noqa: B008
    return [str(placement) for placement in Table.parse(table).placements(Tile.parse(tile), rules)]


def test_4_the_worked_example_in_the_rulebook_is_legal() -> None:
    table = Table.parse("Y*R@0,0>")
    for text in ("GRR@1,1>", "YBR@3,-2v", "PGR@0,2>", "YBP@-1,0v"):
        table = table.place(Placement.parse(text))
    assert str(table) == "Y*R@0,0> GRR@1,1> YBR@3,-2v PGR@0,2> YBP@-1,0v"


def test_4_1_the_squares_must_be_empty() -> None:
    refusal = Table.parse("RRR@0,0>").refusal(Placement.parse("RRR@2,-1v"))
    assert refusal is not None
    assert refusal.reason is Reason.OVERLAP
    assert refusal.squares == ((2, 0),)
    assert str(refusal) == "overlap: there's already a tile on 2,0"


def test_4_2_two_contacts_are_needed() -> None:
    refusal = Table.parse("RGB@0,0>").refusal(Placement.parse("RYP@0,1v"))
    assert refusal is not None
    assert refusal.reason is Reason.TOO_FEW_CONTACTS
    assert (len(refusal.contacts), refusal.needed) == (1, 2)
    assert str(refusal) == "needs 2 matching edges, has 1"
    assert refusal.squares == ((0, 1), (0, 2), (0, 3))
    assert reason("RGB@0,0>", "RYP@9,9>") is Reason.TOO_FEW_CONTACTS
    assert reason("", "RYP@0,0>") is Reason.TOO_FEW_CONTACTS


def test_4_2_one_square_in_a_corner_makes_two_contacts() -> None:
    assert reason("Y*R@0,0> GRR@1,1>", "YBR@3,-2v") is None


def test_4_2_both_contacts_may_be_with_one_tile() -> None:
    assert reason("RRG@0,0>", "YRR@-1,1>") is None


def test_4_2_a_tile_can_have_up_to_eight_contacts() -> None:
    ring = "RRR@-1,0v RRR@3,0v RRR@0,0> RRR@0,2>"
    assert len(Table.parse(ring).contacts(Placement.parse("RRR@0,1>"))) == 8
    assert reason(ring, "RRR@0,1>") is None


def test_4_3_the_rulebooks_illegal_example_is_a_clash() -> None:
    refusal = Table.parse("PRR@0,0>").refusal(Placement.parse("GRR@0,1>"))
    assert refusal is not None
    assert refusal.reason is Reason.CLASH
    assert refusal.squares == ((0, 1), (0, 0))
    (clash,) = refusal.contacts
    assert (clash.color, clash.neighbor_color) == ("G", "P")
    assert str(refusal) == "clash: green on 0,1 touches purple on 0,0"
    assert refusal.to_json() == {
        "reason": "clash",
        "text": "clash: green on 0,1 touches purple on 0,0",
        "squares": [[0, 1], [0, 0]],
        "contacts": [{"square": [0, 1], "color": "G", "neighbor": [0, 0], "neighbor_color": "P"}],
        "needed": 0,
    }


def test_4_3_every_clash_is_named_and_each_square_is_blamed_once() -> None:
    refusal = Table.parse("PPP@0,0> PPP@-1,1>").refusal(Placement.parse("GGG@2,1>"))
    assert refusal is not None
    assert str(refusal) == "clash: green on 2,1 touches purple on 1,1 and green on 2,1 touches purple on 2,0"
    assert refusal.squares == ((2, 1), (1, 1), (2, 0))


def test_4_4_a_wild_center_matches_each_side_separately() -> None:
    table = "Y*R@0,0> GRR@1,1>"
    assert reason(table, "YBR@0,-1>") is None  # Blue above the wild center, green below it.
    assert reason("G*R@0,0>", "P*Y@0,1>") is Reason.CLASH  # The ends still have their colors.
    assert reason("GPR@1,-2v BYG@1,2v", "G*P@0,1>") is None  # Red above the new center, blue below it.


def test_4_4_two_wild_centers_make_a_contact_that_counts() -> None:
    table = Table.parse("P*R@0,0>")
    placement = Placement.parse("P*R@0,1>")
    assert len(table.contacts(placement)) == 3
    assert table.refusal(placement) is None
    alone = Table.parse("G*R@0,0>").contacts(Placement.parse("B*Y@1,1v"))
    assert [contact.matches for contact in alone] == [True]


def test_4_4_a_square_next_to_a_wild_center_and_a_color_takes_that_color() -> None:
    """The square 1,1 is between a wild center above and green to its left: green fits, others clash."""
    table = "R*B@0,0> YPG@-2,1>"
    assert reason(table, "GYP@1,1v") is None
    assert reason(table, "BYP@1,1v") is Reason.CLASH
    assert "GYP@1,1v" in places(table, "GYP")


def test_4_5_a_symmetric_tile_rotated_by_a_half_turn_is_the_same_placement() -> None:
    found = places("BRB@0,0>", "BRB")
    assert len(found) == len(set(found))
    assert "BRB@0,1>" in found


def test_placements_come_in_a_fixed_order_and_never_twice() -> None:
    table = "Y*R@0,0> GRR@1,1>"
    assert places(table, "YBR") == ["RBY@3,0>", "YBR@0,-1>", "YBR@3,-2v"]
    assert places(table, "RRR") == ["RRR@1,-1>", "RRR@3,0>", "RRR@2,2>", "RRR@3,-2v"]
    assert places(table, "GBB") == []


def test_an_empty_table_has_no_places() -> None:
    for rules in (Rules.classic(), JUNIOR):
        assert Table().placements(Tile.parse("RRR"), rules) == []
        assert not Table().fits(Tile.parse("RRR"), rules)
    assert str(Table()) == ""


def test_6_3_a_tile_fits_if_it_has_a_place() -> None:
    table = Table.parse("RGB@0,0>")
    assert table.fits(Tile.parse("BYP"), JUNIOR)
    assert not table.fits(Tile.parse("YYP"), JUNIOR)


def test_6_3_the_rulebooks_junior_example_is_legal() -> None:
    table = Table.parse("P*Y@0,0>")
    for text in ("YGP@3,0>", "GRY@1,1v", "Y*B@6,-1v", "GYG@7,0>", "BRG@6,2v"):
        table = table.place(Placement.parse(text), JUNIOR)
    assert len(table) == 6


def test_6_3_every_place_on_a_small_table_is_found() -> None:
    # The wild center is free above and below, and the ends on the left and right.
    assert places("P*Y@0,0>", "YGP", JUNIOR) == [
        "YGP@-3,0>",
        "YGP@3,0>",
        "PGY@1,-3v",
        "YGP@1,-3v",
        "PGY@1,1v",
        "YGP@1,1v",
    ]
    # A chameleon joins in line at a colored end, or crosswise at its wild center.
    assert places("RGB@0,0>", "R*P", JUNIOR) == ["P*R@-3,0>", "P*R@-1,-1v", "R*P@-1,-1v", "P*R@3,-1v", "R*P@3,-1v"]


@pytest.mark.parametrize(
    ("table", "placement", "expected"),
    [
        ("RGB@0,0>", "BYP@3,0>", None),
        ("RGB@0,0>", "GYP@3,0>", Reason.CLASH),
        ("RGB@0,0>", "RYP@0,1v", Reason.NOT_BY_AN_END),  # At the long edge of a tile on the table.
        ("RGB@0,0v", "RYP@1,0>", Reason.NOT_BY_AN_END),
        ("RGB@0,0>", "BYP@3,0v", Reason.NOT_BY_AN_END),  # At the long edge of the new tile.
        ("RGB@0,0>", "PBY@3,-1v", Reason.NOT_BY_AN_END),  # Only a wild center joins crosswise.
        ("RGB@0,0>", "BYP@5,5>", Reason.TOO_FEW_CONTACTS),
        ("RGB@0,0>", "BYP@2,0>", Reason.OVERLAP),
        ("RGB@0,0> GBP@6,0>", "BRG@3,0>", Reason.TOUCHES_MORE),  # Between two ends.
        ("RGB@0,0> BYP@3,0>", "P*R@3,1v", Reason.CLASH),
        ("P*Y@0,0>", "P*Y@0,1>", Reason.NOT_BY_AN_END),  # Center to center, but the ends touch too.
        ("P*Y@0,0>", "RGB@1,1v", None),
        ("P*Y@0,0>", "PGB@0,1v", Reason.NOT_BY_AN_END),
    ],
)
def test_6_3_junior_tiles_join_only_at_an_end(table: str, placement: str, expected: Reason | None) -> None:
    assert reason(table, placement, JUNIOR) is expected


def test_6_3_refusals_count_contacts_and_blame_squares() -> None:
    table = Table.parse("RGB@0,0> GBP@6,0>")
    far = table.refusal(Placement.parse("BYP@0,9>"), JUNIOR)
    assert far is not None
    assert str(far) == "needs 1 matching edge, has 0"
    assert far.squares == ((0, 9), (1, 9), (2, 9))
    between = table.refusal(Placement.parse("BRG@3,0>"), JUNIOR)
    assert between is not None
    assert between.squares == ((3, 0), (5, 0))
    assert between.contacts == table.contacts(Placement.parse("BRG@3,0>"))
    assert "exactly one contact" in str(between)
    side = table.refusal(Placement.parse("RYP@0,1v"), JUNIOR)
    assert side is not None
    assert side.squares == ((0, 1),)
    assert side.contacts == table.contacts(Placement.parse("RYP@0,1v"))
    assert str(side).startswith("not end to end")


def test_an_illegal_placement_raises_its_refusal() -> None:
    table, placement = Table.parse("RGB@0,0>"), Placement.parse("GRR@0,5>")
    with pytest.raises(IllegalPlacement, match="needs 2 matching edges, has 0") as caught:
        table.place(placement)
    assert caught.value.refusal == table.refusal(placement)
    assert len(table) == 1


def test_tables_are_values() -> None:
    table = Table.parse("Y*R@0,0> GRR@1,1>")
    again = Table.parse("Y*R@0,0>").place(Placement.parse("GRR@1,1>"))
    assert table == again
    assert hash(table) == hash(again)
    assert len({table, again}) == 1
    assert hash(table) != hash(Table.parse("Y*R@0,0>"))
    assert table != Table.parse("GRR@1,1> Y*R@0,0>")
    assert table != str(table)
    assert eval(repr(table), {"Table": Table}) == table  # noqa: S307
    assert table.laid == tuple(map(Placement.parse, str(table).split()))


def test_a_table_has_a_color_for_each_square() -> None:
    table = Table.parse("Y*R@0,0>")
    assert [table.color_at((x, 0)) for x in range(-1, 4)] == [None, "Y", "*", "R", None]


def test_parse_refuses_overlaps_and_nonsense_but_accepts_any_layout() -> None:
    with pytest.raises(ParseError, match=r"RRR@2,0> can't be on this table: overlap.*2,0"):
        Table.parse("RGB@0,0> RRR@2,0>")
    with pytest.raises(ParseError, match="isn't a placement"):
        Table.parse("RGB")
    with pytest.raises(ParseError, match="text with placements, not int"):
        Table.parse(7)  # type: ignore[arg-type]
    assert len(Table.parse("PRR@0,0> GRR@0,1> RRR@50,50v")) == 3


def test_a_short_text_cannot_use_up_memory() -> None:
    with pytest.raises(ParseError, match="too far"):
        Table.parse("RRR@0,0> GGG@999999999,999999999>")
    assert Table.parse("RRR@0,0> GGG@1003,0>").fits(Tile.parse("RRR"))
    with pytest.raises(ParseError, match="too far"):
        Table.parse("RRR@0,0> GGG@1004,0>")
    with pytest.raises(ParseError, match="too far"):
        Table.parse("RRR@0,0> GGG@0,-1004>")
    with pytest.raises(ParseError, match="too far"):
        Table.parse("RRR@100000001,0>")
    assert len(Table.parse("RRR@100000000,-100000000>")) == 1
    # The more tiles, the farther a table can reach; what counts is the distance, not the place.
    assert len(Table.parse("RRR@900,-900> BBB@0,0> GGG@1900,-900v GGG@900,109v")) == 4


def test_lay_ignores_the_rules_but_not_overlaps() -> None:
    table = Table.parse("PRR@0,0>").lay(Placement.parse("GRR@0,1>"))
    with pytest.raises(IllegalPlacement, match="overlap"):
        table.lay(Placement.parse("RRR@0,0v"))
    far = Placement.parse("RRR@0,5000v")
    with pytest.raises(IllegalPlacement, match="too far from the first tile") as caught:
        table.lay(far)
    assert caught.value.refusal.squares == far.squares
