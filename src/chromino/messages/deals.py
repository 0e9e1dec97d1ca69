"""How tiles are dealt: everyone contributes a random part, without seeing the others' parts first (docs/server.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from chromino.messages.bounds import Bounds, SeatNumber
from chromino.messages.views import WireRules

DealKind = Literal["joint", "server", "fixed"]
"""Dealt by players and the server together, by the server alone, or from a seed that someone chose."""

Part = Annotated[str, Bounds(max_length=32, pattern=r"^[0-9a-f]{32}$(?!\n)", description="128 random bits")]
Commitment = Annotated[str, Bounds(max_length=64, pattern=r"^[0-9a-f]{64}$(?!\n)", description="SHA-256 of a part")]


@dataclass(frozen=True, slots=True)
class DealTerms:
    """What determines the seed of a table's deal. Save these terms before you reveal your part."""

    begun: bool
    """Is the table waiting for commitments and parts? If so, nobody can sit down."""
    commitments: list[str]
    """In seat order, with the server's last. An empty one is still missing: reveal nothing until all are there."""
    givers: list[list[SeatNumber]]
    """For each commitment, the seats it covers; the server's covers its bots' seats. Other seats contribute nothing."""
    mine: int | None
    """The index of the reader's commitment; null if the reader contributes nothing."""
    seats: list[SeatNumber]
    """The reader's seats in the game."""
    players: int
    first: SeatNumber | None
    """The seat that goes first; null if chance decides."""
    rules: WireRules


@dataclass(frozen=True, slots=True)
class Commit:
    """The hash of a new part."""

    commitment: Commitment


@dataclass(frozen=True, slots=True)
class Reveal:
    """Your part, once all commitments are there."""

    part: Part
