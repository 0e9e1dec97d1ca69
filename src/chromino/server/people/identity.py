"""Who's asking. Each device has a secret in a cookie that scripts can't read; the database has only its hash."""

from __future__ import annotations

import secrets
from hashlib import sha256
from unicodedata import normalize

from starlette.requests import HTTPConnection
from starlette.responses import Response

from chromino.messages.people import COOKIE
from chromino.server.database.store import Change, Store, new_id
from chromino.server.people import people
from chromino.server.problems import Problem

_COOKIE_SECONDS = 10 * 365 * 24 * 3600  # Ten years.
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # No 0, 1, I or O, because they look alike.
_CODE_LENGTH = 10  # 50 bits, which is plenty for ten minutes.
_PRINTED_LETTERS = "34679ACDEFGHJKLMNPRTUWXY"  # For paper and handwriting: also no 2, 5, 8, B, Q, S, V or Z.
_RECOVERY_LENGTH = 24  # 110 bits: the code never expires, and we store only a plain hash of it.
_GROUP = 4


async def person_of(connection: HTTPConnection, store: Store) -> str | None:
    """The id of the person who's asking, or None without a valid cookie."""
    secret = connection.cookies.get(COOKIE)
    return None if secret is None else await store.look_up(people.find(hashed(secret)))


async def must_be_person(connection: HTTPConnection, store: Store) -> str:
    """The id of the person who's asking. Raises a `Problem` if they have no identity."""
    person = await person_of(connection, store)
    if person is None:
        raise Problem("nobody")
    return person


async def player_of(connection: HTTPConnection, store: Store) -> str | None:
    """The id of the person who's asking, or None without a valid cookie. Raises a `Problem` if they're banned."""
    player = await store.look_up(people.find_with_ban(hashed(connection.cookies.get(COOKIE, ""))))
    if player is None:
        return None
    person, is_banned = player
    if is_banned:
        raise Problem("banned")
    return person


async def must_be_player(connection: HTTPConnection, store: Store) -> str:
    """The id of the person who's asking. Raises a `Problem` if they have no identity or are banned."""
    player = await player_of(connection, store)
    if player is None:
        raise Problem("nobody")
    return player


async def new_person(store: Store) -> tuple[str, str]:
    """Create a person, and return their id and secret."""
    person, secret = new_id(), new_secret()
    await store.write_few_rows(people.add(person, hashed(secret)))
    return person, secret


def new_secret() -> str:
    return secrets.token_urlsafe(32)


async def new_code(store: Store, person: str) -> str:
    """Create a code that links another device to this person."""
    code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))
    await store.write(people.add_code(person, hashed(code)))
    return f"{code[:5]}-{code[5:]}"


async def new_recovery_code(store: Store, person: str) -> str:
    """Create a code that this person can keep in case they lose all their devices."""
    code = "".join(secrets.choice(_PRINTED_LETTERS) for _ in range(_RECOVERY_LENGTH))
    await store.write_few_rows(people.set_recovery(person, hashed(code)))
    return "-".join(code[start : start + _GROUP] for start in range(0, _RECOVERY_LENGTH, _GROUP))


async def sign_out_others(store: Store, person: str, secret: str) -> None:
    """Sign out all of this person's other devices, and close their open pages."""
    await store.write(people.sign_out_others(person, hashed(secret)), lambda _: (Change("devices", person),))


async def claim_code(store: Store, code: str) -> str | None:
    """Use a code, and return the secret for the device that entered it, or None if the code isn't valid."""
    plain = "".join(letter for letter in normalize("NFKC", code).upper() if letter.isalnum())
    secret = new_secret()
    person = await store.write(people.claim(hashed(plain), hashed(secret)))
    return None if person is None else secret


def give_cookie(response: Response, secret: str, *, secure: bool) -> None:
    response.set_cookie(COOKIE, secret, max_age=_COOKIE_SECONDS, httponly=True, samesite="strict", secure=secure)


def remove_cookie(response: Response) -> None:
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")


def hashed(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
