"""Game records, to check or draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from chromino.messages.bounds import Bounds

Theme = Literal["light", "dark", "auto"]


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """A record to check."""

    record: Annotated[str, Bounds(max_length=60_000)]


@dataclass(frozen=True, slots=True)
class Checked:
    """The record as the rules replay it: the final view with everything visible."""

    over: bool
    winners: list[int]
    scores: list[int]
    preset: str | None


@dataclass(frozen=True, slots=True)
class DrawRecord:
    """A picture of a record, at its end or after this many events."""

    record: Annotated[str, Bounds(max_length=60_000)]
    kind: Literal["svg", "png", "gif", "animated"]
    move: Annotated[int, Bounds(ge=0, le=10_000)] | None = None
    theme: Theme = "auto"


@dataclass(frozen=True, slots=True)
class WhichPicture:
    """The query string of a picture."""

    theme: Annotated[
        Theme,
        Bounds(description="Light, dark, or like the viewer's system (pixels are light then)."),
    ] = "auto"
