"""Who is asking: a secret in a cookie that scripts cannot read; the database knows its hash alone."""

from __future__ import annotations

import secrets
from hashlib import sha256

from starlette.requests import HTTPConnection
from starlette.responses import Response

from chromino.server.store import Store

COOKIE = "chromino"
_YEARS = 10 * 365 * 24 * 3600


async def person_of(connection: HTTPConnection, store: Store) -> str | None:
    """The id of the person who asks, None if there is no cookie, or one that nobody has."""
    secret = connection.cookies.get(COOKIE)
    return None if secret is None else await store.person(_hashed(secret))


async def new_person(store: Store) -> tuple[str, str]:
    """Someone new: their id, and the secret to give them."""
    person, secret = secrets.token_urlsafe(12), secrets.token_urlsafe(32)
    await store.add_person(person, _hashed(secret))
    return person, secret


def give_cookie(response: Response, secret: str, *, secure: bool) -> None:
    response.set_cookie(COOKIE, secret, max_age=_YEARS, httponly=True, samesite="strict", secure=secure)


def _hashed(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
