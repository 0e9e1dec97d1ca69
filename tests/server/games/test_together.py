"""People play together, each with a socket: what each sees and says, spectators, and rematches."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier
from typing import get_args

import pytest
from websockets.exceptions import ConnectionClosed

from chromino import Game
from chromino.messages.games import Phrase
from chromino.server.operating.metrics import STARTED
from tests.server.sites.full_databases import admin, done
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import (
    FREE,
    ME,
    PATIENCE,
    SNAIL,
    Client,
    GameSocket,
    Json,
    act,
    leave,
    moments,
    play_together,
    say,
)

SHORT = {"hand_size": 1}


def is_over(state: Json) -> bool:
    over: bool = state["view"]["over"]
    return over


def assert_sees_only(socket: GameSocket, seat: int | None, after: list[Game]) -> None:
    """Check that each state was exactly this seat's view after that many events."""
    for state in socket.states:
        assert state["view"] == after[state["version"]].view(seat).to_json()


def two(server: InProcessServer, **choices: object) -> tuple[str, Client, Client]:
    """A game between two people over a link; Ada goes first."""
    ada, bob = Client(server.url), Client(server.url)
    game = ada.gather(ME, FREE, **{"first": 0, **choices})
    bob.sit(game, "Bob")
    ada.begin(game)
    return game, ada, bob


def finished(server: InProcessServer, **choices: object) -> tuple[str, Client, Client]:
    """A finished game between two people."""
    game, ada, bob = two(server, rules=SHORT, **choices)
    with ada.open(game) as one, bob.open(game) as other:
        play_together({0: one, 1: other}, one, is_over)
    return game, ada, bob


def test_two_friends_play_a_whole_game(server: InProcessServer) -> None:
    game, ada, bob = two(server)
    with ada.open(game) as one, bob.open(game) as other:
        play_together({0: one, 1: other}, one, is_over)
        other.state_when(is_over)
    record = ada.record(game)
    assert bob.record(game) == record
    after = moments(record)
    assert after[-1].over
    for seat, socket in enumerate((one, other)):
        assert_sees_only(socket, seat, after)
        assert [who["mine"] for who in socket.state["seats"]] == [seat == 0, seat == 1]
        for state in socket.states[:-1]:
            hands = state["view"]["hands"]
            assert hands[seat] is not None
            if state["view"]["hand_sizes"][1 - seat] > 1:
                assert hands[1 - seat] is None
    # Versions never go back.
    versions = [state["version"] for state in one.states]
    assert versions == sorted(versions)


def test_four_people_two_bots_and_a_spectator_play_a_whole_game(server: InProcessServer) -> None:
    people = [Client(server.url) for _ in range(4)]
    slow = {**SNAIL, "name": "Slow"}
    game = people[0].gather(ME, FREE, SNAIL, FREE, slow, FREE)
    for person, name in zip(people[1:], ("Bob", "Cleo", "Dora"), strict=True):
        person.sit(game, name)
    people[0].begin(game)
    spectator = Client(server.url)
    with ExitStack() as stack:
        sockets = {
            seat: stack.enter_context(person.open(game)) for seat, person in zip((0, 1, 3, 5), people, strict=True)
        }
        looking = stack.enter_context(spectator.open(game))
        play_together(sockets, looking, is_over)
        for socket in sockets.values():
            socket.state_when(is_over)
    assert spectator.secret is None
    after = moments(spectator.record(game))
    assert {event.seat for event in after[-1].log} == set(range(6))
    for seat, socket in sockets.items():
        assert_sees_only(socket, seat, after)
        assert not socket.state["watching"]
    assert_sees_only(looking, None, after)
    for state in looking.states:
        view = state["view"]
        assert state["watching"]
        assert not any(seat["mine"] for seat in state["seats"])
        assert view["me"] is None
        assert view["actions"] == []
        if not view["over"]:
            assert all(hand is None for hand, size in zip(view["hands"], view["hand_sizes"], strict=True) if size > 1)
            assert view["dealt"] == [None] * 6
            assert view["drawn"] is None
            assert all(event["draw"] is None for event in view["log"] if "draw" in event)


def test_a_spectator_cannot_act(server: InProcessServer) -> None:
    game, ada, _ = two(server)
    with ada.open(game) as mine, Client(server.url).open(game) as looking:
        action = mine.my_turn()["view"]["actions"][0]
        looking.state_when(lambda _: True)
        for seat in (0, 1):
            assert looking.act(action, seat=seat)["code"] == "not-your-seat"
        for message in (
            {"type": "pace", "id": "slowly-please", "pace": True},
            {"type": "leave", "id": "away-with-you"},
        ):
            assert looking.ask(message)["code"] == "not-your-game"
        assert looking.ask({"type": "hint", "id": "tell-me-one", "version": 0})["code"] == "not-your-turn"
    assert ada.state(game)["version"] == 0


def test_spectators_need_the_hosts_permission(server: InProcessServer) -> None:
    game, _, bob = two(server, watch=False)
    someone = Client(server.url)
    someone.new_game()
    for stranger in (Client(server.url), someone):
        assert stranger.get(f"/api/games/{game}").refused == (403, "not-your-game")
        with stranger.open(game) as socket:
            assert socket.receive()["code"] == "not-your-game"
            with pytest.raises(ConnectionClosed) as closed:
                socket.until_closed()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4403
    assert bob.state(game)["version"] == 0


# Rematches.


def test_two_simultaneous_rematch_requests_make_one_game(server: InProcessServer) -> None:
    for _ in range(3):
        game, ada, bob = finished(server, watch=False, aids=False, turn_limit=3600)
        start = Barrier(2)

        def ask(person: Client, game: str = game, start: Barrier = start) -> str:
            start.wait(PATIENCE)
            answer = person.post(f"/api/games/{game}/rematch", None)
            assert answer.status == 200, answer.content
            asked: str = answer.json["game"]
            return asked

        with ThreadPoolExecutor(2) as pool:
            one, other = pool.map(ask, (ada, bob))
        assert one == other != game
        assert ask(bob, game, Barrier(1)) == one
        for seat, person in enumerate((ada, bob)):
            assert {seen["game"] for seen in person.get("/api/games").json["games"]} == {game, one}
            state = person.whole_state(one)
            assert state["view"]["players"] == ["Ada", "Bob"]
            assert [who["mine"] for who in state["seats"]] == [seat == 0, seat == 1]
            assert state["view"]["first"] == state["view"]["seat"] == 1  # Ada went first last time.
            assert state["view"]["rules"] == person.state(game)["view"]["rules"]
            assert (state["version"], state["aids"], state["view"]["over"]) == (0, False, False)
            assert 3590 < state["turn_left"] <= 3600
            assert state["seed_hash"] != person.state(game)["seed_hash"]
        assert Client(server.url).get(f"/api/games/{one}").refused == (403, "not-your-game")


def test_the_rematch_is_shown_to_the_others(server: InProcessServer) -> None:
    game, ada, bob = finished(server)
    with bob.open(game) as socket, Client(server.url).open(game) as looking:
        assert socket.state_when(lambda _: True)["next_game"] is None
        looking.state_when(lambda _: True)
        following = ada.post(f"/api/games/{game}/rematch", None).json["game"]
        for listening in (socket, looking):
            assert listening.state_when(lambda state: bool(state["next_game"]))["next_game"] == following
    assert ada.state(game)["next_game"] == following


def test_the_first_player_of_the_next_rematch_wraps_around(server: InProcessServer) -> None:
    game, ada, bob = finished(server)
    again = ada.rematch(game, bob)
    with ada.open(again) as one, bob.open(again) as other:
        play_together({0: one, 1: other}, one, is_over)
    third = bob.rematch(again, ada)
    assert ada.state(third)["view"]["first"] == 0


def test_people_who_left_can_ask_for_a_rematch(server: InProcessServer) -> None:
    game, ada, bob = two(server, rules=SHORT)
    with ada.open(game) as one, bob.open(game) as other:
        one.ask(leave())
        assert other.play_on()["view"]["over"]
    again = ada.rematch(game, bob)
    assert not ada.whole_state(again)["seats"][0]["has_left"]


def started() -> float:
    """How many games have been counted as started by the servers in this process."""
    (counted,) = STARTED.collect()
    return next(sample.value for sample in counted.samples if sample.name.endswith("_total"))


def test_in_a_rematch_a_bot_takes_the_seat_of_someone_erased(tmp_path: Path) -> None:
    before = started()
    with InProcessServer(tmp_path / "db.sqlite") as server:
        game, ada, bob = two(server, rules=SHORT)
        with ada.open(game) as one, bob.open(game) as other:
            play_together({0: one, 1: other}, one, lambda state: state["view"]["over"])
        assert bob.post("/api/me/erase", None).status == 204
        again = ada.rematch(game)
        assert ada.whole_state(again)["seats"][1]["kind"] == "bot"
        assert started() == before + 2
        assert done(admin("verify", database=server.database)).endswith("all valid\n")


def test_people_who_left_for_good_cannot_act(server: InProcessServer) -> None:
    game, ada, bob = two(server)
    with ada.open(game) as one, bob.open(game) as other:
        state = one.my_turn()
        one.ask(leave())
        assert one.ask(act(state, state["view"]["actions"][0]))["code"] == "not-your-seat"
        other.my_turn()  # A bot has played.


def test_there_is_no_rematch_before_the_end_or_for_strangers(server: InProcessServer) -> None:
    running, ada, _ = two(server)
    assert ada.post(f"/api/games/{running}/rematch", None).refused == (409, "not-over")
    over, _, _ = finished(server)
    someone = Client(server.url)
    assert someone.post(f"/api/games/{over}/rematch", None).refused == (403, "nobody")
    someone.new_game()
    assert someone.post(f"/api/games/{over}/rematch", None).refused == (403, "not-your-game")
    assert ada.post("/api/games/nothing/rematch", None).refused == (404, "no-such-game")
    assert ada.state(running)["next_game"] is None


# Phrases.


def test_a_phrase_reaches_everyone_at_the_table(server: InProcessServer) -> None:
    game, ada, bob = two(server)
    with ada.open(game) as one, bob.open(game) as other, Client(server.url).open(game) as looking:
        sockets = (one, other, looking)
        for socket in sockets:
            socket.state_when(lambda _: True)
        assert other.ask(say("well-played"))["type"] == "done"
        for socket in sockets:
            assert socket.message("said") == {"type": "said", "seat": 1, "phrase": "well-played"}
    assert ada.state(game)["version"] == 0


def test_a_phrase_stays_at_its_table(server: InProcessServer) -> None:
    game, ada, _ = two(server)
    elsewhere, dora, _ = two(server)
    with ada.open(game) as one, dora.open(elsewhere) as other:
        assert one.ask(say("hello"))["type"] == "done"
        assert other.ask(say("bye"))["type"] == "done"
        assert other.message("said")["phrase"] == "bye"


def test_only_the_listed_phrases_can_be_said(server: InProcessServer) -> None:
    phrases: tuple[Phrase, ...] = get_args(Phrase)
    assert len(phrases) == 12
    game, ada, _ = two(server)
    with ada.open(game) as socket:
        for phrase in phrases:  # In quick succession they're too fast, but they're understood.
            assert socket.ask(say(phrase)).get("code", "too-fast") == "too-fast"
        for text in ("Hello", "", "come to my house", "hello "):
            assert socket.refusal(say(text))["code"] == "bad-message"


def test_a_spectator_hears_phrases_but_cannot_say_any(server: InProcessServer) -> None:
    game, ada, bob = two(server)
    spectator = Client(server.url)
    spectator.new_game()
    with ada.open(game) as one, spectator.open(game) as looking, Client(server.url).open(game) as nobody:
        one.state_when(lambda _: True)
        for socket in (looking, nobody):
            assert socket.refusal(say("hello"))["code"] == "not-your-game"
        with bob.open(game) as other:
            other.ask(say("thanks"))
        assert one.message("said")["phrase"] == "thanks"  # Nothing came before it.


def test_phrases_are_rate_limited_per_person(tmp_path: Path) -> None:
    with InProcessServer(tmp_path / "db.sqlite", has_movable_clock=True) as server:
        game, ada, bob = two(server)
        with ada.open(game) as one, bob.open(game) as other:
            assert one.ask(say("hello"))["type"] == "done"
            assert one.ask(say("hello"))["code"] == "too-fast"
            assert other.ask(say("hello"))["type"] == "done"  # Others may speak in the meantime.
            with ada.open(game) as tab:
                assert tab.ask(say("heart"))["code"] == "too-fast"  # Another page is the same person.
            server.let_pass(3)
            assert one.ask(say("laugh"))["type"] == "done"
