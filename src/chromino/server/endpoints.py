"""The HTTP calls: a table of them, which is also what the OpenAPI description is made from."""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from chromino.bots import find
from chromino.errors import ChrominoError, RulesError
from chromino.game import Game
from chromino.rules import Rules
from chromino.server.identity import give_cookie, new_person, person_of
from chromino.server.live import digest, seat_states
from chromino.server.messages import Created, GameSummary, MyGames, NewGame, Options, RulesToCheck, State, Tiles, decode
from chromino.server.options import options
from chromino.server.problems import Problem
from chromino.server.store import GameRow, ListedGame, SeatRow

_LONGEST = 64 * 1024  # Bytes of a request.

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One call: `answer` gets the request and its decoded body, and returns a struct or a response."""

    method: str
    path: str
    about: str
    answer: Callable[[Request, Any], Awaitable[Any]]
    body: Any = None
    gives: Any = None
    status: int = 200
    problems: tuple[str, ...] = ()

    async def serve(self, request: Request) -> Response:
        body = decode(await _read(request), msgspec.json.Decoder(self.body)) if self.body else None
        found = await self.answer(request, body)
        if isinstance(found, Response):
            return found
        return Response(msgspec.json.encode(found), self.status, media_type="application/json")


async def _read(request: Request) -> bytes:
    content = b""
    try:
        async for part in request.stream():
            content += part
            if len(content) > _LONGEST:
                raise Problem("too-large")
    except ClientDisconnect:
        raise Problem("bad-message") from None  # Nobody will read it.
    return content


async def check_rules(_request: Request, asked: RulesToCheck) -> Options:
    return options(_rules(asked.rules), asked.players)


async def tiles(request: Request, _body: None) -> Tiles:
    """All tiles in the box, for the tracker; without chameleons if `?chameleons=false` says so."""
    rules = Rules(chameleons=request.query_params.get("chameleons") != "false")
    kinds: dict[str, list[str]] = {}
    for tile in rules.tiles:
        kinds.setdefault(tile.kind, []).append(str(tile))
    return Tiles(kinds)


async def start_game(request: Request, new: NewGame) -> Response:
    """Deal a game. Whoever has no identity yet gets one."""
    store = request.app.state.store
    rules = _rules(new.rules)
    if sum(seat.kind == "me" for seat in new.seats) > 1 or all(seat.kind == "bot" for seat in new.seats):
        raise Problem("bad-seats")
    if any((seat.level is not None) != (seat.kind == "bot") for seat in new.seats):
        raise Problem("bad-seats", "a bot has a level, and a person has none")
    if new.first is not None and new.first >= len(new.seats):
        raise Problem("bad-seats", f"there is no seat {new.first} to begin")
    names = [seat.name.strip() for seat in new.seats]
    try:
        game = Game.start(rules, names, seed=secrets.token_hex(16), first=new.first)
    except RulesError as error:
        raise Problem("bad-rules" if error.code == "bag-too-small" else "bad-name", str(error)) from None
    person, secret = await person_of(request, store), None
    if person is None:
        person, secret = await new_person(store)
    row = GameRow(
        id=secrets.token_urlsafe(12),
        header=str(game.record).partition("\n")[0],
        aids=new.aids,
        pace=new.pace,
        seats=tuple(
            SeatRow(None, find(seat.level).name) if seat.level is not None else SeatRow(person, None)
            for seat in new.seats
        ),
    )
    await store.add_game(row, digest(game))
    response = Response(msgspec.json.encode(Created(row.id)), 201, media_type="application/json")
    if secret is not None:
        give_cookie(response, secret, secure=request.url.scheme == "https")
    return response


async def my_games(request: Request, _body: None) -> MyGames:
    person = await person_of(request, request.app.state.store)
    if person is None:
        return MyGames([])
    rows = await request.app.state.store.games_of(person)
    return MyGames([summary for row in rows if (summary := _summary(row, person))])


async def game_state(request: Request, _body: None) -> State:
    live = await request.app.state.games.get(request.path_params["game"])
    state: State = live.state_for(await person_of(request, request.app.state.store) or "")
    return state


async def game_record(request: Request, _body: None) -> Response:
    """The record as a file; hidden until the game is over, for it holds every hand."""
    live = await request.app.state.games.get(request.path_params["game"])
    live.view_of(await person_of(request, request.app.state.store) or "")
    if not live.game.over:
        raise Problem("not-over")
    headers = {"Content-Disposition": f'attachment; filename="chromino-{live.id}.jsonl"'}
    return Response(str(live.game.record), headers=headers, media_type="application/jsonl")


async def healthy(_request: Request, _body: None) -> Response:
    """The process runs."""
    return Response('{"chromino":"healthy"}', media_type="application/json")


async def ready(request: Request, _body: None) -> Response:
    """It can also store games."""
    await request.app.state.store.ping()
    return Response('{"chromino":"ready"}', media_type="application/json")


ENDPOINTS = (
    Endpoint(
        "POST", "/api/rules", "Which choices go together", check_rules, RulesToCheck, Options, problems=("bad-rules",)
    ),
    Endpoint("GET", "/api/tiles", "All tiles in the box, by kind", tiles, gives=Tiles),
    Endpoint(
        "POST",
        "/api/games",
        "Begin a game",
        start_game,
        NewGame,
        Created,
        status=201,
        problems=("bad-rules", "bad-seats", "bad-name", "storage"),
    ),
    Endpoint("GET", "/api/games", "My games, the latest first", my_games, gives=MyGames),
    Endpoint(
        "GET",
        "/api/games/{game}",
        "A game as I may see it",
        game_state,
        gives=State,
        problems=("no-such-game", "not-your-game"),
    ),
    Endpoint(
        "GET",
        "/api/games/{game}/record",
        "The record of a game that is over",
        game_record,
        problems=("no-such-game", "not-your-game", "not-over"),
    ),
    Endpoint("GET", "/healthz", "Does the server run?", healthy),
    Endpoint("GET", "/readyz", "Can it store games?", ready, problems=("storage",)),
)


def _rules(choices: dict[str, Any]) -> Rules:
    try:
        return Rules.from_json(choices)
    except (ChrominoError, TypeError) as error:
        raise Problem("bad-rules", str(error)) from None


def _summary(row: ListedGame, person: str) -> GameSummary | None:
    """A line of the list; None for a game that cannot be read, which must not hide the others."""
    try:
        header = json.loads(row.header)
        players = header["players"]
        return GameSummary(
            game=row.id,
            created=row.created,
            updated=row.updated,
            preset=Rules.from_json(header["rules"]).name,
            players=players,
            seats=seat_states(row.seats, players, person),
            over=row.over,
            **row.digest,
        )
    except (ValueError, KeyError, TypeError) as error:
        log.warning("game %s cannot be listed: %s", row.id, error)
        return None
