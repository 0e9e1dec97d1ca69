"""What operators can do about a person (rename, hide, ban) while a server is running, and the log of what they did."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import insert

from chromino.seated.events import StoodUp
from chromino.server.database import schema
from chromino.server.database.rows import digest
from chromino.server.database.store import Change, Store
from chromino.server.games.gatherings import Gatherings
from chromino.server.people import moderation, people
from chromino.server.problems import Problem
from tests.server.sites.databases import GAME, ON_BOTH, ROW, Database, in_store
from tests.server.sites.full_databases import admin, assert_one_line, done, fill
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import FREE, ME, SNAIL, Client, Json, say

BANNED = (403, "banned")


@pytest.fixture
def ada(server: InProcessServer) -> Client:
    return Client(server.url)


@pytest.fixture
def mallory(server: InProcessServer) -> Client:
    """Someone with a rude name."""
    return Client(server.url)


def act_on(server: InProcessServer, *arguments: str) -> str:
    return done(admin(*arguments, database=server.database))


def in_lobby(client: Client) -> list[str]:
    return [table["game"] for table in client.get("/api/gatherings").json["gatherings"]]


def leaderboard(client: Client) -> list[str | None]:
    return [player["name"] for player in client.get("/api/ratings/classic").json["players"]]


def begun(ada: Client, mallory: Client) -> str:
    """A game between Ada and Mallory."""
    game = ada.gather()
    mallory.sit(game, "Rude word")
    return ada.begin(game)


def test_a_new_name_is_shown_everywhere(server: InProcessServer, ada: Client, mallory: Client) -> None:
    game = begun(ada, mallory)
    table = mallory.gather({**ME, "name": "Rude word"}, FREE, public=True)
    with ada.open(game) as page:
        page.receive()
        output = act_on(
            server, "rename", "Friendly", "--game", f"{server.url}game/{game}", "--seat", "1", "--why", "rude"
        )
        assert output.startswith("renamed person ")
        assert output.endswith(" in 1 game\n")
        page.seats_when(lambda seats: seats[1]["name"] == "Friendly")  # Without a reload.
    assert ada.gathering(table)["chairs"][0]["name"] == "Friendly"
    assert [chair["name"] for chair in ada.state(game)["seats"]] == ["Ada", "Friendly"]
    log = act_on(server, "log").splitlines()[-1]
    assert ": rename " in log
    assert log.endswith("(to 'Friendly': rude)")


def test_a_new_name_reaches_games_whose_rematch_the_person_is_waiting_for(tmp_path: Path) -> None:
    heard: list[Change] = []

    async def work(store: Store) -> None:
        for person in ("ada", "mallory"):
            await store.write(people.add(person, f"hash-of-{person}"))
        await store.add_game(ROW, digest(GAME))
        row_for_mallory = {"game": ROW.id, "person": "mallory", "name": "Rude word", "since": 1.0}
        await store.write(lambda connection: connection.execute(insert(schema.waiting), row_for_mallory) and None)
        store.hear = heard.append
        await moderation.rename(store, "mallory", "Friendly")
        row = await store.game(ROW.id)
        assert row is not None
        assert [who.name for who in row.waiting] == ["Friendly"]

    in_store(tmp_path / "games.sqlite", work)
    assert Change("game", ROW.id) in heard


def test_hidden_people_are_on_no_public_list_but_can_play(
    server: InProcessServer, ada: Client, mallory: Client
) -> None:
    with mallory.open(mallory.new_game(ME, SNAIL, rated=True, aids=False, turn_limit=600)) as page:
        page.play_on()
    assert mallory.post("/api/me/listed", {"name": "Rude word"}).status == 204
    server.until(lambda: "Rude word" in leaderboard(ada))
    table = mallory.gather(public=True)
    assert table in in_lobby(ada)
    found = act_on(server, "find", "Rude word").split()[1].rstrip(":")
    act_on(server, "hide", "--person", found)
    ada.gather()  # The lobby is cached for a second, unless someone opens a table.
    assert table not in in_lobby(ada)
    # The server checks every second for changes by other processes.
    server.until(lambda: "Rude word" not in leaderboard(ada))
    assert mallory.post("/api/me/listed", {"name": "Again"}).status == 204
    assert "Again" not in leaderboard(ada)
    assert ada.sit(table, "Ada")["chairs"][1]["name"] == "Ada"  # Ada still gets in with the link.
    act_on(server, "hide", "--person", found, "--lift")
    assert mallory.post("/api/me/listed", {"name": "Again"}).status == 204
    assert "Again" in leaderboard(ada)


def test_banned_people_cannot_play_and_a_bot_takes_over(server: InProcessServer, ada: Client, mallory: Client) -> None:
    game, table = begun(ada, mallory), mallory.gather(public=True)
    with mallory.open(game) as theirs, ada.open(game) as page:
        state = theirs.my_turn() if theirs.receive()["view"]["seat"] == 1 else None
        act_on(server, "ban", "--game", game, "--seat", "1")
        page.seats_when(lambda seats: seats[1]["has_left"])
        assert theirs.ask(say("hello"))["code"] == "not-your-seat"
        if state is not None:
            assert theirs.act(state["view"]["actions"][0])["code"] in ("not-your-seat", "stale")
        assert page.play_on()["view"]["over"]
    assert ada.get(f"/api/gatherings/{table}").status == 404  # Nobody else was there.
    open_table = ada.gather()
    refused: list[tuple[str, Json | None]] = [
        ("/api/games", {"seats": [ME]}),
        ("/api/gatherings", {"chairs": [ME, FREE]}),
        (f"/api/gatherings/{open_table}/sit", {"name": "Me"}),
        (f"/api/games/{game}/rematch", None),
        ("/api/me/listed", {"name": "Me"}),
    ]
    for path, body in refused:
        assert mallory.post(path, body).refused == BANNED
    assert mallory.get("/api/games").status == 200  # Banned people can still see their own games.
    again = ada.rematch(game)
    assert ada.whole_state(again)["seats"][1]["kind"] == "bot"
    act_on(server, "ban", "--game", game, "--seat", "1", "--lift")
    assert mallory.post("/api/games", {"seats": [ME]}).status == 201
    act_on(server, "ban", "--game", game, "--seat", "1")
    assert mallory.post("/api/me/erase", None).status == 204  # They can still erase themselves.


def test_show_lists_the_seats_of_a_table(server: InProcessServer, ada: Client) -> None:
    table = ada.gather(ME, FREE, SNAIL)
    lines = act_on(server, "show", f"{server.url}join/{table}").splitlines()
    assert lines[0] == f"table {table}"
    assert lines[2:] == ["seat 1: free", "seat 2: a bot"]
    assert_one_line(
        admin("ban", "--game", table, "--seat", "2", database=server.database), "no person in seat 2", "a bot"
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["rename", "x" * 41, "--person", "someone"], "40"),
        (["hide", "--person", "nobody"], "there's no person nobody"),
        (["ban", "--game", "nothing", "--seat", "0"], "there's no game or table 'nothing'"),
        (["find", "Nobody at all"], "there's nobody named 'Nobody at all'"),
        (["log", "--last", "0"], "--last"),
    ],
)
def test_impossible_requests_are_explained_in_one_line(
    arguments: list[str], reason: str, server: InProcessServer
) -> None:
    assert_one_line(admin(*arguments, database=server.database), reason)


# Invalid ids, and text that can't be stored, don't count as database failures.


@ON_BOTH
def test_invalid_ids_are_not_looked_up(empty: Database) -> None:
    async def work(store: Store) -> None:
        tables = Gatherings(store, 60.0)
        for name in ("\0", "", "x" * 23, "é"):
            with pytest.raises(Problem, match="this table is closed"):
                await tables.change(name, lambda _: StoodUp("ada"))
        assert not store.is_failing
        await store.ping()

    in_store(empty, work)


@ON_BOTH
def test_text_that_postgresql_cannot_store_is_refused(empty: Database) -> None:
    fill(empty)

    async def work(store: Store) -> None:
        if not isinstance(empty, str):
            return  # SQLite can store it.
        with pytest.raises(Problem) as error:
            await store.set_pace("\0", True)
        assert error.value.code == "bad-message"
        assert not store.is_failing
        await store.ping()

    in_store(empty, work)
