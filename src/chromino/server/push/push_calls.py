"""Calls about notifications: subscribe a browser, and unsubscribe it."""

from __future__ import annotations

from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from chromino.messages.push import PushOff, PushOffer, PushOn
from chromino.server.database import notices
from chromino.server.database.notices import PushBrowser
from chromino.server.people.identity import must_be_player
from chromino.server.problems import Problem
from chromino.server.push.push_words import WORDS
from chromino.server.push.quiet_hours import is_timezone
from chromino.server.push.web_push import BadKeys, Browser
from chromino.server.services import services


async def offer(request: Request, _body: None) -> PushOffer:
    """What a browser needs to subscribe."""
    sender = services(request).push
    return PushOffer(None if sender is None else sender.public_key)


async def turn_on(request: Request, message: PushOn) -> Response:
    """Send the caller notifications in this browser, too."""
    store, sender = services(request).store, services(request).push
    person = await must_be_player(request, store)
    if sender is None or not sender.services.allows(message.endpoint):
        raise Problem("bad-push")
    try:
        Browser.of(message.endpoint, message.p256dh, message.auth)
    except BadKeys:
        raise Problem("bad-push") from None
    browser = PushBrowser(
        endpoint=message.endpoint,
        p256dh=message.p256dh,
        auth=message.auth,
        language=message.language if message.language in WORDS else "en",
        timezone=message.timezone if is_timezone(message.timezone) else "UTC",
        quiet_from=message.quiet_from,
        quiet_to=message.quiet_to,
    )
    await store.write(notices.subscribe(person, _id_of(message.endpoint), browser, store.clock.now()), isolated=False)
    return Response(status_code=204)


async def turn_off(request: Request, message: PushOff) -> Response:
    """Stop notifications in this browser. Only the browser knows its endpoint, so no other proof is needed."""
    await services(request).store.write(notices.unsubscribe(_id_of(message.endpoint)), isolated=False)
    return Response(status_code=204)


def _id_of(endpoint: str) -> str:
    return sha256(endpoint.encode()).hexdigest()
