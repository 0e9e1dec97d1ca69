"""Drawing: tables as text, words, SVG and pixels. No rules are checked here.

`raster.py` and `gif.py` need Pillow, so they're only imported to make a PNG or a GIF.
"""

from chromino.draw.animation import animated_svg
from chromino.draw.look import Theme
from chromino.draw.scenes import Row, framed_table_drawing, game_card, game_drawing
from chromino.draw.svg import drawing_svg, table_drawing, table_svg
from chromino.draw.text import Cell, grid, table_text
from chromino.draw.words import event_words, place_words, result_words, tile_words, winners_words

__all__ = [
    "Cell",
    "Row",
    "Theme",
    "animated_svg",
    "drawing_svg",
    "event_words",
    "framed_table_drawing",
    "game_card",
    "game_drawing",
    "grid",
    "place_words",
    "result_words",
    "table_drawing",
    "table_svg",
    "table_text",
    "tile_words",
    "winners_words",
]
