"""`chromino study`: play many games and answer questions about them."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_data_path
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from chromino.cli.app import RULES_HELP, UserError, app, check_work, read_text, say
from chromino.deal import MAX_PLAYERS
from chromino.rules import Rules
from chromino.study import document
from chromino.study.answers import Answer, answers, shown
from chromino.study.plan import QUESTIONS, Study
from chromino.study.report import about, report_html
from chromino.study.results import Results
from chromino.study.running import run
from chromino.terminal.screen import whole_number
from chromino.version import __version__

_OUTPUT_WIDTH = 160
"""The width of the output outside a terminal, in characters: wide enough for the tables."""


@app.command(name="study")
def study_command(
    questions: Annotated[
        list[str] | None,
        typer.Argument(help=f"Questions, by default all of them: {', '.join(QUESTIONS)}.", metavar="QUESTION"),
    ] = None,
    games: Annotated[
        int, typer.Option(help="Roughly how many games to play for each question; some need more.")
    ] = 1000,
    rules: Annotated[str, typer.Option("--rules", help=RULES_HELP)] = "classic",
    players: Annotated[str, typer.Option(help="Numbers of players, like 2, 2-8, or 2,4,6.")] = "1-8",
    bot: Annotated[str, typer.Option(help="The bot that plays, by level or name.")] = "fox",
    seed: Annotated[int, typer.Option(help="The same seed plays the same games.")] = 1,
    jobs: Annotated[int, typer.Option(help="How many processes to use; -1 for one per core.")] = -1,
    cluster: Annotated[
        str | None,
        typer.Option(help="Play on a Dask cluster, like tcp://host:8786."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(help="The file with the results so far; by default in your data directory."),
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write an HTML report with plots to this file.")] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Fill in the marked blocks of a Markdown file, and save its plots next to it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play many games and answer questions about them, with 95% confidence intervals.

    Nothing is played twice. Ctrl-C prints the results so far, and the same command continues from there; if you ask for
    more --games, only the missing ones are played.
    """
    check_work(games, jobs)
    # Check the output files now, not after half an hour of playing.
    if markdown is not None:
        document.check(read_text(markdown))
    if report is not None and not report.absolute().parent.is_dir():
        raise UserError(f"there's no folder {report.parent} for the report; create it first")
    study = Study(
        games=games,
        questions=tuple(questions or QUESTIONS),
        rules=Rules.preset(rules),
        players=_numbers(players),
        bot=bot,
    )
    path = file or user_data_path("chromino") / f"study-{__version__}-{seed}.jsonl"
    results = Results.open(path, seed)
    try:
        stopped = _play(study, results, jobs, cluster)
        answered = answers(study, results)
        if not stopped:
            results.shorten(path)
    finally:
        results.close()
    _print_answers(study, seed, answered, stopped, as_json)
    if report is not None:
        report.write_text(report_html(study, seed, answered), encoding="utf-8")
        _hint(f"The report is in {report}")
    if markdown is not None:
        written = document.write(markdown, study, seed, answered)
        _hint(f"Wrote {', '.join(map(str, written))}")
    if stopped:
        _hint(f"Stopped. The results so far are in {path}. To continue: {shlex.join(['chromino', *sys.argv[1:]])}")


def _play(study: Study, results: Results, jobs: int, cluster: str | None) -> bool:
    """Play with a progress bar, and return whether Ctrl-C stopped it."""
    plan = study.plan()
    total = sum(cell.batch_size * batches for cell, batches in plan.items())
    left = sum(cell.batch_size for cell, _ in results.missing(plan))
    console = Console(stderr=True)
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("games", total=total, completed=total - left)
        try:
            run(study, results, jobs=jobs, cluster=cluster, on_batch=lambda played: progress.advance(bar, played))
        except KeyboardInterrupt:
            return True
    return False


def _numbers(text: str) -> tuple[int, ...]:
    """Parse numbers of players: a single number, a range, or a list."""
    numbers: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", part)
        first, last = (whole_number(word) or 0 for word in (match[1], match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= MAX_PLAYERS:
            raise UserError(
                f"--players must be numbers from 1 to {MAX_PLAYERS}, like 2, 2-8, or 2,4,6; not {text[:20]!r}"
            )
        numbers += range(first, last + 1)
    return tuple(dict.fromkeys(numbers))


def _print_answers(study: Study, seed: int, answered: list[Answer], stopped: bool, as_json: bool) -> None:
    if as_json:
        data = {
            "seed": seed,
            "rules": study.rules.to_json(),
            "bot": study.bot,
            "complete": not stopped,
            "answers": {answer.question: answer.to_json() for answer in answered},
        }
        say(json.dumps(data))
        return
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_OUTPUT_WIDTH)
    for answer in answered:
        console.print(f"[bold]{answer.title}[/bold]", markup=True)
        for sentence in answer.sentences:
            console.print(sentence, markup=False)
        console.print(_table(answer))
        console.print()
    console.print(about(study, seed) if answered else "There are no results yet.", markup=False)


def _table(answer: Answer) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1))
    for number, word in enumerate(answer.head):
        table.add_column(word, justify="right" if number else "left")
    for row in answer.rows:
        table.add_row(*map(shown, row))
    return table


def _hint(text: str) -> None:
    """Print to stderr, so that piped output contains only the answers."""
    print(text, file=sys.stderr)  # noqa: T201
