"""Drawing: text, words and SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from chromino import Drew, Game, Passed, Placed, Placement, Rules, Table, Tile
from chromino.draw import event_words, grid, place_words, result_words, table_svg, table_text, tile_words
from chromino.draw.look import VIVID
from chromino.draw.words import points_words, square_words
from tests.figures import FOLDER, figures
from tests.helpers import position, states

SVG = "{http://www.w3.org/2000/svg}"
PLAYERS = ["Ada", "Bob"]


def test_text_joins_tiles_across_and_stacks_them_down() -> None:
    drawn = table_text(Table.parse("Y*R@0,0> YBR@3,-2v"), {(0, -1): "1", (-1, 0): "12"})
    assert drawn.splitlines() == [
        "         0",
        "-3 ·  ·  ·  ·  ·  ·  ·",
        "-2 ·  ·  ·  ·  ·  Y  ·",
        "-1 ·  ·  1  ·  ·  B  ·",
        " 0 · 12  Y──*──R  R  ·",
        " 1 ·  ·  ·  ·  ·  ·  ·",
    ]


def test_column_numbers_are_above_their_columns() -> None:
    header, row, *_ = table_text(Table.parse("RGB@-100,0> RGB@-90,0>")).splitlines()[::2]
    assert header.index("-100") + 2 == row.index("R")
    assert header.index("-90") + 1 == row.rindex("R")


def test_the_text_of_an_empty_table_is_empty() -> None:
    assert table_text(Table()) == ""


def test_every_square_of_the_table_is_a_cell() -> None:
    *_, game = states(Rules.classic(), 4, seed=1)
    cells = [cell for row in grid(game.table) for cell in row if cell.color]
    assert len(cells) == 3 * len(game.table)
    assert all(len(cell.text) == 3 and cell.color in cell.text for cell in cells if cell.color)


def test_tiles_places_and_points_are_described_in_words() -> None:
    assert tile_words("Y*R") == "yellow-wild-red"
    assert place_words(Placement.parse("BGR@0,0>")) == "blue-green-red going right, on the starting square"
    assert square_words((-2, 1)) == "2 squares to the left and 1 square down from the starting square"
    assert square_words((0, -3)) == "3 squares up from the starting square"
    assert points_words((1,)) == "1 point"
    assert points_words((8, 8)) == "8 + 8 = 16 points"


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            Placed(0, Placement.parse("GRR@1,1>")),
            "Ada places green-red-red going right, 1 square to the right and 1 square down from the starting square.",
        ),
        (
            Placed(1, Placement.parse("GRR@1,1v"), (2, 1), Tile.parse("BBB")),
            "Bob places green-red-red going down, 1 square to the right and 1 square down from the starting square, "
            "for 2 + 1 = 3 points, and shows their last tile: blue-blue-blue.",
        ),
        (Drew(0, None), "Ada draws a tile."),
        (Drew(0, Tile.parse("GRB")), "Ada draws green-red-blue."),
        (Passed(1), "Bob passes."),
    ],
)
def test_events_are_described_in_words(event: Placed | Drew | Passed, words: str) -> None:
    assert event_words(event, PLAYERS) == words


def end(hands: list[str], rules: Rules = Rules.classic(), bag: str = "PPP") -> Game:  # noqa: B008
    game = position("RRR@0,0>", hands, bag=bag, rules=rules)
    while not game.over:
        game = game.apply(game.actions()[0])
    return game


def test_results_are_described_in_words() -> None:
    assert result_words(end(["RRG", "RRB"])) == "Ada and Bob win together. Tiles left: Ada 0, Bob 0."
    assert result_words(end(["RRG"])) == "Ada wins. Turns: 1."
    assert result_words(end(["RRG", "GGG BBB"], Rules.scoring_a())) == "Ada wins. Points: Ada 3, Bob -2."
    blocked = result_words(end(["RRG BBB"], bag=""))
    assert blocked == "The game is blocked: nobody can place another tile. Nobody wins. Turns: 1."
    running = position("RRR@0,0>", ["RRG", "GGG"])
    assert result_words(running) == "The game isn't over: it's Ada's turn."
    nobody_out = position("RRR@0,0>", ["RRG BBB", "GGG", "YYY"])
    tied = nobody_out.apply(nobody_out.actions()[0])
    assert result_words(tied).startswith(
        "The game is blocked: nobody can place another tile. Ada, Bob, and Cy win together."
    )


def test_an_svg_is_a_document_with_every_square_in_the_right_place() -> None:
    *_, game = states(Rules.classic(), 8, seed=3)
    root = ElementTree.fromstring(table_svg(game.table))  # noqa: S314
    tiles = root.findall(f"{SVG}g[@class='tile']")
    assert [tile.findtext(f"{SVG}title") for tile in tiles] == str(game.table).split()
    left, top, width, height = map(float, str(root.get("viewBox")).split())
    for rect in root.iterfind(f"{SVG}g/{SVG}rect"):
        x, y = float(str(rect.get("x"))), float(str(rect.get("y")))
        assert left <= x <= left + width - float(str(rect.get("width")))
        assert top <= y <= top + height - float(str(rect.get("height")))


def test_an_svg_gives_every_color_a_texture_and_the_wild_center_a_spiral() -> None:
    root = ElementTree.fromstring(table_svg(Table.parse("Y*R@0,0> GBP@0,1>")))  # noqa: S314
    textures = {path.get("id") for path in root.iterfind(f"{SVG}defs/{SVG}path")}
    assert textures == {f"chromino-{color}" for color in VIVID.palette if color != "*"}
    used = [(use.get("href"), use.get("x"), use.get("y")) for use in root.iter(f"{SVG}use")]
    assert used[:3] == [("#chromino-Y", "2.8", "2.8"), ("#chromino-R", "82.8", "2.8"), ("#chromino-G", "2.8", "42.8")]
    assert len(used) == 5
    assert len(root.findall(f".//{SVG}polyline")) == 1


def test_an_svg_marks_places_and_mistakes_and_escapes_titles() -> None:
    table = Table.parse("PRR@0,0>")
    drawing = table_svg(table, places=[Placement.parse("GRR@0,1>")], wrong=[(0, 1)], title='a <b> & "c"')
    root = ElementTree.fromstring(drawing)  # noqa: S314
    assert len(root.findall(f"{SVG}g[@class='place']")) == 1
    assert len(root.findall(f"{SVG}path")) == 2
    assert root.findtext(f"{SVG}title") == root.get("aria-label") == 'a <b> & "c"'
    assert ElementTree.fromstring(table_svg(Table())) is not None  # noqa: S314


def test_the_figures_in_the_docs_are_up_to_date() -> None:
    kept = [file for file in FOLDER.glob("*.svg") if not file.stem.startswith("study-")]  # Those have a separate test.
    assert {file.stem: file.read_text(encoding="utf-8") for file in kept} == figures()
