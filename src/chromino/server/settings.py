"""What an operator can configure, with `chromino serve` options or environment variables."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from chromino.review.reviewing import PLAYOUTS
from chromino.seated.automatic import GRACE
from chromino.server.database.database_urls import is_address

MAX_KEEP_DAYS = 36_500
MIN_PLAYOUTS, MAX_PLAYOUTS = 1_000, 10_000_000
_PREFIX = "CHROMINO_"


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; workers get them from their parent through the environment."""

    database: str
    """A path, or an address that starts with postgresql://."""
    grace: float = GRACE
    """Seconds until a bot stands in for someone who's away."""
    keep_days: int = 0
    """Days after which a finished game is deleted; 0 means never."""
    unfinished_days: int = 0
    """Days after which an abandoned game is deleted; 0 means never."""
    limits: str = "all"
    """Which rate limits apply: "all", "identity" (per person, but not per IP address), or "none"."""
    contact: str = ""
    """Where to report security issues: an address that begins with mailto: or https://."""
    review_playouts: int = PLAYOUTS
    """Random games played for a review: more games give a more precise result, but take longer."""
    public_url: str = ""
    """This server's public URL, used in links; ends with a slash."""
    push: str = "on"
    """Notifications: "on" or "off"."""
    push_hosts: str = ""
    """More push services to trust, separated by commas."""
    network_url: str = ""
    """The URL at which other devices on this network reach this server, found at startup; ends with a slash."""

    def __post_init__(self) -> None:
        for days in (self.keep_days, self.unfinished_days):
            if not 0 <= days <= MAX_KEEP_DAYS:
                raise ValueError(f"days to keep games must be 1 to {MAX_KEEP_DAYS}, or 0 for forever, not {days}")
        if not (math.isfinite(self.grace) and self.grace >= 0):
            raise ValueError(f"grace must be 0 or more seconds, not {self.grace}")
        if not MIN_PLAYOUTS <= self.review_playouts <= MAX_PLAYOUTS:
            raise ValueError(
                f"a review must have {MIN_PLAYOUTS} to {MAX_PLAYOUTS} playouts, not {self.review_playouts}"
            )
        if self.contact and not re.fullmatch(r"(mailto:|https://)[!-~]+", self.contact):
            raise ValueError(f"a contact must begin with mailto: or https://, not {self.contact!r}")
        if self.push not in ("on", "off"):
            raise ValueError(f"push must be on or off, not {self.push!r}")
        for url in filter(None, (self.public_url, self.network_url)):
            if not re.fullmatch(r"https?://[A-Za-z0-9._:\[\]-]+/", url, re.ASCII):
                raise ValueError(f"a public URL must look like https://chromino.example/, not {url!r}")
        if "://" in self.database and not is_address(self.database):
            raise ValueError("a database must be a file, or an address that starts with postgresql://")

    def to_environment(self) -> dict[str, str]:
        """These settings as environment variables, for another process."""
        return {_PREFIX + field.name.upper(): str(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Settings that `to_environment` wrote."""
        values: dict[str, Any] = {}
        for field in fields(cls):
            text = environment.get(_PREFIX + field.name.upper())
            if text is not None:
                values[field.name] = _PARSERS[str(field.type)](text)
        return cls(**values)


_PARSERS: dict[str, Callable[[str], Any]] = {"str": str, "int": int, "float": float}
