"""Links as people share them."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from chromino.client.errors import ClientError

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Link:
    """The link of a game, or of a table at which one can sit down."""

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
        raise ClientError(f"a link is like http://host/join/ID or http://host/game/ID, not {text[:100]!r}")
