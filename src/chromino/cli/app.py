"""The app, and what the commands share: options, one-line errors, printing, and singular and plural nouns."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, NoReturn, cast

import typer
from platformdirs import user_data_path
from typer.core import TyperGroup

from chromino.errors import ChrominoError
from chromino.rules import PRESETS, Rules
from chromino.version import __version__

app = typer.Typer(
    name="chromino",
    help="The tile game Chromino: play games, solve conundrums, draw tables, and replay records. "
    "Without a command, play in the browser.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

RULES_HELP = "A preset: " + ", ".join(PRESETS) + "."
Plain = Annotated[bool, typer.Option("--plain", help="Plain sentences only, for screen readers and pipes.")]


class UserError(Exception):
    """The user's input is wrong. The command prints one line and exits with code 2."""


def main() -> NoReturn:
    """Run the command, and report errors in one line instead of a traceback."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = app(standalone_mode=False)
    except typer.TyperException as error:
        message = error.format_message() if isinstance(error, typer.BadParameter) else str(error)
        fail(" ".join(message.split()), 2)
    except typer.Abort:
        fail("stopped", 130)
    except (ChrominoError, UserError) as error:
        fail(str(error), 2)
    except OSError as error:
        fail(f"{error.filename or 'file'}: {error.strerror}", 2)
    sys.exit(code if isinstance(code, int) else 0)


def fail(message: str, code: int) -> NoReturn:
    print(f"chromino: {message}", file=sys.stderr)  # noqa: T201
    sys.exit(code)


def say(text: str) -> None:
    print(text)  # noqa: T201


@app.callback(invoke_without_command=True)
def _chromino(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    if version:
        say(f"chromino {__version__}")
    elif context.invoked_subcommand is None:
        _serve(context)


def _serve(context: typer.Context) -> None:
    """Run `chromino serve`. Its options are parsed as usual, since parsing also reads them from the environment."""
    command = cast(TyperGroup, context.command).commands["serve"]
    with command.make_context("serve", [], parent=context) as serve_context:
        command.invoke(serve_context)


def read_text(file: Path) -> str:
    """The text of a file named by the user."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UserError(f"{file}: this isn't UTF-8 text") from None


def check_work(games: int, jobs: int) -> None:
    """Check how many games to play, and on how many cores."""
    if games < 1:
        raise UserError(f"--games must be 1 or more, not {games}")
    if jobs < 1 and jobs != -1:
        raise UserError(f"--jobs must be 1 or more, or -1 for all cores, not {jobs}")


def pluralized(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, singular or plural.

    >>> pluralized(1, "game"), pluralized(2, "game"), pluralized(0, "person", "people")
    ('1 game', '2 games', '0 people')
    """
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def default_database() -> str:
    """The database file that's used by default."""
    return str(user_data_path("chromino") / "chromino.sqlite")


def preset_summary(name: str) -> str:
    """A sentence that describes a preset."""
    return str(getattr(Rules, name).__doc__)
