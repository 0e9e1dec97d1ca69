"""The figures in the rules. Their positions, for the page and for docs/rules.md, are in web/rules/figures.json.

`python -m tests.figures` redraws the figures in the docs, and a test checks that they're up to date.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chromino
from chromino import Game, Placement, Rules, Table, Tile
from chromino.draw import Row, Theme, animated_svg, drawing_svg, framed_table_drawing, table_svg
from chromino.tiles import Square

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "figures"
RULES = Path(chromino.__file__).parent / "web" / "rules"
_CORNER = Table.parse("Y*R@0,0> GRR@1,1>")
IN_DOCS = ("kinds", "example", "corner", "clash", "wild", "junior", "expert")
Edges = list[tuple[Square, Square]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A table, what's placed on it, and what the figure claims about it."""

    table: Table
    rules: Rules
    places: tuple[Placement, ...]
    verdict: str | None
    """`legal`, or the reason for the refusal; None if the figure makes no claim."""
    good: Edges
    """Contacts that count, each as a square of the placed tile and its neighbor."""
    bad: Edges
    """Contacts that break a rule."""
    points: tuple[int, ...]

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Figure:
        return cls(
            Table.parse(data["table"]),
            Rules.preset(data.get("rules", "classic")),
            tuple(map(Placement.parse, data.get("places", []))),
            data.get("verdict"),
            _edges(data.get("good", [])),
            _edges(data.get("bad", [])),
            tuple(data.get("points", [])),
        )


def _edges(data: list[Any]) -> Edges:
    return [((x, y), (other_x, other_y)) for (x, y), (other_x, other_y) in data]


def read(name: str) -> Any:
    """Read a JSON file from the page's rules."""
    return json.loads((RULES / f"{name}.json").read_text(encoding="utf-8"))


def positions() -> dict[str, Figure]:
    """All figures by name."""
    return {name: Figure.from_json(data) for name, data in read("figures").items()}


def figures() -> dict[str, str]:
    """The SVG of each figure in the docs, by name."""
    captions = read("en")["figures"]
    return {
        name: table_svg(
            figure.table, places=figure.places, wrong=[square for square, _ in figure.bad], title=captions[name]
        )
        for name, figure in positions().items()
        if name in IN_DOCS
    } | {
        "hands": drawing_svg(
            framed_table_drawing(
                _CORNER,
                places=_CORNER.placements(Tile.parse("YBR")),
                last=_CORNER.laid[-1],
                rows=[
                    Row("Ada", hand=(Tile.parse("YBR"), Tile.parse("P*R")), is_next=True),
                    Row("小明", hand=(Tile.parse("GGG"), None, None)),
                ],
                title="All places for a tile, and two hands",
            ),
            Theme.AUTO,
        ),
        "moving": animated_svg(_short_game().view(None)),
    }


def _short_game() -> Game:
    game = Game.start(Rules.preset("expert", hand_size=4), ["Ada", "Bob", "Fox"], seed=7)
    while not game.over:
        game = game.apply(game.actions()[0])
    return game


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, drawing in figures().items():
        (FOLDER / f"{name}.svg").write_text(drawing, encoding="utf-8")
