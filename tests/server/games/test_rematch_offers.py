"""Rematches over the wire: offered, accepted, declined, and started on time without people who don't answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import select, update

from chromino import Rules
from chromino.fair_deal import commitment_of, new_part
from chromino.server.database import gatherings, schema
from tests.helpers import states
from tests.server.push.push_service import Subscriber
from tests.server.sites.databases import Database, in_store
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.postgres import Postgres, temporary_database
from tests.server.sites.serving import PATIENCE, Client, Json, plant_multiplayer


def finished(database: Database, players: int) -> tuple[str, tuple[str, ...]]:
    """A finished game between this many people: its id, and everyone's secret."""
    *_, over = states(Rules.preset("classic", hand_size=1), players, seed=4)
    return plant_multiplayer(database, over)


def kinds(table: Json) -> list[str]:
    return [chair["kind"] for chair in table["chairs"]]


def notices(database: Database) -> list[tuple[str, str]]:
    query = select(schema.notices.c.game, schema.notices.c.kind)
    found = in_store(database, lambda store: store.read(lambda connection: connection.execute(query).all()))
    return [(row.game, row.kind) for row in found]


def subscribe(client: Client) -> None:
    browser = Subscriber("https://fcm.googleapis.com/1")
    asked = {"endpoint": browser.endpoint, "p256dh": browser.p256dh, "auth": browser.auth}
    assert client.post("/api/me/push", asked).status == 204


def test_everyone_hears_who_accepts_and_who_declines(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite"
    game, secrets = finished(database, 3)
    with InProcessServer(database) as server:
        ada, bob, cy = (Client(server.url, secret) for secret in secrets)
        subscribe(bob)
        rematch = offer(ada, game)
        assert notices(database) == [(rematch, "rematch")]
        assert bob.gathering(rematch)["offer"] == "minute"
        assert bob.at(rematch, "leave").status == 200
        assert notices(database) == []
        table = cy.at(rematch, "commit", {"commitment": commitment_of(new_part())}).json
        assert kinds(table) == ["person", "free", "person"]
        assert table["offer"] is None
        assert table["deal"]["begun"]
        assert all(table["deal"]["commitments"])


def offer(client: Client, game: str) -> str:
    commitment = commitment_of(new_part())
    rematch: str = client.post(f"/api/games/{game}/rematch?commitment={commitment}", None).json["game"]
    return rematch


def offers(client: Client) -> list[str]:
    """The rematches that are waiting for this person's answer."""
    return [found["game"] for found in client.get("/api/offers").json["rematches"]]


@pytest.mark.parametrize("count", [2, 4, 8])
def test_everyone_sees_an_offer_wherever_they_are(count: int, tmp_path: Path) -> None:
    """Nobody has a page open at the game or the table, as if they were offline when the offer came."""
    database = tmp_path / "games.sqlite"
    game, secrets = finished(database, count)
    with InProcessServer(database) as server:
        host, *guests = (Client(server.url, secret) for secret in secrets)
        assert [offers(guest) for guest in guests] == [[]] * len(guests)
        rematch = offer(host, game)
        [found] = guests[0].get("/api/offers").json["rematches"]
        assert found["game"] == rematch
        assert found["by"] == host.gathering(rematch)["chairs"][0]["name"]
        assert 0 < found["left"] <= 60
        assert [offers(guest) for guest in guests] == [[rematch]] * len(guests)
        assert offers(host) == offers(Client(server.url)) == []
        for number, guest in enumerate(guests):
            if number == 0:
                assert guest.at(rematch, "leave").status == 200
            else:
                assert guest.at(rematch, "commit", {"commitment": commitment_of(new_part())}).status == 200
        assert [offers(guest) for guest in guests] == [[]] * len(guests)
        assert kinds(host.gathering(rematch)) == ["person", "free"] + ["person"] * (count - 2)


def test_an_offer_that_has_ended_is_no_longer_shown(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite"
    game, secrets = finished(database, 2)
    with InProcessServer(database) as server:
        offer(Client(server.url, secrets[0]), game)
    long_ago = update(schema.gatherings).values(offer_ends=1.0)
    in_store(database, lambda store: store.write(lambda connection: connection.execute(long_ago) and None))
    guest = select(schema.chairs.c.person).where(schema.chairs.c.seat == 1)
    person = in_store(database, lambda store: store.read(lambda connection: connection.scalar(guest)))
    assert person is not None
    assert in_store(database, lambda store: store.read(gatherings.offers_to(person, 5))) == []


def test_an_offer_can_be_seen_declined_and_followed_across_servers(postgres: Postgres) -> None:
    with temporary_database(postgres) as url, InProcessServer(url) as here, InProcessServer(url) as there:
        game, secrets = finished(url, 3)
        ada, bob, cy = Client(here.url, secrets[0]), Client(there.url, secrets[1]), Client(there.url, secrets[2])
        spectator = Client(there.url)
        with spectator.open(game) as watching:
            assert watching.state_since(0)["watching"]
            rematch = ada.post(f"/api/games/{game}/rematch", None).json["game"]
            assert watching.state_when(lambda state: state["next_game"] is not None)["next_game"] == rematch
        assert offers(bob) == offers(cy) == [rematch]
        with ada.watch(rematch) as waiting, spectator.watch(rematch) as following:
            assert bob.at(rematch, "leave").status == 200
            while kinds(json.loads(waiting.recv(PATIENCE))) != ["person", "free", "person"]:
                pass
            assert cy.post(f"/api/games/{game}/rematch", None).json["game"] == rematch
            while (message := json.loads(following.recv(PATIENCE)))["type"] != "begun":
                pass
            assert message["begun"]
        assert spectator.state(rematch)["watching"]
        assert offers(bob) == offers(cy) == []


def test_a_restarted_server_ends_expired_offers(empty: Database) -> None:
    game, secrets = finished(empty, 3)
    with InProcessServer(empty) as server:
        ada, bob, _ = (Client(server.url, secret) for secret in secrets)
        rematch = offer(ada, game)
        assert bob.at(rematch, "commit", {"commitment": commitment_of(new_part())}).status == 200
    long_ago = update(schema.gatherings).values(offer_ends=1.0)
    in_store(empty, lambda store: store.write(lambda connection: connection.execute(long_ago) and None))
    with InProcessServer(empty) as server:
        ada = Client(server.url, secrets[0])
        with ada.watch(rematch) as socket:
            while kinds(json.loads(socket.recv(PATIENCE))) != ["person", "person", "free"]:
                pass
