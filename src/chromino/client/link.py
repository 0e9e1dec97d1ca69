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
    """A link to a game, or to a table that you can join."""

    site: str
    """The server's origin, like "http://localhost:8075"."""
    game: str
    is_gathering: bool
    """Does the link lead to a table that you can join?"""

    @classmethod
    def parse(cls, text: str) -> Link:
        """Parse a link.

        >>> Link.parse("http://LOCALHOST:80/join/abc")
        Link(site='http://localhost', game='abc', is_gathering=True)
        """
        with suppress(ValueError):  # An invalid port or address.
            parts = urlsplit(text.strip())
            match = re.fullmatch(r"/(join|game)/([0-9A-Za-z_-]+)/?", parts.path)
            if parts.scheme in _PORTS and parts.hostname and match:
                host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
                port = "" if parts.port in (None, _PORTS[parts.scheme]) else f":{parts.port}"
                return cls(f"{parts.scheme}://{host}{port}", match[2], match[1] == "join")
        raise ClientError(f"a link must look like http://host/join/ID or http://host/game/ID, not {text[:100]!r}")
