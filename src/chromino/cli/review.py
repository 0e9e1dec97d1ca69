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
from chromino.review import Cause, Choice, Measure, Review, Value, measures
from chromino.review import review as reviewed
from chromino.review.reviewing import PLAYOUTS
from chromino.table import Table

_CAUSES = {
    Cause.DEAL: "the deal: the starting hand, and who goes first",
    Cause.DRAW: "the draws",
    Cause.CHOICE: "the choices",
    Cause.OTHERS: "the others: what they did, and what that revealed about their tiles",
}


@app.command()
def review(
    file: Annotated[Path, typer.Argument(help="A game record, like game.jsonl.")],
    seat: Annotated[int, typer.Option(help="Whose game to review: a seat number, starting at 0.")] = 0,
    points: Annotated[
        bool | None,
        typer.Option(
            "--points/--win", help="Measure in points (if the game has them) or by win probability.", show_default=False
        ),
    ] = None,
    playouts: Annotated[
        int, typer.Option(help="How many games to play out; more games give a more precise review.")
    ] = PLAYOUTS,
    seed: Annotated[int, typer.Option(help="The same seed gives the same review.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say how a game went for one player: luck, choices, and the costliest moves."""
    if playouts < 1:
        raise UserError(f"--playouts must be 1 or more, not {playouts}")
    _, game = read_record(file)
    measure = measures(game)[0] if points is None else Measure.POINTS if points else Measure.WIN
    result = reviewed(game, seat, measure=measure, playouts=playouts, seed=seed)
    if as_json:
        say(json.dumps(_as_json(result)))
        return
    say(result_words(game))
    say(f"How it went for {game.players[seat]}, {_unit(game, measure)}:")
    say("")
    say(f"  {_amount(result.fair, measure):>14}           {_start(game, measure)}")
    for kind, words in _CAUSES.items():
        if kind is not Cause.OTHERS or len(game.players) > 1:
            say(f"  {_signed(result.gain(kind), measure)} {words}")
    say(f"  {_amount(result.result, measure):>14}           the result")
    say("")
    costliest = result.costliest()
    if not costliest:
        say("No move clearly cost anything.")
        return
    say(f"In total, choosing anything but the best move cost {_with_error(result.cost, measure)}.")
    say(
        "The costliest moves. ( ) marks what was played and [ ] what would have been better; "
        "where they overlap, only [ ] is shown:"
    )
    for choice in costliest:
        say("")
        _describe(game, choice)


def _describe(game: Game, choice: Choice) -> None:
    measure = choice.measure
    say(f"Move {choice.version + 1} cost {_with_error(Value(choice.cost, choice.error), measure)}")
    say(f"  played: {place_words(choice.chosen)} ({_amount(choice.value.mean, measure)})")
    say(f"  better: {place_words(choice.best)} ({_amount(choice.best_value.mean, measure)})")
    laid = sum(str(event.action) not in ("draw", "pass") for event in game.log[: choice.version])
    marks = dict(zip(choice.chosen.squares, map("({})".format, choice.chosen.colors), strict=True))
    marks |= zip(choice.best.squares, map("[{}]".format, choice.best.colors), strict=True)
    say(table_text(Table.parse(" ".join(map(str, game.table.laid[: laid + 1]))), marks))


def _unit(game: Game, measure: Measure) -> str:
    """What the numbers measure."""
    if measure is Measure.POINTS:
        return "in points at the end" if len(game.players) == 1 else "in points ahead of the best opponent"
    return "as the chance of placing every tile" if len(game.players) == 1 else "as the chance of winning"


def _start(game: Game, measure: Measure) -> str:
    """What the first line stands for: the value that gains and losses start from."""
    if measure is Measure.WIN and len(game.players) > 1:
        return f"a fair share with {len(game.players)} players"
    return "what to expect before the deal"


def _amount(value: float, measure: Measure) -> str:
    return f"{value:.1f} points" if measure is Measure.POINTS else f"{100 * value:.0f}%"


def _signed(gain: Value, measure: Measure) -> str:
    if measure is Measure.POINTS:
        return f"{gain.mean:>+7.1f} points ± {gain.error:<6.1f} "
    return f"{100 * gain.mean:>+13.0f}% ± {100 * gain.error:<6.0f} "


def _with_error(value: Value, measure: Measure) -> str:
    return f"{_amount(value.mean, measure)} ± {_amount(value.error, measure)}"


def _as_json(result: Review) -> dict[str, Any]:
    return {
        "seat": result.seat,
        "measure": result.measure,
        "fair": result.fair,
        "result": result.result,
        "gains": {kind: _value(result.gain(kind)) for kind in Cause},
        "cost": _value(result.cost),
        "steps": [
            {
                "kind": step.kind,
                "since": step.since,
                "until": step.until,
                "before": _value(step.before),
                "after": _value(step.after),
            }
            for step in result.steps
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
            for choice in result.choices
        ],
    }


def _value(value: Value) -> dict[str, float]:
    return {"mean": value.mean, "error": value.error}
