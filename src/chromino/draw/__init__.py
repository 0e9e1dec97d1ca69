"""Drawing: a table as text, as words and as SVG. No rules in here."""

from chromino.draw.svg import table_svg
from chromino.draw.text import Cell, grid, table_text
from chromino.draw.words import event_words, place_words, result_words, tile_words, winners_words

__all__ = [
    "Cell",
    "event_words",
    "grid",
    "place_words",
    "result_words",
    "table_svg",
    "table_text",
    "tile_words",
    "winners_words",
]
