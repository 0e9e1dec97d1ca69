"""Renders a game as text, SVG or pixels, always as a spectator would see it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from chromino.draw import Theme, drawing_svg, game_card, game_drawing, table_text, winners_words
from chromino.view import View

MODES = ("ansi", "svg", "rgb_array", "human")
_SCALE = 0.5


def picture(view: View, mode: str) -> str | NDArray[np.uint8] | None:
    """The picture in one of `MODES`; `human` prints the text instead of returning it."""
    if mode == "svg":
        return drawing_svg(game_drawing(view))
    if mode == "rgb_array":
        return _pixels(view)
    if mode == "ansi":
        return _text(view)
    print(_text(view), end="")  # noqa: T201
    return None


def _pixels(view: View) -> NDArray[np.uint8]:
    """An image that always has the same size, which videos need: tiles shrink as the table grows."""
    from chromino.draw.raster import canvas  # This loads Pillow only when it's needed.

    return np.array(canvas(game_card(view), Theme.LIGHT, _SCALE).image.convert("RGB"))


def _text(view: View) -> str:
    lines = [table_text(view.table), f"bag: {view.bag_count}"]
    for seat, name in enumerate(view.players):
        mark = ">" if seat == view.seat and not view.over else " "
        points = view.scores[seat]
        scores = f", {points} point{'' if points == 1 else 's'}" if view.rules.scoring else ""
        size = view.hand_sizes[seat]
        lines.append(f"{mark} {name}: {size} tile{'' if size == 1 else 's'}{scores}")
    if view.over:
        lines.append(winners_words(view.players, view.winners))
    return "\n".join(lines) + "\n"
