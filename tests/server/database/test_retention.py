"""What's deleted after a while, and what never is; the rest stays intact."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Connection, Table, insert, select, update

from chromino import Game
from chromino.seated import Chair, Gathering
from chromino.server.database import schema
from chromino.server.database.presence import note
from chromino.server.database.retention import Cleaned, clean, count
from chromino.server.database.store import Change, Store
from chromino.server.games.gatherings import Gatherings
from chromino.server.people.people import add
from tests.server.sites.databases import Database, in_store
from tests.server.sites.full_databases import admin, change, done, faults, finished, halfway, kept
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import FREE, ME, SNAIL, Client, plant, plant_multiplayer

pytestmark = pytest.mark.long  # `chromino admin` is tested end to end in test_admin.py.

NOTHING = Cleaned(0, 0, 0, 0)


def ago(days: float) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")


def make_old(database: Database, table: Table, row_id: str, days: float) -> None:
    column = "created" if table is schema.people else "updated"
    change(database, lambda rows: rows.execute(update(table).where(table.c.id == row_id).values({column: ago(days)})))


def old_game(database: Database, game: Game, days: float) -> str:
    """A game between a person and a bot that last changed this many days ago."""
    game_id, _ = plant(database, game, {1: "snail"})
    make_old(database, schema.games, game_id, days)
    return game_id


def games(database: Database) -> set[str]:
    return {row["id"] for row in kept(database)["games"]}


def looked_at(database: Database) -> set[str]:
    query = select(schema.presence.c.game)
    return set(in_store(database, lambda store: store.read(lambda connection: connection.scalars(query).all())))


def cleaned(database: Database, days: int = 0, unfinished: int = 0) -> Cleaned:
    """Clean, after checking that a dry run announces the same numbers."""
    before = kept(database)
    announced = in_store(database, lambda store: count(store, days, unfinished))
    assert kept(database) == before
    found = in_store(database, lambda store: clean(store, days, unfinished))
    assert found == announced
    assert faults(database) == []
    assert in_store(database, lambda store: clean(store, days, unfinished)) == NOTHING
    return found


def gather(database: Database, gathering_id: str, *people: str) -> None:
    chairs = (*(Chair("person", "Ada", person) for person in people), Chair("free"))
    gathering = Gathering(gathering_id, people[0], chairs, entropy="")
    in_store(database, lambda store: Gatherings(store, 0.0).add(gathering))


def test_nothing_is_deleted_by_default(empty: Database) -> None:
    all_games = {old_game(empty, finished(), 9000), old_game(empty, halfway(), 9000)}
    assert cleaned(empty) == NOTHING
    assert games(empty) == all_games


def test_finished_games_are_deleted_after_the_given_number_of_days(empty: Database) -> None:
    old_game(empty, finished(1), 30.1)
    new, unfinished = old_game(empty, finished(2), 29.9), old_game(empty, halfway(), 90)
    assert cleaned(empty, days=30) == Cleaned(1, 0, 0, 0)
    assert games(empty) == {new, unfinished}


def test_abandoned_games_are_deleted(empty: Database) -> None:
    old_game(empty, halfway(1), 30.1)
    new, over = old_game(empty, halfway(2), 29.9), old_game(empty, finished(), 90)
    assert cleaned(empty, unfinished=30) == Cleaned(0, 1, 0, 0)
    assert games(empty) == {new, over}


def test_more_games_than_one_batch_are_deleted(empty: Database) -> None:
    template = old_game(empty, finished(), 1)

    def copy(connection: Connection) -> None:
        for table, key in ((schema.games, "id"), (schema.seats, "game"), (schema.events, "game")):
            rows = [dict(row._mapping) for row in connection.execute(select(table).where(table.c[key] == template))]
            if table is schema.events:
                rows = rows[:1]
            for number in range(250):
                old = {"updated": ago(50 + number // 3)} if table is schema.games else {}
                connection.execute(insert(table), [{**row, key: f"game-{number}", **old} for row in rows])

    change(empty, copy)
    watched = {f"game-{number}" for number in range(0, 250, 10)}
    here = [{"game": game, "person": "someone", "process": "process"} for game in watched]
    change(empty, lambda connection: connection.execute(insert(schema.presence), here))
    assert in_store(empty, lambda store: clean(store, 40, 0)).finished == 225
    assert games(empty) == watched | {template}


def test_a_game_someone_is_looking_at_is_kept(empty: Database) -> None:
    over, unfinished = old_game(empty, finished(), 90), old_game(empty, halfway(), 90)
    here = [{"game": game, "person": "ada", "process": "p"} for game in (over, unfinished)]
    change(empty, lambda connection: connection.execute(insert(schema.presence), here))
    assert cleaned(empty, 30, 30) == NOTHING
    assert games(empty) == {over, unfinished}


def test_links_to_deleted_rematches_are_removed(empty: Database) -> None:
    rematch = old_game(empty, halfway(), 90)
    other = old_game(empty, halfway(6), 1)
    before, elsewhere = old_game(empty, finished(1), 100), old_game(empty, finished(2), 100)

    def link(connection: Connection) -> None:
        for game, next_game in ((before, rematch), (elsewhere, other)):
            connection.execute(update(schema.games).where(schema.games.c.id == game).values(next_game=next_game))

    change(empty, link)
    assert cleaned(empty, unfinished=30) == Cleaned(0, 1, 0, 0)
    links = {row["id"]: row["next_game"] for row in kept(empty)["games"]}
    assert (links[before], links[elsewhere]) == (None, other)


def test_results_and_ratings_are_kept(empty: Database) -> None:
    game_id = old_game(empty, finished(), 90)
    person = next(row["person"] for row in kept(empty)["seats"] if row["person"])
    result = {"number": 1, "seat": 0, "game": game_id, "family": "classic", "player": f"p:{person}", "place": 1}
    rating = {"family": "classic", "player": f"p:{person}", "mu": 25.0, "sigma": 8.0, "games": 1}
    rating |= {"certain": 1.0, "listed": False, "is_bot": False}
    change(empty, lambda connection: connection.execute(insert(schema.results), result))
    change(empty, lambda connection: connection.execute(insert(schema.ratings), rating))
    make_old(empty, schema.people, person, 90)
    assert cleaned(empty, 30, 30) == Cleaned(1, 0, 0, 0)
    after = kept(empty)
    assert (after["results"], after["ratings"]) == ([result], [rating])
    assert [row["id"] for row in after["people"]] == [person]


def test_abandoned_tables_are_deleted(empty: Database) -> None:
    in_store(empty, lambda store: store.write(add("ada", "hash")))
    for gathering_id in ("old", "visited", "new"):
        gather(empty, gathering_id, "ada")
    make_old(empty, schema.gatherings, "old", 1.1)
    make_old(empty, schema.gatherings, "visited", 1.1)
    make_old(empty, schema.gatherings, "new", 0.9)
    change(empty, lambda connection: note("visited", "ada", "p", True)(connection) or True)
    assert cleaned(empty) == Cleaned(0, 0, 1, 0)
    assert {row["id"] for row in kept(empty)["gatherings"]} == {"visited", "new"}


def test_people_with_no_data_are_deleted(empty: Database) -> None:
    everyone = ("idle", "new", "solver", "listed", "host", "guest", "gone", "late", "too late")

    async def come(store: Store) -> None:
        for person in everyone:
            await store.write(add(person, f"hash of {person}"))

    in_store(empty, come)
    for person in everyone:
        make_old(empty, schema.people, person, 10 if person == "new" else 90)
    solved = {"person": "solver", "day": "2026-01-01", "grade": 1, "seconds": 9}
    change(empty, lambda connection: connection.execute(insert(schema.solved), solved))
    listed = update(schema.people).where(schema.people.c.id == "listed").values(listed_as="Listed")
    change(empty, lambda connection: connection.execute(listed))
    gather(empty, "a-table", "host", "guest")
    gather(empty, "old-table", "gone")
    make_old(empty, schema.gatherings, "old-table", 2)
    player = old_game(empty, halfway(), 10)
    leaver = old_game(empty, finished(), 90)
    seats = {row["game"]: row["person"] for row in kept(empty)["seats"] if row["seat"] == 0}
    for game in (player, leaver):
        make_old(empty, schema.people, seats[game], 90)
    waiting = [
        {"game": game, "person": person, "name": "Cy", "since": 1.0}
        for game, person in ((player, "late"), (leaver, "too late"))
    ]
    change(empty, lambda connection: connection.execute(insert(schema.waiting), waiting))
    codes = [{"code_hash": "c", "person": "idle", "expires": ago(1)}]
    change(empty, lambda connection: connection.execute(insert(schema.codes), codes))
    # People without any data, and people whose last game or table is deleted now.
    assert cleaned(empty, days=30, unfinished=30) == Cleaned(1, 0, 1, 4)
    left = {row["id"] for row in kept(empty)["people"]}
    assert left == {"new", "solver", "listed", "host", "guest", "late", seats[player]}
    assert {row["person"] for row in kept(empty)["devices"]} == left


def test_people_are_kept_if_only_finished_games_are_deleted(empty: Database) -> None:
    old_game(empty, finished(), 90)
    before = kept(empty)["people"]
    make_old(empty, schema.people, before[0]["id"], 90)
    assert cleaned(empty, days=30) == Cleaned(1, 0, 0, 0)
    assert len(kept(empty)["people"]) == len(before)


def test_servers_are_notified_of_deletions(empty: Database) -> None:
    game_id = old_game(empty, finished(), 90)
    in_store(empty, lambda store: store.write(add("ada", "hash")))
    gather(empty, "old-table", "ada")
    make_old(empty, schema.gatherings, "old-table", 2)
    heard: list[Change] = []

    async def work(store: Store) -> None:
        store.hear = heard.append
        for followed in (game_id, "old-table", "last"):
            await store.follow(followed)
        await clean(store, 30, 30)
        await store.write(lambda _: None, changes=lambda _: [Change("game", "last")])
        while heard[-1:] != [Change("game", "last")]:
            await store.ping()

    in_store(empty, work)
    assert [change for change in heard if change.kind != "all"][:2] == [
        Change("game", game_id),
        Change("gathering", "old-table"),
    ]


@pytest.mark.parametrize(("empty", "kind"), [("sqlite", "finished"), ("postgresql", "unfinished")], indirect=["empty"])
def test_the_command_works_while_a_server_is_running(empty: Database, kind: str) -> None:
    with InProcessServer(empty) as server:
        client, guest = Client(server.url), Client(server.url)
        rules = {"hand_size": 2}
        game = client.new_game(ME, SNAIL, rules=rules)
        playing = client.new_game(ME, SNAIL, rules=rules, first=0)
        waiting = client.gather(ME, FREE)
        with client.open(game) as socket:
            state = socket.play_on() if kind == "finished" else socket.my_turn()
        with client.open(playing) as socket:
            socket.my_turn()
            server.until(lambda: looked_at(empty) == {playing})
            make_old(empty, schema.games, game, 90)
            make_old(empty, schema.games, playing, 90)
            make_old(empty, schema.gatherings, waiting, 2)
            arguments = ("clean", "--days", "30", "--unfinished-days", "30")
            finished, unfinished = "1 finished game, 0 unfinished games", "0 finished games, 1 unfinished game"
            counts = f" {finished if kind == 'finished' else unfinished}, 1 open table, and the data of 0 people\n"
            assert done(admin(*arguments, "--dry-run", database=empty)) == "would delete" + counts
            assert client.state(game)["version"] == state["version"]
            assert done(admin(*arguments, database=empty)) == "deleted" + counts
            assert done(admin(*arguments, database=empty)).startswith("deleted 0 finished games, 0 unfinished games, 0")
            assert socket.play_on()["view"]["over"]  # Someone was looking at this game, so it was kept.
        assert [row["game"] for row in client.get("/api/games").json["games"]] == [playing]
        assert guest.get(f"/api/gatherings/{waiting}").refused == (404, "no-such-gathering")
        assert "Traceback" not in server.errors
    assert faults(empty) == []


def test_an_old_game_is_deleted_for_everyone_who_played_it(empty: Database) -> None:
    game_id, _ = plant_multiplayer(empty, finished())
    make_old(empty, schema.games, game_id, 90)
    assert cleaned(empty, days=30) == Cleaned(1, 0, 0, 0)
    assert kept(empty)["seats"] == []
    assert kept(empty)["events"] == []
