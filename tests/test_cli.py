"""The `chromino` command, run as a user would."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from chromino import PRESETS, Game, Rules, __version__
from chromino.cli.conundrums import REASON_NOUNS
from chromino.conundrum.grading import Difficulty
from chromino.rules import CHOICES
from tests.command import COMMAND, run, run_in_own_process
from tests.helpers import states, with_open_hands

TABLE = "Y*R@0,0> GRR@1,1>"


@pytest.fixture
def data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary home, so the developer's own games aren't touched."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def saved_games(home: Path) -> list[Path]:
    return sorted((home / "chromino" / "games").glob("*.jsonl"))


def test_positions_can_be_printed_as_json() -> None:
    result = run("positions", "--table", TABLE, "YBR", "GBB", "--json")
    assert json.loads(result.stdout) == {"RBY": ["RBY@3,0>", "YBR@0,-1>", "YBR@3,-2v"], "GBB": []}
    assert result.returncode == 0


def test_positions_are_described_in_words() -> None:
    result = run("positions", "--table", TABLE, "YBR", "GBB")
    assert result.stdout.splitlines() == [
        "RBY: 3 places",
        "  RBY@3,0>  red-blue-yellow going right, 3 squares to the right of the starting square",
        "  YBR@0,-1>  yellow-blue-red going right, 1 square up from the starting square",
        "  YBR@3,-2v  yellow-blue-red going down, 3 squares to the right and 2 squares up from the starting square",
        "GBB: 0 places",
    ]


def test_positions_can_follow_junior_rules() -> None:
    result = run("positions", "--table", "P*Y@0,0>", "YGP", "--rules", "junior", "--json")
    assert len(json.loads(result.stdout)["YGP"]) == 6


def test_show_draws_with_letters() -> None:
    assert "Y──*──R" in run("show", TABLE).stdout
    colored = run("show", TABLE, FORCE_COLOR="1", COLORTERM="truecolor").stdout
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored).rstrip().splitlines()[2].strip() == "0 ·  Y──*──R  ·  ·"


def test_show_writes_svg(tmp_path: Path) -> None:
    out = tmp_path / "out.svg"
    result = run("show", TABLE, "--svg", str(out))
    assert result.stdout == f"wrote {out}\n"
    assert out.read_text(encoding="utf-8").startswith("<svg ")


def test_show_marks_places_and_says_why_one_is_refused(tmp_path: Path) -> None:
    result = run("show", TABLE, "--tile", "YBR", "--try", "PPP@0,1v")
    assert [line.count("+") for line in result.stdout.splitlines()[:-1]] == [0, 0, 1, 4, 3, 0, 1, 1, 0]
    assert result.stdout.count("x") == 1
    assert result.stdout.splitlines()[-1].startswith("PPP@0,1v isn't allowed: clash: ")
    out = tmp_path / "out.svg"
    run("show", TABLE, "--tile", "YBR", "--last", "--svg", str(out))
    text = out.read_text(encoding="utf-8")
    assert (text.count('class="place"'), text.count('class="last"')) == (3, 1)


def test_show_draws_hands_and_themes(tmp_path: Path) -> None:
    svg, png = tmp_path / "out.svg", tmp_path / "out.png"
    arguments = [
        "--hand",
        "Ada: RGB P*R",
        "--hand",
        "Zoé: YYY",
        "--theme",
        "dark",
        "--svg",
        str(svg),
        "--png",
        str(png),
    ]
    for table in (TABLE, ""):
        result = run("show", table, *arguments)
        assert result.stdout == f"wrote {svg}\nwrote {png}\n"
        assert ">Zoé</text>" in svg.read_text(encoding="utf-8")
        assert "#14171E" in svg.read_text(encoding="utf-8")
        assert png.read_bytes().startswith(b"\x89PNG")


def chosen(rules: Rules) -> Iterator[str]:
    """The options of `play` that choose these rules."""
    for choice in CHOICES:
        value, name = getattr(rules, choice.name), choice.name.replace("_", "-")
        if value != choice.default and choice.is_switch:
            yield f"--{'' if value else 'no-'}{name}"
        elif value != choice.default:
            yield from (f"--{name}", "none" if value is None else str(value))


def test_rules_lists_every_preset_and_choice() -> None:
    out = run("rules").stdout
    for word in [*PRESETS, *Rules.classic().to_json()]:
        assert word in out


def test_play_offers_the_choices_of_the_table() -> None:
    out = run("play", "--help").stdout
    for choice in CHOICES:
        assert (f"--{choice.name.replace('_', '-')}" in out) == ("command" in choice.offered)


def test_help_and_version_are_shown() -> None:
    assert run("--version").stdout == f"chromino {__version__}\n"
    result = run("--help")
    assert result.returncode == 0
    assert "Usage: chromino [OPTIONS] COMMAND" in result.stdout.replace("python -m ", "")
    for command in ("play", "positions", "show", "replay", "review", "rules", "serve"):
        assert run(command, "--help").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dance"], "No such command 'dance'"),
        (["positions", "YBR"], "Missing option '--table'"),
        (["positions", "--table", TABLE], "Missing argument"),
        (["positions", "--table", TABLE, "XYZ"], "'XYZ' isn't a tile"),
        (["positions", "--table", TABLE, "ybr"], "write it in capitals, YBR"),
        (["positions", "--table", "Y*R", "YBR"], "isn't a placement"),
        (["positions", "--table", "RRR@0,0> RRR@0,0v", "YBR"], "overlap"),
        (["positions", "--table", "RRR@0,0> GGG@9999999,9>", "YBR"], "too far"),
        (["positions", "--table", TABLE, "YBR", "--rules", "chess"], "there is no preset 'chess'"),
        (["show", "nonsense"], "isn't a placement"),
        (["show", TABLE, "--svg", "/no/such/folder/out.svg"], "No such file or directory"),
        (["show", "nowhere.jsonl"], "nowhere.jsonl: No such file or directory"),
        (["show", TABLE, "--gif", "out.gif"], "need a game record"),
        (["show", TABLE, "--move", "3"], "need a game record"),
        (["show", "nowhere.jsonl", "--last"], "need a table"),
        (["show", TABLE, "--hand", "RGB"], "--hand must be a name and tiles"),
        (["show", TABLE, "--theme", "pink"], "'--theme'"),
        (["show", TABLE, "--try", "GRR"], "isn't a placement"),
        (["show", TABLE, "--try", "GRR@999999,0>"], "within 100 squares of a tile; GRR@999999,0> is too far away"),
        (["show", TABLE, "--try", "GRR@0,-101v"], "within 100 squares of a tile"),
        (["replay", "nowhere.jsonl"], "nowhere.jsonl: No such file or directory"),
        (["replay", "/"], "/: Is a directory"),
        (["play", "--players", "nine"], "'--players'"),
        (["play", "--players", "9"], "a game must have 1 to 8 players"),
        (["play", "--players", "0", "--bots", "0"], "a game must have 1 to 8 players"),
        (["play", "--players", "-1", "--bots", "3"], "a game must have 1 to 8 players"),
        (["play", "--draw-limit", "0"], "draw_limit must be a whole number, 1 or more"),
        (["play", "--draw-limit", "many"], "--draw-limit must be 1 or more, or none"),
        (["play", "--rules", "scoring_a", "--ending", "round"], "needs ending 'at_once'"),
        (["play", "--first", "3"], "--first must be a number from 1 to 2 (people first, then bots)"),
        (["play", "--name", "Ada", "--name", "Bob", "--players", "1"], "you gave 2 names for 1 person"),
        (["play", "--hand-size", "many"], "--hand-size must be 1 or more, not 'many'"),
        (["play", "--scoring", "many"], "scoring must be one of None, 'expert'"),
        (["play", "--hand-size", "40", "--players", "2"], "need 80"),
        (["play", "--seed", "a\nb"], "a seed must be printable text"),
        (["review", "nowhere.jsonl"], "nowhere.jsonl: No such file or directory"),
        (["review", "x", "--playouts", "0"], "--playouts must be 1 or more, not 0"),
        (["play", "--resume"], "there's no game to resume"),
        (["play", "--resume", "--rules", "junior"], "only add --level and --plain"),
        (["play", "--draw-limit", "9" * 5000], "--draw-limit must be 1 or more"),
        (["play", "--name", "a\nb"], "a name must be one line of text"),
        (["play", "--name", "\udcff"], "a name must be one line of text"),
    ],
)
def test_bad_input_gets_one_clear_line_and_exit_code_2(arguments: list[str], message: str, data_home: Path) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("chromino: ")
    assert len(result.stderr.splitlines()) == 1
    assert message in result.stderr
    assert saved_games(data_home) == []


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    *_, game = states(Rules.expert(), 2, seed=4)
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    path.write_text(str(game.record), encoding="utf-8")
    return path


def test_replay_prints_every_event_and_who_won(record: Path) -> None:
    game = Game.replay(record.read_text(encoding="utf-8"))
    result = run("replay", str(record))
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Players: Ada, Bob. Rules: expert."
    assert len(lines) == 2 + len(game.log)
    assert f"Points: Ada {game.scores[0]}, Bob {game.scores[1]}." in lines[-1]


def test_show_draws_a_whole_game(record: Path, tmp_path: Path) -> None:
    game = Game.replay(record.read_text(encoding="utf-8"))
    assert run("show", str(record)).stdout.splitlines()[-1].startswith("Ada wins" if game.winners == (0,) else "")
    names = {"--svg": b"<svg ", "--png": b"\x89PNG", "--animated": b"<svg ", "--gif": b"GIF89a"}
    files = {option: tmp_path / option.strip("-") for option in names}
    result = run("show", str(record), *(word for option, file in files.items() for word in (option, str(file))))
    assert sorted(result.stdout.splitlines()) == sorted(f"wrote {file}" for file in files.values())
    for option, beginning in names.items():
        assert files[option].read_bytes().startswith(beginning)
    run("show", str(record), "--move", "0", "--svg", str(files["--svg"]))
    assert files["--svg"].read_text(encoding="utf-8").count('class="back"') == 0  # A record hides nothing.


def test_show_refuses_a_bad_record(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{}", encoding="utf-8")
    result = run("show", str(bad))
    assert (result.returncode, result.stderr[: len(str(bad)) + 18]) == (1, f"chromino: {bad}: line 1")


def test_replay_refuses_a_bad_record_with_the_line_and_the_reason(record: Path, tmp_path: Path) -> None:
    lines = record.read_text(encoding="utf-8").splitlines()
    bad = tmp_path / "bad.jsonl"
    bad.write_text("\n".join([*lines[:3], lines[5]]), encoding="utf-8")
    result = run("replay", str(bad))
    assert result.returncode == 1
    assert result.stderr.startswith(f"chromino: {bad}: line 4: ")
    bad.write_bytes(lines[0].encode() + b"\n\xff\xfe\n")
    result = run("replay", str(bad))
    assert result.returncode == 1
    assert result.stderr == f"chromino: {bad}: line 2: this isn't UTF-8 text\n"


@pytest.mark.compiled
def test_a_review_shows_luck_choices_and_what_cost_the_most(tmp_path: Path) -> None:
    *_, game = states(Rules.classic(), 2, seed=4)
    record = tmp_path / "game.jsonl"
    record.write_text(str(game.record), encoding="utf-8")
    arguments = ["review", str(record), "--seat", "1", "--playouts", "60000"]
    result = run(*arguments)
    assert result.returncode == 0
    for part in ("How it went for Bob", "a fair share with 2 players", "the draws", "the choices", "the result"):
        assert part in result.stdout
    data = json.loads(run(*arguments, "--json").stdout)
    gains = sum(gain["mean"] for gain in data["gains"].values())
    assert data["fair"] + gains == pytest.approx(data["result"])
    costly = [choice for choice in data["choices"] if choice["clear"]]
    assert costly  # Bob placed tiles at random.
    for choice in sorted(costly, key=lambda choice: -choice["cost"])[:5]:
        assert f"Move {choice['version'] + 1} cost" in result.stdout
    assert "[" + costly[0]["best"][0] + "]" in result.stdout


def test_a_review_can_be_in_points(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    for players, expected in ((2, "in points ahead of the best opponent"), (1, "in points at the end")):
        *_, game = states(Rules.preset("expert", hand_size=3), players, seed=4)
        record.write_text(str(game.record), encoding="utf-8")
        arguments = ["review", str(record), "--playouts", "2000"]
        output = run(*arguments, "--points").stdout
        assert f"How it went for Ada, {expected}:" in output
        assert ("the others: what they did" in output) == (players == 2)
        data = json.loads(run(*arguments, "--points", "--json").stdout)
        assert data["measure"] == "points"
        assert data["result"] == game.scores[0] - (game.scores[1] if players == 2 else 0)
        assert json.loads(run(*arguments, "--json").stdout)["measure"] == ("win" if players == 2 else "points")
    assert "How it went for Ada, as the chance of placing every tile:" in run(*arguments, "--win").stdout
    *_, game = states(Rules.preset("classic", hand_size=2), 2, seed=4)
    record.write_text(str(game.record), encoding="utf-8")
    result = run("review", str(record), "--points")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("chromino: this game has no points")


def test_a_review_needs_a_finished_game_and_a_seat(record: Path, tmp_path: Path) -> None:
    result = run("review", str(record), "--seat", "7")
    assert (result.returncode, result.stderr) == (2, "chromino: there is no seat 7; seats go from 0 to 1\n")
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    part = tmp_path / "part.jsonl"
    part.write_text("".join(lines[:5]), encoding="utf-8")
    result = run("review", str(part))
    assert (result.returncode, result.stderr) == (2, "chromino: you can only review a game that's over\n")
    part.write_text("hello", encoding="utf-8")
    result = run("review", str(part))
    assert result.returncode == 1
    assert result.stderr.startswith(f"chromino: {part}: line 1: ")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_whole_game_can_be_played_in_plain_sentences(preset: str, data_home: Path) -> None:
    result = run("play", "--plain", "--rules", preset, "--bots", "2", "--name", "Ada", typed="1\n" * 500)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert "\x1b" not in result.stdout
    assert not re.search("[─·]", result.stdout)
    assert "Your hand: " in result.stdout
    (path,) = saved_games(data_home)
    assert result.stdout.splitlines()[-1].endswith(f"chromino replay {path}")
    game = Game.replay(path.read_text(encoding="utf-8"))
    assert game.over
    assert game.players == ("Ada", "Bot 1", "Bot 2")
    assert game.rules == PRESETS[preset]


def test_people_sharing_a_keyboard_do_not_see_each_others_hands(data_home: Path) -> None:
    result = run("play", "--plain", "--players", "2", "--seed", "1", "--first", "2", typed="\n1\n\n1\nq\n")
    assert result.stdout.count("Press Enter when only you can see the screen.") >= 2
    assert result.stdout.index("Player 2, it's your turn.") < result.stdout.index("Player 1, it's your turn.")
    # The next player also reads what the first one did.
    assert result.stdout.count("Player 2 places ") >= 2
    options = chosen(with_open_hands(Rules.classic()))
    shown = run("play", "--plain", "--players", "2", "--seed", "1", *options, typed="1\n1\nq\n")
    assert "Press Enter when" not in shown.stdout
    assert "it's your turn." in shown.stdout
    assert len(saved_games(data_home)) == 2


def test_choices_apply_and_help_is_shown_while_playing(data_home: Path) -> None:
    typed = "nonsense\n99\n0\nRRB\n1\nq\n"
    rules = with_open_hands(
        Rules(chameleons=False, hand_size=9, draw_limit=None, scoring="expert", ending="one_more_turn")
    )
    result = run("play", "--seed", "1", "--first", "1", *chosen(rules), typed=typed)
    assert "Type the number of a place" in result.stdout
    assert "Your game is saved. Continue with: chromino play --resume" in result.stdout
    game = Game.replay(saved_games(data_home)[0].read_text(encoding="utf-8"))
    assert game.rules == rules
    assert game.log


def test_a_typed_place_is_tried_and_the_refusal_is_shown(data_home: Path) -> None:
    first = run("play", "--plain", "--seed", "1", "--first", "1", typed="")
    hand = re.search("Your hand: (.*)", first.stdout)
    assert hand is not None
    names = {"red": "R", "green": "G", "blue": "B", "yellow": "Y", "purple": "P", "wild": "*"}
    mine = "".join(names[word] for word in hand[1].split(", ")[0].split("-"))
    typed = f"{mine}@0,0>\n{mine.lower()}@30,30v\nR*P@9,9>\nRRR\n{'9' * 5000}\n"
    result = run("play", "--plain", "--seed", "1", "--first", "1", typed=typed)
    assert f"{mine}@0,0>: overlap: there's already a tile on 0,0 and 1,0 and 2,0." in result.stdout
    assert f"{mine}@30,30v: needs 2 matching edges, has 0." in result.stdout
    assert "You don't have red-wild-purple." in result.stdout
    assert "You don't have red-red-red." in result.stdout
    assert result.stderr == ""
    assert len(saved_games(data_home)) == 2


def test_bytes_that_are_not_text_get_no_traceback(data_home: Path) -> None:
    process = subprocess.run(
        [*COMMAND, "play", "--plain", "--seed", "1"],
        input=b"\xff\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, b"")
    assert saved_games(data_home)


def test_typing_a_tile_lists_only_its_places(data_home: Path) -> None:
    first = run("play", "--plain", "--seed", "1", "--first", "1", typed="")
    listed = re.findall(r"^(\d+): (\S+) going", first.stdout, re.MULTILINE)
    words = {"red": "R", "green": "G", "blue": "B", "yellow": "Y", "purple": "P", "wild": "*"}
    tile = "".join(words[word] for word in listed[0][1].split("-"))
    filtered = run("play", "--plain", "--seed", "1", "--first", "1", typed=tile.lower() + "\n")
    assert filtered.stdout.count(f"1: {listed[0][1]} going") == 2
    assert len(re.findall(r"^\d+: ", filtered.stdout, re.MULTILINE)) < 2 * len(listed)
    assert saved_games(data_home)


def start_playing(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, "play", "--plain", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )


def characters(process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout is not None
    while character := process.stdout.read(1):
        yield character


def read_until(process: subprocess.Popen[str], end: str) -> str:
    text = ""
    for character in characters(process):
        text += character
        if text.endswith(end):
            return text
    raise AssertionError(f"{end!r} didn't come after {text!r}")


def test_ctrl_c_loses_nothing_and_resume_continues(data_home: Path) -> None:
    process = start_playing("--rules", "classic", "--players", "1", "--bots", "1", "--seed", "4", "--first", "1")
    assert process.stdin is not None
    read_until(process, "? ")
    process.stdin.write("1\n")
    process.stdin.flush()
    read_until(process, "Your hand: ")
    read_until(process, "? ")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert "Your game is saved. Continue with: chromino play --resume" in out
    assert (process.returncode, err) == (0, "")
    (path,) = saved_games(data_home)
    before = path.read_text(encoding="utf-8")
    assert len(Game.replay(before).log) >= 2

    result = run("play", "--plain", "--resume", typed="1\n" * 300)
    assert result.returncode == 0
    after = path.read_text(encoding="utf-8")
    assert after.startswith(before)
    assert Game.replay(after).over
    assert run("play", "--plain", "--resume").returncode == 2


def test_resume_leaves_unreadable_files_alone(data_home: Path) -> None:
    run("play", "--plain", "--seed", "1", "--bots", "3", "--players", "1", typed="q\n")
    (path,) = saved_games(data_home)
    damaged = path.with_name("9999-broken.jsonl")
    damaged.write_bytes(b"\xff broken")
    path.with_suffix(".seats.json").write_text("{")
    result = run("play", "--plain", "--resume", typed="q\n")
    assert result.returncode == 0
    assert damaged.read_bytes() == b"\xff broken"


def test_a_terminal_without_unicode_gets_no_traceback() -> None:
    result = run_in_own_process("show", TABLE, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert result.returncode == 0
    assert "Y??*??R" in result.stdout


def test_conundrums_can_be_solved_made_and_printed(tmp_path: Path) -> None:
    solved = run("conundrum", "solve", "Y*R@0,0> GRR@1,1> ? YBR RRR")
    assert solved.stdout.splitlines()[0] == "RBY: 3  RBY@3,0> YBR@0,-1> YBR@3,-2v"
    made = json.loads(run("conundrum", "make", "--grade", "2", "--seed", "5", "--json").stdout)
    assert made["grade"] == 2
    file = tmp_path / "conundrum.txt"
    file.write_text(made["conundrum"], encoding="utf-8")
    again = json.loads(run("conundrum", "solve", str(file), "--json", "--svg", str(tmp_path / "out.svg")).stdout)
    assert {tile: len(places) for tile, places in again["solutions"].items()} == made["counts"]
    assert (tmp_path / "out.svg").read_text(encoding="utf-8").startswith("<svg")
    asked = run("conundrum", "make", "--count", "YRB=5", "--count", "GBB=7")
    assert "BRY: find 5" in asked.stdout
    assert "GBB: find 7" in asked.stdout
    today = run("conundrum", "today", "--grade", "1", "--day", "2026-11-15")
    assert "Level 1" in today.stdout
    book = run("conundrum", "book", "--count", "5", "--out", str(tmp_path / "book.html"))
    assert book.returncode == 0
    assert (tmp_path / "book.html").read_text(encoding="utf-8").count("class='conundrum'") == 10


def test_every_reason_for_a_grade_has_words() -> None:
    assert {code for code, _ in Difficulty(*[1] * 8).reasons} == set(REASON_NOUNS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "Y*R@0,0> ?"], "at least one tile"),
        (["solve", "no-such-file"], "neither a file nor a conundrum"),
        (["make", "--grade", "9"], "1 to 5"),
        (["make", "--count", "YRB"], "like YRB=5"),
        (["make", "--count", "RRR=99"], "0 to 30"),
        (["make", "--count", "RRR=" + "9" * 5000], "like YRB=5"),
        (["make", "--count", "RRR=1", "--count", "RRR=2"], "--count names RRR twice"),
        (["make", "--count", "RGB=1", "--count", "BGR=2"], "RGB appears twice"),
        (["today", "--day", "soon"], "a date like"),
        (["book", "--count", "0"], "1 to 200"),
        (["book", "--out", "book.doc"], "must end with .pdf"),
    ],
)
def test_a_bad_conundrum_says_why(arguments: list[str], message: str) -> None:
    result = run("conundrum", *arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("arguments", [["conundrum", "solve"], ["study", "--markdown"]])
def test_a_file_that_is_not_text_is_reported(arguments: list[str], data_home: Path) -> None:
    file = data_home / "picture"
    file.write_bytes(b"\x89PNG")
    result = run(*arguments, str(file))
    assert (result.returncode, result.stderr) == (2, f"chromino: {file}: this isn't UTF-8 text\n")
