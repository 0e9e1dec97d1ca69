"""Two people have a seat each.

If one tries to use the other's seat, turn or messages, that's refused and not stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from chromino import Game, Rules
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import (
    Client,
    GameSocket,
    Json,
    act,
    permanent_rows,
    plant,
    plant_multiplayer,
    play_together,
)

START = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0)
FIRST = str(START.actions()[0])


def kept(server: InProcessServer, game: str) -> list[str]:
    """Everything the database has about a game."""
    return [row for row in permanent_rows(server.database) if game in row]


@dataclass
class Table:
    server: InProcessServer
    game: str
    ada: GameSocket
    bob: GameSocket
    eve: GameSocket
    """She's a spectator."""

    def assert_refuses(self, socket: GameSocket, message: Json, code: str) -> None:
        """Check that the message is refused with this code and changes nothing."""
        before = kept(self.server, self.game)
        answer = socket.ask(message)
        assert (answer["type"], answer["code"]) == ("refused", code)
        assert answer["text"]
        assert kept(self.server, self.game) == before


@pytest.fixture
def table(server: InProcessServer) -> Iterator[Table]:
    game, secrets = plant_multiplayer(server.database, START)
    with ExitStack() as stack:
        people = [Client(server.url, secret) for secret in secrets] + [Client(server.url)]
        sockets = [stack.enter_context(person.open(game)) for person in people]
        for socket in sockets:
            socket.state_since(0)
        yield Table(server, game, *sockets)


def test_nobody_acts_for_another_seat(table: Table) -> None:
    message = act(table.ada.state, FIRST)
    for socket in (table.bob, table.eve):
        table.assert_refuses(socket, message, "not-your-seat")
        table.assert_refuses(socket, {**message, "seat": 7}, "not-your-seat")
    table.assert_refuses(table.ada, {**message, "seat": 1}, "not-your-seat")
    assert table.ada.ask(message)["type"] == "done"  # Other people's attempts don't use up the id.


def test_nobody_acts_out_of_turn(table: Table) -> None:
    for action in ("draw", "pass", f"{START.hands[1][0]}@0,1>", FIRST):
        table.assert_refuses(table.bob, act(table.bob.state, action, seat=1), "not-your-turn")


def test_another_persons_message_cannot_be_replayed(table: Table) -> None:
    """Neither right away nor later; and the answer doesn't reveal whether the action was done."""
    message = act(table.ada.state, FIRST)
    assert table.ada.ask(message)["type"] == "done"
    for socket in (table.bob, table.eve):
        table.assert_refuses(socket, message, "not-your-seat")
        table.assert_refuses(socket, {**message, "version": 1}, "not-your-seat")
    table.assert_refuses(table.bob, {**message, "id": "another-id", "seat": 1}, "stale")


def test_repeating_an_action_with_another_id_is_stale(table: Table) -> None:
    message = act(table.ada.state, FIRST)
    assert table.ada.ask(message)["type"] == "done"
    table.assert_refuses(table.ada, {**message, "id": "another-id"}, "stale")
    table.assert_refuses(table.ada, {**message, "id": "another-id", "version": 1}, "not-your-turn")


def test_a_used_id_cannot_be_used_for_another_action(table: Table) -> None:
    first = act(table.ada.state, FIRST)
    assert table.ada.ask(first)["version"] == 1
    play_together({1: table.bob}, table.bob, lambda state: state["view"]["seat"] == 0)
    state = table.ada.my_turn(since=table.bob.state["version"])
    before = kept(table.server, table.game)
    assert table.ada.ask(act(state, state["view"]["actions"][0], id=first["id"])) == {
        "type": "done",
        "id": first["id"],
        "version": 1,
    }
    assert kept(table.server, table.game) == before


def test_actions_in_the_wrong_order_are_stale_and_can_be_sent_again(server: InProcessServer) -> None:
    """Both seats are on one device, and the second action arrives first."""
    game, secret = plant(server.database, START)
    after = START.apply(START.actions()[0])
    client = Client(server.url, secret)
    with client.open(game) as socket:
        one = act(socket.my_turn(), FIRST)
        two = {**one, "id": "the-second", "version": 1, "seat": 1, "action": str(after.actions()[0])}
        before = kept(server, game)
        assert socket.ask(two)["code"] == "stale"
        assert kept(server, game) == before
        assert socket.ask(one) == {"type": "done", "id": one["id"], "version": 1}
        assert socket.ask(two) == {"type": "done", "id": two["id"], "version": 2}
        assert socket.ask(one)["version"] == 1
        assert socket.ask({**two, "id": "once-more"})["code"] == "stale"


def test_nothing_changes_in_a_finished_game(server: InProcessServer) -> None:
    short = Game.start(Rules.preset("classic", hand_size=2), ["Ada", "Bob"], seed=7, first=0)
    while not short.over:
        last, short = short, short.apply(short.actions()[0])
    game, secrets = plant_multiplayer(server.database, short)
    with ExitStack() as stack:
        people = [Client(server.url, secret) for secret in secrets] + [Client(server.url)]
        sockets = [stack.enter_context(person.open(game)) for person in people]
        for socket in sockets:
            socket.state_since(0)
        table = Table(server, game, *sockets)
        for seat, socket in enumerate((table.ada, table.bob)):
            version = socket.state["version"]
            actions = ["draw", "pass", *map(str, last.actions()[:3]), "RRR@9,9>"]
            for action in actions:
                message = act(socket.state, action, seat=seat)
                table.assert_refuses(socket, message, "not-allowed")
                table.assert_refuses(socket, {**message, "version": version - 1}, "stale")
                table.assert_refuses(socket, {**message, "seat": 1 - seat}, "not-your-seat")
                table.assert_refuses(table.eve, message, "not-your-seat")
            table.assert_refuses(socket, {"type": "hint", "id": "one-more-hint", "version": version}, "not-your-turn")
