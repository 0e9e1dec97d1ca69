"""The page with its link preview: Open Graph tags, with sentences from `preview_words.py`.

The tags contain only what anyone with the link may see. Pages of different games differ only in these tags; the ETag
is a hash of the content.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache
from html import escape
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from chromino.draw.scenes import CARD
from chromino.messages.people import COOKIE
from chromino.seated.declined import Declined
from chromino.server.games.live_game import LiveGame
from chromino.server.http.assets import Asset, page_asset
from chromino.server.http.calls import address_of
from chromino.server.http.site_links import site_for
from chromino.server.people.identity import hashed
from chromino.server.pictures.preview_words import WORDS, Words, best_language
from chromino.server.problems import Problem
from chromino.server.services import services

_PLACEHOLDER = b"<!-- preview -->"
_TIMEOUT = 2.0  # Seconds to wait for the database: the page must load anyway.


class Preview(NamedTuple):
    title: str
    about: str
    path: str
    picture: str


async def page(request: Request) -> Response:
    """The page, with the preview for its address. The page's script shows the rest."""
    words = WORDS[best_language(request.headers.get("accept-language", ""))]
    preview = await _preview(request, words)
    tags = _tags(preview, site_for(services(request).settings, request.base_url).url, words.locale)
    return _filled(page_asset(request), tags).response(request, vary="Accept-Encoding, Accept-Language")


async def _preview(request: Request, words: Words) -> Preview:
    """The preview of the game or gathering in the address, or the general one if not everyone may see it."""
    general = Preview("Chromino", words.general, "", "api/card.png")
    game = request.path_params.get("game")
    if game is None:
        return general
    secret = request.cookies.get(COOKIE)
    try:
        services(request).limits.check("ask", secret and hashed(secret), address_of(request))
        async with asyncio.timeout(_TIMEOUT):
            if request.url.path.startswith("/join/") and (preview := await _gathering_preview(request, game, words)):
                return preview
            live = await services(request).games.get(game)
            live.check_may_see(None)
    except (Problem, Declined, TimeoutError):
        return general
    return _game_preview(live, request.url.path, words)


async def _gathering_preview(request: Request, game: str, words: Words) -> Preview | None:
    try:
        gathering = await services(request).gatherings.get(game)
    except Problem:
        return None
    people = [chair.name for chair in gathering.chairs if chair.kind == "person"]
    title = f"{words.invitation(people)} – Chromino"
    return Preview(title, words.general, f"join/{game}", "api/card.png")


def _game_preview(live: LiveGame, path: str, words: Words) -> Preview:
    view = live.table.game.view(None)
    names = view.players
    result = words.result(names, view.winners) if view.over else words.playing(names)
    numbers = view.scores if view.rules.scoring else view.hand_sizes
    about = " · ".join(
        [words.tiles.format(n=len(view.table)), *(f"{name} {n}" for name, n in zip(names, numbers, strict=True))]
    )
    picture = f"api/games/{live.id}/card.png?v={live.table.version}"
    return Preview(f"{result} – Chromino", about, path.lstrip("/"), picture)


def _tags(preview: Preview, base: str, locale: str) -> str:
    """Write the tags. All text is escaped, because others may have chosen any of it, even the base URL."""
    picture, (width, height) = base + preview.picture, CARD
    properties = {
        "og:site_name": "Chromino",
        "og:type": "website",
        "og:title": preview.title,
        "og:description": preview.about,
        "og:url": base + preview.path,
        "og:locale": locale,
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": width,
        "og:image:height": height,
        "og:image:alt": preview.title,
    }
    names = {
        "twitter:card": "summary_large_image",
        "twitter:title": preview.title,
        "twitter:description": preview.about,
        "twitter:image": picture,
    }
    tags = [f'<meta property="{name}" content="{escape(str(text))}">' for name, text in properties.items()]
    tags += [f'<meta name="{name}" content="{escape(text)}">' for name, text in names.items()]
    return "\n    ".join(tags)


@lru_cache(maxsize=256)
def _filled(page: Asset, tags: str) -> Asset:
    return Asset.of(page.content.replace(_PLACEHOLDER, tags.encode()), "html")
