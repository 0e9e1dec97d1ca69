"""A person's identity on one site: the site's cookies, in memory or in a file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from pathlib import Path

from chromino.client.errors import ClientError
from chromino.messages.people import COOKIE


class Identity:
    """One person, identified by a secret: whoever has the secret is that person. Cookies from proxies are kept, too."""

    def __init__(self, secret: str | None = None) -> None:
        self._cookies = {} if secret is None else {COOKIE: secret}

    @property
    def secret(self) -> str | None:
        return self._cookies.get(COOKIE)

    @property
    def headers(self) -> dict[str, str]:
        """The headers to send with each request."""
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {"Cookie": cookies} if cookies else {}

    def keep(self, set_cookies: Iterable[str]) -> None:
        """Store the cookies that the site has set, and drop those it has deleted."""
        cookies = SimpleCookie()
        with suppress(CookieError):
            for text in set_cookies:
                cookies.load(text)
        for name, morsel in cookies.items():
            if morsel.value:
                self._cookies[name] = morsel.value
            else:
                self._cookies.pop(name, None)


class IdentityFile(Identity):
    """An identity in a file that only its owner can read, so a restarted program gets its seat back."""

    def __init__(self, path: Path, site: str) -> None:
        super().__init__()
        self._path = path
        self._site = site
        with suppress(FileNotFoundError):
            self._read(path.read_bytes())

    def _read(self, content: bytes) -> None:
        try:
            match json.loads(content):
                case {"site": str(site), "cookie": str(cookie)} if cookie.isascii() and cookie.isprintable():
                    if site != self._site:
                        raise ClientError(f"{self._path} is an identity for {site}, not for {self._site}")
                    super().keep(cookie.split("; "))
                    return
        except (ValueError, RecursionError):
            pass
        raise ClientError(f"{self._path} isn't an identity file")

    def keep(self, set_cookies: Iterable[str]) -> None:
        before = self.headers
        super().keep(set_cookies)
        if self.headers == before:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self._path.with_name(f"{self._path.name}.tmp")
        unfinished.unlink(missing_ok=True)
        unfinished.touch(0o600, exist_ok=False)
        content = {"site": self._site, "cookie": self.headers.get("Cookie", "")}
        unfinished.write_text(json.dumps(content), encoding="utf-8")
        unfinished.replace(self._path)
