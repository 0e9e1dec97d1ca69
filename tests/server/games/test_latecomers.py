"""People who open the link after the deal, over the wire; and what the host chooses before the deal."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from chromino import Rules
from tests.helpers import states
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import FREE, ME, PATIENCE, SNAIL, Client, Json, plant_multiplayer


def take(client: Client, game: str, seat: int = 1, name: str = "Bob") -> tuple[int, str | None]:
    answer = client.post(f"/api/games/{game}/take-seat", {"seat": seat, "name": name, "face": "cap"})
    return answer.status, answer.json.get("code")


def wait(client: Client, game: str, name: str = "Bob") -> Json:
    answer = client.post(f"/api/games/{game}/wait", {"name": name})
    assert answer.status == 200, answer.content
    found: Json = answer.json
    return found


def begun(host: Client, *chairs: Json, **choices: object) -> str:
    return host.begin(host.gather(ME, *(chairs or (SNAIL,)), **choices))


def test_a_latecomer_takes_over_a_bot_and_keeps_the_seat_after_a_restart(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite"
    with InProcessServer(database) as server:
        ada, bob = Client(server.url), Client(server.url)
        game = begun(ada)
        with ada.open(game) as host, bob.open(game) as looking:
            seen = looking.state_when(lambda state: state["watching"])
            assert [(one["seat"], one["bot"]) for one in seen["latecomers"]["seats"]] == [(1, "snail")]
            assert take(bob, game) == (200, None)
            assert host.state_when(lambda state: state["seats"][1]["name"] == "Bob")["seats"][1]["face"] == "cap"
        with bob.open(game) as mine, ada.open(game) as host:
            mine.state_when(lambda state: state["view"]["me"] == 1)
            mover = mine if mine.state["view"]["seat"] == 1 else host
            mover.act(mover.my_turn()["view"]["actions"][0])
            version = mover.state["version"]
        assert ada.get(f"/api/games/{game}/latecomers").json["seats"] == []
        secrets = [person.secret for person in (ada, bob)]
    with InProcessServer(database) as server:
        ada, bob = (Client(server.url, secret) for secret in secrets)
        state = bob.whole_state(game)
        assert (state["view"]["me"], state["version"] >= version, state["view"]["players"]) == (1, True, ["Ada", "Bob"])
        assert [one["name"] for one in bob.get("/api/games").json["games"][0]["seats"]] == ["Ada", "Bob"]


def test_if_two_latecomers_want_the_same_seat_only_one_gets_it(client: Client) -> None:
    game = begun(client)
    both = [Client(client.url), Client(client.url)]
    for guest in both:
        wait(guest, game)
    start = Barrier(2)

    def ask(guest: Client) -> tuple[int, str | None]:
        start.wait(PATIENCE)
        return take(guest, game)

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(ask, both)) == [(200, None), (409, "seat-taken")]
    assert len(client.whole_state(game)["latecomers"]["waiting"]) == 1


def test_refusals_create_no_identity(client: Client) -> None:
    guest = Client(client.url)
    closed = begun(client, latecomers=False, watch=False)
    assert take(guest, closed) == (403, "no-latecomers")
    assert guest.post(f"/api/games/{closed}/wait", {"name": "Bob"}).refused == (403, "no-latecomers")
    assert guest.get(f"/api/games/{closed}/latecomers").json == {
        "seats": [],
        "can_wait": False,
        "waiting": [],
        "over": False,
        "watch": False,
    }
    game = begun(client)
    assert take(guest, game, 0) == (409, "seat-taken")
    assert take(guest, game, name=" ") == (400, "bad-name")
    assert guest.post(f"/api/games/{game}/stop-waiting", None).refused == (403, "nobody")
    assert take(guest, "no-such-game") == (404, "no-such-game")
    assert not guest.secret
    assert take(client, game) == (409, "has-seat")
    rated = begun(client, rated=True, turn_limit=60, aids=False)
    assert take(guest, rated) == (403, "no-latecomers")


@pytest.mark.parametrize("late", [1, 2, 6])
def test_everyone_waiting_gets_a_chair_in_the_rematch(tmp_path: Path, late: int) -> None:
    database = tmp_path / "games.sqlite"
    *_, over = states(Rules.preset("classic", hand_size=1), 2, seed=4)
    game, secrets = plant_multiplayer(database, over, watch=True)
    with InProcessServer(database) as server:
        ada = Client(server.url, secrets[0])
        guests = [Client(server.url) for _ in range(late)]
        for number, guest in enumerate(guests):
            found = wait(guest, game, f"Late {number}")
            assert [one["mine"] for one in found["waiting"]] == [False] * number + [True]
        assert len(ada.whole_state(game)["latecomers"]["waiting"]) == late
        if late == 6:
            refused = Client(server.url).post(f"/api/games/{game}/wait", {"name": "Late 6"}).refused
            assert refused == (409, "seats-taken")
        rematch = ada.post(f"/api/games/{game}/rematch", None).json["game"]
        table = guests[0].gathering(rematch)
        assert [chair["name"] for chair in table["chairs"][2:]] == [f"Late {number}" for number in range(late)]
        assert table["chairs"][2]["mine"]
        assert table["chairs"][2]["deal"] == "waiting"
        too_late = guests[0].post(f"/api/games/{game}/wait", {"name": "Again"}).refused
        assert too_late == (409, "too-late")


def test_people_who_stop_waiting_or_are_erased_are_forgotten(client: Client) -> None:
    game = begun(client)
    bob, cy = Client(client.url), Client(client.url)
    wait(bob, game)
    wait(cy, game, "Cy")
    with client.open(game) as host:
        assert bob.post(f"/api/games/{game}/stop-waiting", None).json["can_wait"]
        host.state_when(lambda state: [one["name"] for one in state["latecomers"]["waiting"]] == ["Cy"])
        assert cy.post("/api/me/erase", None).status == 204
        host.state_when(lambda state: state["latecomers"]["waiting"] == [])


def test_guests_see_the_hosts_choices_at_once(client: Client) -> None:
    game = client.gather(ME, FREE, FREE, FREE)
    guest = Client(client.url)
    guest.sit(game, "Bob")
    chosen = {"seats": 8, "rules": {"scoring": "expert"}, "turn_limit": 60, "watch": False, "latecomers": False}
    with guest.watch(game) as table:
        json.loads(table.recv(PATIENCE))
        assert client.at(game, "arrange", chosen).status == 200
        while (heard := json.loads(table.recv(PATIENCE)))["turn_limit"] != 60:
            pass
    assert (len(heard["chairs"]), heard["rules"]["scoring"], heard["watch"]) == (8, "expert", False)
    assert not heard["latecomers"]
    assert guest.at(game, "arrange", chosen).refused == (403, "not-the-host")
    assert client.at(game, "arrange", {"seats": 9}).refused == (400, "bad-seats")
    assert client.at(game, "arrange", {"seats": 2, "rated": True, "turn_limit": 60, "aids": False}).refused == (
        400,
        "cannot-be-rated",
    )
    assert client.at(game, "arrange", {"seats": 2, "rules": {"hand_size": 99}}).refused == (400, "bad-rules")
    client.begin(game)
    assert client.at(game, "arrange", chosen).refused == (404, "no-such-gathering")
