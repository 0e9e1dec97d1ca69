"""Calls about games: begin one, look at it, begin the next one."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from functools import lru_cache, partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from chromino.bots import find
from chromino.rules import Rules
from chromino.server import record_work
from chromino.server.calls import apart, check_open_games, rules_of, with_person
from chromino.server.gathering import header_of, new_game
from chromino.server.identity import must_be_player, person_of
from chromino.server.live import LiveGame, digest, seat_states
from chromino.server.messages import (
    Checked,
    CheckRecord,
    Created,
    GameSummary,
    MyGames,
    NewGame,
    Options,
    RulesToCheck,
    State,
    Tiles,
    WhichGames,
    WhichTiles,
    Wins,
)
from chromino.server.metrics import STARTED
from chromino.server.moderation import banned_among
from chromino.server.options import options
from chromino.server.problems import Problem
from chromino.server.store import GameRow, ListedGame, ListEnd, SeatRow, Store, is_id, new_id

_PAGE = 50  # Games.

log = logging.getLogger(__name__)


async def check_rules(_request: Request, asked: RulesToCheck) -> Options:
    return options(rules_of(asked.rules), asked.players)


async def tiles(_request: Request, asked: WhichTiles) -> Tiles:
    """All tiles in the box, for the tracker."""
    rules = Rules(chameleons=asked.chameleons == "true")
    kinds: dict[str, list[str]] = {}
    for tile in rules.tiles:
        kinds.setdefault(tile.kind, []).append(str(tile))
    return Tiles(kinds)


async def start_game(request: Request, new: NewGame) -> Response:
    """Deal a game for people at one device."""
    rules = rules_of(new.rules)
    if sum(seat.kind == "me" for seat in new.seats) > 1 or all(seat.kind == "bot" for seat in new.seats):
        raise Problem("bad-seats")
    if any((seat.level is not None) != (seat.kind == "bot") for seat in new.seats):
        raise Problem("bad-seats", "a bot has a level, and a person has none")
    if new.first is not None and new.first >= len(new.seats):
        raise Problem("bad-seats", f"there is no seat {new.first} to begin")
    game = new_game(rules, [seat.name.strip() for seat in new.seats], new.first)

    async def answer(person: str) -> Created:
        row = GameRow(
            id=new_id(),
            header=header_of(game),
            aids=new.aids,
            pace=new.pace,
            seats=tuple(
                SeatRow(None, find(seat.level).name) if seat.level is not None else SeatRow(person, None)
                for seat in new.seats
            ),
        )
        await check_open_games(request.app.state.store, person)
        await request.app.state.store.add_game(row, digest(game))
        STARTED.inc()
        return Created(row.id)

    return await with_person(request, answer, 201)


async def my_games(request: Request, asked: WhichGames) -> MyGames:
    store: Store = request.app.state.store
    after = _list_end(asked.after)
    person = await person_of(request, store)
    if person is None:
        return MyGames([], [], None)
    rows = await store.games_of(person, _PAGE + 1, after)
    tallies = await store.tallies_of(person)
    return MyGames(
        games=[summary for row in rows[:_PAGE] if (summary := _summary(row, person))],
        wins=[Wins(tally.preset or None, tally.played, tally.won) for tally in tallies],
        next=" ".join(map(str, ListEnd.of(rows[_PAGE - 1]))) if len(rows) > _PAGE else None,
    )


def _list_end(text: str) -> ListEnd | None:
    """The end of the page before, as `my_games` wrote it."""
    match text.split(" "):
        case [""]:
            return None
        case [("True" | "False") as over, at, name] if is_id(name) and at.isprintable():
            return ListEnd(over == "True", at, name)
    raise Problem("bad-message", "`after` is the `next` of the page before")


async def game_state(request: Request, _body: None) -> State:
    live = await _live(request)
    return live.state_for(await person_of(request, request.app.state.store))


async def game_record(request: Request, _body: None) -> Response:
    """The record as a file; hidden until the game is over, for it holds every hand."""
    live = await _live(request)
    live.check_may_see(await person_of(request, request.app.state.store))
    if not live.game.over:
        raise Problem("not-over")
    headers = {"Content-Disposition": f'attachment; filename="chromino-{live.id}.jsonl"'}
    return Response(str(live.game.record), headers=headers, media_type="application/jsonl")


async def rematch(request: Request, _body: None) -> Created:
    """The same people by the same rules, and the next player begins; asked twice, it is one game."""
    store = request.app.state.store
    person = await must_be_player(request, store)
    live = await _live(request)
    if not live.seats_of(person):
        raise Problem("not-your-game")
    if not live.game.over:
        raise Problem("not-over")
    before = live.game
    game = new_game(before.rules, list(before.players), (before.first + 1) % len(before.players))
    # Those who left may come back for this one; those who were erased or banned can't.
    banned = await store.read(banned_among([who.person for who in live.seats if who.person is not None]))
    seats = tuple(
        who._replace(has_left=who.bot is None and (who.person is None or who.person in banned)) for who in live.seats
    )
    row = replace(
        GameRow(new_id(), header_of(game), live.aids, live.pace, seats),
        watch=live.watch,
        turn_limit=live.turn_limit,
    )
    await check_open_games(store, person)
    live.next_game = await store.add_rematch(live.id, row, digest(game))
    if live.next_game == row.id:
        STARTED.inc()
    live.tell()
    await request.app.state.games.set_going(live.next_game)
    return Created(live.next_game)


async def check_record(request: Request, asked: CheckRecord) -> Checked:
    """Does a record of any server follow the rules? If not, the line and the reason."""
    return await apart(request, partial(record_work.check, asked.record))


async def _live(request: Request) -> LiveGame:
    live: LiveGame = await request.app.state.games.get(request.path_params["game"])
    return live


class _Header(msgspec.Struct):
    """What a list needs of the first line of a record."""

    rules: msgspec.Raw
    players: list[str]


_header = msgspec.json.Decoder(_Header).decode


@lru_cache
def _preset(rules: bytes) -> str | None:
    """The name of the rules in a header: most games are played by one of a few."""
    return Rules.from_json(json.loads(rules)).name


def _summary(row: ListedGame, person: str) -> GameSummary | None:
    """A line of the list; None for a game that cannot be read, which must not hide the others."""
    try:
        header = _header(row.header)
        return GameSummary(
            game=row.id,
            created=row.created,
            updated=row.updated,
            preset=_preset(bytes(header.rules)),
            players=header.players,
            seats=seat_states(row.seats, header.players, person),
            over=row.over,
            **row.digest,
        )
    except (ValueError, KeyError, TypeError, msgspec.MsgspecError) as error:
        log.warning("game %s cannot be listed: %s", row.id, error)
        return None
