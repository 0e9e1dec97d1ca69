"""Outside programs play on a real server: `chromino bot connect` as a user would run it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from chromino import Game, Rules
from chromino.cli import main
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import (
    COMMAND,
    FREE,
    ME,
    PATIENCE,
    Client,
    GameSocket,
    Json,
    Server,
    gathering_when,
    plant_multiplayer,
)

ROOT = Path(__file__).parents[2]
EXAMPLES = {
    "Python": f"{sys.executable} {ROOT / 'examples/bots/awkward.py'}",
    "JavaScript": f"node {ROOT / 'examples/bots/contacts.mjs'}",
}
FIRST = "return first(message)"

# A program for these tests: it keeps every line it reads, and answers each question with `answer(message, number)`.
PROGRAM = """
import json, os, sys, time

def first(message):
    return json.dumps({"action": message["view"]["actions"][0]})

def until(name):
    print("waiting", file=sys.stderr, flush=True)
    open(name).close()  # A named pipe: this waits until someone opens its other end.

def answer(message, number):
    {answer}

number = 0
for line in sys.stdin:
    with open("lines", "a") as lines:
        lines.write(line)
    message = json.loads(line)
    if message["type"] == "decide":
        number += 1
        print(answer(message, number), flush=True)
"""


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    """A server with a short grace period."""
    with InProcessServer(tmp_path_factory.mktemp("hasty") / "games.sqlite", grace=1) as server:
        yield server


@dataclass
class Bots:
    """Runs bots in a temporary folder."""

    folder: Path
    go: ExitStack

    def program(self, answer: str) -> str:
        """The command for a test program with this answer."""
        file = self.folder / "program.py"
        file.write_text(PROGRAM.replace("{answer}", answer), encoding="utf-8")
        return f"{sys.executable} {file}"

    def lines(self, kind: str | None = None) -> list[Json]:
        """The lines that the program has read: all of them, or those of one kind."""
        text = (self.folder / "lines").read_text(encoding="utf-8")
        return [line for line in map(json.loads, text.splitlines()) if kind in (None, line["type"])]

    def let_go(self) -> None:
        """Release a program that's waiting in `until('go')`."""
        self.go.callback(os.close, os.open(self.folder / "go", os.O_RDWR))

    @contextmanager
    def run(self, link: str, command: str, *options: str) -> Iterator[subprocess.Popen[str]]:
        """Run `chromino bot connect`, and kill it at the end if it's still running."""
        arguments = ["bot", "connect", "--game", link, "--command", command, *options]
        process = subprocess.Popen(
            [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder
        )
        try:
            yield process
        finally:
            process.kill()
            self.let_go()  # Otherwise, a program that has lost this process would wait forever.
            process.communicate()


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bots]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("NO_PROXY", "*")
    os.mkfifo(tmp_path / "go")
    with ExitStack() as go:
        yield Bots(tmp_path, go)


def result(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for a command to end; returns its exit code, stdout and stderr."""
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def said(process: subprocess.Popen[str]) -> str:
    """The next line that a command prints."""
    assert process.stdout is not None
    return process.stdout.readline().rstrip()


def wait_until_it_says_it_is_waiting(process: subprocess.Popen[str]) -> None:
    """Wait until the program says that it's waiting: the command passes its stderr on."""
    assert process.stderr is not None
    assert process.stderr.readline() == "waiting\n"


def code_of(client: Client) -> tuple[str, str]:
    """The option that lets a bot play this person's seats."""
    return "--code", client.post("/api/me/code", None).json["code"]


def names(gathering: Json) -> list[str]:
    return [chair["name"] for chair in gathering["chairs"]]


def begin_with(client: Client, gathering: str, name: str) -> GameSocket:
    """Wait for someone to sit down, and begin."""
    gathering_when(client, gathering, lambda now: name in names(now))
    return client.open(client.begin(gathering))


def winners(record: str) -> set[str]:
    game = Game.replay(record)
    assert game.over
    return {game.players[seat] for seat in game.winners}


@pytest.mark.parametrize("language", EXAMPLES)
def test_an_example_plays_a_whole_game_against_a_built_in_bot(
    language: str, bots: Bots, client: Client, server: InProcessServer
) -> None:
    game = client.new_game()
    with bots.run(f"{server.url}game/{game}", EXAMPLES[language], *code_of(client)) as bot:
        code, out, err = result(bot)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "The game has started: Ada, Snail."
    assert all(name in out.splitlines()[-1] for name in ["The game is over.", *winners(client.record(game))])


@pytest.mark.parametrize("language", EXAMPLES)
def test_an_example_sits_down_plays_with_a_person_and_stays_for_the_rematch(
    language: str, bots: Bots, client: Client, server: InProcessServer
) -> None:
    gathering = client.gather()
    link = f"{server.url}join/{gathering}"
    with bots.run(link, EXAMPLES[language], "--name", "Robot", "--stay") as bot:
        with begin_with(client, gathering, "Robot") as table:
            assert [seat["name"] for seat in table.my_turn()["seats"]] == ["Ada", "Robot"]
            assert table.play_on()["view"]["over"]
        rematch = client.rematch(gathering)
        with client.open(rematch) as table:
            assert table.play_on()["view"]["over"]
        assert winners(client.record(rematch)) <= {"Ada", "Robot"}
        game = [
            "Robot has a seat and is waiting for the host to start",
            "The game has started: Ada, Robot",
            "The game is over",
            "The deal was fair: the players' and the server's random numbers decided it, so nobody could pick it",
        ]
        lines = [said(bot) for _ in range(2 * len(game))]
        assert [line.split(".")[0] for line in lines] == 2 * game
        assert all(line.endswith(" These players didn't contribute a random number: Ada.") for line in lines[3::4])
        bot.send_signal(signal.SIGINT)
        assert result(bot) == (130, "", "chromino: stopped\n")


def test_a_program_is_asked_for_each_decision_and_hears_of_the_end(
    bots: Bots, client: Client, server: InProcessServer
) -> None:
    game = client.new_game()
    with bots.run(f"{server.url}game/{game}", bots.program(FIRST), *code_of(client)) as bot:
        assert result(bot)[::2] == (0, "")
    *asked, last = bots.lines()
    for line in asked:
        assert set(line) == {"type", "version", "seat", "view", "seconds_left"}
        assert (line["type"], line["seat"]) == ("decide", 0)
        assert 0 < line["seconds_left"] <= 5
        assert line["version"] == len(line["view"]["log"])
        assert len(line["view"]["actions"]) > 1  # Draws, passes and single placements are automatic.
        # A last tile is open, and a player who has run out shows an empty hand until the round ends.
        assert line["view"]["hands"][1] is None or line["view"]["hand_sizes"][1] <= 1
    assert len({line["version"] for line in asked}) == len(asked)
    assert set(last) == {"type", "version", "seat", "view"}
    assert (last["type"], last["view"]) == ("over", client.state(game)["view"])


def test_a_program_is_told_what_was_wrong_and_may_answer_again(
    bots: Bots, client: Client, server: InProcessServer
) -> None:
    game = client.new_game(rules={"chameleons": False})
    elsewhere = """json.dumps({"action": message["view"]["actions"][0][:3] + "@60,60>"})"""
    answers = f"""{{1: "hello", 2: '{{"action": "place"}}', 4: {elsewhere}}}"""
    program = bots.program(f"return {answers}.get(number) or first(message)")
    with bots.run(f"{server.url}game/{game}", program, *code_of(client)) as bot:
        assert result(bot)[::2] == (0, "")
    lines = bots.lines()
    assert [line["type"] for line in lines[:7]] == [*["decide", "refused"] * 2, "decide", "decide", "refused"]
    assert lines[0] | {"seconds_left": 0} == lines[2] | {"seconds_left": 0}
    hello, place, away = bots.lines("refused")
    assert hello["text"].startswith("'hello' isn't a valid answer: write one line like")
    assert place["text"].startswith("'place' isn't a placement")
    assert hello["refusal"] is place["refusal"] is hello["action"] is None
    assert away["action"].endswith("@60,60>")
    assert (away["text"], away["refusal"]["reason"]) == ("needs 2 matching edges, has 0", "too-few-contacts")


BROKEN = {
    "crashes": ("sys.exit(3)", "the program exited with code 3 before the game was over"),
    "is too slow": ("time.sleep(100)", "the program didn't decide within 0.5 seconds"),
    "talks nonsense": (
        "return 'nonsense'",
        "the program gave 3 wrong answers in one turn. The last problem: 'nonsense' isn't a valid answer: "
        'write one line like {"action": "YBR@0,0>"} to stdout, and any other output to stderr',
    ),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_bot_is_replaced_like_an_absent_player(how: str, bots: Bots, hasty: InProcessServer) -> None:
    answer, reason = BROKEN[how]
    host = Client(hasty.url)
    gathering = host.gather(first=1)
    options = ["--seconds", "0.5"] if how == "is too slow" else []
    with (
        bots.run(f"{hasty.url}join/{gathering}", bots.program(answer), *options) as bot,
        begin_with(host, gathering, "Bot") as table,
    ):
        assert result(bot)[::2] == (1, f"chromino: {reason}\n")
        assert bots.lines("decide")[0]["version"] in (0, 1)  # The bot may have to draw first.
        table.seats_when(lambda seats: not seats[1]["present"])
        assert table.play_on()["view"]["over"]
    assert {event.seat for event in Game.replay(host.record(gathering)).log} == {0, 1}


def test_the_turn_limit_applies_to_slow_programs(bots: Bots, server: InProcessServer) -> None:
    start = Game.start(Rules.classic(), ["Bot", "Ada"], seed=7, first=0)
    game, secrets = plant_multiplayer(server.database, start, turn_limit=2)
    mine, other = (Client(server.url, secret) for secret in secrets)
    program = bots.program("until('go') if number == 1 else None; return first(message)")
    with bots.run(f"{server.url}game/{game}", program, "--seconds", "30", *code_of(mine)) as bot:
        wait_until_it_says_it_is_waiting(bot)
        with other.open(game) as table:
            table.my_turn()  # A bot played, even though the program is connected.
            assert table.seats[0]["present"]
            bots.let_go()
            assert table.play_on()["view"]["over"]
        assert result(bot)[::2] == (0, "")
    asked = bots.lines("decide")
    assert asked[0]["seconds_left"] <= 2
    assert len({line["version"] for line in asked}) == len(asked) > 1
    assert not bots.lines("refused")


def test_a_bot_comes_back_after_the_server_has_been_down(bots: Bots, tmp_path: Path) -> None:
    with Server(tmp_path / "db.sqlite") as server:
        client = Client(server.url)
        game = client.new_game()
        program = bots.program("until('go') if number == 3 else None; return first(message)")
        with bots.run(f"{server.url}game/{game}", program, "--seconds", "30", *code_of(client)) as bot:
            wait_until_it_says_it_is_waiting(bot)
            server.kill()
            bots.let_go()  # The program decides while the server is down.
            assert said(bot) == "The game has started: Ada, Snail."
            assert said(bot) == f"Lost the connection to {server.url[:-1]}. Trying again."
            server.restart()
            code, out, err = result(bot)
        assert (code, err) == (0, "")
        assert out.startswith(f"{server.url[:-1]} is back.\nThe game is over.")
        assert winners(client.record(game))
    asked = bots.lines("decide")
    assert len({line["version"] for line in asked}) == len(asked)  # No decision was lost, so nothing was asked twice.
    assert not bots.lines("refused")


def test_a_restarted_bot_gets_its_seat_back(bots: Bots, client: Client, server: InProcessServer) -> None:
    gathering = client.gather(first=1)
    link = f"{server.url}join/{gathering}"
    program = bots.program("until('go'); return first(message)")
    with bots.run(link, program) as bot, begin_with(client, gathering, "Bot") as table:
        wait_until_it_says_it_is_waiting(bot)
        bot.kill()
        table.seats_when(lambda seats: not seats[1]["present"])
        (kept,) = (bots.folder / "data" / "chromino" / "bots").iterdir()
        assert kept.stat().st_mode & 0o777 == 0o600
        bots.let_go()
        with bots.run(link, EXAMPLES["Python"]) as again:
            assert table.play_on()["view"]["over"]
            code, out, err = result(again)
            assert (code, err) == (0, "")
            assert out.endswith("so it can't check the deal.\n")


def test_a_bot_cannot_be_host_and_leaves_when_it_is_removed(
    bots: Bots, client: Client, server: InProcessServer
) -> None:
    other = Client(server.url)
    gathering = client.gather(ME, FREE, FREE)
    with bots.run(f"{server.url}join/{gathering}", EXAMPLES["Python"]) as bot:
        gathering_when(client, gathering, lambda now: "Bot" in names(now))
        other.sit(gathering, "Bob")
        assert client.at(gathering, "leave").status == 200  # The bot is next, but it can't be host.
        now = gathering_when(other, gathering, lambda now: now["host"] and "Bot" in names(now))
        assert other.at(gathering, "remove", {"seat": names(now).index("Bot")}).status == 200
        assert result(bot)[::2] == (2, "chromino: the host removed this bot from the table\n")


def begun(client: Client) -> str:
    """A game that started without anyone else."""
    return client.begin(client.gather(ME))


NOT_POSSIBLE: dict[str, tuple[Callable[[InProcessServer], dict[str, str]], str]] = {
    "a wrong link": (lambda server: {"game": f"{server.url}replay/abc"}, "a link must look like http://host/join/ID"),
    "no server": (lambda _: {"game": "http://127.0.0.1:1/join/abc"}, "can't reach http://127.0.0.1:1: "),
    "no server for a game": (lambda _: {"game": "http://127.0.0.1:1/game/abc"}, "can't reach http://127.0.0.1:1: "),
    "an invalid host": (lambda _: {"game": f"http://{'x' * 70}/join/abc"}, f"can't reach http://{'x' * 70}: "),
    "an invalid game host": (lambda _: {"game": f"http://{'x' * 70}/game/abc"}, f"can't reach http://{'x' * 70}: "),
    "no such game": (lambda _: {}, "there's no such game"),
    "no such gathering": (lambda server: {"game": f"{server.url}join/abc"}, "there's no such game"),
    "a full table": (
        lambda server: {"game": f"{server.url}join/{Client(server.url).gather(ME)}"},
        "all seats are taken",
    ),
    "somebody else's game": (
        lambda server: {"game": f"{server.url}game/{Client(server.url).new_game()}"},
        "you have no seat in this game",
    ),
    "a game to watch": (
        lambda server: {"game": f"{server.url}join/{begun(Client(server.url))}"},
        "this bot has no seat in that game",
    ),
    "no program": (lambda _: {"command": "./no-such-bot --fast"}, "can't run './no-such-bot': No such file"),
    "an empty command": (lambda _: {"command": ""}, "--command is empty"),
    "an unclosed quotation": (lambda _: {"command": "bot 'half"}, "can't parse --command: No closing quotation"),
    "no time": (lambda _: {"seconds": "0"}, "--seconds must be a finite number greater than 0, not 0"),
    "a wrong code": (lambda _: {"code": "AAAAA-BBBBB"}, "this code is wrong, already used, or expired"),
    "a wrong name": (
        lambda server: {"game": f"{server.url}join/{Client(server.url).gather()}", "name": "\n"},
        "a name must",
    ),
    "an identity from elsewhere": (
        lambda _: {"identity": "elsewhere.json"},
        "for http://elsewhere, not for http://127.",
    ),
    "not an identity": (lambda _: {"identity": "program.py"}, "program.py isn't an identity file"),
    "an identity in a folder": (lambda _: {"identity": "."}, "Is a directory"),
}


@pytest.mark.parametrize("what", NOT_POSSIBLE)
def test_impossible_requests_are_explained_in_one_line(
    what: str, bots: Bots, server: InProcessServer, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    changes, reason = NOT_POSSIBLE[what]
    elsewhere = {"site": "http://elsewhere", "cookie": "a=b"}
    (bots.folder / "elsewhere.json").write_text(json.dumps(elsewhere), encoding="utf-8")
    options = {"game": f"{server.url}game/abc", "command": bots.program(FIRST), **changes(server)}
    monkeypatch.chdir(bots.folder)
    monkeypatch.setattr(
        sys, "argv", ["chromino", "bot", "connect", *(f"--{name}={value}" for name, value in options.items())]
    )
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capfd.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert err.startswith("chromino: ")
    assert len(err.splitlines()) == 1
    assert reason in err
