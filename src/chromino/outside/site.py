"""Where a game is: its link, the identity that a bot keeps there, calls, and sockets that come back by themselves."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from http.client import HTTPException
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

import msgspec
from platformdirs import user_data_path
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidMessage, InvalidStatus, WebSocketException
from websockets.typing import Origin

T = TypeVar("T")

_PATIENCE = 10.0  # Seconds that a call may take.
_FIRST_WAIT, _LONGEST_WAIT = 0.2, 5.0  # Seconds between two tries to come back.
_STEADY = 5.0  # Seconds after which a connection counts as a good one.
_GIVE_UP = 600.0  # Seconds without any connection.
_PORTS = {"http": 80, "https": 443}


class CannotPlay(Exception):
    """The link, the server or the table says no; `code` is the server's, if it said so itself."""

    def __init__(self, text: str, code: str | None = None) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True)
class Link:
    """A link as people share it."""

    site: str
    """Like "http://localhost:8075", as a page of it would say where it is from."""
    game: str
    is_gathering: bool
    """Is it the link to a table at which one can sit down?"""

    @classmethod
    def parse(cls, text: str) -> Link:
        """Read it.

        >>> Link.parse("http://LOCALHOST:80/join/abc")
        Link(site='http://localhost', game='abc', is_gathering=True)
        """
        with suppress(ValueError):  # A port or an address that is none.
            parts = urlsplit(text.strip())
            found = re.fullmatch(r"/(join|game)/([0-9A-Za-z_-]+)/?", parts.path)
            if parts.scheme in _PORTS and parts.hostname and found:
                host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
                port = "" if parts.port in (None, _PORTS[parts.scheme]) else f":{parts.port}"
                return cls(f"{parts.scheme}://{host}{port}", found[2], found[1] == "join")
        raise CannotPlay(f"a link is like http://host/join/ID or http://host/game/ID, not {text[:100]!r}")


class Identity:
    """Who a bot is on one site, kept in a file that nobody else can read: a bot that is started again has its seat."""

    def __init__(self, path: Path, site: str) -> None:
        self.cookie: str | None = None
        self._path = path
        self._site = site
        try:
            match json.loads(path.read_bytes()):
                case {"site": str(kept), "cookie": str(cookie)} if cookie.isascii() and cookie.isprintable():
                    if kept != site:
                        raise CannotPlay(f"{path} is an identity for {kept}, not for {site}")
                    self.cookie = cookie
                case _:
                    raise CannotPlay(f"{path} is not an identity of a bot")
        except FileNotFoundError:
            pass
        except (ValueError, RecursionError):
            raise CannotPlay(f"{path} is not an identity of a bot") from None

    @classmethod
    def usual(cls, site: str, name: str) -> Identity:
        """The one that is kept for a bot of this name on this site."""
        file = sha256(f"{site} {name}".encode(errors="replace")).hexdigest()[:16]
        return cls(user_data_path("chromino") / "bots" / f"{file}.json", site)

    def keep(self, set_cookies: Iterable[str]) -> None:
        """Keep what the site gave, if it gave something."""
        found = SimpleCookie()
        with suppress(CookieError):
            for text in set_cookies:
                found.load(text)
        cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in found.items() if morsel.value)
        if not cookie:
            return
        self.cookie = cookie
        self._path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self._path.with_name(f"{self._path.name}.tmp")
        unfinished.unlink(missing_ok=True)
        unfinished.touch(0o600, exist_ok=False)
        unfinished.write_text(json.dumps({"site": self._site, "cookie": cookie}), encoding="utf-8")
        unfinished.replace(self._path)


class _NoRedirect(HTTPRedirectHandler):
    """The identity is for one site, and follows nobody elsewhere."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Site:
    """A server as one bot sees it."""

    def __init__(self, address: str, identity: Identity, tell: Callable[[str], None]) -> None:
        self._address = address
        self._identity = identity
        self._tell = tell
        self._was_there = False
        self._is_near = _is_this_machine(urlsplit(address).hostname or "")  # Then no proxy stands between.
        self._opener = build_opener(_NoRedirect, *([ProxyHandler({})] if self._is_near else []))

    async def post(self, path: str, body: object, gives: type[T]) -> T:
        """Call, and read the answer; what the server refuses is raised with its code."""
        content = await asyncio.to_thread(self._post, path, body)
        try:
            return msgspec.json.decode(content or b"null", type=gives)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise self._stranger() from None

    def _post(self, path: str, body: object) -> bytes:
        headers = {"Content-Type": "application/json"}
        if self._identity.cookie is not None:
            headers["Cookie"] = self._identity.cookie
        request = Request(self._address + path, json.dumps(body).encode(), headers, method="POST")  # noqa: S310
        try:
            with self._opener.open(request, timeout=_PATIENCE) as answer:
                cookies, content = answer.headers.get_all("Set-Cookie", []), bytes(answer.read())
        except HTTPError as error:
            raise self._refusal(error) from None
        except (OSError, HTTPException, UnicodeError) as error:  # The last for a name that no host can have.
            raise self._unreachable(error) from None
        self._was_there = True
        self._identity.keep(cookies)
        return content

    async def keep(self, path: str, serve: Callable[[ClientConnection], Awaitable[T]]) -> T:
        """Serve a socket, and the next one whenever it is lost, until `serve` has a result."""
        tries, lost_since = 0, None
        while True:
            began = None
            try:
                async with self._connect(path) as socket:
                    began = monotonic()
                    if lost_since is not None:
                        self._tell(f"{self._address} is back.")
                    self._was_there, lost_since = True, None
                    return await serve(socket)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                raise self._stranger() from None
            except (OSError, WebSocketException, UnicodeError) as error:
                if not self._was_there or _is_final(error):
                    raise self._unreachable(error) from None
            now = monotonic()
            if lost_since is None:
                lost_since = now
                self._tell(f"The connection to {self._address} is lost; trying again.")
            if now - lost_since > _GIVE_UP:
                raise CannotPlay(f"{self._address} has been away for {_GIVE_UP / 60:.0f} minutes")
            tries = 0 if began is not None and now - began > _STEADY else tries + 1
            await asyncio.sleep(min(_LONGEST_WAIT, _FIRST_WAIT * 2**tries) * random.uniform(0.7, 1))

    def _connect(self, path: str) -> connect:
        return connect(
            self._address.replace("http", "ws", 1) + path,
            origin=Origin(self._address),
            additional_headers={} if self._identity.cookie is None else {"Cookie": self._identity.cookie},
            compression=None,
            proxy=None if self._is_near else True,
            open_timeout=_PATIENCE,
            close_timeout=1,
        )

    def _refusal(self, error: HTTPError) -> CannotPlay:
        with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError, OSError, HTTPException):
            said = msgspec.json.decode(error.read(), type=_Refusal)
            return CannotPlay(said.text, said.code)
        return self._stranger()

    def _stranger(self) -> CannotPlay:
        return CannotPlay(f"{self._address} does not answer as a Chromino server does")

    def _unreachable(self, error: Exception) -> CannotPlay:
        if _is_final(error) or isinstance(error, InvalidMessage):
            return self._stranger()
        inner = getattr(error, "reason", error)  # urllib wraps it.
        reason = getattr(inner, "strerror", None) or str(inner) or type(inner).__name__
        return CannotPlay(f"cannot reach {self._address}: {' '.join(reason.split())}")


class _Refusal(msgspec.Struct):
    code: str
    text: str


def _is_final(error: Exception) -> bool:
    """Is somebody there who does not want to talk to us? A proxy may say 500 and up while the server starts."""
    return isinstance(error, InvalidStatus) and error.response.status_code < 500


def _is_this_machine(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"
