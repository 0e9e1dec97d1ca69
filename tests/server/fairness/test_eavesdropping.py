"""Searches every byte that each person receives for tiles they must not know."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random

import pytest

from chromino import Game, Rules
from chromino.events import Drew, Place
from chromino.table import Table
from chromino.tiles import Tile
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import Client, GameSocket, Json, moments, plant_multiplayer, play_together, say

TILE = re.compile(r'(?<=[" ])[RGBYP*]{3}(?=["@])')  # As the server writes it in a hand, a log or a table.


RULES = {
    "classic": Rules.classic(),
    "expert, three draws": Rules.preset("expert", draw_limit=3),
    "first edition, until it fits": Rules.preset("first_edition", draw_limit=None),
}


def tiles_in(text: str) -> set[Tile]:
    """Everything that looks like a tile."""
    return {Tile.parse(found) for found in TILE.findall(text)}


def test_hidden_tiles_would_be_found() -> None:
    view = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0).view(0)
    assert tiles_in(json.dumps(view.to_json())) == {*view.hand, *on_the_table(view.table)}


@dataclass
class Listener:
    """Someone who keeps everything they receive."""

    client: Client
    seat: int | None
    socket: GameSocket

    def look_around(self, game: str) -> None:
        """Make every request there is."""
        for path in ("", "/record", "/play", "/rematch"):
            self.client.get(f"/api/games/{game}{path}")
        for path in ("/api/games", "/api/gatherings", f"/api/gatherings/{game}", "/api/tiles/nothing", "/openapi.json"):
            self.client.get(path)
        self.client.post(f"/api/games/{game}/rematch", None)
        self.socket.refusal({"type": "record", "id": "show-me-all"})
        self.socket.ask(say("hello"))
        self.socket.ask({"type": "act", "id": "not-for-me", "version": 0, "seat": 7, "action": "draw"})

    @property
    def texts(self) -> list[str]:
        """Everything received over HTTP and the socket."""
        return [*(content.decode() for content in self.client.received), *self.socket.received]


def since(version: int) -> Callable[[Json], bool]:
    return lambda state: state["version"] >= version


def on_the_table(table: Table) -> set[Tile]:
    return {placement.tile for placement in table.laid}


def may_know(after: list[Game], seat: int | None) -> set[Tile]:
    """The tiles that a seat may know by the rules: those on the table, in its own hand, and any last tile (5.1)."""
    now = after[-1]
    own = set() if seat is None else set(now.hands[seat])
    shown = {hand[0] for game in after for hand in game.hands if len(hand) == 1}
    return on_the_table(now.table) | own | shown


def with_many_draws(rules: Rules) -> Game:
    """A start after which all three draw if everyone always takes the first action."""
    for number in range(1000):
        start = game = Game.start(rules, ["Ada", "Bob", "Cleo"], sha256(b"%d" % number).hexdigest()[:32], first=0)
        while not game.over:
            game = game.apply(game.actions()[0])
        if {event.seat for event in game.log if isinstance(event, Drew)} == {0, 1, 2}:
            return start
    raise AssertionError("no seed leads to such a game")


# tests/seated/ checks the same for every history; here, one whole game over the wire is enough.
@pytest.mark.parametrize(
    "name", [name if name == "classic" else pytest.param(name, marks=pytest.mark.long) for name in RULES]
)
def test_until_the_end_nobody_receives_a_hidden_tile_or_the_seed(name: str, server: InProcessServer) -> None:
    game, secrets = plant_multiplayer(server.database, with_many_draws(RULES[name]))
    people = [Client(server.url, secret) for secret in secrets]
    spectator = Client(server.url)
    with ExitStack() as stack:
        sockets = [stack.enter_context(person.open(game)) for person in (*people, spectator)]
        seats = (0, 1, 2, None)
        listeners = [Listener(*each) for each in zip((*people, spectator), seats, sockets, strict=True)]
        by_seat = dict(enumerate(sockets[:3]))
        for version in (0, 7, 14, 21):  # Nobody can have placed eight tiles by then.
            play_together(by_seat, sockets[3], since(version))
            for listener in listeners:
                listener.look_around(game)
        play_together(by_seat, sockets[3], lambda state: bool(state["view"]["over"]))
        for socket in sockets:
            socket.state_when(lambda state: bool(state["view"]["over"]))

    after = moments(spectator.get(f"/api/games/{game}/record").content.decode())
    spectator.received.pop()  # The record, after the end.
    seed = after[-1].deal.seed
    assert seed is not None
    for listener in listeners:
        seen: set[Tile] = set()
        at_the_end = 0
        for text in listener.texts:
            message = json.loads(text)
            if message.get("type") != "state":
                assert seed not in text
                laid = json.dumps([listed["table"] for listed in message.get("games", ())])
                assert not tiles_in(text) - tiles_in(laid)  # Lists of games show their tables.
                continue
            if message["view"]["over"]:
                at_the_end += 1
                continue
            assert seed not in text
            assert message["seed"] is None
            assert tiles_in(text) == may_know(after[: message["version"] + 1], listener.seat)
            seen |= tiles_in(text)
            assert_hides(message["view"], listener.seat)
        assert at_the_end == 1
        assert seen >= on_the_table(after[-2].table)  # The tiles were really there.


def assert_hides(view: Json, seat: int | None) -> None:
    """Everything hidden is null, wherever it could appear."""
    others = [other for other in range(3) if other != seat]
    assert view["me"] == seat
    for other in others:
        assert view["dealt"][other] is None
        assert (view["hands"][other] is None) == (view["hand_sizes"][other] > 1)
    assert all(event["draw"] is None for event in view["log"] if "draw" in event and event["seat"] != seat)
    if view["seat"] != seat:
        assert view["drawn"] is None
        assert view["actions"] == []


# Hidden tiles change no byte.


def unseeded(game: Game) -> Game:
    """The same game without its seed, as if dealt by hand."""
    again = Game.dealt(game.rules, game.players, replace(game.deal, seed=None))
    for event in game.log:
        again = again.apply(event.action)
    return again


def during_the_turn_of_seat_0(rules: Rules, events: int) -> Game:
    """A game after this many events or a few more, in which seat 0 can place a tile and others have drawn."""
    for seed in range(1000):
        rng = Random(seed)
        game = Game.start(rules, ["Ada", "Bob", "Cleo"], seed, first=0)
        while not game.over and (len(game.log) < events or game.seat != 0 or game.draws):
            game = game.apply(rng.choice(game.actions()))
        drawn_by = {event.seat for event in game.log if isinstance(event, Drew)}
        if not game.over and isinstance(game.actions()[0], Place) and (not events or drawn_by >= {1, 2}):
            return unseeded(game)
    raise AssertionError("no seed leads to such a game")


def all_bytes(server: InProcessServer, game: Game, action: str | None) -> dict[str, list[str]]:
    """What seat 0 and a spectator receive before and after an action, without the game's id."""
    planted, secrets = plant_multiplayer(server.database, game)
    people = [Client(server.url, secret) for secret in secrets]
    spectator = Client(server.url)
    with ExitStack() as stack:
        sockets = [stack.enter_context(person.open(planted)) for person in people]
        looking = stack.enter_context(spectator.open(planted))
        listening = {"seat 0": (people[0], sockets[0]), "a spectator": (spectator, looking)}
        found: dict[str, list[str]] = {name: [] for name in listening}

        def look() -> None:
            for name, (client, socket) in listening.items():
                socket.seats_when(lambda seats: all(seat["present"] for seat in seats))
                found[name] += [socket.received[-1], client.get(f"/api/games/{planted}").content.decode()]
                found[name] += [client.get(f"/api/games/{planted}/record").content.decode()]
                mine = client.get("/api/games").json["games"]
                found[name].append(json.dumps([{**row, "created": "", "updated": ""} for row in mine]))

        look()
        if action is not None:
            found["seat 0"].append(json.dumps(sockets[0].act(action, id="the-same-id")))
            for _, socket in listening.values():
                socket.state_since(len(game.log) + 1)
            look()
    return {name: [text.replace(planted, "ID") for text in texts] for name, texts in found.items()}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("events", [0, 12, 30])
def test_swapping_hidden_tiles_changes_no_byte(name: str, events: int, server: InProcessServer) -> None:
    game = during_the_turn_of_seat_0(RULES[name], events)
    other = game.view(0).sample(Random(events))
    assert game.deal.seed is other.deal.seed is None
    assert other.hands[0] == game.hands[0]
    assert other.hands[1:] != game.hands[1:]
    assert other.deal.bag != game.deal.bag
    action = str(game.actions()[0])
    one, two = all_bytes(server, game, action), all_bytes(server, other, action)
    assert one == two
    assert all(len(set(texts)) > 2 for texts in one.values())


@pytest.mark.parametrize("name", RULES)
def test_a_spectator_cannot_tell_different_hands_apart(name: str, server: InProcessServer) -> None:
    game = during_the_turn_of_seat_0(RULES[name], 12)
    other = game.view(None).sample(Random(1))
    assert all(mine != theirs for mine, theirs in zip(game.hands, other.hands, strict=True))
    one, two = all_bytes(server, game, None), all_bytes(server, other, None)
    assert one["a spectator"] == two["a spectator"]
    assert one["seat 0"] != two["seat 0"]  # A difference would be noticed.
