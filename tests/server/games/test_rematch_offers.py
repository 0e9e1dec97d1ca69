"""Rematches over the wire: offered, accepted, declined, and begun in time without those who say nothing."""

from __future__ import annotations

import json
from pathlib import Path

from sqlalchemy import select, update

from chromino import Rules
from chromino.fair_deal import commitment_of, new_part
from chromino.server.database import schema
from tests.helpers import states
from tests.server.databases import Database, in_store
from tests.server.in_process import InProcessServer
from tests.server.push.push_service import Subscriber
from tests.server.serving import PATIENCE, Client, Json, plant_apart


def finished(database: Database, names: list[str]) -> tuple[str, tuple[str, ...]]:
    """A game that these people have played."""
    *_, over = states(Rules.preset("classic", hand_size=1), len(names), seed=4)
    return plant_apart(database, over)


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


def test_one_accepts_one_declines_and_both_are_heard(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite"
    game, secrets = finished(database, ["Ada", "Bob", "Cy"])
    with InProcessServer(database) as server:
        ada, bob, cy = (Client(server.url, secret) for secret in secrets)
        subscribe(bob)
        asked = commitment_of(new_part())
        rematch = ada.post(f"/api/games/{game}/rematch?commitment={asked}", None).json["game"]
        assert notices(database) == [(rematch, "rematch")]
        assert bob.gathering(rematch)["offer"] == "minute"
        assert bob.at(rematch, "leave").status == 200
        assert notices(database) == []
        table = cy.at(rematch, "commit", {"commitment": commitment_of(new_part())}).json
        assert kinds(table) == ["person", "free", "person"]
        assert table["offer"] is None
        assert table["deal"]["begun"]
        assert all(table["deal"]["commitments"])


def test_a_server_that_starts_again_sees_to_offers(empty: Database) -> None:
    game, secrets = finished(empty, ["Ada", "Bob", "Cy"])
    with InProcessServer(empty) as server:
        ada, bob, _ = (Client(server.url, secret) for secret in secrets)
        asked = commitment_of(new_part())
        rematch = ada.post(f"/api/games/{game}/rematch?commitment={asked}", None).json["game"]
        assert bob.at(rematch, "commit", {"commitment": commitment_of(new_part())}).status == 200
    long_ago = update(schema.gatherings).values(offer_ends=1.0)
    in_store(empty, lambda store: store.write(lambda connection: connection.execute(long_ago) and None))
    with InProcessServer(empty) as server:
        ada = Client(server.url, secrets[0])
        with ada.watch(rematch) as socket:
            while kinds(json.loads(socket.recv(PATIENCE))) != ["person", "person", "free"]:
                pass
