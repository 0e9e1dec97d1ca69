"""Calls about your own account: linking a device, recovering the account, declaring a bot, and erasing the account."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from chromino.messages.people import COOKIE, Account, ChooseFace, ClaimCode, OneTimeCode, RecoveryCode
from chromino.server.database.store import Change
from chromino.server.people import erasing, people, ratings
from chromino.server.people.identity import (
    claim_code,
    give_cookie,
    must_be_person,
    new_code,
    new_person,
    new_recovery_code,
    person_of,
    remove_cookie,
    sign_out_others,
)
from chromino.server.problems import Problem
from chromino.server.services import services


async def make_code(request: Request, _body: None) -> OneTimeCode:
    """A code that links another device to the caller's account. It works once, and only for ten minutes."""
    store = services(request).store
    return OneTimeCode(await new_code(store, await must_be_person(request, store)))


async def make_recovery_code(request: Request, _body: None) -> RecoveryCode:
    """A recovery code, valid on any device. The caller's earlier one becomes invalid."""
    store = services(request).store
    return RecoveryCode(await new_recovery_code(store, await must_be_person(request, store)))


async def account(request: Request, _body: None) -> Account:
    store = services(request).store
    person = await person_of(request, store)
    return Account(0, None) if person is None else await store.read(people.account(person))


async def sign_out(request: Request, _body: None) -> Account:
    """Sign out all of the caller's other devices, and void all codes."""
    store = services(request).store
    person = await must_be_person(request, store)
    await sign_out_others(store, person, request.cookies[COOKIE])
    return await store.read(people.account(person))


async def claim(request: Request, message: ClaimCode) -> Response:
    """Link this device to the person who made the code."""
    secret = await claim_code(services(request).store, message.code)
    if secret is None:
        raise Problem("bad-code")
    response = Response(status_code=204)
    give_cookie(response, secret, secure=request.url.scheme == "https")
    return response


async def declare_bot(request: Request, _body: None) -> Response:
    """Record that a program plays for the caller, even before their first game. From then on, everyone can see this."""
    store = services(request).store
    response = Response(status_code=204)
    person = await person_of(request, store)
    if person is None:
        person, secret = await new_person(store)
        give_cookie(response, secret, secure=request.url.scheme == "https")
    await store.write(ratings.declare_program(person), _changes, isolated=False)
    return response


def _changes(affected: tuple[list[str], list[str]]) -> list[Change]:
    games, gatherings = affected
    return [*(Change("game", game) for game in games), *(Change("gathering", each) for each in gatherings)]


async def choose_face(request: Request, message: ChooseFace) -> Response:
    """Change the caller's face from now on. Seats they already have don't change, and this creates no identity."""
    store = services(request).store
    person = await person_of(request, store)
    if person is not None:
        await store.write(people.choose_face(person, message.face), isolated=False)
    return Response(status_code=204)


async def erase_me(request: Request, _body: None) -> Response:
    """Erase the caller. Games they played with other people stay."""
    store = services(request).store
    person = await must_be_person(request, store)
    await erasing.erase(store, person)
    response = Response(status_code=204)
    remove_cookie(response)
    return response
