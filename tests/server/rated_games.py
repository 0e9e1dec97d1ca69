"""Stored games for tests of ratings, and what the database says about them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from random import Random

from sqlalchemy import Connection, select

from chromino import Game, Rules
from chromino.events import Passed, event_to_json
from chromino.seated.seats import Seat
from chromino.server.database import schema
from chromino.server.database.rows import digest
from chromino.server.database.store import Entry, GameRow, Store, new_id
from chromino.server.games.gatherings import Gatherings
from chromino.server.games.live_games import LiveGames
from chromino.server.rating_model import Rating, Result
from chromino.server.running.process_watch import ProcessWatch
from chromino.server.settings import Settings
from chromino.server.work.bot_threads import BotThreads
from chromino.server.work.work_queue import WorkQueue
from tests.server.sites.databases import Database


def played(rules: Rules, players: int, seed: object, *, choose: Random | None = None) -> Game:
    """Play a whole game, always with the first action, or with random ones."""
    game = Game.start(rules, [f"Player {number}" for number in range(players)], seed=str(seed))
    while not game.over:
        actions = game.actions()
        game = game.apply(choose.choice(actions) if choose else actions[0])
    return game


async def store_game(
    store: Store,
    game: Game,
    seats: Sequence[Seat],
    stood_in: Callable[[int], bool] = lambda _seq: False,
    due: float | None = None,
    leave_out: int = 0,
    is_rated: bool = True,
) -> str:
    """Store a game without its last `leave_out` events; returns its id. `stood_in` says which events a bot decided."""
    row = GameRow(new_id(), str(game.record).partition("\n")[0], False, False, tuple(seats), rated=is_rated)
    await store.add_game(row, digest(game))
    for seq in range(len(game.log) - leave_out):
        await store.append(entry_of(row.id, game, seq, seats, stood_in=stood_in(seq), due=due))
    return row.id


def entry_of(
    name: str, game: Game, seq: int, seats: Sequence[Seat], *, stood_in: bool = False, due: float | None = None
) -> Entry:
    """An event of the game; the last one also records when the game is due to be rated."""
    event = game.log[seq]
    is_automatic = isinstance(event, Passed) or seats[event.seat].bot is not None or stood_in
    is_last = seq == len(game.log) - 1
    return Entry(
        name,
        seq,
        json.dumps(event_to_json(event)),
        None if is_automatic else f"action-{seq}",
        over=is_last,
        digest=digest(game),
        due=due if is_last else None,
    )


@asynccontextmanager
async def other_process(database: Database) -> AsyncIterator[tuple[Store, LiveGames]]:
    """The parts of another server process: a store, its games in memory, and the watch on processes."""
    store = await Store.open(database)
    bot_threads, queue = BotThreads(), WorkQueue(60.0)
    games = LiveGames(store, bot_threads, queue, grace=60)
    store.hear = games.hear
    watch = ProcessWatch(store, games, Gatherings(store, grace=60), Settings(str(database)))
    await watch.start()
    try:
        yield store, games
    finally:
        games.stop()
        await watch.stop()
        await queue.stop()
        bot_threads.stop()
        await store.close()


def stored_ratings(connection: Connection) -> dict[tuple[str, str], Rating]:
    """All stored ratings."""
    rows = connection.execute(select(schema.ratings)).all()
    return {(row.family, row.player): Rating(row.mu, row.sigma, row.games) for row in rows}


def results_of(game: str) -> Callable[[Connection], list[Result]]:
    query = select(schema.results).where(schema.results.c.game == game).order_by(schema.results.c.seat)
    return lambda connection: [Result(row.seat, row.player, row.place) for row in connection.execute(query)]


def due_of(game: str) -> Callable[[Connection], float | None]:
    return lambda connection: connection.scalar(select(schema.games.c.due).where(schema.games.c.id == game))
