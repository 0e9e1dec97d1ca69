"""Limits on values, in addition to their type: `Annotated[int, Bounds(ge=0, le=7)]`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits that the server checks and OpenAPI lists."""

    ge: int | None = None
    le: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class FieldsOf:
    """An object with the fields of a dataclass, as its `to_json` writes them."""

    kind: type
    name: str
    """The object's name in OpenAPI and on the page."""
    about: str
    partial: bool = False
    """May fields be missing?"""


MAX_NAME_LENGTH = 40
Name = Annotated[str, Bounds(min_length=1, max_length=MAX_NAME_LENGTH, description="on one line")]
SeatNumber = Annotated[int, Bounds(ge=0, le=7)]
Version = Annotated[int, Bounds(ge=0, description="how many events have happened")]
Level = Annotated[int, Bounds(ge=1, le=5)]
Face = Literal[
    "bob",
    "short",
    "curls",
    "spikes",
    "long",
    "beard",
    "scarf",
    "bun",
    "redhead",
    "braids",
    "cap",
    "glasses",
]
"""The faces that people can choose from. Pages have a drawing of each one, and `faces.js` lists them in this order."""
TurnLimit = Annotated[int, Bounds(ge=5, le=7 * 24 * 3600, description="seconds")]
