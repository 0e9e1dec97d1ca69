"""People you've played with: listed, hidden, forgotten, invited. On SQLite, and on PostgreSQL with two servers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import Connection, Table, func, select, update

from chromino import Game, Rules
from chromino.server.database import retention, schema
from chromino.server.people import invitations
from tests.helpers import states
from tests.server.push.push_service import Subscriber
from tests.server.sites.databases import ON_BOTH, Database, in_store
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import FREE, ME, Client, Json, plant_multiplayer

*_, OVER = states(Rules.preset("classic", hand_size=1), 2, seed=4)
RUNNING = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7)
OURS = (schema.acquaintances, schema.invitations, schema.seekers)


class Friends:
    """Two people who have finished a game, on two servers if the database allows it."""

    def __init__(self, database: Database, here: InProcessServer, there: InProcessServer, over: Game = OVER) -> None:
        self.database = database
        self.game, secrets = plant_multiplayer(database, over)
        self.ada = Client(here.url, secrets[0])
        self.bob = Client(there.url, secrets[1])

    def open_table(self) -> str:
        return self.ada.gather(ME, FREE, FREE)

    def invite(self, table: str, seat: int = 1) -> tuple[int, str] | int:
        answer = self.ada.post(f"/api/gatherings/{table}/invite", {"game": self.game, "seat": seat})
        return answer.status if answer.status < 400 else answer.refused


@pytest.fixture
def friends(empty: Database) -> Iterator[Friends]:
    with ExitStack() as stack:
        here = stack.enter_context(InProcessServer(empty))
        there = here if isinstance(empty, Path) else stack.enter_context(InProcessServer(empty))
        yield Friends(empty, here, there)


def people(client: Client, table: str = "") -> list[Json]:
    return list(client.get(f"/api/people?table={table}").json["people"])


def invited(client: Client) -> list[Json]:
    return list(client.get("/api/people").json["invitations"])


def key_of(known: Json) -> Json:
    return {"game": known["game"], "seat": known["seat"]}


def count(database: Database, table: Table) -> int:
    query = select(func.count()).select_from(table)
    return in_store(database, lambda store: store.read(lambda connection: int(connection.scalar(query) or 0)))


def subscribe(client: Client) -> None:
    browser = Subscriber("https://fcm.googleapis.com/1")
    asked = {"endpoint": browser.endpoint, "p256dh": browser.p256dh, "auth": browser.auth}
    assert client.post("/api/me/push", asked).status == 204


def test_people_who_finished_a_game_together_are_listed(friends: Friends) -> None:
    [bob] = people(friends.ada)
    assert (bob["name"], bob["seat"], bob["game"], bob["hidden"]) == (OVER.players[1], 1, friends.game, False)
    assert [known["name"] for known in people(friends.bob)] == [OVER.players[0]]
    assert people(Client(friends.ada.url)) == []
    answer = str(friends.ada.get("/api/people").json)
    ids = in_store(friends.database, lambda store: store.read(lambda c: list(c.scalars(select(schema.people.c.id)))))
    assert not any(person in answer for person in ids)


def test_unfinished_games_and_games_someone_left_do_not_count(friends: Friends) -> None:
    game, (ada, _) = plant_multiplayer(friends.database, RUNNING)
    one = Client(friends.ada.url, ada)
    assert people(one) == []
    assert one.post("/api/people/hide", {"game": game, "seat": 1}).refused == (404, "no-such-person")
    left = update(schema.seats).where(schema.seats.c.game == friends.game, schema.seats.c.seat == 1)
    in_store(friends.database, lambda store: store.write(lambda c: c.execute(left.values(has_left=True)) and None))
    assert people(friends.ada) == people(friends.bob) == []


def test_a_damaged_game_does_not_hide_the_others(friends: Friends) -> None:
    table = friends.open_table()
    friends.invite(table)
    damaged = update(schema.games).where(schema.games.c.id == friends.game).values(header="{")
    in_store(friends.database, lambda store: store.write(lambda c: c.execute(damaged) and None))
    assert people(friends.ada) == []
    assert [one["game"] for one in invited(friends.bob)] == [table]


@pytest.mark.parametrize(
    ("game", "seat"), [("", 1), ("nowhere", 1), ("../..", 1), ("\0", 1), (None, 0), (None, 2), (None, 7)]
)
def test_only_people_you_finished_a_game_with_can_be_named(friends: Friends, game: str | None, seat: int) -> None:
    asked = {"game": friends.game if game is None else game, "seat": seat}
    table = friends.open_table()
    for path in ("/api/people/hide", "/api/people/forget", f"/api/gatherings/{table}/invite"):
        assert friends.ada.post(path, asked).refused == (404, "no-such-person")
    stranger = Client(friends.ada.url)
    stranger.gather(ME, FREE)
    assert stranger.post("/api/people/hide", {"game": friends.game, "seat": 1}).refused == (404, "no-such-person")


@ON_BOTH
def test_an_invitation_is_seen_accepted_and_removed(friends: Friends) -> None:
    subscribe(friends.bob)
    table = friends.open_table()
    assert friends.invite(table) == 204
    assert friends.invite(table) == 204  # That's the same invitation.
    assert count(friends.database, schema.invitations) == 1
    [found] = invited(friends.bob)
    assert (found["game"], found["name"], found["preset"]) == (table, "Ada", "classic")
    assert count(friends.database, schema.notices) == 1
    assert [known["invited"] for known in people(friends.ada, table)] == ["waiting"]
    assert [known["invited"] for known in people(friends.bob, table)] == [None]
    friends.bob.sit(table, "Bob")
    assert invited(friends.bob) == []
    assert count(friends.database, schema.notices) == 0


def test_an_invitation_can_be_declined(friends: Friends) -> None:
    subscribe(friends.bob)
    table = friends.open_table()
    friends.invite(table)
    assert friends.bob.post(f"/api/gatherings/{table}/decline", None).status == 204
    assert invited(friends.bob) == []
    assert count(friends.database, schema.notices) == 0
    assert [known["invited"] for known in people(friends.ada, table)] == ["declined"]
    assert friends.invite(table) == 204  # Bob isn't asked again.
    assert invited(friends.bob) == []


def test_an_invitation_ends_when_the_table_fills_up_or_closes(friends: Friends) -> None:
    subscribe(friends.bob)
    table = friends.open_table()
    friends.invite(table)
    for name in ("Cy", "Di"):
        Client(friends.ada.url).sit(table, name)
    assert invited(friends.bob) == []
    assert friends.invite(friends.open_table()) == 204
    closed = friends.open_table()
    friends.invite(closed)
    assert len(invited(friends.bob)) == 2
    friends.ada.at(closed, "leave")
    assert len(invited(friends.bob)) == 1
    assert closed not in str(in_store(friends.database, lambda store: store.read(_noticed)))
    assert friends.invite(closed) == (404, "no-such-gathering")


def _noticed(connection: Connection) -> list[str]:
    return list(connection.scalars(select(schema.notices.c.game)))


def test_only_the_host_can_invite_and_only_to_a_free_seat(friends: Friends) -> None:
    table = friends.ada.gather(ME, FREE)
    asked = {"game": friends.game, "seat": 0}
    assert friends.bob.post(f"/api/gatherings/{table}/invite", asked).refused == (403, "not-the-host")
    Client(friends.ada.url).sit(table, "Cy")
    assert friends.invite(table) == (409, "seats-taken")


@ON_BOTH
def test_hidden_people_cannot_invite_you_and_do_not_notice(friends: Friends) -> None:
    subscribe(friends.bob)
    [ada] = people(friends.bob)
    assert friends.bob.post("/api/people/hide", key_of(ada)).status == 204
    assert [known["hidden"] for known in people(friends.bob)] == [True]
    assert [known["hidden"] for known in people(friends.ada)] == [False]
    table = friends.open_table()
    assert friends.invite(table) == 204
    assert invited(friends.bob) == []
    assert count(friends.database, schema.notices) == 0
    assert [known["invited"] for known in people(friends.ada, table)] == ["waiting"]
    friends.bob.post("/api/people/hide", {**key_of(ada), "hidden": False})
    assert [found["game"] for found in invited(friends.bob)] == [table]


def test_forgetting_works_both_ways_until_the_next_game(friends: Friends) -> None:
    [ada] = people(friends.bob)
    assert friends.bob.post("/api/people/forget", key_of(ada)).status == 204
    assert people(friends.bob) == people(friends.ada) == []
    assert friends.invite(friends.open_table()) == (404, "no-such-person")
    later = update(schema.seats).where(schema.seats.c.game == friends.game).values(ended="2999")
    in_store(friends.database, lambda store: store.write(lambda connection: connection.execute(later) and None))
    assert len(people(friends.bob)) == len(people(friends.ada)) == 1
    assert friends.invite(friends.open_table()) == 204


def test_invitations_are_limited_per_person_and_per_hour(friends: Friends) -> None:
    for _ in range(invitations.MAX_TO_ONE_PERSON):
        table = friends.open_table()
        assert friends.invite(table) == 204
        friends.ada.at(table, "leave")
    assert friends.invite(friends.open_table()) == (429, "too-many-invitations")
    earlier = update(schema.invitations).values(at=schema.invitations.c.at - invitations.HOUR)
    in_store(friends.database, lambda store: store.write(lambda connection: connection.execute(earlier) and None))
    assert friends.invite(friends.open_table()) == 204
    in_store(friends.database, lambda store: retention.clean(store, 1, 1))
    assert count(friends.database, schema.invitations) == 4
    earlier = update(schema.invitations).values(at=schema.invitations.c.at - 24 * invitations.HOUR)
    in_store(friends.database, lambda store: store.write(lambda connection: connection.execute(earlier) and None))
    assert invited(friends.bob) == []
    in_store(friends.database, lambda store: retention.clean(store, 1, 1))
    assert count(friends.database, schema.invitations) == 0


def test_seven_people_can_be_invited_to_one_table(tmp_path: Path) -> None:
    *_, over = states(Rules.preset("classic", hand_size=1), 8, seed=4)
    database = tmp_path / "games.sqlite"
    game, secrets = plant_multiplayer(database, over)
    with InProcessServer(database) as server:
        ada, *others = (Client(server.url, secret) for secret in secrets)
        assert len(people(ada)) == 7
        table = ada.gather(ME, *[FREE] * 7)
        for seat in range(1, 8):
            assert ada.post(f"/api/gatherings/{table}/invite", {"game": game, "seat": seat}).status == 204
        *guests, undecided, decliner = others
        decliner.post(f"/api/gatherings/{table}/decline", None)
        for number, guest in enumerate(guests):
            assert [found["game"] for found in invited(guest)] == [table]
            guest.sit(table, f"Guest {number}")
        assert invited(decliner) == []
        ada.begin(table)
        assert invited(undecided) == []  # The game has begun without them.


@ON_BOTH
def test_erasing_someone_removes_their_invitations_and_searches(friends: Friends) -> None:
    table = friends.open_table()
    friends.invite(table)
    friends.ada.post("/api/people/hide", {"game": friends.game, "seat": 1})
    friends.bob.post("/api/people/forget", {"game": friends.game, "seat": 0})
    friends.bob.post("/api/seek", {"name": "Bob", "anew": True})
    assert [count(friends.database, table) for table in OURS] == [2, 1, 1]
    assert friends.bob.post("/api/me/erase", None).status == 204
    assert [count(friends.database, table) for table in OURS] == [0, 0, 0]
    assert people(friends.ada) == []
