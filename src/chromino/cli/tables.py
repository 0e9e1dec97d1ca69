"""`chromino positions`, `replay`, and `rules`: look at tables, records, and rules."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from chromino.cli.app import RULES_HELP, Plain, app, pluralized, preset_summary, say
from chromino.cli.records import read_record
from chromino.draw import event_words, place_words, result_words
from chromino.game import Game
from chromino.rules import CHOICES, PRESETS, Rules
from chromino.table import Table
from chromino.terminal.screen import Screen, Stopped
from chromino.tiles import Tile


@app.command()
def positions(
    tiles: Annotated[list[str], typer.Argument(help="Tiles like YBR or P*R.", metavar="TILE")],
    table: Annotated[str, typer.Option(help='The table, like "Y*R@0,0> GRR@1,1>".')],
    rules: Annotated[str, typer.Option(help=RULES_HELP)] = "classic",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List every place where each tile fits on a table."""
    preset = Rules.preset(rules)
    parsed = Table.parse(table)
    places_by_tile = {tile: parsed.placements(tile, preset) for tile in map(Tile.parse, tiles)}
    if as_json:
        say(json.dumps({str(tile): list(map(str, places)) for tile, places in places_by_tile.items()}))
        return
    for tile, places in places_by_tile.items():
        say(f"{tile}: {pluralized(len(places), 'place')}")
        for place in places:
            say(f"  {place}  {place_words(place)}")


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A game record, like game.jsonl.")],
    plain: Plain = False,
) -> None:
    """Step through a game record, check it against the rules, and say who won."""
    record, final = read_record(file)
    game = Game.dealt(record.rules, record.players, record.deal)
    can_step = not plain and sys.stdin.isatty() and sys.stdout.isatty()
    screen = Screen(Console(highlight=False), plain=not can_step)
    rules_name = record.rules.name or "custom"
    screen.say(f"Players: {', '.join(record.players)}. Rules: {rules_name.replace('_', ' ')}.")
    try:
        for event in record.events:
            screen.draw(game.table)
            if can_step:
                screen.ask_or_stop("Enter for the next event, q to stop:")
            screen.say(event_words(event, record.players))
            game = game.apply(event.action)
    except (Stopped, KeyboardInterrupt):
        return
    screen.draw(final.table)
    screen.say(result_words(final))


@app.command(name="rules")
def list_rules() -> None:
    """Print the presets and their choices."""
    say("Presets, for --rules:")
    for name, rules in PRESETS.items():
        say(f"  {name:14} {preset_summary(name)}")
        changed = [choice for choice in CHOICES if getattr(rules, choice.name) != choice.default]
        words = (f"{choice.name} {_word(getattr(rules, choice.name))}" for choice in changed or CHOICES)
        say(f"  {'':14} {', '.join(words)}")
    say("Choices:")
    for choice in CHOICES:
        say(f"  {choice.name:14} {choice.about}{' (yes or no)' if choice.is_switch else ''}")


def _word(value: object) -> str:
    return {"True": "yes", "False": "no", "None": "none"}.get(str(value), str(value))
