"""Pictures of games: a spectator's view during the game, and everything once it's over.

A helper process draws pictures one at a time, and the latest ones are cached. Pictures of finished games have an ETag.
"""

from __future__ import annotations

from functools import partial
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from chromino.draw import Theme
from chromino.messages.records import DrawRecord, WhichPicture
from chromino.server.http.assets import is_known
from chromino.server.http.calls import caller_of, check_limit, requested_game
from chromino.server.people.identity import person_of
from chromino.server.pictures import painting
from chromino.server.pictures.painting import Picture, PictureKind
from chromino.server.services import services
from chromino.server.work.result_cache import ResultCache
from chromino.server.work.work_queue import WorkQueue
from chromino.version import __version__
from chromino.view import View

_PUBLIC = "public, max-age=300"  # Short, because a name in the picture may be erased.
_MAX_PICTURES = 16  # Pictures to cache.
_MAX_QR_CODES = 256
_TIMEOUT = 30.0  # Seconds for one picture.


class Pictures:
    """The latest pictures. Only drawing a new one counts toward the rate limit."""

    def __init__(self) -> None:
        self._pictures: ResultCache[tuple[View | None, PictureKind, Theme], Picture] = ResultCache(_MAX_PICTURES)
        self._qr_codes: ResultCache[str, Picture] = ResultCache(_MAX_QR_CODES)
        self.queue = WorkQueue(_TIMEOUT)

    async def get(self, request: Request, view: View | None, kind: PictureKind, theme: Theme) -> Picture:
        """A picture, from the cache or newly drawn."""
        key = view, kind, theme
        if key not in self._pictures:
            await check_limit(request, "draw")
        return await self._pictures.get(key, partial(self.queue.do, caller_of(request), partial(painting.draw, *key)))

    async def of_record(self, request: Request, message: DrawRecord) -> Picture:
        work = partial(painting.draw_record, message)
        return await self.queue.do(caller_of(request), work, request.is_disconnected)

    async def qr_code(self, request: Request, link: str) -> Picture:
        if link not in self._qr_codes:
            await check_limit(request, "draw")
        make = partial(self.queue.do, caller_of(request), partial(painting.qr_code, link))
        return await self._qr_codes.get(link, make)


async def picture_svg(request: Request, message: WhichPicture) -> Response:
    return await _of_game(request, "svg", message)


async def picture_png(request: Request, message: WhichPicture) -> Response:
    return await _of_game(request, "png", message)


async def picture_gif(request: Request, message: WhichPicture) -> Response:
    return await _of_game(request, "gif", message)


async def picture_animated(request: Request, message: WhichPicture) -> Response:
    return await _of_game(request, "animated", message)


async def picture_card(request: Request, message: WhichPicture) -> Response:
    return await _of_game(request, "card", message)


async def card(request: Request, _body: None) -> Response:
    """The preview for links that don't lead to a game, or whose game isn't public."""
    return await _answer(request, None, "card", Theme.LIGHT, f"card {__version__}", _PUBLIC)


async def draw_record(request: Request, message: DrawRecord) -> Response:
    """A picture of any record."""
    return _response(await services(request).pictures.of_record(request, message), {})


async def _of_game(request: Request, kind: PictureKind, message: WhichPicture) -> Response:
    live = await requested_game(request)
    live.check_may_see(await person_of(request, services(request).store))
    view = live.table.game.view(None)  # Everyone gets this view, which contains nothing hidden.
    theme = Theme(message.theme)
    fingerprint = f"{kind} {theme} {__version__} {live.table.game.record}" if view.over else None
    return await _answer(request, view, kind, theme, fingerprint, _PUBLIC if live.table.watch else "private, no-cache")


async def _answer(
    request: Request,
    view: View | None,
    kind: PictureKind,
    theme: Theme,
    fingerprint: str | None,
    cache_control: str = "no-store",
) -> Response:
    """The picture, or 304 if the caller already has it. `fingerprint` is everything a cacheable picture depends on."""
    headers = {}
    if fingerprint is not None:
        headers = {"ETag": f'"{sha256(fingerprint.encode()).hexdigest()[:20]}"', "Cache-Control": cache_control}
        if is_known(request, headers["ETag"]):
            return Response(status_code=304, headers=headers)
    picture = await services(request).pictures.get(request, view, kind, theme)
    return _response(picture, headers)


def _response(picture: Picture, headers: dict[str, str]) -> Response:
    return Response(picture.content, headers={**headers, **picture.headers}, media_type=picture.type)
