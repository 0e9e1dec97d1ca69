"""My games, page by page, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from chromino.seated.seats import Seat
from chromino.server.database.rows import digest
from chromino.server.database.store import FINISHED, Entry, ListedGame, PageEnd, Store
from chromino.server.games.game_calls import _page_end
from chromino.server.people import people
from tests.server.sites.databases import GAME, ROW, Database, in_store
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import HERE, ME, SNAIL, Client, plant_many


def pages(client: Client) -> Iterator[list[str]]:
    after = ""
    while True:
        answer = client.get(f"/api/games?after={after}".replace(" ", "%20")).json
        yield [game["game"] for game in answer["games"]]
        if answer["next"] is None:
            return
        after = answer["next"]


def test_pages_of_fifty_neither_skip_nor_repeat_a_game(client: Client, server: InProcessServer) -> None:
    running, finished, client.secret = plant_many(server.database, 60, 70)
    found = list(pages(client))
    assert [len(page) for page in found] == [50, 50, 30]
    assert [game for page in found for game in page] == [*reversed(running), *reversed(finished)]


def test_wins_count_all_games_not_just_those_on_a_page(client: Client, server: InProcessServer) -> None:
    _, finished, client.secret = plant_many(server.database, 0, 52)
    assert client.get("/api/games").json["wins"] == [{"preset": "expert", "played": len(finished), "won": 52}]


def test_a_game_counts_once_per_person_and_by_its_rules(client: Client) -> None:
    with client.open(client.new_game(ME, HERE, SNAIL, rules={"hand_size": 2})) as socket:
        won = not set(socket.play_on()["view"]["winners"]) <= {2}
    with client.open(client.new_game(ME)) as socket:
        socket.play_on()
    found = {line["preset"]: line for line in client.get("/api/games").json["wins"]}
    assert found[None] == {"preset": None, "played": 1, "won": int(won)}
    assert found["classic"]["played"] == 1


def test_an_invalid_page_end_is_refused(client: Client) -> None:
    client.new_game()
    for text in ("x", "True 2026", "True 2026 a/b", "Maybe 2026 game", "True 2026%00 game", "a" * 200):
        assert client.get(f"/api/games?after={text}".replace(" ", "%20")).refused == (400, "bad-message")


def test_the_store_pages_through_games_in_order(empty: Database) -> None:
    """Games in progress come first, by their latest event; then finished games, by when they ended."""

    async def work(store: Store) -> list[list[str]]:
        await store.write(people.add("ada", "hash"))
        both = (Seat("ada", None), Seat("ada", None))  # Both are on one device.
        for number in range(6):
            await store.add_game(replace(ROW, id=f"g{number}", seats=both), digest(GAME))
        for number in (1, 4, 0):
            await store.append(Entry(f"g{number}", 0, "{}", None, over=number != 0, digest={}))
            store.clock.move(0.002)  # This gives each event a different time.
        found, after = [], None
        while page := await store.games_of("ada", 4, after):
            found.append([game.id for game in page])
            after = PageEnd.of(page[-1])
        assert await store.games_of("ada", 9, FINISHED) == (await store.games_of("ada", 9))[-2:]
        return found

    first, second = in_store(empty, work)
    assert first[0] == "g0"
    assert sorted(first[1:]) == ["g2", "g3", "g5"]
    assert second == ["g4", "g1"]


def test_the_end_of_a_page_round_trips() -> None:
    game = ListedGame("id", "", (), "2026-01", "2026-02", True, {})
    assert _page_end(" ".join(map(str, PageEnd.of(game)))) == PageEnd(True, "2026-02", "id")
