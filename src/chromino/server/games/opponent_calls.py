"""Calls about people you've played with, invitations, and looking for someone to play with."""

from __future__ import annotations

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from chromino.messages.opponents import (
    HideSomeone,
    KnownPerson,
    MyPeople,
    Seek,
    SeekState,
    Someone,
    TableInvitation,
    WhichPeople,
)
from chromino.seated.dealing import terms
from chromino.seated.gathering import checked_name
from chromino.seated.pairing import TURN_LIMIT
from chromino.seated.rated_games import check_rated
from chromino.server.database.store import Change
from chromino.server.http.calls import check_limit, check_open_games, remember_face, rules_of, with_person
from chromino.server.operating.metrics import INVITED, PAIRED, SEEKING
from chromino.server.people import invitations, played_with, seekers
from chromino.server.people.identity import must_be_person, must_be_player, person_of
from chromino.server.people.invitations import InvitedTable
from chromino.server.people.seekers import SearchRequest
from chromino.server.services import services


async def my_people(request: Request, message: WhichPeople) -> MyPeople:
    """The people I've played with, and the tables I'm invited to."""
    store = services(request).store
    person = await person_of(request, store)
    if person is None:
        return MyPeople([], [])

    def work(connection: Connection) -> MyPeople:
        answers = invitations.answers(message.table, person)(connection)
        people = [
            KnownPerson(
                game=met.game,
                seat=met.seat,
                name=met.name,
                face=met.face,
                played=met.ended,
                hidden=met.hidden,
                invited=None if met.person not in answers else "declined" if answers[met.person] else "waiting",
            )
            for met in played_with.listed(person)(connection)
        ]
        return MyPeople(people, [_invitation(invited) for invited in invitations.mine(person)(connection)])

    return await store.read(work)


async def hide(request: Request, message: HideSomeone) -> Response:
    store = services(request).store
    person = await must_be_person(request, store)
    await store.write(played_with.hide(person, message.game, message.seat, message.hidden), isolated=False)
    return Response(status_code=204)


async def forget(request: Request, message: Someone) -> Response:
    store = services(request).store
    person = await must_be_person(request, store)
    await store.write(played_with.forget(person, message.game, message.seat), isolated=False)
    return Response(status_code=204)


async def invite(request: Request, message: Someone) -> Response:
    """Invite someone to my table. Asking again doesn't send a second invitation."""
    store = services(request).store
    person = await must_be_player(request, store)
    table_id = request.path_params["game"]
    work = invitations.invite(table_id, person, message.game, message.seat)
    if await store.write(work, lambda is_sent: (Change("notice", table_id),) if is_sent else (), isolated=False):
        INVITED.inc()
    return Response(status_code=204)


async def decline(request: Request, _body: None) -> Response:
    store = services(request).store
    person = await must_be_person(request, store)
    await store.write(invitations.decline(request.path_params["game"], person), isolated=False)
    return Response(status_code=204)


async def seek(request: Request, message: Seek) -> SeekState | Response:
    """Look for someone to play with, or keep looking."""
    store = services(request).store
    search_request = SearchRequest(checked_name(message.name), message.face, rules_of(message.rules), message.rated)
    if search_request.rated:
        check_rated(search_request.rules, aids=False, turn_limit=TURN_LIMIT)

    async def answer(person: str) -> SeekState:
        search = await store.write(seekers.look(person, search_request, is_new=message.anew), isolated=False)
        if (
            search.game is None
            and (paired := await store.write(seekers.pair(person, search_request), isolated=False)) is not None
        ):
            search = paired
            PAIRED.inc()
            SEEKING.observe(store.clock.now() - search.since)
        seconds = max(0, int(store.clock.now() - search.since))
        return SeekState(seconds, search.game, None if search.table is None else terms(search.table, person))

    if not message.anew:
        return await answer(await must_be_player(request, store))
    await check_limit(request, "join")  # This call may create an identity.

    async def start(person: str) -> SeekState:
        await check_open_games(store, person)
        await remember_face(request, person, message.face)
        return await answer(person)

    return await with_person(request, start)


async def stop_seeking(request: Request, _body: None) -> Response:
    store = services(request).store
    person = await person_of(request, store)
    if person is not None:
        await store.write(seekers.stop(person), isolated=False)
    return Response(status_code=204)


def _invitation(invited: InvitedTable) -> TableInvitation:
    table, host = invited.table, invited.table.chairs[invited.seat]
    return TableInvitation(
        game=table.id,
        name=host.name,
        face=host.face,
        preset=table.rules.name,
        turn_limit=table.turn_limit,
        rated=table.rated,
    )
