"""Calls about gatherings: tables that friends join with a link, the lobby, and the host's decisions."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from chromino.fair_deal import new_part
from chromino.messages.deals import Commit, Reveal
from chromino.messages.games import Created
from chromino.messages.gatherings import (
    Arrange,
    ChairChoice,
    FillSeat,
    FreeSeat,
    GatheringState,
    Lobby,
    NewGathering,
    Offers,
    RematchOffer,
    Sit,
    TableLink,
)
from chromino.seated import dealing
from chromino.seated import gathering as core
from chromino.seated.events import Arranged, GatheringEvent
from chromino.seated.gathering import Gathering, checked_name, committed
from chromino.seated.seats import FREE, Chair
from chromino.seated.shown import gathering_state
from chromino.server.database.store import new_id
from chromino.server.games.gatherings import Gatherings
from chromino.server.http.calls import check_open_games, origin_of, remember_face, rules_of, with_person
from chromino.server.http.site_links import site_for
from chromino.server.operating.metrics import STARTED
from chromino.server.people.identity import must_be_person, must_be_player, person_of
from chromino.server.problems import Problem
from chromino.server.services import services


async def gather(request: Request, new_gathering: NewGathering) -> Response:
    """Open a table for others to join."""
    rules = rules_of(new_gathering.rules)
    if sum(chair.kind == "me" for chair in new_gathering.chairs) != 1:
        raise Problem("bad-seats")

    def table_of(person: str) -> Gathering:
        now = services(request).store.clock.now()
        return Gathering(
            id=new_id(),
            host=person,
            chairs=tuple(_chair(choice, person, now) for choice in new_gathering.chairs),
            rules=rules,
            first=new_gathering.first,
            aids=new_gathering.aids,
            pace=new_gathering.pace,
            watch=new_gathering.watch,
            public=new_gathering.public,
            turn_limit=new_gathering.turn_limit,
            rated=new_gathering.rated,
            latecomers=new_gathering.latecomers,
            entropy=new_part(),
        )

    table_of("")  # Check that the table is valid before creating an identity for its host.

    async def answer(person: str) -> Created:
        await remember_face(request, person, next(chair.face for chair in new_gathering.chairs if chair.kind == "me"))
        gathering = table_of(person)
        if new_gathering.commitment is not None:
            gathering = committed(gathering, person, new_gathering.commitment)
        await check_open_games(services(request).store, person)
        await _gatherings(request).add(gathering, origin_of(request))
        return Created(gathering.id)

    return await with_person(request, answer, 201)


async def lobby(request: Request, _body: None) -> Lobby:
    person = await person_of(request, services(request).store)
    return Lobby([gathering_state(table, person) for table in await _gatherings(request).lobby()])


async def my_offers(request: Request, _body: None) -> Offers:
    """Rematches waiting for my answer, wherever I am."""
    store = services(request).store
    person = await person_of(request, store)
    rematches = [] if person is None else await _gatherings(request).offers_to(person)
    now = store.clock.now()
    return Offers(
        [
            RematchOffer(
                table.id,
                next((chair.name for chair in table.chairs if chair.person == table.host), ""),
                round(max(0.0, (table.offer_ends or now) - now), 1),
            )
            for table in rematches
        ]
    )


async def gathering(request: Request, _body: None) -> GatheringState:
    table = await _gatherings(request).get(request.path_params["game"])
    return gathering_state(table, await person_of(request, services(request).store))


async def sit(request: Request, message: Sit) -> Response:
    """Sit down under a name; no account needed."""
    table = await _gatherings(request).get(request.path_params["game"])
    if await person_of(request, services(request).store) is None:
        core.sit(table, "", message.name, 0.0)  # Don't create an identity if they can't sit down.

    async def answer(person: str) -> GatheringState:
        table_id = request.path_params["game"]
        after = await _gatherings(request).sit(table_id, person, message)
        await remember_face(request, person, message.face)
        return gathering_state(after, person)

    return await with_person(request, answer)


async def stand_up(request: Request, _body: None) -> GatheringState | Response:
    person = await must_be_person(request, services(request).store)
    after = await _gatherings(request).change(request.path_params["game"], lambda table: core.stand_up(table, person))
    return gathering_state(after, person) if isinstance(after, Gathering) else Response(status_code=204)


async def remove(request: Request, message: FreeSeat) -> GatheringState:
    person = await must_be_player(request, services(request).store)
    return await _change(request, person, lambda table: core.remove(table, person, message.seat))


async def fill(request: Request, message: FillSeat) -> GatheringState:
    person = await must_be_player(request, services(request).store)
    return await _change(
        request, person, lambda table: core.fill(table, person, message.seat, message.level, message.name)
    )


async def arrange(request: Request, message: Arrange) -> GatheringState:
    """Let the host change the seats, the rules and other choices."""
    person = await must_be_player(request, services(request).store)
    changes = Arranged(
        chairs=message.seats,
        rules=rules_of(message.rules),
        aids=message.aids,
        pace=message.pace,
        watch=message.watch,
        public=message.public,
        turn_limit=message.turn_limit,
        rated=message.rated,
        latecomers=message.latecomers,
    )
    return await _change(request, person, lambda table: core.arrange(table, person, changes))


async def begin(request: Request, _body: None) -> Created:
    person = await must_be_player(request, services(request).store)
    now = services(request).store.clock.now()
    return await _deal(request, person, lambda table: dealing.begin(table, person, now))


async def commit(request: Request, message: Commit) -> GatheringState:
    """Commit to my part of the deal, or replace my earlier commitment."""
    person = await must_be_player(request, services(request).store)
    return await _change(request, person, lambda table: dealing.commit(table, person, message.commitment))


async def reveal(request: Request, message: Reveal) -> Created:
    """Reveal my part of the deal. Once all parts are revealed, the tiles are dealt."""
    person = await must_be_player(request, services(request).store)
    return await _deal(
        request, person, lambda table: dealing.reveal(table, person, message.part, services(request).store.clock.now())
    )


async def stop(request: Request, _body: None) -> GatheringState:
    """Let the host stop waiting for missing parts of the deal."""
    person = await must_be_player(request, services(request).store)
    return await _change(request, person, lambda table: dealing.stop(table, person))


async def link(request: Request, _body: None) -> TableLink:
    """The link to a gathering, and who can open it."""
    table_id = request.path_params["game"]
    await _gatherings(request).get(table_id)
    site = site_for(services(request).settings, request.base_url)
    return TableLink(f"{site.url}join/{table_id}", site.reach)


async def link_picture(request: Request, _body: None) -> Response:
    """The link to a gathering as a QR code."""
    table_link = await link(request, _body)
    picture = await services(request).pictures.qr_code(request, table_link.url)
    return Response(picture.content, media_type=picture.type)


async def _change(
    request: Request, person: str, decide: Callable[[Gathering], GatheringEvent | None]
) -> GatheringState:
    after = await _gatherings(request).change(request.path_params["game"], decide)
    if not isinstance(after, Gathering):
        raise Problem("no-such-gathering")
    return gathering_state(after, person)


async def _deal(request: Request, person: str, decide: Callable[[Gathering], GatheringEvent | None]) -> Created:
    """Take a step of the deal, which may start the game."""
    table_id = request.path_params["game"]
    after = await _gatherings(request).change(table_id, decide)
    if isinstance(after, Gathering):
        return Created(table_id, dealing.terms(after, person))
    STARTED.inc()
    await services(request).games.start_clock(table_id)
    return Created(table_id)


def _gatherings(request: Request) -> Gatherings:
    return services(request).gatherings


def _chair(choice: ChairChoice, host: str, now: float) -> Chair:
    if (choice.level is not None) != (choice.kind == "bot"):
        raise Problem("bad-seats", "a bot needs a level, and others can't have one")
    if choice.face is not None and choice.kind not in ("me", "here"):
        raise Problem("bad-seats", "only people can choose a face")
    if choice.kind == "free":
        return FREE
    name = checked_name(choice.name)
    if choice.kind == "bot":
        return Chair("bot", name, level=choice.level)
    return Chair("person", name, host, away_since=now, face=choice.face)
