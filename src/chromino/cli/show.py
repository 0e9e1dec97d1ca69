"""`chromino show`: draw tables, places, hands, and whole games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from chromino.cli.app import RULES_HELP, UserError, app, say
from chromino.cli.records import read_record
from chromino.draw import (
    Row,
    Theme,
    animated_svg,
    drawing_svg,
    framed_table_drawing,
    game_drawing,
    result_words,
    table_drawing,
    table_text,
)
from chromino.draw.scenes import hands_drawing
from chromino.draw.shapes import Drawing
from chromino.game import Game
from chromino.rules import Rules
from chromino.table import Table
from chromino.terminal.screen import styled
from chromino.tiles import Placement, Square, Tile, parse_tiles
from chromino.view import View

Out = Path | None

_MAX_DISTANCE = 100
"""The placement in `--try` must be within this many squares of a tile, since all squares in between are drawn."""


@app.command()
def show(
    what: Annotated[
        str,
        typer.Argument(
            help='A table like "Y*R@0,0> GRR@1,1>", or a game record like game.jsonl.', metavar="TABLE|FILE"
        ),
    ],
    svg: Annotated[Out, typer.Option(help="Write an SVG file.")] = None,
    png: Annotated[Out, typer.Option(help="Write a PNG file.")] = None,
    animated: Annotated[Out, typer.Option(help="Write a whole game as an animated SVG.")] = None,
    gif: Annotated[Out, typer.Option(help="Write a whole game as an animated GIF.")] = None,
    tile: Annotated[list[str] | None, typer.Option(help="Mark all places for this tile.")] = None,
    attempt: Annotated[
        str | None,
        typer.Option(
            "--try", help="Try this placement; if it doesn't fit, mark the squares that prevent it, and say why."
        ),
    ] = None,
    hand: Annotated[list[str] | None, typer.Option(help='Show a hand below the table, such as "Ada: RGB P*R".')] = None,
    last: Annotated[bool, typer.Option("--last", help="Mark the last tile placed.")] = False,
    move: Annotated[
        int | None,
        typer.Option(help="Draw the game as it was after this many moves; draws and passes count."),
    ] = None,
    theme: Annotated[
        Theme | None,
        typer.Option(help="Add a background; auto follows the viewer's system in SVG, and is light in PNG and GIF."),
    ] = None,
    rules: Annotated[str, typer.Option(help=f"For --tile and --try. {RULES_HELP}")] = "classic",
) -> None:
    """Draw a table or a whole game in the terminal, or as a file: SVG, PNG, an animated SVG, or a GIF."""
    marks = tile or attempt or hand or last
    if "@" not in what and (what.endswith(".jsonl") or Path(what).is_file()):
        if marks:
            raise UserError("--tile, --try, --hand, and --last need a table, not a record")
        _show_game(_game_at(Path(what), move), svg, png, animated, gif, theme)
        return
    if move is not None or animated is not None or gif is not None:
        raise UserError("--move, --animated and --gif need a game record")
    table = Table.parse(what)
    preset = Rules.preset(rules)
    places = [place for each in tile or () for place in table.placements(Tile.parse(each), preset)]
    wrong: tuple[Square, ...] = ()
    why = None
    if attempt is not None:
        tried = Placement.parse(attempt)
        _check_distance(table, tried)
        why = table.refusal(tried, preset)
        wrong = why.squares if why else ()
        places.append(tried)
    marked = table.laid[-1] if last and len(table) else None
    rows = list(map(_row, hand or ()))
    is_bare = theme is None and not rows
    if rows and not len(table):
        drawing = hands_drawing(rows)
    elif is_bare:
        drawing = table_drawing(table, places=places, wrong=wrong, last=marked)
    else:
        drawing = framed_table_drawing(table, places=places, wrong=wrong, last=marked, rows=rows)
    if not _write_files(drawing, svg, png, theme or (Theme.LIGHT if is_bare else Theme.AUTO)):
        plus_marks = {square: "+" for place in places for square in place.squares}
        _draw(table, {**plus_marks, **dict.fromkeys(wrong, "x")})
    if why is not None:
        say(f"{attempt} isn't allowed: {why}")


def _check_distance(table: Table, tried: Placement) -> None:
    distances = [max(abs(laid.x - tried.x), abs(laid.y - tried.y)) for laid in table.laid]
    if distances and min(distances) > _MAX_DISTANCE:
        raise UserError(f"--try must be within {_MAX_DISTANCE} squares of a tile; {tried} is too far away")


def _game_at(file: Path, move: int | None) -> Game:
    """The recorded game: as it ended or, with `move`, after this many events."""
    record, final = read_record(file)
    if move is None:
        return final
    if not 0 <= move <= len(record.events):
        raise UserError(f"--move must be a number from 0 to {len(record.events)}, not {move}")
    return Game.replay(replace(record, events=record.events[:move]))


def _show_game(game: Game, svg: Out, png: Out, animated: Out, gif: Out, theme: Theme | None) -> None:
    view: View = replace(game.view(None), hands=game.hands)  # A record contains all hands anyway.
    wrote = _write_files(game_drawing(view), svg, png, theme or Theme.AUTO)
    if animated is not None:
        animated.write_text(animated_svg(view, theme or Theme.AUTO), encoding="utf-8")
        say(f"wrote {animated}")
    if gif is not None:
        from chromino.draw.gif import gif as draw_gif  # Imported here because it loads Pillow.

        gif.write_bytes(draw_gif(view, theme or Theme.LIGHT))
        say(f"wrote {gif}")
    if not wrote and animated is None and gif is None:
        _draw(game.table, {})
        say(result_words(game))


def _write_files(drawing: Drawing, svg: Out, png: Out, theme: Theme) -> bool:
    """Write the requested files, and return whether there were any."""
    if svg is not None:
        svg.write_text(drawing_svg(drawing, theme), encoding="utf-8")
        say(f"wrote {svg}")
    if png is not None:
        from chromino.draw.raster import png as draw_png  # Imported here because it loads Pillow.

        png.write_bytes(draw_png(drawing, theme))
        say(f"wrote {png}")
    return svg is not None or png is not None


def _row(text: str) -> Row:
    name, colon, tiles = text.rpartition(":")
    if not colon or not name.strip():
        raise UserError(f'--hand must be a name and tiles, like "Ada: RGB P*R", not {text[:40]!r}')
    return Row(name.strip(), hand=parse_tiles(tiles.split()))


def _draw(table: Table, marks: dict[Square, str]) -> None:
    console = Console(highlight=False)
    if console.is_terminal:
        console.print(styled(table, marks), soft_wrap=True)
    else:
        say(table_text(table, marks))
