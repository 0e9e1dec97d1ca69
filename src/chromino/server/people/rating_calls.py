"""Calls about ratings: the leaderboards, and being listed on them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from chromino.bots import find
from chromino.messages.people import BeListed, Leaderboard, Listed, RatedPlayer, WhichLeaderboard
from chromino.seated.gathering import checked_name
from chromino.server.database.store import Change
from chromino.server.people import ratings
from chromino.server.people.identity import must_be_player, person_of
from chromino.server.problems import Problem
from chromino.server.services import services


async def leaderboard(request: Request, message: WhichLeaderboard) -> Leaderboard:
    """The best people or bots in a family of rules, and the reader's own line, which only they can see."""
    store = services(request).store
    family = next((name for name in ratings.FAMILIES if name == request.path_params["family"]), None)
    if family is None:
        raise Problem("no-such-page")
    person = await person_of(request, store)
    lines = await services(request).leaderboards.get(family, message.board, person)
    return Leaderboard(
        family=family,
        players=[_player(line, message.board, person) for line in lines],
        known=person is not None,
        listed_as=None if person is None else await store.read(ratings.listed_as(person)),
        board=message.board,
    )


async def be_listed(request: Request, message: BeListed) -> Response:
    """Appear on the leaderboards under this name, or leave them."""
    store = services(request).store
    person = await must_be_player(request, store)
    name = None if message.name is None else checked_name(message.name)
    await store.write(ratings.be_listed(person, name), lambda _: (Change("ratings"),))
    return Response(status_code=204)


def _player(line: ratings.Line, board: Listed, person: str | None) -> RatedPlayer:
    kind, _, key = line.player.partition(":")
    return RatedPlayer(
        place=line.rank,
        kind="bot" if kind == "b" else "program" if board == "bots" else "person",
        name=line.name,
        level=find(key).level if kind == "b" else None,
        rating=line.rating.points,
        uncertainty=line.rating.uncertainty,
        games=line.rating.games,
        mine=kind == "p" and key == person,
        face=line.face,
    )
