"""Gathering before a game: who sits where, what the host may do, and who's notified."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from xml.etree import ElementTree

import pytest

from chromino.messages.people import COOKIE
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import FREE, HERE, ME, PATIENCE, SNAIL, BareSocket, Client, Json

GONE = (404, "no-such-gathering")


def names(gathering: Json) -> list[str]:
    return [chair["name"] for chair in gathering["chairs"]]


def kinds(gathering: Json) -> list[str]:
    return [chair["kind"] for chair in gathering["chairs"]]


def hosts(gathering: Json) -> list[bool]:
    return [chair["host"] for chair in gathering["chairs"]]


def mine(gathering: Json) -> list[bool]:
    return [chair["mine"] for chair in gathering["chairs"]]


def lobby(client: Client) -> list[str]:
    answer = client.get("/api/gatherings")
    assert answer.status == 200
    return [gathering["game"] for gathering in answer.json["gatherings"]]


def heard(socket: BareSocket) -> Json:
    message: Json = json.loads(socket.recv(PATIENCE))
    return message


@pytest.fixture
def guest(server: InProcessServer) -> Client:
    return Client(server.url)


@pytest.fixture
def third(server: InProcessServer) -> Client:
    return Client(server.url)


# Sitting down.


def test_a_table_can_be_opened_and_found(client: Client, guest: Client) -> None:
    found = client.gather(ME, HERE, SNAIL, FREE, rules={"joining": "ends"}, watch=False, turn_limit=30)
    seen = client.gathering(found)
    assert seen["type"] == "gathering"
    assert seen["game"] == found
    assert kinds(seen) == ["person", "person", "bot", "free"]
    assert names(seen) == ["Ada", "Bob", "Snail", ""]
    assert mine(seen) == [True, True, False, False]
    assert [chair["level"] for chair in seen["chairs"]] == [None, None, 1, None]
    assert (seen["host"], seen["preset"], seen["watch"], seen["public"]) == (True, "junior", False, False)
    assert seen["turn_limit"] == 30
    as_guest = guest.gathering(found)
    assert mine(as_guest) == [False] * 4
    assert not as_guest["host"]
    assert hosts(as_guest) == hosts(seen)
    assert guest.secret is None  # Looking doesn't create an identity.


def test_sitting_down_gives_you_an_identity_and_a_seat(client: Client, guest: Client) -> None:
    found = client.gather()
    answer = guest.at(found, "sit", {"name": " Cleo "})
    assert answer.status == 200
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert names(answer.json) == ["Ada", "Cleo"]
    assert mine(answer.json) == [False, True]
    assert hosts(answer.json) == [True, False]
    assert not answer.json["host"]
    assert mine(client.gathering(found)) == [True, False]


def test_nobody_learns_anyone_elses_id(client: Client, guest: Client) -> None:
    found = client.gather()
    guest.sit(found, "Cleo")
    assert {name for chair in guest.gathering(found)["chairs"] for name in chair} == {
        "kind",
        "name",
        "mine",
        "host",
        "level",
        "deal",
        "program",
        "face",
    }


def test_sitting_down_again_only_changes_the_name(client: Client, guest: Client) -> None:
    found = client.gather(ME, FREE, FREE)
    guest.sit(found, "Cleo")
    assert names(guest.sit(found, "Dora")) == ["Ada", "Dora", ""]
    assert names(client.sit(found, "Eve")) == ["Eve", "Dora", ""]


def test_a_full_table_refuses_guests(client: Client, guest: Client, third: Client) -> None:
    found = client.gather(ME, FREE, SNAIL)
    guest.sit(found, "Cleo")
    assert third.at(found, "sit", {"name": "Dora"}).refused == (409, "seats-taken")
    assert third.secret is None
    assert names(guest.sit(found, "Eve")) == ["Ada", "Eve", "Snail"]  # People keep their chair.


@pytest.mark.parametrize("name", ["", " ", "\n", "Ada\nLovelace", "\u202eadA", "x" * 41])
def test_names_are_checked(name: str, client: Client, guest: Client) -> None:
    found = client.gather()
    assert guest.at(found, "sit", {"name": name}).refused == (400, "bad-name")
    assert guest.secret is None
    assert client.at(found, "fill", {"seat": 1, "level": 1, "name": name}).refused == (400, "bad-name")
    chairs = [{"kind": "me", "name": name}, FREE]
    assert client.post("/api/gatherings", {"chairs": chairs}).refused == (400, "bad-name")
    assert client.gathering(found)["version"] == 0


WRONG_TABLES: dict[str, tuple[Json, str]] = {
    "nobody": ({"chairs": []}, "bad-seats"),
    "nine": ({"chairs": [ME, *[FREE] * 8]}, "bad-seats"),
    "no host": ({"chairs": [SNAIL, FREE]}, "bad-seats"),
    "two hosts": ({"chairs": [ME, ME]}, "bad-seats"),
    "a bot without a level": ({"chairs": [ME, {"kind": "bot", "name": "Snail"}]}, "bad-seats"),
    "a level for a person": ({"chairs": [{**ME, "level": 1}, FREE]}, "bad-seats"),
    "a first player who is not there": ({"chairs": [ME, FREE], "first": 2}, "bad-seats"),
    "rules that do not go together": ({"chairs": [ME, FREE], "rules": {"scoring": "a"}}, "bad-rules"),
    "a limit too short to play": ({"chairs": [ME, FREE], "turn_limit": 4}, "bad-message"),
    "a limit longer than a week": ({"chairs": [ME, FREE], "turn_limit": 7 * 24 * 3600 + 1}, "bad-message"),
}


@pytest.mark.parametrize("wrong", WRONG_TABLES)
def test_an_impossible_table_is_refused(wrong: str, client: Client) -> None:
    body, code = WRONG_TABLES[wrong]
    assert client.post("/api/gatherings", body).refused == (400, code)
    assert client.secret is None


def test_an_impossible_table_creates_no_identity(client: Client, server: InProcessServer) -> None:
    with closing(sqlite3.connect(server.database)) as connection:
        before = connection.execute("SELECT count(*) FROM people").fetchone()
    answer = client.post("/api/gatherings", {"chairs": [{**ME, "name": ""}, FREE]})
    assert answer.refused == (400, "bad-name")
    assert client.secret is None
    with closing(sqlite3.connect(server.database)) as connection:
        assert connection.execute("SELECT count(*) FROM people").fetchone() == before


def test_if_two_people_want_the_same_seat_only_one_gets_it(client: Client, server: InProcessServer) -> None:
    for _ in range(5):
        found = client.gather()
        start = Barrier(2)

        def sit(name: str, found: str = found, start: Barrier = start) -> int:
            start.wait(PATIENCE)
            return Client(server.url).at(found, "sit", {"name": name}).status

        with ThreadPoolExecutor(2) as pool:
            assert sorted(pool.map(sit, ["Cleo", "Dora"])) == [200, 409]
        assert kinds(client.gathering(found)) == ["person", "person"]


# Standing up.


def test_standing_up_frees_the_seat(client: Client, guest: Client, third: Client) -> None:
    found = client.gather()
    guest.sit(found, "Cleo")
    answer = guest.at(found, "leave")
    assert answer.status == 200
    assert kinds(answer.json) == ["person", "free"]
    assert names(third.sit(found, "Dora")) == ["Ada", "Dora"]


def test_if_the_host_leaves_the_next_person_becomes_host(client: Client, guest: Client, third: Client) -> None:
    found = client.gather(ME, HERE, SNAIL, FREE, FREE)
    guest.sit(found, "Cleo")
    third.sit(found, "Dora")
    assert client.at(found, "leave").status == 200
    seen = guest.gathering(found)
    assert kinds(seen) == ["free", "free", "bot", "person", "person"]
    assert hosts(seen) == [False, False, False, True, False]
    assert (seen["host"], third.gathering(found)["host"], client.gathering(found)["host"]) == (True, False, False)
    assert client.at(found, "begin").refused == (403, "not-the-host")
    assert guest.begin(found) == found


def test_the_table_closes_when_the_last_person_leaves(client: Client, guest: Client) -> None:
    found = client.gather(ME, SNAIL, FREE)
    guest.sit(found, "Cleo")
    assert client.at(found, "leave").status == 200
    assert guest.at(found, "leave").status == 204
    for person in (client, guest):
        assert person.get(f"/api/gatherings/{found}").refused == GONE
    assert guest.at(found, "sit", {"name": "Cleo"}).refused == GONE


def test_standing_up_without_a_seat_changes_nothing(client: Client, guest: Client, third: Client) -> None:
    found = client.gather()
    assert guest.at(found, "leave").refused == (403, "nobody")
    third.gather()
    third.at(found, "leave")
    seen = client.gathering(found)
    assert (names(seen), seen["host"]) == (["Ada", ""], True)


# What the host may do.


def test_the_host_can_remove_someone(client: Client, guest: Client) -> None:
    found = client.gather()
    guest.sit(found, "Cleo")
    answer = client.at(found, "remove", {"seat": 1})
    assert answer.status == 200
    assert kinds(answer.json) == ["person", "free"]
    assert mine(guest.gathering(found)) == [False, False]
    assert names(guest.sit(found, "Cleo")) == ["Ada", "Cleo"]  # Removed people aren't banned.


def test_the_host_can_remove_a_bot(client: Client) -> None:
    found = client.gather(ME, SNAIL)
    assert kinds(client.at(found, "remove", {"seat": 1}).json) == ["person", "free"]


def test_the_host_cannot_remove_themselves_or_clear_a_free_seat(client: Client) -> None:
    found = client.gather()
    assert client.at(found, "remove", {"seat": 0}).refused == (400, "bad-seats")
    assert client.at(found, "remove", {"seat": 2}).refused == (400, "bad-seats")
    assert client.gathering(found)["version"] == 0


def test_the_host_can_give_a_free_seat_to_a_bot(client: Client) -> None:
    found = client.gather(ME, FREE, FREE)
    answer = client.at(found, "fill", {"seat": 2, "level": 3, "name": "Fox"})
    assert answer.status == 200
    assert kinds(answer.json) == ["person", "free", "bot"]
    assert answer.json["chairs"][2]["level"] == 3
    for taken in (0, 2, 3):
        refused = client.at(found, "fill", {"seat": taken, "level": 1, "name": "Snail"}).refused
        assert refused == (400, "bad-seats")


AS_HOST: dict[str, Json | None] = {
    "remove": {"seat": 0},
    "fill": {"seat": 2, "level": 1, "name": "Snail"},
    "begin": None,
}


@pytest.mark.parametrize("call", AS_HOST)
def test_only_the_host_can_make_these_calls(call: str, client: Client, guest: Client, third: Client) -> None:
    found = client.gather(ME, FREE, FREE)
    guest.sit(found, "Cleo")
    before = client.gathering(found)
    assert guest.at(found, call, AS_HOST[call]).refused == (403, "not-the-host")
    assert third.at(found, call, AS_HOST[call]).refused == (403, "nobody")
    assert client.gathering(found) == before


# Starting the game.


def test_the_game_starts_with_everyone_present(client: Client, guest: Client) -> None:
    found = client.gather(FREE, ME, FREE, SNAIL, FREE, HERE, rules={"hand_size": 4}, aids=False, turn_limit=60)
    guest.sit(found, "Cleo")
    client.at(found, "remove", {"seat": 0})
    third = Client(client.url)
    third.sit(found, "Dora")
    guest.sit(found, "Cleo")
    assert names(client.gathering(found)) == ["Dora", "Ada", "Cleo", "Snail", "", "Bob"]
    game = client.begin(found)
    assert client.get(f"/api/gatherings/{found}").refused == GONE
    state = client.whole_state(game)
    assert state["view"]["players"] == ["Dora", "Ada", "Cleo", "Snail", "Bob"]  # Free chairs are removed.
    assert [seat["kind"] for seat in state["seats"]] == ["person", "person", "person", "bot", "person"]
    assert mine({"chairs": state["seats"]}) == [False, True, False, False, True]
    assert (state["view"]["rules"]["hand_size"], state["aids"], state["pace"]) == (4, False, False)
    assert 0 < state["turn_left"] <= 60
    for person in (guest, third):
        assert [seen["game"] for seen in person.get("/api/games").json["games"]] == [game]
    assert client.at(found, "begin").refused == GONE


def test_a_game_starts_once_and_nobody_sits_down_afterward(client: Client, guest: Client) -> None:
    found = client.gather(ME, SNAIL)
    start = Barrier(2)

    def begin(_: int) -> int:
        start.wait(PATIENCE)
        return client.at(found, "begin").status

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(begin, range(2))) == [200, 404]
    assert guest.at(found, "sit", {"name": "Cleo"}).refused == GONE
    assert guest.secret is None


FIRSTS: dict[str, tuple[list[Json], int, int]] = {
    "the host": ([FREE, ME, SNAIL], 1, 0),
    "a bot": ([FREE, ME, FREE, {**SNAIL, "name": "Slow"}], 3, 1),
    "one of two identical bots": ([FREE, ME, SNAIL, SNAIL], 3, 2),
    "someone with the same name": ([ME, FREE, HERE, {**HERE, "name": "Ada"}], 3, 2),
}


@pytest.mark.parametrize("who", FIRSTS)
def test_the_first_player_is_chosen_by_seat(who: str, client: Client) -> None:
    chairs, first, seat = FIRSTS[who]
    game = client.begin(client.gather(*chairs, first=first))
    assert client.state(game)["view"]["first"] == seat


def test_if_the_first_player_is_missing_chance_decides(client: Client) -> None:
    game = client.begin(client.gather(ME, FREE, HERE, first=1))
    assert client.state(game)["view"]["first"] in (0, 1)


def test_too_many_players_for_the_rules_are_refused(client: Client, guest: Client) -> None:
    found = client.gather(ME, HERE, FREE, rules={"hand_size": 39})
    guest.sit(found, "Cleo")
    before = client.gathering(found)
    assert client.at(found, "begin").refused == (400, "bad-rules")
    assert client.gathering(found) == before
    assert client.get(f"/api/games/{found}").refused == (404, "no-such-game")
    guest.at(found, "leave")
    assert client.begin(found) == found


# Notifications.


def test_the_socket_announces_each_change_and_the_start(client: Client, guest: Client) -> None:
    found = client.gather(ME, FREE, FREE)
    with client.watch(found) as socket, Client(client.url).watch(found) as stranger:
        assert heard(socket) == client.gathering(found)
        assert not heard(stranger)["host"]
        steps: list[tuple[Callable[[], object], list[str]]] = [
            (lambda: guest.sit(found, "Cleo"), ["person", "person", "free"]),
            (lambda: client.at(found, "fill", {"seat": 2, "level": 1, "name": "Snail"}), ["person", "person", "bot"]),
            (lambda: client.at(found, "remove", {"seat": 1}), ["person", "free", "bot"]),
        ]
        for step, expected in steps:
            step()
            update = heard(socket)
            assert kinds(update) == expected
            assert update == client.gathering(found)
            assert kinds(heard(stranger)) == expected
        client.begin(found)
        for listening in (socket, stranger):
            assert heard(listening) == {"type": "begun", "game": found, "begun": True}
    with client.watch(found) as late:
        assert heard(late) == {"type": "begun", "game": found, "begun": True}


def test_the_socket_announces_that_the_table_has_closed(client: Client, guest: Client) -> None:
    found = client.gather()
    with guest.watch(found) as socket:
        assert heard(socket)["type"] == "gathering"
        client.at(found, "leave")
        assert heard(socket) == {"type": "begun", "game": found, "begun": False}


def test_the_socket_of_an_unknown_table_is_closed(client: Client) -> None:
    with client.watch("nothing") as socket:
        assert heard(socket) == {"type": "begun", "game": "nothing", "begun": False}


def test_a_socket_hears_only_its_own_table(client: Client, guest: Client) -> None:
    here, there = client.gather(), client.gather()
    with client.watch(here) as socket:
        heard(socket)
        guest.sit(there, "Cleo")
        guest.sit(here, "Cleo")
        update = heard(socket)
        assert (update["game"], update["version"]) == (here, 1)


def test_only_people_at_the_table_can_leave_it_and_strangers_trigger_no_updates(
    client: Client, guest: Client, third: Client
) -> None:
    found = client.gather(ME, FREE, FREE)
    third.gather()  # This person now has an identity, but no seat here.
    with client.watch(found) as socket:
        before = heard(socket)
        assert third.at(found, "leave").refused == (403, "not-your-game")
        guest.sit(found, "Cleo")
        update = heard(socket)
        assert (before["version"], update["version"], names(update)) == (0, 1, ["Ada", "Cleo", ""])


# The lobby.


def test_the_lobby_lists_public_tables_with_a_free_seat(client: Client, guest: Client) -> None:
    private, public, full = client.gather(), client.gather(public=True), client.gather(ME, SNAIL, public=True)
    seen = lobby(guest)
    assert public in seen
    assert private not in seen
    assert full not in seen
    guest.sit(public, "Cleo")
    assert public not in lobby(guest)
    guest.at(public, "leave")
    assert lobby(client)[0] == public  # The latest first.
    client.begin(public)
    assert public not in lobby(guest)


# The link.


def test_the_link_is_available_as_a_qr_code(client: Client) -> None:
    found = client.gather()
    answer = client.get(f"/api/gatherings/{found}/link.svg")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "image/svg+xml"
    picture = ElementTree.fromstring(answer.content)  # noqa: S314
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert picture.findall(".//{http://www.w3.org/2000/svg}path")
    assert client.get(f"/api/gatherings/{client.gather()}/link.svg").content != answer.content
    assert client.get("/api/gatherings/nothing/link.svg").refused == GONE


def test_the_invitation_link_says_who_can_open_it(client: Client, server: InProcessServer) -> None:
    found = client.gather()
    answer = client.get(f"/api/gatherings/{found}/link")
    assert answer.json == {"url": f"{server.url}join/{found}", "reach": "device"}
    assert client.get("/api/gatherings/nothing/link").refused == GONE


@pytest.mark.parametrize("call", ["sit", *AS_HOST, "leave"])
def test_an_unknown_table_is_not_found(call: str, client: Client, guest: Client) -> None:
    client.gather()
    assert client.get("/api/gatherings/nothing").refused == GONE
    assert client.at("nothing", call, {"name": "Ada"} if call == "sit" else AS_HOST.get(call)).refused == GONE
    assert guest.at("nothing", "sit", {"name": "Cleo"}).refused == GONE
    assert guest.secret is None


def test_a_table_survives_a_restart(tmp_path: Path) -> None:
    with InProcessServer(tmp_path / "db.sqlite") as server:
        host, guest = Client(server.url), Client(server.url)
        found = host.gather(ME, FREE, FREE, public=True)
        guest.sit(found, "Cleo")
        before = host.gathering(found)
    with InProcessServer(tmp_path / "db.sqlite") as server:
        host.url = guest.url = server.url
        assert host.gathering(found) == before
        assert lobby(guest) == [found]
        assert host.begin(found) == found
        assert guest.state(found)["view"]["players"] == ["Ada", "Cleo"]
    assert "Traceback" not in server.errors


def test_the_lobby_forgets_long_abandoned_tables(server: InProcessServer) -> None:
    client = Client(server.url)
    game = client.gather(ME, FREE, public=True)
    with closing(sqlite3.connect(server.database)) as database, database:
        database.execute("UPDATE gatherings SET updated = '2026-01-01T00:00:00.000+00:00' WHERE id = ?", [game])
    assert game not in [one["game"] for one in client.get("/api/gatherings").json["gatherings"]]
    assert client.get(f"/api/gatherings/{game}").status == 200
