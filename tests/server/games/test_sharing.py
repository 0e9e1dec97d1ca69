"""When you share a result, the link is one that others can open."""

from __future__ import annotations

from pathlib import Path

from chromino import Rules
from tests.helpers import states
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import Client, plant, plant_multiplayer

*_, OVER = states(Rules.preset("classic", hand_size=1), 2, seed=4)
START = next(iter(states(Rules.classic(), 2, seed=4)))


def link(client: Client, game: str) -> str:
    answer = client.post(f"/api/games/{game}/share", None)
    assert answer.status == 200, answer.content
    assert answer.json["reach"] == "device"
    url: str = answer.json["url"]
    return url


def test_sharing_my_own_game_opens_it_to_everyone(tmp_path: Path) -> None:
    game, secret = plant(tmp_path / "db.sqlite", OVER, {1: "snail"})
    with InProcessServer(tmp_path / "db.sqlite") as server:
        ada, stranger = Client(server.url, secret), Client(server.url)
        assert stranger.get(f"/api/games/{game}/record").json["code"] == "not-your-game"
        assert stranger.post(f"/api/games/{game}/share", None).json["code"] == "not-your-game"
        assert link(ada, game) == f"{server.url}replay/{game}"
        assert stranger.record(game) == ada.record(game)
        assert link(stranger, game) == f"{server.url}replay/{game}"
    with InProcessServer(tmp_path / "db.sqlite") as server:
        assert Client(server.url).record(game)  # The game stays open.


def test_a_game_without_spectators_stays_among_its_players(tmp_path: Path) -> None:
    game, secrets = plant_multiplayer(tmp_path / "db.sqlite", OVER, watch=False)
    with InProcessServer(tmp_path / "db.sqlite") as server:
        assert link(Client(server.url, secrets[0]), game) == server.url
        assert Client(server.url).get(f"/api/games/{game}/record").json["code"] == "not-your-game"


def test_a_running_game_cannot_be_shared(tmp_path: Path) -> None:
    game, secret = plant(tmp_path / "db.sqlite", START)
    with InProcessServer(tmp_path / "db.sqlite") as server:
        answer = Client(server.url, secret).post(f"/api/games/{game}/share", None)
        assert answer.json["code"] == "not-over"
