"""Conundrums on paper: 1, 2, 4, or 6 per page, readable in black and white, with solutions at the end."""

from __future__ import annotations

from collections.abc import Sequence

from chromino.conundrum import Conundrum
from chromino.draw.look import PRINT
from chromino.draw.svg import table_svg, tile_svg

_STYLE = """
@page { margin: 12mm; }
* { box-sizing: border-box; }
body { font: 11pt system-ui, sans-serif; margin: 0; color: #000; }
h1 { font-size: 14pt; margin: 0 0 4mm; }
.sheet { display: grid; gap: 6mm; height: 255mm; break-after: page; grid-auto-rows: minmax(0, 1fr); }
.sheet.two { grid-template-columns: 1fr 1fr; }
.conundrum { display: flex; flex-direction: column; align-items: center; gap: 3mm; min-height: 0; padding: 3mm; }
.conundrum { border: 0.3mm solid #888; border-radius: 3mm; }
.conundrum > svg { flex: 1; min-height: 0; width: 100%; }
.ask { display: flex; flex-wrap: wrap; gap: 2mm 6mm; align-items: center; }
.ask span { display: inline-flex; gap: 2mm; align-items: center; }
.ask svg { height: 7mm; width: 21mm; }
.number { align-self: start; font-weight: 700; }
"""


def book_html(conundrums: Sequence[Conundrum], per_page: int) -> str:
    """A document to print on A4 or Letter: the conundrums, then the same conundrums with all places drawn."""
    pages = [*_sheets(conundrums, per_page, solved=False), *_sheets(conundrums, per_page, solved=True)]
    head = f"<meta charset='utf-8'><title>Chromino</title><style>{_STYLE}</style>"
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{''.join(pages)}</body></html>"


def _sheets(conundrums: Sequence[Conundrum], per_page: int, *, solved: bool) -> list[str]:
    css_class = "sheet two" if per_page > 2 else "sheet"
    numbered = list(enumerate(conundrums, start=1))
    return [
        f"<section class='{css_class}'>{''.join(_html(*entry, solved) for entry in page)}</section>"
        for page in (numbered[first : first + per_page] for first in range(0, len(numbered), per_page))
    ]


def _html(number: int, conundrum: Conundrum, solved: bool) -> str:
    places = [place for tile_places in conundrum.solutions.values() for place in tile_places] if solved else []
    asked = "".join(f"<span>{tile_svg(tile, PRINT)} × {count}</span>" for tile, count in conundrum.counts.items())
    picture = table_svg(conundrum.table, places=places, title=f"Conundrum {number}", look=PRINT)
    return f"<div class='conundrum'><div class='number'>{number}</div>{picture}<div class='ask'>{asked}</div></div>"
