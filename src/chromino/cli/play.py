"""`chromino play`: play a game in the terminal."""

from __future__ import annotations

import secrets
import sys
from random import Random
from typing import Annotated

import typer
from rich.console import Console

from chromino.bots import find
from chromino.cli.app import RULES_HELP, Plain, UserError, app, pluralized, preset_summary
from chromino.cli.choices import with_rule_options
from chromino.deal import MAX_PLAYERS
from chromino.game import Game
from chromino.rules import PRESETS, Rules, Value
from chromino.terminal.saved_game import SavedGame
from chromino.terminal.screen import Screen, Stopped, whole_number
from chromino.terminal.screen import play as play_game

_DEFAULT_LEVEL = "2"


@app.command()
@with_rule_options
def play(
    rules: Annotated[str | None, typer.Option(help=RULES_HELP)] = None,
    players: Annotated[int | None, typer.Option(help="How many people play here, not counting bots.")] = None,
    bots: Annotated[int | None, typer.Option(help="How many bots play.")] = None,
    level: Annotated[
        str | None,
        typer.Option(
            help='How strong the bots are: 1 to 5, or a name from the list that "chromino bots" prints. '
            f"By default {_DEFAULT_LEVEL}; with --resume, as before."
        ),
    ] = None,
    name: Annotated[list[str] | None, typer.Option(help="A person's name; repeat the option for each person.")] = None,
    *,
    choices: dict[str, Value],
    first: Annotated[int | None, typer.Option(help="Who goes first, counting from 1; random by default.")] = None,
    seed: Annotated[str | None, typer.Option(help="The same seed deals the same game.")] = None,
    plain: Plain = False,
    resume: Annotated[bool, typer.Option("--resume", help="Continue your last unfinished game.")] = False,
) -> None:
    """Play in the terminal: solo, with people next to you, or against bots.

    If you leave out the rules or the number of people or bots, we'll ask, or use defaults if input comes from a pipe.
    Every action is saved: stop with q or Ctrl-C, and continue with --resume.
    """
    bot = find(_DEFAULT_LEVEL if level is None else level)
    screen = Screen(Console(highlight=False, no_color=plain or None), plain=plain)
    if resume:
        if choices or any(value is not None for value in (rules, players, bots, name, first, seed)):
            raise UserError("--resume continues a game as it is, so you can only add --level and --plain")
        unfinished = SavedGame.latest_unfinished()
        if unfinished is None:
            raise UserError("there's no game to resume; start a new one with: chromino play")
        saved, game = unfinished
        if level is not None:
            saved = saved.save_bot(bot.name)
        elif saved.bot is not None:
            bot = find(saved.bot)
    else:
        try:
            game, bot_seats = _new_game(screen, rules, players, bots, name or [], first, seed, choices)
        except (Stopped, KeyboardInterrupt):
            raise typer.Abort from None
        saved = SavedGame.new(bot_seats, bot.name)
    try:
        play_game(game, saved, screen, bot, Random())
    except (Stopped, KeyboardInterrupt):
        screen.say("\nYour game is saved. Continue with: chromino play --resume")
        raise typer.Exit from None
    screen.say(f"Watch it again with: chromino replay {saved.path}")


def _new_game(
    screen: Screen,
    rules: str | None,
    players: int | None,
    bots: int | None,
    names: list[str],
    first: int | None,
    seed: str | None,
    choices: dict[str, Value],
) -> tuple[Game, frozenset[int]]:
    """Start a game with these options. In a terminal, ask for the rules, people, and bots if they're missing."""
    can_ask = sys.stdin.isatty()
    Rules.preset(rules or "classic", **(choices if rules else {}))  # Check the options before asking for anything.
    _check_seats(players or len(names) or 1, bots or 0)
    if rules is None:
        rules = _ask_rules(screen) if can_ask else "classic"
    if players is None:
        players = len(names) or (
            _ask_number(screen, "How many people are playing?", 1, 1, MAX_PLAYERS - (bots or 0)) if can_ask else 1
        )
    if len(names) > players:
        raise UserError(f"you gave {pluralized(len(names), 'name')} for {pluralized(players, 'person', 'people')}")
    if bots is None:
        default = int(players == 1)
        bots = _ask_number(screen, "How many bots?", default, 0, MAX_PLAYERS - players) if can_ask else default
    _check_seats(players, bots)
    preset = Rules.preset(rules, **choices)
    people = names + [f"Player {number}" for number in range(len(names) + 1, players + 1)]
    seats = people + [f"Bot {number}" for number in range(1, bots + 1)]
    if first is not None and not 1 <= first <= len(seats):
        raise UserError(f"--first must be a number from 1 to {len(seats)} (people first, then bots), not {first}")
    game = Game.start(
        preset, seats, secrets.token_hex(16) if seed is None else seed, None if first is None else first - 1
    )
    return game, frozenset(range(players, len(seats)))


def _check_seats(players: int, bots: int) -> None:
    if players < 0 or bots < 0 or not 1 <= players + bots <= MAX_PLAYERS:
        raise UserError(
            f"a game must have 1 to {MAX_PLAYERS} players (people and bots together), not "
            f"{pluralized(players, 'person', 'people')} and {pluralized(bots, 'bot')}"
        )


def _ask_rules(screen: Screen) -> str:
    for number, name in enumerate(PRESETS, start=1):
        screen.say(f"{number}: {name.replace('_', ' ')}. {preset_summary(name)}")
    answer = _ask_number(screen, "Which rules?", 1, 1, len(PRESETS))
    return list(PRESETS)[answer - 1]


def _ask_number(screen: Screen, question: str, default: int, least: int, most: int) -> int:
    if least == most:
        return least
    while True:
        answer = screen.ask_or_stop(f"{question} {least} to {most}, Enter for {default}:")
        if not answer:
            return default
        number = whole_number(answer)
        if number is not None and least <= number <= most:
            return number
        screen.say(f"Please type a number from {least} to {most}.")
