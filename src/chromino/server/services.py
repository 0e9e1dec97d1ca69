"""The parts of a running server, by name and type, for request handlers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from starlette.requests import HTTPConnection

if TYPE_CHECKING:  # Some of these modules import this one.
    from datetime import date

    from chromino.messages.conundrums import ConundrumText
    from chromino.server.coaching.reviews import Reviews
    from chromino.server.database.store import Store
    from chromino.server.games.gatherings import Gatherings
    from chromino.server.games.live_games import LiveGames
    from chromino.server.http.assets import Asset
    from chromino.server.http.limits import Limits
    from chromino.server.people.leaderboards import Leaderboards
    from chromino.server.people.open_pages import OpenPages
    from chromino.server.pictures.picture_calls import Pictures
    from chromino.server.push.sender import Sender
    from chromino.server.settings import Settings
    from chromino.server.work.result_cache import ResultCache
    from chromino.server.work.work_queue import WorkQueue


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of one server process."""

    settings: Settings
    store: Store
    limits: Limits
    games: LiveGames
    gatherings: Gatherings
    pages: OpenPages
    leaderboards: Leaderboards
    queue: WorkQueue
    """Slow work: hints, conundrums and record checks."""
    reviews: Reviews
    pictures: Pictures
    push: Sender | None
    """Notifications, unless the operator has turned them off."""
    daily: ResultCache[tuple[date, int], ConundrumText]
    """Daily conundrums."""
    assets: Mapping[str, Asset]
    """The page's files, by path."""


def services(connection: HTTPConnection) -> Services:
    """The parts of the server that received this request or socket."""
    return cast("Services", connection.app.state.services)
