"""Matches and tournaments."""

from __future__ import annotations

import json
import signal

import pytest
from typer.testing import CliRunner

from chromino import Rules
from chromino.bots import BotError
from chromino.cli.app import app
from chromino.study.match import Match, line_up, play, play_deal
from chromino.study.ratings import ratings
from chromino.study.weights import fit, rows
from tests.command import run, start_and_wait_for


def test_the_last_bot_named_fills_the_remaining_seats() -> None:
    assert [bot.name for bot in line_up(["3", "random"], 4)] == ["fox", "random", "random", "random"]
    assert [bot.name for bot in line_up([1], 1)] == ["snail"]
    with pytest.raises(BotError, match="every bot needs a seat"):
        line_up([1, 2, 3], 2)
    with pytest.raises(BotError, match="a table has at most 8"):
        line_up([1], 9)
    with pytest.raises(BotError, match="at least one"):
        line_up([], 2)


def test_each_deal_is_played_in_every_rotation() -> None:
    """Each of three bots has each seat once, so if they always play the same way, each wins once."""
    deal = play_deal(["fox", "fox", "fox"], Rules.scoring_a(), "7")
    assert deal.games == 3
    assert deal.shares == pytest.approx([1 / 3, 1 / 3, 1 / 3])


def test_the_same_seed_plays_the_same_match() -> None:
    once = play(Match(line_up(["1", "random"], 3), Rules.classic()), 9, seed=5)
    again = play(Match(line_up(["1", "random"], 3), Rules.classic()), 9, seed=5, jobs=2)
    assert [deal.shares for deal in once.deals] == [deal.shares for deal in again.deals]
    other = play(Match(line_up(["1", "random"], 3), Rules.classic()), 9, seed=6)
    assert [deal.shares for deal in once.deals] != [deal.shares for deal in other.deals]
    assert once.games == 9


def test_scores_add_up_and_have_errors() -> None:
    match = play(Match(line_up(["3", "random"], 2), Rules.classic()), 100, seed=1)
    scores = [match.score(number) for number in range(2)]
    assert sum(mean for mean, _ in scores) == pytest.approx(1)
    assert all(0.01 < error < 0.1 for _, error in scores)
    shares = [deal.shares[0] for deal in match.deals]
    mean = sum(shares) / 50
    assert scores[0][1] == pytest.approx((sum((s - mean) ** 2 for s in shares) / 49 / 50) ** 0.5)
    typical, longest = match.thinking(0)
    assert 0 < typical <= longest


def test_an_empty_match_has_no_estimates() -> None:
    match = Match(line_up(["1"], 2), Rules.classic())
    assert match.score(0) == (0.0, float("inf"))
    assert match.thinking(0) == (0.0, 0.0)
    assert match.to_json()["games"] == 0


def test_ratings_order_the_bots() -> None:
    match = play(Match(line_up(["3", "random"], 2), Rules.classic()), 300, seed=2)
    strong, weak = ratings([match])
    assert (strong.bot, weak.bot) == ("fox", "random")
    assert strong.mu > weak.mu
    assert strong.sigma < 25 / 3


def test_fitting_weights_finds_a_known_sum() -> None:
    truth = [0.1 * (number + 1) for number in range(12)]
    data = [([float((n * 7 + k * 3) % 11) for k in range(12)], 0.0) for n in range(400)]
    data = [(x, sum(a * b for a, b in zip(x, truth, strict=True))) for x, _ in data]
    found = fit(iter(data))
    predicted = [sum(a * b for a, b in zip(x, found, strict=True)) for x, _ in data]
    assert predicted == pytest.approx([value for _, value in data], rel=0.05)


def test_rows_have_twelve_numbers_and_a_value_relative_to_their_mean() -> None:
    found = list(rows(Rules.expert(), 2, 1, seed=1))
    assert {len(numbers) for numbers, _ in found} == {12}
    assert len({value for _, value in found}) > 1
    for column in zip(*((*numbers, value) for numbers, value in found), strict=True):
        assert sum(column) == pytest.approx(0, abs=1e-9)


def test_a_match_can_be_played_from_the_command_line() -> None:
    result = run("match", "3", "random", "--games", "20", "--seed", "2")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("20 games with 2 players, classic, seed 2: ")
    assert "1. fox " in result.stdout
    found = json.loads(
        run("match", "1", "greedy", "--games", "7", "--players", "4", "--rules", "expert", "--json").stdout
    )
    assert found["games"] == 8
    assert [row["bot"] for row in found["bots"]] == ["snail", "greedy", "greedy", "greedy"]
    assert sum(row["score"] for row in found["bots"]) == pytest.approx(1)


def test_tournaments_can_be_played_and_bots_listed_from_the_command_line() -> None:
    out = run("tournament", "1", "random", "greedy", "--games", "4").stdout.splitlines()
    assert len(out) == 3 + 3
    found = json.loads(run("tournament", "1", "random", "--games", "4", "--json").stdout)
    assert {rating["bot"] for rating in found["ratings"]} == {"snail", "random"}
    assert [line.split()[1] for line in run("bots").stdout.splitlines()][:5] == [
        "snail",
        "hedgehog",
        "fox",
        "owl",
        "dragon",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "9", "1"], "there is no bot '9'"),
        (["match", "1", "2", "--players", "1"], "every bot needs a seat"),
        (["match", "1", "2", "--games", "0"], "--games must be 1 or more"),
        (["match", "1", "2", "--jobs", "0"], "--jobs must be 1 or more"),
        (["tournament", "--jobs", "-2"], "--jobs must be 1 or more, or -1 for all cores, not -2"),
        (["match", "1", "2", "--rules", "chess"], "there is no preset"),
        (["match"], "Missing argument"),
        (["tournament", "1"], "two different bots"),
        (["tournament", "1", "snail"], "two different bots"),
        (["play", "--level", "6"], "there is no bot '6'"),
    ],
)
def test_bad_input_gets_one_clear_line(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_ctrl_c_prints_what_is_known_so_far() -> None:
    process = start_and_wait_for("match", "1", "random", "--games", "1000000", bar="[1-9][0-9]*/1000000")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert out.startswith("Stopped after ")
    assert "1. snail " in out


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_a_match_stopped_before_its_first_deal_is_valid_json(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("chromino.cli.bots.play", stopped)
    out = CliRunner().invoke(app, [command, "1", "random", "--json"]).stdout
    found = json.loads(out, parse_constant=pytest.fail)
    match = found if command == "match" else found["matches"][0]
    assert [row["error"] for row in match["bots"]] == [None, None]
    assert CliRunner().invoke(app, [command, "1", "random"]).stdout.startswith("Stopped after 0 of ")
