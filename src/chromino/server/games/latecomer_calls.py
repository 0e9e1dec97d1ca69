"""Calls by people who come after the deal: taking over a bot's seat, and waiting for the rematch."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from chromino import seated
from chromino.messages.games import Latecomers, TakeSeat, Wait
from chromino.seated.game import SeatedGame
from chromino.seated.shown import latecomers_of
from chromino.server.http.calls import check_open_games, remember_face, requested_game, with_person
from chromino.server.people.identity import must_be_player, person_of
from chromino.server.services import services


async def latecomers(request: Request, _body: None) -> Latecomers:
    """What a latecomer can do. Anyone with the link learns that the game has started, even if they can't watch."""
    live = await requested_game(request)
    return latecomers_of(live.table, await person_of(request, services(request).store))


async def take_seat(request: Request, message: TakeSeat) -> Response:
    """Take over a bot's seat; no account needed."""

    def decide(table: SeatedGame, person: str, is_program: bool) -> seated.Step:
        now = services(request).store.clock.now()
        return seated.take_seat(table, person, message.seat, message.name, now, message.face, is_program=is_program)

    return await _answer_latecomer(request, message, decide)


async def wait(request: Request, message: Wait) -> Response:
    """Ask for a seat in the rematch; no account needed."""

    def decide(table: SeatedGame, person: str, is_program: bool) -> seated.Step:
        return seated.wait(table, person, message.name, message.face, is_program=is_program)

    return await _answer_latecomer(request, message, decide)


async def stop_waiting(request: Request, _body: None) -> Latecomers:
    person = await must_be_player(request, services(request).store)
    live = await requested_game(request)
    await live.change_latecomers(person, lambda table, _: seated.stop_waiting(table, person))
    return latecomers_of(live.table, person)


async def _answer_latecomer(
    request: Request, message: TakeSeat | Wait, decide: Callable[[SeatedGame, str, bool], seated.Step]
) -> Response:
    live, store = await requested_game(request), services(request).store
    if await person_of(request, store) is None:
        decide(live.table, "", False)  # Raises an error if they can't come in, so no identity is created for nothing.

    async def answer(person: str) -> Latecomers:
        await check_open_games(store, person)
        await live.change_latecomers(person, lambda table, is_program: decide(table, person, is_program))
        await remember_face(request, person, message.face)
        return latecomers_of(live.table, person)

    return await with_person(request, answer)
