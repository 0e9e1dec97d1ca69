"""Turning notifications on and off, and what's queued during multi-day games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from chromino import Game, Rules
from chromino.server.database import schema
from tests.server.push.push_service import Subscriber
from tests.server.sites.databases import in_store
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import Client, plant_multiplayer

DAY = 24 * 3600


@pytest.fixture
def own(tmp_path: Path) -> Iterator[InProcessServer]:
    with InProcessServer(tmp_path / "games.sqlite") as server:
        yield server


def subscription(endpoint: str = "https://fcm.googleapis.com/fcm/send/1", **more: Any) -> dict[str, Any]:
    found = Subscriber(endpoint)
    return {"endpoint": endpoint, "p256dh": found.p256dh, "auth": found.auth, **more}


def rows(server: InProcessServer, table: Any) -> list[dict[str, Any]]:
    def read(connection: Any) -> list[dict[str, Any]]:
        return [dict(row) for row in connection.execute(select(table)).mappings()]

    return in_store(server.database, lambda store: store.read(read))


def test_a_browser_can_be_registered_and_forgotten(own: InProcessServer) -> None:
    ada = Client(own.url)
    ada.new_game()
    assert len(ada.get("/api/me/push").json["key"]) == 87  # A point on the curve in base64.
    asked = subscription(language="fr", timezone="Europe/Paris", quiet_from=1320, quiet_to=420)
    assert ada.post("/api/me/push", asked).status == 204
    assert ada.post("/api/me/push", asked).status == 204  # Again, with the same endpoint.
    [kept] = rows(own, schema.push_browsers)
    assert (kept["language"], kept["timezone"], kept["quiet_from"]) == ("fr", "Europe/Paris", 1320)
    assert ada.post("/api/me/push/stop", {"endpoint": asked["endpoint"]}).status == 204
    assert ada.post("/api/me/push/stop", {"endpoint": asked["endpoint"]}).status == 204
    assert rows(own, schema.push_browsers) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "https://169.254.169.254/latest"},
        {"endpoint": "http://fcm.googleapis.com/1"},
        {"p256dh": "AAAA"},
        {"auth": "AAAA"},
    ],
)
def test_invalid_subscriptions_are_refused(wrong: dict[str, str], client: Client) -> None:
    client.new_game()
    assert client.post("/api/me/push", {**subscription(), **wrong}).refused == (400, "bad-push")


def test_someone_without_an_identity_has_nothing_to_be_notified_of(client: Client) -> None:
    assert client.post("/api/me/push", subscription()).refused == (403, "nobody")


def test_unknown_languages_and_time_zones_are_replaced(own: InProcessServer) -> None:
    ada = Client(own.url)
    ada.new_game()
    ada.post("/api/me/push", subscription(language="xx", timezone="../../etc"))
    [kept] = rows(own, schema.push_browsers)
    assert (kept["language"], kept["timezone"]) == ("en", "UTC")


def test_erased_people_leave_no_browser_behind(own: InProcessServer) -> None:
    ada = Client(own.url)
    ada.new_game()
    ada.post("/api/me/push", subscription())
    assert ada.post("/api/me/erase", None).status == 204
    assert rows(own, schema.push_browsers) == []


def play_one(player: Client, game: str) -> None:
    with player.open(game) as table:
        assert table.act(table.my_turn()["view"]["actions"][0])["type"] == "done"


@pytest.mark.parametrize("limit", [DAY, 60])
def test_in_a_multi_day_game_the_next_player_is_notified_if_they_are_away(limit: int, tmp_path: Path) -> None:
    game = Game.start(Rules.classic(), ["Ada", "Bob", "Cy"], seed=3, first=0)
    name, (ada_secret, bob_secret, _) = plant_multiplayer(tmp_path / "games.sqlite", game, turn_limit=limit)
    with InProcessServer(tmp_path / "games.sqlite") as server:
        ada, bob = Client(server.url, ada_secret), Client(server.url, bob_secret)
        bob.post("/api/me/push", subscription())
        play_one(ada, name)
        found = [(row["game"], row["kind"], row["about"]) for row in rows(server, schema.notices)]
        assert found == ([(name, "turn", "Ada\nCy")] if limit == DAY else [])
        if limit == DAY:
            play_one(bob, name)
            assert rows(server, schema.notices) == []
