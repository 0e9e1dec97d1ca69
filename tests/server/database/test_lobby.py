"""Nobody can hide an honest table in the lobby behind many tables of their own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert

from chromino.seated import Chair, Gathering
from chromino.server.database import gatherings, presence, schema
from chromino.server.database.store import Store
from chromino.server.people import people
from tests.server.sites.databases import in_store


def flood(connection: Connection, hosts: list[str], origin: int, at: str, visited: bool) -> None:
    """Add a public table for each of these hosts, all from one network."""
    common = {"version": 0, "rules": "{}", "aids": True, "pace": True, "watch": True, "public": True, "in_lobby": True}
    rows = [
        {"id": f"{origin}-{number}", "host": host, "origin": origin, "updated": at, "visited": visited, **common}
        for number, host in enumerate(hosts)
    ]
    connection.execute(insert(schema.gatherings), rows)


@pytest.mark.parametrize("visited", [False, True])
def test_many_networks_with_many_tables_push_nobody_out(empty: Path | str, visited: bool) -> None:
    async def work(store: Store) -> None:
        await store.write(people.add("ada", "hash"))
        chairs = (Chair("person", "Ada", "ada"), Chair("free"))
        await store.write(gatherings.add(Gathering("honest", "ada", chairs, public=True, entropy=""), 20, 7))
        if visited:
            await store.write(presence.note("honest", "ada", store.process, True))
        puppets = [f"puppet-{number}" for number in range(50)]
        for puppet in puppets:
            await store.write(people.add(puppet, f"hash of {puppet}"))
        for network in range(24):
            later = f"2999-01-01T00:00:{network:02}.000+00:00"
            await store.write(partial(flood, hosts=puppets, origin=100 + network, at=later, visited=visited))
        assert "honest" in [table.id for table in await store.read(gatherings.lobby)]

    in_store(empty, work)
