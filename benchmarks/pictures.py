"""How long pictures take to draw, and how large they are: `make bench`."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.engine import best, heading, print_table
from chromino import Rules
from chromino.draw import Theme, animated_svg, drawing_svg, game_card, game_drawing
from chromino.draw.gif import gif
from chromino.draw.raster import png
from chromino.view import View
from tests.helpers import states

KINDS: dict[str, Callable[[View], bytes]] = {
    "SVG": lambda view: drawing_svg(game_drawing(view), Theme.AUTO).encode(),
    "animated SVG": lambda view: animated_svg(view).encode(),
    "PNG": lambda view: png(game_drawing(view)),
    "card for a link (PNG)": lambda view: png(game_card(view), scale=1),
    "GIF": gif,
}


def seconds(draw: Callable[[View], bytes], view: View) -> float:
    """Seconds to draw one picture."""
    return best(lambda: len(draw(view)[:1]))


def main() -> None:
    views = []
    for players in (2, 4, 8):
        *_, game = states(Rules.classic(), players, seed=1)
        views.append(game.view(None))
    print(heading("one"))
    print_table(
        ("a whole game as", *(f"{len(view.players)} players, {len(view.table)} tiles" for view in views)),
        [
            (name, *(f"{1000 * seconds(draw, view):,.0f} ms, {len(draw(view)) / 1000:,.0f} kB" for view in views))
            for name, draw in KINDS.items()
        ],
    )


if __name__ == "__main__":
    main()
