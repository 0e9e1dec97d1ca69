"""Ratings: which games and seats count, the numbers, recomputing them, and who's on the leaderboards."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from random import Random
from time import time

import pytest
from sqlalchemy import Connection, select, update

from chromino import Game, Rules
from chromino.events import Passed
from chromino.messages.people import Family, Listed
from chromino.rules import PRESETS
from chromino.seated.seats import Seat
from chromino.server.database import schema
from chromino.server.database.store import Store
from chromino.server.people import erasing, people, ratings
from chromino.server.people.ratings import FAMILIES, Line
from chromino.server.rating_model import Result
from tests.helpers import more, with_open_hands
from tests.server.rated_games import (
    due_of,
    entry_of,
    other_process,
    played,
    results_of,
    store_game,
    stored_ratings,
)
from tests.server.sites.changes import Writes
from tests.server.sites.databases import ON_BOTH, Database, in_store
from tests.server.sites.postgres import Postgres, temporary_database
from tests.server.sites.serving import PATIENCE

ADA, BOB, CLEO = Seat("ada", None), Seat("bob", None), Seat("cleo", None)
FOX, OWL = Seat(None, "fox"), Seat(None, "owl")


def board(family: Family, kind: Listed, person: str | None) -> Callable[[Connection], list[Line]]:
    """A leaderboard as this reader sees it."""

    def work(connection: Connection) -> list[Line]:
        lines = ratings.best(family, kind)(connection)
        return lines if person is None else ratings.with_reader(lines, family, kind, person)(connection)

    return work


@pytest.fixture
def database(empty: Database) -> Database:
    """A database with three people."""

    async def begin(store: Store) -> None:
        for person in ("ada", "bob", "cleo"):
            await store.write(people.add(person, f"hash-of-{person}"))

    in_store(empty, begin)
    return empty


async def rated(store: Store, game: Game, *seats: Seat, **how: object) -> list[Result]:
    """Store a game and rate it; returns its results."""
    game_id = await store_game(store, game, seats, **how)  # type: ignore[arg-type]
    counts = await store.write(ratings.rate(game_id))
    results = await store.read(results_of(game_id))
    assert counts == bool(results)
    return results


GAME = played(Rules.classic(), 2, "two")
TRIO = played(Rules.classic(), 3, "three")


# What counts.


def test_each_preset_belongs_to_a_family() -> None:
    assert {name: ratings.family_of(rules) for name, rules in PRESETS.items()} == {
        "classic": "classic",
        "junior": "junior",
        "expert": "expert",
        "first_edition": "classic",
        "scoring_a": "points",
        "scoring_b": "points",
        "scoring_c": "points",
    }
    assert ratings.family_of(with_open_hands(Rules.preset("classic", draw_limit=None))) == "classic"
    assert ratings.family_of(Rules.preset("junior", scoring="expert")) == "junior"


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [3, more(2), more(8)])
def test_ranks_match_the_game(preset: str, players: int) -> None:
    game = played(Rules.preset(preset), players, "places", choose=Random(players))
    seats = [Seat(f"person-{seat}", None) for seat in range(players)]

    async def work(store: Store) -> list[Result]:
        for who in seats:
            await store.write(people.add(str(who.person), str(who.person)))
        return await rated(store, game, *seats)

    found = in_store(":memory:", work)
    assert [result.player for result in found] == [f"p:person-{seat}" for seat in range(players)]
    assert [result.rank for result in found] == list(game.ranks)
    assert tuple(result.seat for result in found if result.rank == 1) == game.winners
    measure = list(game.scores) if game.rules.scoring else [-len(hand) for hand in game.hands]
    for one, place in zip(measure, game.ranks, strict=True):
        assert place == 1 + sum(other > one for other in measure)


def last_choice(game: Game, seat: int) -> int:
    """The number of the last event that this seat chose."""
    return max(seq for seq, event in enumerate(game.log) if event.seat == seat and not isinstance(event, Passed))


@ON_BOTH
def test_people_and_bots_count_but_erased_people_do_not(database: Database) -> None:
    async def work(store: Store) -> None:
        first, second, third = TRIO.ranks
        ada, bob = Result(0, "p:ada", first), Result(1, "p:bob", second)
        fox = Result(2, "b:fox", third)
        assert await rated(store, TRIO, ADA, BOB, FOX) == [ada, bob, fox]
        # A bot finished the game for Ada, or only played a turn for her along the way.
        last = last_choice(TRIO, 0)
        behind = [ada._replace(rank=3), bob._replace(rank=2), fox._replace(rank=1)]
        assert TRIO.ranks == (2, 2, 1)
        assert await rated(store, TRIO, ADA, BOB, FOX, stood_in=lambda seq: seq == last) == behind
        assert await rated(store, TRIO, ADA, BOB, FOX, stood_in=lambda seq: seq < 3) == [ada, bob, fox]
        # Ada left.
        assert await rated(store, TRIO, replace(ADA, has_left=True), BOB, FOX) == behind
        # The game wasn't rated.
        assert await rated(store, TRIO, ADA, BOB, FOX, is_rated=False) == []
        # If a bot has two seats, the first one counts.
        assert await rated(store, TRIO, FOX, ADA, FOX) == [Result(0, "b:fox", first), Result(1, "p:ada", second)]
        assert await rated(store, TRIO, FOX, OWL, ADA) == [
            Result(0, "b:fox", first),
            Result(1, "b:owl", second),
            Result(2, "p:ada", third),
        ]
        assert await store.read(ratings.differences) == []

    in_store(database, work)


ALONE = played(Rules.classic(), 1, "alone")


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        (ALONE, [ADA]),
        (GAME, [Seat(None, None, has_left=True), BOB]),
        (TRIO, [Seat(None, None, has_left=True), FOX, FOX]),
    ],
    ids=["solo", "erased", "one bot twice"],
)
def test_a_game_with_fewer_than_two_players_does_not_count(database: Database, game: Game, seats: list[Seat]) -> None:
    async def work(store: Store) -> None:
        game_id = await store_game(store, game, seats, due=time())
        assert await store.write(ratings.rate(game_id)) is False
        assert await store.read(due_of(game_id)) is None
        assert await store.read(stored_ratings) == {}

    in_store(database, work)


def test_an_unfinished_game_does_not_count(database: Database) -> None:
    begun = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7)

    async def work(store: Store) -> None:
        game_id = await store_game(store, begun, [FOX, BOB])
        due = await store.read(due_of(game_id))
        assert await store.write(ratings.rate(game_id)) is False
        assert await store.read(due_of(game_id)) == due
        assert await store.write(ratings.rate("no-such-game")) is False
        assert await store.read(stored_ratings) == {}

    in_store(database, work)


def test_a_game_counts_once(database: Database) -> None:
    async def work(store: Store) -> None:
        game_id = await store_game(store, GAME, [ADA, BOB], due=time())
        assert [await store.write(ratings.rate(game_id)) for _ in range(3)] == [True, False, False]
        found = await store.read(stored_ratings)
        assert {key: rating.games for key, rating in found.items()} == {
            ("classic", "p:ada"): 1,
            ("classic", "p:bob"): 1,
        }
        assert await store.read(due_of(game_id)) is None

    in_store(database, work)


# The numbers.


def random_results(rng: Random, players: Sequence[str]) -> list[Result]:
    seated = rng.sample(players, rng.randint(2, min(8, len(players))))
    return [Result(seat, player, rng.randint(1, len(seated))) for seat, player in enumerate(seated)]


def test_recomputing_a_hundred_results_gives_the_same_ratings(database: Database) -> None:
    rng = Random(7)
    players = [*(f"p:person-{number}" for number in range(20)), *(f"b:{name}" for name in ("snail", "fox", "owl"))]

    async def work(store: Store) -> None:
        for number in range(100):
            family = rng.choice(FAMILIES)
            await store.write(ratings.add(f"game-{number}", family, random_results(rng, players)))
        stored, computed = await store.read(stored_ratings), await store.read(ratings.recompute)
        assert len(stored) > 60
        assert stored == computed  # To the last bit.
        assert await store.read(ratings.differences) == []
        numbers = await store.read(lambda connection: connection.scalars(select(schema.results.c.number)).all())
        assert sorted(set(numbers)) == list(range(1, 101))

    in_store(database, work)


def test_recomputing_whole_games_gives_the_same_ratings(database: Database) -> None:
    rng = Random(3)
    everyone = [ADA, BOB, CLEO, FOX, OWL]

    async def work(store: Store) -> None:
        for number in range(14):
            rules = Rules.preset(list(PRESETS)[number % 7])
            seats = rng.sample(everyone, rng.randint(2, 5))
            await rated(store, played(rules, len(seats), number, choose=rng), *seats)
        stored = await store.read(stored_ratings)
        assert {family for family, _ in stored} == set(FAMILIES)
        assert stored == await store.read(ratings.recompute)
        assert await store.read(ratings.differences) == []

    in_store(database, work)


def test_tampered_ratings_are_reported(database: Database) -> None:
    async def work(store: Store) -> None:
        game_id = await store_game(store, GAME, [ADA, BOB])
        await store.write(ratings.rate(game_id))
        assert await store.read(ratings.differences) == []
        better = update(schema.ratings).where(schema.ratings.c.player == "p:ada").values(mu=50.0)
        await store.write(lambda connection: connection.execute(better) and None)
        (difference,) = await store.read(ratings.differences)
        assert difference.startswith("p:ada in classic: stored as Rating(mu=50.0, ")
        swapped = update(schema.results).where(schema.results.c.seat == 0).values(place=3 - GAME.ranks[0])
        await store.write(lambda connection: connection.execute(swapped) and None)
        assert any(difference.startswith(f"game {game_id}: ") for difference in await store.read(ratings.differences))
        broken = update(schema.games).where(schema.games.c.id == game_id).values(header="{}")
        await store.write(lambda connection: connection.execute(broken) and None)
        assert any(
            f"game {game_id} can't be replayed" in difference for difference in await store.read(ratings.differences)
        )

    in_store(database, work)


@ON_BOTH
def test_several_processes_can_rate_many_games_at_once(database: Database) -> None:
    """It's as if they did so one after another: no number is used twice, and no result is lost."""
    games = [played(Rules.classic(), 3, seed) for seed in range(8)]

    async def work() -> None:
        first = await Store.open(database)
        stores = [first, first if first.is_only_process else await Store.open(database)]
        ids = [await store_game(first, game, [ADA, BOB, FOX], due=time()) for game in games]
        twice = [stores[number % 2].write(ratings.rate(game_id)) for number, game_id in enumerate(ids + ids[::-1])]
        counted = await asyncio.gather(*twice)
        assert Counter(counted) == {True: len(ids), False: len(ids)}
        assert {rating.games for rating in (await first.read(stored_ratings)).values()} == {len(ids)}
        assert await first.read(stored_ratings) == await first.read(ratings.recompute)
        assert await first.read(ratings.differences) == []
        for store in set(stores):
            await store.close()

    asyncio.run(work())


# Someone is erased.


@ON_BOTH
def test_erased_people_are_in_no_result_and_the_others_keep_their_ratings(database: Database) -> None:
    async def work(store: Store) -> None:
        for seed in range(6):
            await rated(store, played(Rules.classic(), 3, seed), ADA, BOB, FOX)
            await rated(store, played(Rules.classic(), 2, seed), FOX, ADA)
        await store.write(ratings.be_listed("ada", "Ada"))
        before = await store.read(stored_ratings)
        await erasing.erase(store, "ada")
        after = await store.read(stored_ratings)
        (gone,) = {player for _, player in after} - {player for _, player in before}
        assert gone.startswith("g:")
        assert {(family, "p:ada" if player == gone else player): at for (family, player), at in after.items()} == before
        assert after == await store.read(ratings.recompute)
        assert await store.read(ratings.differences) == []
        players = {line.player for line in await store.read(board("classic", "people", None))}
        assert players == set()
        # Ratings continue from there.
        await rated(store, GAME, BOB, FOX)
        assert await store.read(stored_ratings) == await store.read(ratings.recompute)
        assert await store.read(ratings.differences) == []

    in_store(database, work)


def test_erasing_and_rating_can_happen_at_once(database: Database) -> None:
    """In either order, the person isn't in the results."""

    async def work(store: Store) -> None:
        ids = [await store_game(store, played(Rules.classic(), 3, seed), [ADA, BOB, FOX]) for seed in range(8)]
        rating = [store.write(ratings.rate(game_id)) for game_id in ids]
        await asyncio.gather(*rating[:4], erasing.erase(store, "ada"), *rating[4:])
        found = await store.read(stored_ratings)
        assert not any(player == "p:ada" for _, player in found)
        assert found == await store.read(ratings.recompute)
        assert await store.read(ratings.differences) == []

    in_store(database, work)


# The leaderboard.


def board_of(
    store: Store, person: str | None = None, kind: Listed = "people"
) -> Awaitable[list[tuple[int, str, str | None]]]:
    def work(connection: Connection) -> list[tuple[int, str, str | None]]:
        return [(line.rank, line.player, line.name) for line in board("classic", kind, person)(connection)]

    return store.read(work)


def test_only_people_who_opted_in_are_listed_plus_the_reader(database: Database) -> None:
    order = [Result(0, "p:ada", 1), Result(1, "b:fox", 2), Result(2, "p:bob", 3), Result(3, "p:cleo", 4)]

    async def work(store: Store) -> None:
        assert await board_of(store, "ada") == []
        await store.write(ratings.add("a-game", "classic", order))
        ada = (1, "p:ada", "Ada")
        assert await board_of(store) == await board_of(store, "a-stranger") == []
        await store.write(ratings.be_listed("bob", "Bob"))
        await store.write(people.choose_face("bob", "cap"))
        # Ada is better than everyone listed, so she would be first.
        assert await board_of(store, "ada") == [(1, "p:ada", None), (1, "p:bob", "Bob")]
        assert await board_of(store, "cleo") == [(1, "p:bob", "Bob"), (2, "p:cleo", None)]
        await store.write(ratings.be_listed("ada", "Ada"))
        listed = [ada, (2, "p:bob", "Bob")]
        assert await board_of(store) == await board_of(store, "ada") == listed
        assert await board_of(store, "cleo") == [*listed, (3, "p:cleo", None)]
        await store.write(ratings.be_listed("ada", None))
        assert await board_of(store) == [(1, "p:bob", "Bob")]
        assert await store.read(board("expert", "people", "ada")) == []
        lines = await store.read(board("classic", "people", "ada"))
        assert [line.face for line in lines] == [None, "cap"]

    in_store(database, work)


def test_bots_have_their_own_leaderboard(database: Database) -> None:
    """It lists the built-in bots, and other people's programs once they've declared themselves."""
    order = [Result(0, "p:ada", 1), Result(1, "b:fox", 2), Result(2, "p:bob", 3)]

    async def work(store: Store) -> None:
        await store.write(ratings.add("a-game", "classic", order))
        await store.write(ratings.be_listed("ada", "Ada"))
        fox = (1, "b:fox", "fox")
        assert await board_of(store, "ada", "bots") == [fox]
        await store.write(ratings.declare_program("ada"))
        both = [(1, "p:ada", "Ada"), (2, "b:fox", "fox")]
        for number in range(2):  # Nothing changes after one more game, or if the program declares itself again.
            assert await board_of(store, "ada") == []
            assert await board_of(store, None, "bots") == await board_of(store, "ada", "bots") == both
            await store.write(ratings.declare_program("ada"))
            await store.write(ratings.add("next", "classic", order) if number == 0 else ratings.be_listed("ada", "Ada"))
        assert await board_of(store, "bob", "bots") == both
        assert await store.write(ratings.rebuild) == 3
        assert await board_of(store, None, "bots") == both

    in_store(database, work)


@ON_BOTH
def test_a_long_leaderboard_shows_a_hundred_lines_plus_the_reader(database: Database) -> None:
    crowd = [f"person-{number}" for number in range(117)]

    async def work(store: Store) -> None:
        for number, person in enumerate(crowd):
            await store.write(people.add(person, person))
            await store.write(ratings.be_listed(person, f"Person {number}"))
        await store.write(
            lambda connection: (
                connection.execute(
                    schema.ratings.insert(),
                    [
                        {
                            "family": "classic",
                            "player": f"p:{person}",
                            "mu": 30.0 - number // 2,
                            "sigma": 1.0,
                            "games": 9,
                            "certain": 27.0 - number // 2,
                            "listed": True,
                        }
                        for number, person in enumerate(crowd)
                    ],
                )
                and None
            )
        )
        lines = await board_of(store, "person-115")
        assert [place for place, _, _ in lines[:5]] == [1, 1, 3, 3, 5]
        assert len(lines) == 101
        assert lines[-1] == (115, "p:person-115", "Person 115")
        assert len(await board_of(store, "person-3")) == 100

    in_store(database, work)


# Games that another process left unrated.


async def wait_until_rated(store: Store, game: str) -> None:
    """Wait until this process has rated the game."""

    async def is_rated() -> bool:
        return await store.read(due_of(game)) is None

    await Writes(store).until(is_rated)


@ON_BOTH
def test_games_a_dead_process_left_unrated_are_found_by_their_due_time(database: Database) -> None:
    """The process died after the last turn."""

    async def work(store: Store) -> None:
        game = await store_game(store, GAME, [ADA, BOB], due=time() - 60)
        async with asyncio.timeout(PATIENCE):
            async with other_process(database) as (other, _):
                await wait_until_rated(other, game)
        assert [result.player for result in await store.read(results_of(game))] == ["p:ada", "p:bob"]
        assert await store.read(ratings.differences) == []

    in_store(database, work)


def test_a_process_with_the_game_in_memory_rates_it_if_another_did_not(postgres: Postgres) -> None:
    """The process was notified of the game's end."""

    async def work(url: str) -> None:
        store = await Store.open(url)
        for person in ("ada", "bob"):
            await store.write(people.add(person, f"hash-of-{person}"))
        game = await store_game(store, GAME, [ADA, BOB], due=None, leave_out=1)
        async with asyncio.timeout(PATIENCE), other_process(url) as (other, games):
            live = await games.get(game)
            await store.append(entry_of(game, GAME, len(GAME.log) - 1, [ADA, BOB], due=time() - 60))
            await wait_until_rated(other, game)
            assert live is await games.get(game)
            assert live.table.game.over
        assert len(await store.read(results_of(game))) == 2
        await store.close()

    with temporary_database(postgres) as url:
        asyncio.run(work(url))
