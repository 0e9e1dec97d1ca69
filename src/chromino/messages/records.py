"""Records of games, to be checked or drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from chromino.messages.bounds import Bounds

Theme = Literal["light", "dark", "auto"]


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """A record to be looked at."""

    record: Annotated[str, Bounds(max_length=60_000)]


@dataclass(frozen=True, slots=True)
class Checked:
    """The record as the rules replay it: the view of someone who sees all, when it was over."""

    over: bool
    winners: list[int]
    scores: list[int]
    preset: str | None


@dataclass(frozen=True, slots=True)
class DrawRecord:
    """A picture of a record, at its end or after so many events."""

    record: Annotated[str, Bounds(max_length=60_000)]
    kind: Literal["svg", "png", "gif", "animated"]
    move: Annotated[int, Bounds(ge=0, le=10_000)] | None = None
    theme: Theme = "auto"


@dataclass(frozen=True, slots=True)
class WhichPicture:
    """Behind the "?" of a picture's address."""

    theme: Annotated[
        Theme,
        Bounds(description="Light, dark, or as the viewer's system has it; what is made of pixels is light then."),
    ] = "auto"
