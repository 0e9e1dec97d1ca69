"""`chromino review`: how a game went for one player."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from chromino.cli.app import UserError, app, say
from chromino.cli.records import read_record
from chromino.draw import place_words, result_words, table_text
from chromino.game import Game
from chromino.review import Choice, Kind, Review, Value
from chromino.review import review as reviewed
from chromino.review.reviewing import PLAYOUTS
from chromino.table import Table

_KINDS = {
    Kind.DEAL: "the deal: the first hand, and who begins",
    Kind.DRAW: "the draws",
    Kind.CHOICE: "the choices",
    Kind.OTHERS: "what the others did and held",
}


@app.command()
def review(
    file: Annotated[Path, typer.Argument(help="A game record, like game.jsonl.")],
    seat: Annotated[int, typer.Option(help="Whose game: the number of a seat, from 0.")] = 0,
    playouts: Annotated[int, typer.Option(help="How many games are played out in all: more tell more.")] = PLAYOUTS,
    seed: Annotated[int, typer.Option(help="The same seed gives the same review.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say how a game went for one player: luck, choices, and the moves that cost most."""
    if playouts < 1:
        raise UserError(f"--playouts is a number from 1 up, not {playouts}")
    _, game = read_record(file)
    found = reviewed(game, seat, playouts=playouts, seed=seed)
    if as_json:
        say(json.dumps(_as_json(found)))
        return
    name = game.players[seat]
    say(result_words(game))
    say(f"How it went for {name}, in parts of a win:")
    say("")
    say(f"  {_percent(found.fair):>6}           a fair share of {len(game.players)} players")
    for kind, words in _KINDS.items():
        say(f"  {_signed(found.gain(kind))} {words}")
    say(f"  {_percent(found.result):>6}           the result")
    say("")
    say(f"All moves that were not the best cost {_around(found.cost)} together.")
    costliest = found.costliest()
    if not costliest:
        say("No choice clearly cost anything.")
        return
    say("What cost most; ( ) was played, [ ] is better, and lies on top where both would lie:")
    for choice in costliest:
        say("")
        _tell(game, choice)


def _tell(game: Game, choice: Choice) -> None:
    say(f"Move {choice.version + 1} cost {_percent(choice.cost)} ± {_percent(choice.error)}")
    say(f"  played: {place_words(choice.chosen)} ({_percent(choice.value.mean)})")
    say(f"  better: {place_words(choice.best)} ({_percent(choice.best_value.mean)})")
    laid = sum(str(event.action) not in ("draw", "pass") for event in game.log[: choice.version])
    marks = dict(zip(choice.chosen.squares, map("({})".format, choice.chosen.colors), strict=True))
    marks |= zip(choice.best.squares, map("[{}]".format, choice.best.colors), strict=True)
    say(table_text(Table.parse(" ".join(map(str, game.table.laid[: laid + 1]))), marks))


def _percent(part: float) -> str:
    return f"{100 * part:.0f} %"


def _signed(gain: Value) -> str:
    return f"{100 * gain.mean:>+4.0f} % ± {100 * gain.error:<4.0f}  "


def _around(value: Value) -> str:
    return f"{_percent(max(0.0, value.mean))} ± {_percent(value.error)}"


def _as_json(found: Review) -> dict[str, Any]:
    return {
        "seat": found.seat,
        "fair": found.fair,
        "result": found.result,
        "gains": {kind: _value(found.gain(kind)) for kind in Kind},
        "cost": _value(found.cost),
        "steps": [
            {
                "kind": step.kind,
                "since": step.since,
                "until": step.until,
                "before": _value(step.before),
                "after": _value(step.after),
            }
            for step in found.steps
        ],
        "choices": [
            {
                "version": choice.version,
                "options": choice.options,
                "before": _value(choice.before),
                "chosen": str(choice.chosen),
                "value": _value(choice.value),
                "best": str(choice.best),
                "best_value": _value(choice.best_value),
                "cost": choice.cost,
                "error": choice.error,
                "clear": choice.is_clear,
            }
            for choice in found.choices
        ],
    }


def _value(value: Value) -> dict[str, float]:
    return {"mean": value.mean, "error": value.error}
