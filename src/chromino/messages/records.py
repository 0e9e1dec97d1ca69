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
    """The result of a recorded game, if the record follows the rules."""

    over: bool
    winners: list[int]
    scores: list[int]
    preset: str | None


@dataclass(frozen=True, slots=True)
class DrawRecord:
    """A record to draw: the position after this many events or, if `move` is null, at the end."""

    record: Annotated[str, Bounds(max_length=60_000)]
    kind: Literal["svg", "png", "gif", "animated"]
    move: Annotated[int, Bounds(ge=0, le=10_000)] | None = None
    theme: Theme = "auto"


@dataclass(frozen=True, slots=True)
class WhichPicture:
    """The query string for a picture."""

    theme: Annotated[
        Theme,
        Bounds(description="Light, dark, or (`auto`) the viewer's system theme; with `auto`, a PNG is light."),
    ] = "auto"
