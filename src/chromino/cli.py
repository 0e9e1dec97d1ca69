"""The `chromino` command. Each command reads its words, calls the library and prints; no rules in here."""

from __future__ import annotations

import json
import secrets
import sys
from pathlib import Path
from random import Random
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

from chromino.deal import MAX_PLAYERS
from chromino.draw import event_words, place_words, result_words, table_svg, table_text
from chromino.errors import ChrominoError, RecordError
from chromino.game import Game
from chromino.record import Record
from chromino.rules import CLASSIC, PRESETS, Rules
from chromino.saved import SavedGame
from chromino.table import Table
from chromino.terminal import Screen, Stopped, styled, whole_number
from chromino.terminal import play as play_game
from chromino.tiles import Tile
from chromino.version import __version__

app = typer.Typer(
    name="chromino",
    help="The tile game Chromino: play, solve, draw and replay.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

_RULES_HELP = "A preset: " + ", ".join(PRESETS) + "."
Plain = Annotated[bool, typer.Option("--plain", help="Plain sentences only, for screen readers and pipes.")]


class UserError(Exception):
    """Something typed was not right: one line, exit code 2."""


def main() -> NoReturn:
    """Run the command; whatever is wrong with the input is told in one line."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = app(standalone_mode=False)
    except typer.TyperException as error:
        message = error.format_message() if isinstance(error, typer.BadParameter) else str(error)
        _fail(" ".join(message.split()), 2)
    except typer.Abort:
        _fail("stopped", 130)
    except (ChrominoError, UserError) as error:
        _fail(str(error), 2)
    except OSError as error:
        _fail(f"{error.filename or 'file'}: {error.strerror}", 2)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str, code: int) -> NoReturn:
    print(f"chromino: {message}", file=sys.stderr)  # noqa: T201
    sys.exit(code)


def _print(text: str) -> None:
    print(text)  # noqa: T201


@app.callback(invoke_without_command=True)
def _chromino(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    if version:
        _print(f"chromino {__version__}")
    elif context.invoked_subcommand is None:
        _print(context.get_help())


@app.command()
def play(
    rules: Annotated[str | None, typer.Option(help=_RULES_HELP)] = None,
    players: Annotated[int | None, typer.Option(help="How many people play, from this keyboard.")] = None,
    bots: Annotated[int | None, typer.Option(help="How many simple bots play.")] = None,
    name: Annotated[list[str] | None, typer.Option(help="The name of a person; once for each.")] = None,
    draw_limit: Annotated[
        str | None, typer.Option(help="How many tiles a turn may draw: a number, or none for no limit.")
    ] = None,
    scoring: Annotated[str | None, typer.Option(help="Points instead of a race: expert, a, b or c.")] = None,
    chameleons: Annotated[bool | None, typer.Option(help="With the five chameleons, or without.")] = None,
    open_hands: Annotated[bool | None, typer.Option(help="Everyone sees every hand.")] = None,
    hand_size: Annotated[int | None, typer.Option(help="How many tiles are dealt to each player.")] = None,
    ending: Annotated[str | None, typer.Option(help="When someone is out: round, one_more_turn or at_once.")] = None,
    first: Annotated[int | None, typer.Option(help="Who begins, counted from 1; else by chance.")] = None,
    seed: Annotated[str | None, typer.Option(help="The same seed deals the same game.")] = None,
    plain: Plain = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the last game that is not over.")] = False,
) -> None:
    """Play in the terminal, alone, with people beside you or against simple bots.

    What is not given is asked for. Every action is kept on disk: stop with q or Ctrl-C, go on with --resume.
    """
    screen = Screen(Console(highlight=False, no_color=plain or None), plain=plain)
    choices = {
        "chameleons": chameleons,
        "draw_limit": _limit(draw_limit),
        "open_hands": open_hands,
        "hand_size": hand_size,
        "scoring": scoring,
        "ending": ending,
    }
    if resume:
        if any(value is not None for value in (rules, players, bots, name, first, seed, *choices.values())):
            raise UserError("--resume goes on with a game as it is; only --plain goes with it")
        found = SavedGame.latest_unfinished()
        if found is None:
            raise UserError("there is no unfinished game to go on with; start one with: chromino play")
        saved, game = found
    else:
        try:
            game, bot_seats = _new_game(screen, rules, players, bots, name or [], first, seed, choices)
        except (Stopped, KeyboardInterrupt):
            raise typer.Abort from None
        saved = SavedGame.new(bot_seats)
    try:
        play_game(game, saved, screen, Random())  # noqa: S311
    except (Stopped, KeyboardInterrupt):
        screen.say("\nThe game is kept. Go on with: chromino play --resume")
        raise typer.Exit from None
    screen.say(f"Look at it again with: chromino replay {saved.path}")


def _limit(text: str | None) -> int | str | None:
    """The draw limit as typed: "none" means no limit, which the rules call None."""
    if text is None or text == "none":
        return text
    number = whole_number(text)
    if number is None:
        raise UserError(f"--draw-limit is a number from 1 up, or none, not {text[:20]!r}")
    return number


def _new_game(
    screen: Screen,
    rules: str | None,
    players: int | None,
    bots: int | None,
    names: list[str],
    first: int | None,
    seed: str | None,
    choices: dict[str, Any],
) -> tuple[Game, frozenset[int]]:
    """A game from the options, asking a person at a terminal for the rest."""
    asking = sys.stdin.isatty()
    chosen = {key: None if value == "none" else value for key, value in choices.items() if value is not None}
    Rules.preset(rules or "classic", **(chosen if rules else {}))  # What was given is checked before anything is asked.
    _check_seats(players or len(names) or 1, bots or 0)
    if rules is None:
        rules = _ask_rules(screen) if asking else "classic"
    if players is None:
        players = len(names) or (_ask_number(screen, "How many people play?", 1, 1, 8 - (bots or 0)) if asking else 1)
    if len(names) > players:
        raise UserError(f"{len(names)} names were given for {players} {'person' if players == 1 else 'people'}")
    if bots is None:
        bots = _ask_number(screen, "How many bots?", int(players == 1), 0, 8 - players) if asking else int(players == 1)
    _check_seats(players, bots)
    preset = Rules.preset(rules, **chosen)
    people = names + [f"Player {number}" for number in range(len(names) + 1, players + 1)]
    seats = people + [f"Bot {number}" for number in range(1, bots + 1)]
    if first is not None and not 1 <= first <= len(seats):
        raise UserError(f"--first is a player from 1 to {len(seats)}, not {first}")
    game = Game.start(
        preset, seats, secrets.token_hex(16) if seed is None else seed, None if first is None else first - 1
    )
    return game, frozenset(range(players, len(seats)))


def _check_seats(players: int, bots: int) -> None:
    if players < 0 or bots < 0 or not 1 <= players + bots <= MAX_PLAYERS:
        raise UserError(f"1 to {MAX_PLAYERS} can play, people and bots together, not {players} and {bots}")


def _ask_rules(screen: Screen) -> str:
    for number, name in enumerate(PRESETS, start=1):
        screen.say(f"{number}: {name.replace('_', ' ')}. {_summary(name)}")
    answer = _ask_number(screen, "Which rules?", 1, 1, len(PRESETS))
    return list(PRESETS)[answer - 1]


def _ask_number(screen: Screen, question: str, default: int, least: int, most: int) -> int:
    if least == most:
        return least
    while True:
        answer = screen.command(f"{question} {least} to {most}, Enter for {default}:")
        if not answer:
            return default
        number = whole_number(answer)
        if number is not None and least <= number <= most:
            return number
        screen.say(f"Please type a number from {least} to {most}.")


@app.command()
def positions(
    tiles: Annotated[list[str], typer.Argument(help="Tiles like YBR or P*R.", metavar="TILE...")],
    table: Annotated[str, typer.Option(help='The table, like "Y*R@0,0> GRR@1,1>".')],
    rules: Annotated[str, typer.Option(help=_RULES_HELP)] = "classic",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List every place where each tile fits on a table, and how many they are."""
    chosen = Rules.preset(rules)
    laid = Table.parse(table)
    found = {tile: laid.placements(tile, chosen) for tile in map(Tile.parse, tiles)}
    if as_json:
        _print(json.dumps({str(tile): list(map(str, places)) for tile, places in found.items()}))
        return
    for tile, places in found.items():
        _print(f"{tile}: {len(places)} place{'' if len(places) == 1 else 's'}")
        for place in places:
            _print(f"  {place}  {place_words(place)}")


@app.command()
def show(
    table: Annotated[str, typer.Argument(help='The table, like "Y*R@0,0> GRR@1,1>".')],
    svg: Annotated[Path | None, typer.Option(help="Write a drawing to this file instead.")] = None,
) -> None:
    """Draw a table in the terminal, or as an SVG file."""
    laid = Table.parse(table)
    if svg is not None:
        svg.write_text(table_svg(laid), encoding="utf-8")
        _print(f"wrote {svg}")
    else:
        _draw(laid)


def _draw(table: Table) -> None:
    console = Console(highlight=False)
    if console.is_terminal:
        console.print(styled(table), soft_wrap=True)
    else:
        _print(table_text(table))


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A game record, like game.jsonl.")],
    plain: Plain = False,
) -> None:
    """Step through a game record, check it against the rules, and say who won."""
    try:
        record = Record.parse(_read(file))
        final = Game.replay(record)
    except RecordError as error:
        _fail(f"{file}: {error}", 1)
    game = Game.dealt(record.rules, record.players, record.deal)
    stepping = not plain and sys.stdin.isatty() and sys.stdout.isatty()
    screen = Screen(Console(highlight=False), plain=not stepping)
    rules_name = record.rules.name or "own choices"
    screen.say(f"{', '.join(record.players)} play {rules_name.replace('_', ' ')}.")
    try:
        for event in record.events:
            screen.draw(game.table)
            if stepping:
                screen.command("Enter for the next event, q to stop:")
            screen.say(event_words(event, record.players))
            game = game.apply(event.action)
    except (Stopped, KeyboardInterrupt):
        return
    screen.draw(final.table)
    screen.say(result_words(final))


def _read(file: Path) -> str:
    data = file.read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise RecordError(data[: error.start].count(b"\n") + 1, "this is not UTF-8 text") from None


@app.command(name="rules")
def list_rules() -> None:
    """Print the presets and their choices."""
    _print("Presets, for --rules:")
    for name, rules in PRESETS.items():
        _print(f"  {name:14} {_summary(name)}")
        changed = [f"{key} {_word(value)}" for key, value in rules.to_json().items() if value != _DEFAULTS[key]]
        _print(f"  {'':14} {', '.join(changed) or ', '.join(f'{k} {_word(v)}' for k, v in _DEFAULTS.items())}")
    _print("Choices:")
    for choice, values in _CHOICES.items():
        _print(f"  {choice:14} {values}")


_DEFAULTS = CLASSIC.to_json()
_CHOICES = {
    "chameleons": "yes or no: are the five chameleons in the bag?",
    "hand_size": "how many tiles are dealt to each player",
    "draw_limit": "how many tiles a turn may draw; none: until one can be placed",
    "open_hands": "yes or no: does everyone see every hand?",
    "joining": "contacts: two or more of equal color; ends: like dominoes",
    "scoring": "none: the first to run out wins; expert, a, b or c: the most points win",
    "ending": "when someone is out, the round is finished; one_more_turn for all others; at_once",
}


def _word(value: object) -> str:
    return {"True": "yes", "False": "no", "None": "none"}.get(str(value), str(value))


def _summary(name: str) -> str:
    """A preset in a sentence."""
    return str(getattr(Rules, name).__doc__)
