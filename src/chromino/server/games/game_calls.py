"""Calls about games: starting, listing and showing them, and rematches."""

from __future__ import annotations

import json
import logging
import secrets
from functools import lru_cache, partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from chromino.bots import find
from chromino.fair_deal import new_part
from chromino.messages.games import Created, GameSummary, MyGames, NewGame, State, WhichGames, WhichRematch, Wins
from chromino.messages.gatherings import GameLink
from chromino.messages.records import Checked, CheckRecord
from chromino.messages.rule_choices import OfferedChoice, OfferedChoices, Options, RulesToCheck, Tiles, WhichTiles
from chromino.rules import CHOICES, Rules
from chromino.seated.dealing import contribute_nothing, deal, terms
from chromino.seated.declined import Declined
from chromino.seated.game import SeatedGame
from chromino.seated.game_requests import gather_rematch
from chromino.seated.gathering import Gathering, committed
from chromino.seated.seats import Chair, Seat
from chromino.seated.shown import seat_states
from chromino.server.database.rows import digest, row_of
from chromino.server.database.store import ListedGame, PageEnd, could_be_id, new_id
from chromino.server.games.rule_options import options
from chromino.server.http.calls import (
    check_open_games,
    in_helper,
    origin_of,
    remember_face,
    requested_game,
    rules_of,
    with_person,
)
from chromino.server.http.site_links import site_for
from chromino.server.operating.metrics import STARTED
from chromino.server.people.identity import must_be_player, person_of
from chromino.server.people.moderation import banned_among
from chromino.server.problems import Problem
from chromino.server.services import services
from chromino.server.work import record_work

_PAGE = 50  # Games per page.

log = logging.getLogger(__name__)


async def rule_choices(_request: Request, _body: None) -> OfferedChoices:
    """The table of rule choices, for pages that explain the rules of a game."""
    return OfferedChoices(
        [
            OfferedChoice(choice.name, list(choice.values), choice.default, choice.rule, dict(choice.own_rules))
            for choice in CHOICES
        ]
    )


async def check_rules(_request: Request, message: RulesToCheck) -> Options:
    return options(rules_of(message.rules), message.players)


async def tiles(_request: Request, message: WhichTiles) -> Tiles:
    """All tiles in the box, for the page's tile tracker."""
    rules = Rules(chameleons=message.chameleons == "true")
    kinds: dict[str, list[str]] = {}
    for tile in rules.tiles:
        kinds.setdefault(tile.kind, []).append(str(tile))
    return Tiles(kinds)


async def start_game(request: Request, new_game: NewGame) -> Response:
    """Start a game for people on one device."""
    rules = rules_of(new_game.rules)
    if sum(seat.kind == "me" for seat in new_game.seats) > 1 or all(seat.kind == "bot" for seat in new_game.seats):
        raise Problem("bad-seats")
    if any((seat.level is not None) != (seat.kind == "bot") for seat in new_game.seats):
        raise Problem("bad-seats", "a bot needs a level, and a person can't have one")
    if any(seat.face is not None and seat.kind == "bot" for seat in new_game.seats):
        raise Problem("bad-seats", "bots can't choose a face")
    if new_game.first is not None and new_game.first >= len(new_game.seats):
        raise Problem("bad-seats", f"seat {new_game.first} can't go first: there's no such seat")
    game = deal(rules, [seat.name.strip() for seat in new_game.seats], secrets.token_hex(16), new_game.first)

    def table_of(person: str) -> SeatedGame:
        seats = tuple(
            Seat(None, find(seat.level).name) if seat.level is not None else Seat(person, None, face=seat.face)
            for seat in new_game.seats
        )
        settings = (new_game.aids, new_game.pace, False, new_game.turn_limit, new_game.rated)
        return SeatedGame.begin(new_id(), game, seats, services(request).store.clock.now(), *settings)

    table_of("")  # Check that the game is valid before creating an identity for its player.

    async def answer(person: str) -> Created:
        await remember_face(request, person, next((seat.face for seat in new_game.seats if seat.kind == "me"), None))
        if new_game.commitment is not None:
            return await _deal_jointly(request, new_game, rules, person, new_game.commitment)
        table = table_of(person)
        store = services(request).store
        await check_open_games(store, person)
        await store.add_game(row_of(table), digest(game))
        STARTED.inc()
        return Created(table.id)

    return await with_person(request, answer, 201)


async def _deal_jointly(request: Request, new_game: NewGame, rules: Rules, person: str, commitment: str) -> Created:
    """Open a table for people on one device. The game starts when they reveal their part of the deal."""
    now = services(request).store.clock.now()
    chairs = tuple(
        Chair("person", seat.name.strip(), person, away_since=now, face=seat.face)
        if seat.level is None
        else Chair("bot", seat.name.strip(), level=seat.level)
        for seat in new_game.seats
    )
    gathering = Gathering(
        id=new_id(),
        host=person,
        chairs=chairs,
        rules=rules,
        first=new_game.first,
        aids=new_game.aids,
        pace=new_game.pace,
        watch=False,
        turn_limit=new_game.turn_limit,
        rated=new_game.rated,
        latecomers=False,
        entropy=new_part(),
        dealing=True,
    )
    table = committed(gathering, person, commitment)
    await check_open_games(services(request).store, person)
    await services(request).gatherings.add(table, origin_of(request))
    return Created(table.id, terms(table, person))


async def my_games(request: Request, message: WhichGames) -> MyGames:
    store = services(request).store
    after = _page_end(message.after)
    person = await person_of(request, store)
    if person is None:
        return MyGames([], [], None)
    rows = await store.games_of(person, _PAGE + 1, after)
    tallies = await store.tallies_of(person)
    return MyGames(
        games=[summary for row in rows[:_PAGE] if (summary := _summary(row, person))],
        wins=[Wins(tally.preset or None, tally.played, tally.won) for tally in tallies],
        next=" ".join(map(str, PageEnd.of(rows[_PAGE - 1]))) if len(rows) > _PAGE else None,
    )


def _page_end(text: str) -> PageEnd | None:
    """Parse the end of the previous page, as written by `my_games`."""
    match text.split(" "):
        case [""]:
            return None
        case [("True" | "False") as over, at, last] if could_be_id(last) and at.isprintable():
            return PageEnd(over == "True", at, last)
    raise Problem("bad-message", "`after` must be the previous page's `next`")


async def game_state(request: Request, _body: None) -> State:
    live = await requested_game(request)
    return live.state_for(await person_of(request, services(request).store))


async def game_record(request: Request, _body: None) -> Response:
    """The record as a file. It contains every hand, so it's available only when the game is over."""
    live = await requested_game(request)
    live.check_may_see(await person_of(request, services(request).store))
    if not live.table.game.over:
        raise Problem("not-over")
    headers = {"Content-Disposition": f'attachment; filename="chromino-{live.id}.jsonl"'}
    return Response(str(live.table.game.record), headers=headers, media_type="application/jsonl")


async def rematch(request: Request, message: WhichRematch) -> Created:
    """Offer a rematch: same people, same rules, and the next player goes first. Each game has only one rematch.

    The rematch starts when everyone has contributed to the deal. People who send no commitment contribute nothing.
    """
    store = services(request).store
    person = await must_be_player(request, store)
    live = await requested_game(request)
    people = [who.person for who in live.table.seats if who.person is not None]
    banned = await store.look_up(banned_among([*people, *(who.person for who in live.table.waiting)]))
    commitment = message.commitment or None
    _, table = gather_rematch(live.table, person, new_id(), commitment, new_part(), banned, live.now())
    await check_open_games(store, person)
    gatherings = services(request).gatherings
    next_id = await gatherings.add_rematch(live.id, table)
    live.set_rematch(next_id)
    if next_id == table.id:
        await gatherings.offer(table, live.table.game.players[live.table.seats_of(person)[0]])
    if commitment:
        return Created(next_id, terms(table, person) if next_id == table.id else None)
    try:
        after = await gatherings.change(next_id, lambda table: contribute_nothing(table, person, live.now()))
    except Declined:  # They've given up their chair at that table.
        return Created(next_id)
    except Problem as problem:
        if problem.code == "no-such-gathering":  # The rematch has started.
            return Created(next_id)
        raise
    if isinstance(after, Gathering):
        return Created(next_id, terms(after, person))
    STARTED.inc()
    await services(request).games.start_clock(next_id)
    return Created(next_id)


async def share(request: Request, _body: None) -> GameLink:
    """Share a finished game, and return the link to it."""
    live = await requested_game(request)
    await live.share(await person_of(request, services(request).store))
    site = site_for(services(request).settings, request.base_url)
    return GameLink(f"{site.url}replay/{live.id}" if live.table.watch else site.url, site.reach)


async def check_record(request: Request, message: CheckRecord) -> Checked:
    """Check a record from any server against the rules. If it's invalid, say on which line, and why."""
    return await in_helper(request, partial(record_work.check, message.record))


class _Header(msgspec.Struct):
    """The fields of a record's first line that a list of games needs."""

    rules: msgspec.Raw
    players: list[str]


_header = msgspec.json.Decoder(_Header).decode


@lru_cache
def _preset(rules: bytes) -> str | None:
    """The name of the rules in a header. It's cached because most games use one of a few presets."""
    return Rules.from_json(json.loads(rules)).name


def _summary(row: ListedGame, person: str) -> GameSummary | None:
    """A line of the list, or None for a damaged game, so that the other games can still be listed."""
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
            rated=row.rated,
            **row.digest,
        )
    except (ValueError, KeyError, TypeError, msgspec.MsgspecError) as error:
        log.warning("can't list game %s: %s", row.id, error)
        return None
