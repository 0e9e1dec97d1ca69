"""Games played over the socket, from the first state to the record."""

from __future__ import annotations

from hashlib import sha256
from itertools import count

import pytest

from chromino import PRESETS, Game, Rules
from chromino.events import Draw, Pass
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import HERE, ME, SNAIL, Client, Json, act, moments, plant

START = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0)  # Ada can place a tile.


def seat_kinds(state: Json) -> list[str]:
    return [seat["kind"] for seat in state["seats"]]


def versions(states: list[Json]) -> list[int]:
    return [state["version"] for state in states]


def after_a_draw_that_does_not_fit() -> Game:
    """A game in which seat 0 has drawn, and can only pass."""
    for seed in count():
        game = Game.start(Rules.classic(), ["Ada", "Bob"], seed, first=0)
        if game.actions() == [Draw()] and game.apply(Draw()).actions() == [Pass()]:
            return game.apply(Draw())
    raise AssertionError("there is always another seed")


@pytest.mark.parametrize("name", PRESETS)
def test_a_whole_game_shows_what_a_seat_may_know_and_its_record_can_be_replayed(name: str, client: Client) -> None:
    rules = PRESETS[name]
    game = client.new_game(ME, SNAIL, {**SNAIL, "name": "Slow"}, rules=rules.to_json())
    seen_elsewhere = client.get(f"/api/games/{game}").content + client.get("/api/games").content
    with client.open(game) as socket:
        last = socket.play_on()
    assert last["view"]["over"]
    assert last["preset"] == name
    assert seat_kinds(last) == ["person", "bot", "bot"]
    assert [seat["mine"] for seat in last["seats"]] == [True, False, False]

    text = client.record(game)
    played = Game.replay(text)
    assert str(played.record) == text
    assert played.over
    assert played.rules == rules
    assert played.turns == last["turns"]

    # Each state is exactly the view of seat 0 after this many events.
    after = moments(text)
    for state in socket.states:
        assert state["view"] == after[state["version"]].view(0).to_json()
    assert versions(socket.states) == sorted(versions(socket.states))  # Versions never go back, but may repeat.

    # The seed is fixed before the first turn, and revealed after the last.
    assert {state["seed_hash"] for state in socket.states} == {sha256(last["seed"].encode()).hexdigest()}
    assert played.deal.seed == last["seed"]
    assert [state["seed"] for state in socket.states[:-1]] == [None] * (len(socket.states) - 1)
    *before, at_the_end = (message for message in socket.received if last["seed_hash"] in message)
    assert last["seed"] in at_the_end
    assert not any(last["seed"] in message for message in before)
    assert last["seed"].encode() not in seen_elsewhere


def test_the_record_can_be_downloaded_as_a_file(client: Client) -> None:
    game = client.new_game(ME, rules={"hand_size": 1})
    with client.open(game) as socket:
        socket.play_on()
    answer = client.get(f"/api/games/{game}/record")
    assert answer.headers["Content-Type"] == "application/jsonl"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="chromino-{game}.jsonl"'
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_state_is_the_same_over_http_and_over_the_socket(client: Client) -> None:
    game = client.new_game(ME, HERE)
    with client.open(game) as socket:
        assert socket.my_turn() == client.state(game)
        assert socket.play_on(3) == client.state(game)


def test_a_socket_opened_mid_game_starts_with_the_state(client: Client) -> None:
    game = client.new_game(ME, HERE)
    with client.open(game) as socket:
        state = socket.play_on(3)
    with client.open(game) as again:
        assert again.state_when(lambda _: True) == state


def test_two_sockets_of_one_person_both_see_an_action(server: InProcessServer) -> None:
    planted, secret = plant(server.database, START)
    client = Client(server.url, secret)
    with client.open(planted) as one, client.open(planted) as other:
        one.my_turn()
        other.my_turn()
        assert one.act(str(START.actions()[0]))["version"] == 1
        after = one.my_turn(since=1)
        assert other.state_since(1) == after  # Only the person who acted gets the acknowledgment.
        assert after["view"]["log"] == [{"seat": 0, "place": str(START.actions()[0])}]


def test_two_people_on_one_device_see_their_own_hands_on_their_turns(server: InProcessServer) -> None:
    planted, secret = plant(server.database, START)
    with Client(server.url, secret).open(planted) as socket:
        for _ in range(10):
            view = socket.my_turn()["view"]
            assert view["me"] == view["seat"]
            assert [hand is not None for hand in view["hands"]] == [seat == view["me"] for seat in range(2)]
            socket.play_on(1)
        assert {state["view"]["me"] for state in socket.states} == {0, 1}


def test_bots_finish_their_turns_automatically(client: Client) -> None:
    game = client.new_game(ME, *[SNAIL] * 7, first=1)
    with client.open(game) as socket:
        state = socket.my_turn()
    placed_or_passed = [event["seat"] for event in state["view"]["log"] if "draw" not in event]
    assert placed_or_passed == [1, 2, 3, 4, 5, 6, 7]
    assert state["view"]["seat"] == 0


def test_bots_play_when_nobody_is_watching(client: Client, server: InProcessServer) -> None:
    """Bots start once someone opens the game, not when someone reads its state; after that, they don't need anyone."""
    game = client.new_game(ME, *[SNAIL] * 7, first=1)
    assert client.state(game)["version"] == 0
    with client.open(game) as socket:
        socket.receive()
    server.until(lambda: client.state(game)["view"]["seat"] == 0)
    assert client.state(game)["view"]["log"][-1]["seat"] == 7


def test_a_pass_is_automatic(server: InProcessServer) -> None:
    game = after_a_draw_that_does_not_fit()
    before_drawing = Game.dealt(game.rules, game.players, game.deal)
    planted, secret = plant(server.database, before_drawing)
    with Client(server.url, secret).open(planted) as socket:
        assert socket.my_turn()["view"]["actions"] == ["draw"]
        assert socket.act("draw")["version"] == 1
        state = socket.my_turn(since=2)
    assert [set(event) for event in state["view"]["log"]] == [{"seat", "draw"}, {"seat", "pass"}]
    assert state["view"]["seat"] == 1


def test_a_pass_is_automatic_in_a_game_that_was_left_before_the_pass(server: InProcessServer) -> None:
    planted, secret = plant(server.database, after_a_draw_that_does_not_fit())
    with Client(server.url, secret).open(planted) as socket:
        assert socket.my_turn(since=2)["view"]["log"][1] == {"seat": 0, "pass": True}


def test_a_bot_continues_a_game_that_was_left_during_its_turn(server: InProcessServer) -> None:
    start = Game.start(Rules.classic(), ["Ada", "Bot"], seed=7, first=1)
    planted, secret = plant(server.database, start, bots={1: "snail"})
    with Client(server.url, secret).open(planted) as socket:
        assert socket.my_turn()["view"]["log"][0]["seat"] == 1


def test_a_hint_is_one_of_the_legal_placements(server: InProcessServer) -> None:
    planted, secret = plant(server.database, START)
    with Client(server.url, secret).open(planted) as socket:
        state = socket.my_turn()
        hint = socket.ask({"type": "hint", "id": "a-first-hint", "version": state["version"]})
        assert hint["type"] == "hint"
        assert hint["version"] == state["version"]
        assert hint["placement"] in state["view"]["actions"]
        assert 0 <= hint["value"] <= 1
        assert socket.ask({"type": "hint", "id": "an-old-hint", "version": 99})["code"] == "stale"
        assert socket.act(hint["placement"])["type"] == "done"


def test_there_is_no_hint_without_a_choice(server: InProcessServer) -> None:
    game = after_a_draw_that_does_not_fit()
    planted, secret = plant(server.database, Game.dealt(game.rules, game.players, game.deal))
    with Client(server.url, secret).open(planted) as socket:
        assert socket.my_turn()["view"]["actions"] == ["draw"]
        assert socket.ask({"type": "hint", "id": "what-now", "version": 0})["code"] == "nothing-to-choose"


def test_there_is_no_hint_after_the_end(client: Client) -> None:
    with client.open(client.new_game(ME, rules={"hand_size": 1})) as socket:
        version = socket.play_on()["version"]
        assert socket.ask({"type": "hint", "id": "too-late", "version": version})["code"] == "not-your-turn"


def test_there_is_no_hint_without_aids(client: Client) -> None:
    game = client.new_game(ME, HERE, aids=False)
    with client.open(game) as socket:
        assert socket.my_turn()["aids"] is False
        assert socket.ask({"type": "hint", "id": "one-hint", "version": 0})["code"] == "aids-off"


def test_the_pace_can_be_changed_and_is_kept(client: Client) -> None:
    game = client.new_game(ME, HERE)
    with client.open(game) as one, client.open(game) as other:
        assert one.my_turn()["pace"] is False
        other.my_turn()
        assert one.ask({"type": "pace", "id": "slowly-please", "pace": True})["type"] == "done"
        other.state_when(lambda state: state["pace"])
    assert client.state(game)["pace"] is True


def test_only_one_of_two_simultaneous_actions_happens(client: Client) -> None:
    game = client.new_game(ME, HERE)
    with client.open(game) as one, client.open(game) as other:
        messages = [act(socket.my_turn(), socket.state["view"]["actions"][0]) for socket in (one, other)]
        one.send(messages[0])
        other.send(messages[1])
        answers = []
        for socket in (one, other):
            while (answer := socket.receive())["type"] == "state":
                pass
            answers.append(answer.get("code", "done"))
        assert sorted(answers) == ["done", "stale"]
    decided = [event for event in client.state(game)["view"]["log"] if "pass" not in event]
    assert len(decided) == 1
