"""Looking for someone to play with, over the wire. On SQLite, and on PostgreSQL with two servers."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import func, insert, literal, select, update

from chromino import Rules
from chromino.fair_deal import commitment_of, new_part
from chromino.seated import pairing
from chromino.server.database import schema
from tests.helpers import states
from tests.server.sites.databases import ON_BOTH, Database, in_store
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import Client, Json, plant_multiplayer

_seekers = schema.seekers.c


class Site(NamedTuple):
    """Two servers on one database, or one server if it's SQLite."""

    database: Database
    here: str
    there: str

    def people(self) -> tuple[Client, Client]:
        return Client(self.here), Client(self.there)


@pytest.fixture
def site(empty: Database) -> Iterator[Site]:
    with ExitStack() as stack:
        here = stack.enter_context(InProcessServer(empty, limits="none"))
        there = here if isinstance(empty, Path) else stack.enter_context(InProcessServer(empty, limits="none"))
        yield Site(empty, here.url, there.url)
        assert "Traceback" not in here.errors + there.errors


def seek(client: Client, name: str = "Ada", **wish: object) -> Json:
    """Ask once; someone without an identity starts a new search."""
    answer = client.post("/api/seek", {"name": name, "anew": client.secret is None, **wish})
    assert answer.status == 200, answer.json
    return dict(answer.json)


def give(client: Client, game: str, part: str, name: str = "Ada") -> Json:
    """Give a part of the deal, as pages do: commit, then reveal once everyone has committed."""
    found = seek(client, name)
    if found["deal"] and not found["deal"]["commitments"][found["deal"]["mine"]]:
        client.at(game, "commit", {"commitment": commitment_of(part)})
    elif found["deal"] and all(found["deal"]["commitments"]):
        client.at(game, "reveal", {"part": part})
    return found


def change(site: Site, values: dict[str, object]) -> None:
    work = update(schema.seekers).values(values)
    in_store(site.database, lambda store: store.write(lambda connection: connection.execute(work) and None))


def open_tables(site: Site) -> int:
    query = select(func.count()).select_from(schema.gatherings)
    return in_store(site.database, lambda store: store.read(lambda connection: int(connection.scalar(query) or 0)))


@ON_BOTH
def test_two_people_meet_and_play_right_away(site: Site) -> None:
    ada, bob = site.people()
    assert seek(ada) == {"seconds": 0, "game": None, "deal": None}
    met = seek(bob, "Bob")
    game = met["game"]
    assert met["deal"]["begun"]
    assert seek(ada)["game"] == game
    parts = [new_part(), new_part()]
    for _ in range(2):
        give(ada, game, parts[0])
        give(bob, game, parts[1], "Bob")
    for client, name in ((ada, "Ada"), (bob, "Bob")):
        assert {**seek(client, name), "seconds": 0} == {"seconds": 0, "game": game, "deal": None}
    state = ada.whole_state(game)
    assert [seat["name"] for seat in state["seats"]] == ["Ada", "Bob"]
    assert (state["deal"], state["rated"], state["turn_limit"]) == ("joint", False, pairing.TURN_LIMIT)


def test_a_new_search_forgets_the_last_game(site: Site) -> None:
    ada, bob = site.people()
    seek(ada)
    game = seek(bob, "Bob")["game"]
    parts = [new_part(), new_part()]
    for _ in range(2):
        give(ada, game, parts[0])
        give(bob, game, parts[1], "Bob")
    assert seek(ada, anew=True)["game"] is None
    assert seek(bob, "Bob")["game"] == game


def test_only_people_who_want_the_same_rules_meet(site: Site) -> None:
    ada, bob = site.people()
    assert seek(ada, rules={"scoring": "expert"})["game"] is None
    assert seek(bob)["game"] is None
    assert seek(ada, rated=True)["game"] is None
    assert seek(bob, rated=True, rules={})["game"] is not None
    assert seek(ada, rated=True)["game"] is not None


def test_a_search_for_a_rated_game_makes_a_valid_rated_table(site: Site) -> None:
    ada, bob = site.people()
    seek(ada, rated=True)
    game = seek(bob, "Bob", rated=True)["game"]
    table = ada.gathering(game)
    assert (table["rated"], table["aids"]) == (True, False)
    refused = ada.post("/api/seek", {"name": "Ada", "rated": True, "rules": {"hand_size": 5}})
    assert refused.refused == (400, "cannot-be-rated")


def rate(site: Site, name: str, mu: float) -> None:
    """Give a rating to someone who's searching."""
    person = select(_seekers.person).where(_seekers.name == name).scalar_subquery()
    player = literal("p:") + person
    row = {"family": "classic", "player": player, "mu": mu, "sigma": 2.0, "games": 9}
    work = insert(schema.ratings).values(row)
    in_store(site.database, lambda store: store.write(lambda connection: connection.execute(work) and None))


def test_people_with_close_ratings_meet_first_and_others_after_a_while(site: Site) -> None:
    ada, bob = site.people()
    seek(ada, rules={"hand_size": 9})
    seek(bob, "Bob", rules={"hand_size": 10})
    rate(site, "Ada", 60.0)
    rate(site, "Bob", 10.0)
    assert seek(ada)["game"] is None
    assert seek(bob, "Bob")["game"] is None
    change(site, {"since": _seekers.since - 20})
    assert seek(bob, "Bob")["game"] == seek(ada)["game"] is not None


def test_someone_whose_page_is_gone_is_not_paired(site: Site) -> None:
    ada, bob = site.people()
    seek(ada)
    change(site, {"seen": _seekers.seen - pairing.GONE_AFTER - 1})
    assert seek(bob, "Bob")["game"] is None
    assert seek(ada)["game"] is not None


@ON_BOTH
def test_if_one_of_two_does_not_show_up_the_other_keeps_searching(site: Site) -> None:
    ada, bob = site.people()
    seek(ada)
    game = seek(bob, "Bob")["game"]
    give(ada, game, new_part())
    change(site, {"paired": _seekers.paired - pairing.START_WITHIN - 1, "seen": _seekers.seen - 3})
    after = seek(ada)
    assert (after["game"], open_tables(site)) in [(None, 0), (after["game"], 1)]
    assert after["game"] != game
    assert ada.at(game, "reveal", {"part": new_part()}).refused == (404, "no-such-gathering")
    again = seek(bob, "Bob")["game"]
    assert again not in (None, game)
    assert seek(ada)["game"] == again


def test_someone_who_stops_searching_is_not_paired_and_holds_up_nobody(site: Site) -> None:
    ada, bob = site.people()
    seek(ada)
    assert ada.post("/api/seek/stop", None).status == 204
    assert seek(bob, "Bob")["game"] is None
    game = seek(ada, anew=True)["game"]
    assert game is not None
    ada.post("/api/seek/stop", None)
    assert seek(bob, "Bob")["game"] is None
    assert open_tables(site) == 0
    assert Client(site.here).post("/api/seek/stop", None).status == 204


def test_hidden_people_are_not_paired(site: Site) -> None:
    *_, over = states(Rules.preset("classic", hand_size=1), 2, seed=4)
    game, secrets = plant_multiplayer(site.database, over)
    ada, bob = Client(site.here, secrets[0]), Client(site.there, secrets[1])
    assert ada.post("/api/people/hide", {"game": game, "seat": 1}).status == 204
    assert seek(ada, anew=True)["game"] is None
    assert seek(bob, "Bob", anew=True)["game"] is None
    ada.post("/api/people/hide", {"game": game, "seat": 1, "hidden": False})
    assert seek(bob, "Bob")["game"] is not None


def test_banned_people_cannot_search_and_are_not_paired(site: Site) -> None:
    ada, bob = site.people()
    seek(ada)
    ban = update(schema.people).values(banned=True)
    in_store(site.database, lambda store: store.write(lambda connection: connection.execute(ban) and None))
    assert seek(bob, "Bob")["game"] is None
    assert ada.post("/api/seek", {"name": "Ada"}).refused == (403, "banned")


def test_programs_meet_only_programs(site: Site) -> None:
    ada, bob = site.people()
    assert bob.post("/api/me/bot", None).status == 204
    seek(ada)
    assert seek(bob, "Bob")["game"] is None


def test_only_someone_who_started_a_search_can_continue_it(site: Site) -> None:
    assert Client(site.here).post("/api/seek", {"name": "Ada"}).refused == (403, "nobody")
    assert Client(site.here).post("/api/seek", {"name": " ", "anew": True}).refused == (400, "bad-name")


@ON_BOTH
def test_many_simultaneous_searches_pair_everyone_once(site: Site) -> None:
    """Everyone asks at the same time, on both servers."""
    people = [client for _ in range(6) for client in site.people()]
    with ThreadPoolExecutor(len(people)) as pool:
        list(pool.map(seek, people))
        found = list(pool.map(seek, people))
    while not all(one["game"] for one in found):
        found = [seek(client) for client in people]
    tables = [one["game"] for one in found]
    assert len(set(tables)) == len(people) // 2
    assert all(tables.count(table) == 2 for table in tables)
    assert open_tables(site) == len(people) // 2
