"""`chromino conundrum`: solve or make a conundrum, show today's, or make a book of conundrums."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from chromino.cli.app import UserError, app, pluralized, read_text, say
from chromino.conundrum import Conundrum
from chromino.conundrum.grading import GRADES, difficulty
from chromino.conundrum.making import daily, make
from chromino.draw import table_svg, table_text
from chromino.draw.book import book_html

conundrums = typer.Typer(help="Conundrums: find every place where a tile fits.", rich_markup_mode=None)
app.add_typer(conundrums, name="conundrum")

# All of these can print to PDF without opening a window.
_BROWSERS = ("chromium", "chromium-headless-shell", "google-chrome")
REASON_NOUNS = {
    "places": ("place", "places"),
    "turned": ("rotation", "rotations"),
    "corners": ("place in a corner", "places in corners"),
    "holes": ("place in a hole", "places in holes"),
    "by-wild": ("place at a wild center", "places at wild centers"),
    "spread": ("square between places", "squares between places"),
    "near-misses": ("near miss", "near misses"),
    "tiles-on-table": ("tile on the table", "tiles on the table"),
}

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Svg = Annotated[Path | None, typer.Option("--svg", help="Write a picture to this file.")]
Grade = Annotated[int, typer.Option("--grade", help="How hard the conundrum is, from 1 to 5.")]


@conundrums.command()
def solve(
    source: Annotated[str, typer.Argument(help="A file, or the text: TABLE ? TILES", metavar="FILE|TEXT")],
    as_json: AsJson = False,
    svg: Svg = None,
) -> None:
    """Find every place for each tile."""
    conundrum = Conundrum.parse(_text(source))
    if svg is not None:
        places = [place for solutions in conundrum.solutions.values() for place in solutions]
        svg.write_text(table_svg(conundrum.table, places=places), encoding="utf-8")
    if as_json:
        say(json.dumps(_as_json(conundrum, solved=True)))
        return
    for tile, solutions in conundrum.solutions.items():
        say(f"{tile}: {len(solutions)}  {' '.join(map(str, solutions))}".rstrip())


@conundrums.command(name="make")
def make_one(
    grade: Grade = 3,
    seed: Annotated[str, typer.Option(help="The same seed makes the same conundrum.")] = "1",
    tiles: Annotated[int, typer.Option(help="How many tiles to find places for: 1 to 4.")] = 2,
    count: Annotated[
        list[str] | None, typer.Option(help="A tile and its number of places, like YRB=5; you can repeat this.")
    ] = None,
    as_json: AsJson = False,
    svg: Svg = None,
) -> None:
    """Make a conundrum of a given grade or, with --count, with a given number of places for each tile.

    With --count, --grade and --tiles don't apply.
    """
    _show(make(seed, grade, tiles=tiles, counts=_counts(count) if count else None), as_json, svg)


@conundrums.command()
def today(
    grade: Grade = 3,
    day: Annotated[str | None, typer.Option(help="The conundrum of another day, like 2026-11-15.")] = None,
    as_json: AsJson = False,
    svg: Svg = None,
) -> None:
    """Show the conundrum of the day (UTC), which is the same for everyone."""
    _show(daily(_day(day), grade), as_json, svg)


@conundrums.command()
def book(
    count: Annotated[int, typer.Option(help="How many conundrums.")] = 24,
    seed: Annotated[str, typer.Option(help="The same seed makes the same book.")] = "1",
    per_page: Annotated[int, typer.Option(help="How many per page: 1, 2, 4, or 6.")] = 4,
    out: Annotated[Path, typer.Option(help="A file that ends with .pdf or .html.")] = Path("book.pdf"),
) -> None:
    """Make a book of conundrums to print, from easy to hard, with solutions at the end."""
    if not 1 <= count <= 200:
        raise UserError(f"--count must be a number from 1 to 200, not {count}")
    if per_page not in (1, 2, 4, 6):
        raise UserError(f"--per-page must be 1, 2, 4, or 6, not {per_page}")
    if out.suffix not in (".pdf", ".html"):
        raise UserError(f"{out} must end with .pdf or .html")
    made = [make(f"{seed} {number}", 1 + number * len(GRADES) // count) for number in range(count)]
    html = book_html(made, per_page)
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if out.suffix == ".pdf" and browser is None:
        out = out.with_suffix(".html")
        say("Making a PDF needs Chromium, which isn't installed. Print this page from any browser instead:")
    if out.suffix == ".html":
        out.write_text(html, encoding="utf-8")
    else:
        _print_pdf(str(browser), html, out)
    say(f"wrote {out}: {pluralized(count, 'conundrum')}")


def _print_pdf(browser: str, html: str, out: Path) -> None:
    with TemporaryDirectory() as folder:
        page = Path(folder) / "book.html"
        page.write_text(html, encoding="utf-8")
        # Chromium refuses to run as root in its sandbox, and the only page it opens is ours.
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
        flags.append(f"--user-data-dir={folder}/user")
        done = subprocess.run(  # noqa: S603
            [browser, *flags, f"--print-to-pdf={out.absolute()}", page.as_uri()], capture_output=True, check=False
        )
    if done.returncode or not out.exists():
        raise UserError(f"{browser} couldn't print to {out}; try --out book.html, and print that from your browser")


def _show(conundrum: Conundrum, as_json: bool, svg: Path | None) -> None:
    if svg is not None:
        svg.write_text(table_svg(conundrum.table), encoding="utf-8")
    if as_json:
        say(json.dumps(_as_json(conundrum, solved=False)))
        return
    graded = difficulty(conundrum)
    say(table_text(conundrum.table))
    say("")
    for tile, count in conundrum.counts.items():
        say(f"{tile}: find {count}")
    reasons = ", ".join(pluralized(number, *REASON_NOUNS[code]) for code, number in graded.reasons[:4])
    say(f"Level {graded.grade}, score {graded.score}: {reasons}")
    say(str(conundrum))


def _as_json(conundrum: Conundrum, *, solved: bool) -> dict[str, Any]:
    graded = difficulty(conundrum)
    data: dict[str, Any] = {
        "conundrum": str(conundrum),
        "counts": {str(tile): count for tile, count in conundrum.counts.items()},
        "grade": graded.grade,
        "score": graded.score,
        "reasons": dict(graded.reasons),
    }
    if solved:
        data["solutions"] = {str(tile): list(map(str, places)) for tile, places in conundrum.solutions.items()}
    return data


def _text(source: str) -> str:
    if "?" in source:
        return source
    if not Path(source).exists():
        raise UserError(f'{source} is neither a file nor a conundrum like "Y*R@0,0> GRR@1,1> ? YBR"')
    return read_text(Path(source)).strip()


def _counts(words: list[str]) -> dict[str, int]:
    from chromino.terminal.screen import whole_number  # Imported here because it loads the bots, and few calls need it.

    counts: dict[str, int] = {}
    for word in words:
        tile, _, typed = word.partition("=")
        number = whole_number(typed)
        if number is None:
            raise UserError(f"--count must be a tile and its number of places, like YRB=5, not {word[:20]!r}")
        if tile in counts:
            raise UserError(f"--count names {tile} twice")
        counts[tile] = number
    return counts


def _day(text: str | None) -> date:
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UserError(f"--day must be a date like 2026-11-15, not {text[:20]!r}") from None
