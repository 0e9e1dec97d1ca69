"""Bot programs, without our server: their links, how they're run, and the lines shown in the documents."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from chromino import Game, Rules
from chromino.bot_programs import ProgramFailed, play
from chromino.bot_programs.program import Program
from chromino.client import ClientError, Link
from chromino.events import parse_action

ROOT = Path(__file__).parents[2]


def test_the_documented_lines_are_what_a_program_reads_and_writes() -> None:
    text = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    decide, answer, refused = map(json.loads, re.findall(r"```json\n(.*?)```", text, re.DOTALL))
    start = Game.start(Rules.classic(), ["Bot", "Ada"], seed=440, first=1)
    game = start.apply(start.actions()[0])
    assert decide == {"type": "decide", "version": 1, "seat": 0, "view": game.view(0).to_json(), "seconds_left": 5.0}
    assert game.refusal(parse_action(answer["action"])) is None
    refusal = game.refusal(parse_action(refused["action"]))
    assert refusal is not None
    action = refused["action"]
    assert refused == {"type": "refused", "action": action, "text": str(refusal), "refusal": refusal.to_json()}


def test_links_are_read_the_way_people_share_them() -> None:
    assert Link.parse(" https://Chromino.example:443/join/a_B-9/ ") == Link("https://chromino.example", "a_B-9", True)
    assert Link.parse("http://[::1]:8075/game/abc?x#y") == Link("http://[::1]:8075", "abc", False)
    wrong = "abc host/join/abc ftp://host/join/abc http:///join/abc http://host:x/join/abc http://[::/join/abc"
    for text in ["", *wrong.split(), "http://host/join/", "http://host/join/a/b", "http://host/replay/abc"]:
        with pytest.raises(ClientError, match="a link must look like"):
            Link.parse(text)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("os.kill(os.getpid(), 9)", "terminated by a signal (Killed)"),
        ("sys.exit()", "exited with code 0"),
        ("os.close(1); time.sleep(100)", "closed its output"),
        ("print('x' * 100_000)", "a line that's too long"),
    ],
)
def test_a_broken_program_is_noticed(answer: str, reason: str) -> None:
    code = f"import os, sys, time; input(); {answer}"

    async def ask() -> str:
        program = await Program.start(shlex.join([sys.executable, "-c", code]))
        try:
            return await program.ask({"type": "decide"}, 30)
        finally:
            await program.stop()

    with pytest.raises(ProgramFailed, match=re.escape(reason)):
        asyncio.run(ask())


class Elsewhere(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("kind", ["join", "game"])
def test_a_site_that_is_not_chromino_is_noticed(kind: str, tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as site:
        Thread(target=site.serve_forever).start()
        link = Link.parse(f"http://127.0.0.1:{site.server_port}/{kind}/abc")
        try:
            with pytest.raises(ClientError, match="doesn't seem to be a Chromino server"):
                asyncio.run(look(link, tmp_path / "identity"))
        finally:
            site.shutdown()


async def look(link: Link, identity: Path) -> None:
    await play(link, "cat", "Bot", seconds=5, identity=identity, code=None, stay=False, tell=print)
