"""Lost devices: a code that brings you back, and signing devices out."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from websockets.exceptions import ConnectionClosed

from chromino.messages.people import Account
from chromino.server.database.store import Change, Store
from chromino.server.people import people
from chromino.server.people.identity import claim_code, hashed, new_person, new_recovery_code
from chromino.server.people.open_pages import OpenPages
from tests.server.devices import claim, listed
from tests.server.sites.databases import ON_BOTH, Database, in_store
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import FREE, HERE, ME, PATIENCE, Answer, Client

NOBODY = (403, "nobody")
BAD = (403, "bad-code")


def new_recovery(client: Client) -> str:
    answer = client.post("/api/me/recovery", None)
    assert answer.status == 200, answer.content
    code: str = answer.json["code"]
    return code


def sign_out_others(client: Client) -> Answer:
    return client.post("/api/me/sign-out-others", None)


def another_device(client: Client) -> Client:
    found = Client(client.url)
    assert claim(found, client.post("/api/me/code", None).json["code"]).status == 204
    return found


# A recovery code.


def test_a_recovery_code_works_on_any_device_again_and_again(client: Client) -> None:
    game = client.new_game()
    code = new_recovery(client)
    for _ in range(3):
        found = Client(client.url)
        assert claim(found, code).status == 204
        assert listed(found) == [game]
        assert found.secret not in (None, client.secret)
    assert client.get("/api/me").json["devices"] == 4


def test_a_recovery_code_can_be_read_aloud_and_copied_by_hand(client: Client) -> None:
    client.new_game()
    assert re.fullmatch(r"([34679ACDEFGHJKLMNPRTUWXY]{4}-){5}[34679ACDEFGHJKLMNPRTUWXY]{4}", new_recovery(client))


def test_a_new_recovery_code_replaces_the_old_one(client: Client) -> None:
    client.new_game()
    old, new = new_recovery(client), new_recovery(client)
    assert old != new
    found = Client(client.url)
    assert claim(found, old).refused == BAD
    assert found.secret is None
    assert claim(found, new).status == 204


def test_recovery_codes_and_device_codes_do_not_affect_each_other(client: Client) -> None:
    client.new_game()
    recovery = new_recovery(client)
    code = client.post("/api/me/code", None).json["code"]
    assert claim(Client(client.url), recovery).status == 204
    assert claim(Client(client.url), code).status == 204
    assert claim(Client(client.url), code).refused == BAD
    assert claim(Client(client.url), recovery).status == 204


WAYS_TO_TYPE: dict[str, Callable[[str], str]] = {
    "in lowercase": str.lower,
    "without dashes": lambda code: code.replace("-", ""),
    "with spaces": lambda code: f" {code.replace('-', ' ')}\n",
    "letter by letter": lambda code: " ".join(code.replace("-", "").lower()),
    "with an input method": lambda code: "".join(chr(ord(letter) + 0xFEE0) for letter in code),
}


@pytest.mark.parametrize("way", WAYS_TO_TYPE)
def test_a_recovery_code_can_be_typed_in_many_ways(way: str, client: Client) -> None:
    client.new_game()
    assert claim(Client(client.url), WAYS_TO_TYPE[way](new_recovery(client))).status == 204


def test_a_recovery_code_needs_an_identity(client: Client) -> None:
    assert client.post("/api/me/recovery", None).refused == NOBODY
    assert sign_out_others(client).refused == NOBODY
    assert client.get("/api/me").json == {"devices": 0, "recovery_made": None, "face": None}
    assert client.secret is None


def test_a_recovery_code_is_hashed_and_erased_with_the_person(client: Client, server: InProcessServer) -> None:
    client.new_game()
    assert client.get("/api/me").json["recovery_made"] is None
    code = new_recovery(client)
    assert client.get("/api/me").json["recovery_made"].startswith("20")
    plain = code.replace("-", "")
    assert not any(text in everything_kept(server) for text in (code, plain))
    assert hashed(plain) in everything_kept(server)
    assert client.post("/api/me/erase", None).status == 204
    assert claim(Client(client.url), code).refused == BAD
    assert hashed(plain) not in everything_kept(server)


def everything_kept(server: InProcessServer) -> str:
    with closing(sqlite3.connect(server.database, timeout=PATIENCE)) as connection:
        return "\n".join(connection.iterdump())


@ON_BOTH
def test_a_recovery_code_works_on_both_databases(empty: Database) -> None:
    async def work(store: Store) -> None:
        person, secret = await new_person(store)
        old, new = await new_recovery_code(store, person), await new_recovery_code(store, person)
        assert await claim_code(store, old) is None
        found = await claim_code(store, new)
        assert found is not None
        assert await store.read(people.find(hashed(found))) == person
        await store.write(people.sign_out_others(person, hashed(found)))
        assert await store.read(people.find(hashed(secret))) is None
        assert await store.read(people.account(person)) == Account(1, None)
        assert await claim_code(store, new) is None

    in_store(empty, work)


# Other devices.


def test_other_devices_are_signed_out_and_this_one_stays_signed_in(client: Client) -> None:
    game = client.new_game()
    recovery = new_recovery(client)
    phone, tablet = another_device(client), another_device(client)
    waiting = client.post("/api/me/code", None).json["code"]
    stranger = Client(client.url)
    stranger.new_game()
    answer = sign_out_others(phone)
    assert (answer.status, answer.json["devices"]) == (200, 1)
    for device in (client, tablet):
        assert device.post("/api/me/code", None).refused == NOBODY
        assert listed(device) == []
    assert listed(phone) == [game]
    assert stranger.get("/api/me").json["devices"] == 1
    assert claim(Client(client.url), waiting).refused == BAD  # Anyone could have made it.
    assert claim(client, recovery).refused == BAD
    assert answer.json["recovery_made"] is None
    assert claim(client, new_recovery(phone)).status == 204
    assert listed(client) == [game]


def test_open_pages_on_a_signed_out_device_close(client: Client) -> None:
    game, table = client.new_game(ME, HERE), client.gather(ME, FREE)
    phone = another_device(client)
    spectator = Client(client.url, "a-secret-that-nobody-has")
    with phone.open(game) as gone, phone.watch(table) as gone_too, client.open(game) as stays:
        public = spectator.new_game(ME, HERE)
        with spectator.open(public) as other:
            gone.my_turn()
            gone_too.recv(PATIENCE)
            assert sign_out_others(client).status == 200
            assert gone.message("refused")["code"] == "signed-out"
            with pytest.raises(ConnectionClosed) as closed:
                gone.until_closed()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4403
            while '"signed-out"' not in str(gone_too.recv(PATIENCE)):
                pass
            for socket in (stays, other):
                assert socket.act(socket.my_turn()["view"]["actions"][0])["type"] == "done"


@ON_BOTH
def test_a_page_that_opens_during_signing_out_is_closed_too(empty: Database) -> None:
    """A page is registered before its owner is known."""

    async def work(store: Store) -> None:
        person, secret = await new_person(store)
        pages = OpenPages(store)
        store.hear = pages.hear
        closed = asyncio.Event()

        async def close() -> None:
            closed.set()

        with pages.open(hashed(secret), close):
            await store.write(people.sign_out_others(person, "another"), lambda _: (Change("devices", person),))
            await asyncio.wait_for(closed.wait(), PATIENCE)

    in_store(empty, work)
