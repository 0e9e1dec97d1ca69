"""Pictures of games: what a spectator may see of one that goes on, and everything of one that is over.

They are made beside the loop, one at a time, so that bots always find a thread; the latest are kept. Of a game that is
over they are known again by a tag.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, replace
from hashlib import sha256
from re import DOTALL, search
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from chromino.draw import Theme, animated_svg, drawing_svg, game_card, game_drawing
from chromino.draw.scenes import general_card
from chromino.errors import RecordError
from chromino.game import Game
from chromino.record import Record
from chromino.server.assets import is_known
from chromino.server.calls import apart, asker_of, check_limit
from chromino.server.desk import Desk
from chromino.server.identity import person_of
from chromino.server.live import LiveGame
from chromino.server.messages import DrawRecord, WhichPicture
from chromino.server.problems import Problem
from chromino.version import __version__
from chromino.view import View

Kind = Literal["svg", "png", "gif", "animated", "card"]

_SVG, _PNG = "image/svg+xml", "image/png"
_TYPES = {"svg": _SVG, "animated": _SVG, "png": _PNG, "card": _PNG, "gif": "image/gif"}
_POLICY = "default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_KEPT = "public, max-age=300"  # Not for longer: a name in it may be erased.
_MANY = 16  # Pictures that are kept.
_SCALE = 2  # Pixels a unit of a drawing.


@dataclass(frozen=True, slots=True)
class Picture:
    """A file."""

    content: bytes
    type: str

    @property
    def headers(self) -> dict[str, str]:
        """An SVG may hold one style, its own, and no script."""
        if self.type != _SVG:
            return {}
        found = search(rb"<style>(.*?)</style>", self.content, DOTALL)
        style = f"'sha256-{b64encode(sha256(found[1]).digest()).decode()}'" if found else "'none'"
        return {"Content-Security-Policy": _POLICY.format(style)}


class Pictures:
    """The latest pictures that were made. Only what has to be made counts for the limits."""

    def __init__(self) -> None:
        self._kept: dict[tuple[View | None, Kind, Theme], Picture] = {}
        self.desk = Desk("picture")

    async def get(self, request: Request, view: View | None, kind: Kind, theme: Theme) -> Picture:
        """A picture, kept or made."""
        key = view, kind, theme
        found = self._kept.get(key)
        if found is None:
            await check_limit(request, "draw")

            def work() -> Picture:  # Somebody else may have waited for the same.
                return self._kept.get(key) or draw(view, kind, theme)

            found = await self.desk.do(asker_of(request), work, request.is_disconnected)
        self._kept.pop(key, None)
        self._kept[key] = found
        if len(self._kept) > _MANY:
            del self._kept[next(iter(self._kept))]  # The one that nobody has wanted for longest.
        return found


def draw(view: View | None, kind: Kind, theme: Theme) -> Picture:
    """A view as a picture; None: nothing but a nice table."""
    if kind == "svg" and view is not None:
        content = drawing_svg(game_drawing(view), theme).encode()
    elif kind == "animated" and view is not None:
        content = animated_svg(view, theme).encode()
    elif kind == "gif" and view is not None:
        from chromino.draw.gif import gif  # Pillow is not needed before.

        content = gif(view, theme)
    else:
        from chromino.draw.raster import png

        if view is None:
            content = png(general_card(), theme, 1)
        else:
            content = png(game_card(view), theme, 1) if kind == "card" else png(game_drawing(view), theme, _SCALE)
    return Picture(content, _TYPES[kind])


async def picture_svg(request: Request, asked: WhichPicture) -> Response:
    return await _of_game(request, "svg", asked)


async def picture_png(request: Request, asked: WhichPicture) -> Response:
    return await _of_game(request, "png", asked)


async def picture_gif(request: Request, asked: WhichPicture) -> Response:
    return await _of_game(request, "gif", asked)


async def picture_animated(request: Request, asked: WhichPicture) -> Response:
    return await _of_game(request, "animated", asked)


async def picture_card(request: Request, asked: WhichPicture) -> Response:
    return await _of_game(request, "card", asked)


async def card(request: Request, _body: None) -> Response:
    """What a link is shown with that is not a game's, or not everybody's."""
    return await _answer(request, None, "card", Theme.LIGHT, f"card {__version__}", _KEPT)


async def draw_record(request: Request, asked: DrawRecord) -> Response:
    """A picture of any record: whoever has it knows all hands."""
    try:
        game = await apart(request, lambda: _moment(asked))
    except RecordError as error:
        raise Problem("bad-record", str(error)) from None
    view = replace(game.view(None), hands=game.hands)
    return await _answer(request, view, asked.kind, Theme(asked.theme), None)


def _moment(asked: DrawRecord) -> Game:
    record = Record.parse(asked.record)
    Game.replay(record)  # All of it must be right, though only a part is shown.
    return Game.replay(replace(record, events=record.events[: asked.move]))


async def _of_game(request: Request, kind: Kind, asked: WhichPicture) -> Response:
    live: LiveGame = await request.app.state.games.get(request.path_params["game"])
    live.check_may_see(await person_of(request, request.app.state.store))
    view = live.game.view(None)  # The same for all who may look; it holds nothing hidden.
    theme = Theme(asked.theme)
    mark = f"{kind} {theme} {__version__} {live.game.record}" if view.over else None
    return await _answer(request, view, kind, theme, mark, _KEPT if live.watch else "private, no-cache")


async def _answer(
    request: Request, view: View | None, kind: Kind, theme: Theme, mark: str | None, keep: str = "no-store"
) -> Response:
    """The picture, or word that it is known already; `mark` is what it depends on, if it can be kept."""
    headers = {}
    if mark is not None:
        headers = {"ETag": f'"{sha256(mark.encode()).hexdigest()[:20]}"', "Cache-Control": keep}
        if is_known(request, headers["ETag"]):
            return Response(status_code=304, headers=headers)
    picture = await request.app.state.pictures.get(request, view, kind, theme)
    return Response(picture.content, headers={**headers, **picture.headers}, media_type=picture.type)
