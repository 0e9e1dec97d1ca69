"""If someone is erased during a request of theirs, the request happens first or not at all, and leaves no trace."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import select, update

from chromino.server.database import presence, schema
from chromino.server.database.rows import digest
from chromino.server.database.store import Store
from chromino.server.people import erasing, people
from tests.helpers import more
from tests.server.sites.databases import GAME, ON_BOTH, ROW, Database
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import FREE, HERE, ME, SNAIL, Answer, Client, Server

Request = Callable[[Client, str], Answer]

REQUESTS: list[Request] = [
    lambda client, table: client.request("POST", f"/api/gatherings/{table}/sit", {"name": "Grace"}),
    lambda client, _: client.request("POST", "/api/gatherings", {"chairs": [ME, FREE], "rules": {}}),
    lambda client, _: client.request("POST", "/api/games", {"seats": [ME, HERE], "rules": {}}),
    lambda client, _: client.request("POST", "/api/seek", {"name": "Grace", "anew": True}),
    lambda client, _: client.request("POST", "/api/me/code"),
    lambda client, _: client.request("POST", "/api/me/recovery"),
    lambda client, _: client.request("POST", "/api/me/sign-out-others"),
    lambda client, _: client.request("POST", "/api/me/erase"),
]


@pytest.mark.parametrize("empty", ["postgresql", more("sqlite")], indirect=True)
def test_erasing_works_no_matter_what_the_person_is_doing(empty: Database) -> None:
    with ExitStack() as stack:
        servers = [stack.enter_context(InProcessServer(empty, limits="none"))]
        if isinstance(empty, str):
            servers.append(stack.enter_context(InProcessServer(empty, limits="none")))
        threads = stack.enter_context(ThreadPoolExecutor(len(REQUESTS)))
        server, tables = servers[0], []
        for _ in range(3):
            host, grace = Client(server.url), Client(server.url)
            table = host.request("POST", "/api/gatherings", {"chairs": [ME, FREE, FREE], "rules": {}}).json["game"]
            grace.new_game(ME, HERE)
            start = Barrier(len(REQUESTS))

            def do(
                request: Request, table: str = table, start: Barrier = start, secret: str | None = grace.secret
            ) -> int:
                client = Client(servers[REQUESTS.index(request) % len(servers)].url, secret)
                start.wait()
                return request(client, table).status

            statuses = list(threads.map(do, REQUESTS))
            assert max(statuses) < 500, statuses
            assert statuses[-1] == 204
            tables.append((host, table))
        assert host.get("/readyz").status == 200
        assert asyncio.run(_ghosts(empty)) == set()
        for host, table in tables:
            assert host.request("POST", f"/api/gatherings/{table}/begin").status == 200


async def _ghosts(database: Database) -> set[str]:
    """People who sit at or host a table, but don't exist."""
    store = await Store.open(database)
    try:
        columns = (schema.gatherings.c.host, schema.chairs.c.person)
        seated = [set(await store.read(lambda connection: connection.scalars(select(one)).all())) for one in columns]  # noqa: B023
        there = await store.read(lambda connection: connection.scalars(select(schema.people.c.id)).all())
    finally:
        await store.close()
    return set().union(*seated) - {None, *there}


def test_no_byte_of_a_name_is_left_in_any_file(tmp_path: Path) -> None:
    """This includes SQLite's own files next to the database, while a server is running, after several games."""
    name = "Xiphophorus"
    with Server(tmp_path / "db.sqlite") as server:
        other, person = Client(server.url), Client(server.url)
        for number in range(4):
            for client, called in ((other, f"Player {number}"), (person, name)):
                with client.open(client.new_game({"kind": "me", "name": called}, SNAIL)) as page:
                    page.play_on(4)
        table = other.gather()
        person.sit(table, name)
        assert person.post("/api/me/listed", {"name": name}).status == 204
        shared = other.gather()
        person.sit(shared, name)
        other.begin(shared)
        assert found_in(tmp_path, name)
        assert person.post("/api/me/erase", None).status == 204
        assert found_in(tmp_path, name) == []
        assert other.state(shared)["seats"][1]["name"] == erasing.NOBODY


def found_in(folder: Path, text: str) -> list[str]:
    return [path.name for path in folder.iterdir() if text.encode() in path.read_bytes()]


@ON_BOTH
def test_nothing_is_left_of_games_that_only_i_played(empty: Database) -> None:
    async def work() -> list[int]:
        store = await Store.open(empty)
        try:
            await store.write(people.add("ada", "hash"))
            await store.add_game(ROW, digest(GAME))
            await store.add_game(replace(ROW, id="the-next"), digest(GAME))
            linked = update(schema.games).where(schema.games.c.id == ROW.id).values(next_game="the-next")
            await store.write(lambda connection: connection.execute(linked))
            await store.write_few_rows(presence.note(ROW.id, "ada", store.process, is_here=True))
            await store.write_few_rows(presence.note("someone-elses", "ada", store.process, is_here=True))
            assert await erasing.erase(store, "ada") == [ROW.id, "the-next"]
            tables = (schema.games, schema.seats, schema.people, schema.devices, schema.presence)
            return await store.read(lambda connection: [len(connection.execute(select(one)).all()) for one in tables])
        finally:
            await store.close()

    assert asyncio.run(work()) == [0, 0, 0, 0, 0]
