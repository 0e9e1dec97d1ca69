"""Joint deals: everyone contributes a random part of the seed, and can't change it once other parts are known.

First, everyone shows a commitment, the SHA-256 of their part. Only when all commitments are known do they reveal their
parts. The seed's text is the parts joined in the order of the seats, with the server's last. Keep the commitments
that you're shown before you reveal your part, and you can check after the game that the seed matches them. One honest
part is enough to make the whole seed random.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from chromino.deal import first_seat

SEPARATOR = "-"
"""Separates the parts in a seed's text."""

Verdict = Literal[
    "verified", "repeated", "not-in-it", "changed", "other-rules", "other-seats", "other-hash", "other-tiles"
]
"""The result of checking a deal.

- `verified`: all is well.
- `repeated`: all is well, but players had to contribute parts more than once.
- `not-in-it`: the player's own part isn't in the seed.
- `changed`: someone's part doesn't match their commitment.
- `other-rules`: the rules changed.
- `other-seats`: the seats or the first player changed.
- `other-hash`: the seed doesn't match the hash that came with the hand.
- `other-tiles`: the seed gives different tiles.
"""


def new_part() -> str:
    """A new part: 128 random bits, in hexadecimal."""
    return secrets.token_hex(16)


def commitment_of(part: str) -> str:
    """The commitment to show before the part itself.

    >>> commitment_of("00" * 16)[:16]
    '84e0c0eafaa95a34'
    """
    return sha256(part.encode()).hexdigest()


def derived_part(secret: str, number: int) -> str:
    """A numbered part derived from one secret. It reveals neither the secret nor any other part."""
    return sha256(f"{secret} {number}".encode()).hexdigest()[:32]


def join_parts(parts: Iterable[str]) -> str:
    """The text of the seed made of these parts."""
    return SEPARATOR.join(parts)


@dataclass(frozen=True, slots=True)
class ShownTerms:
    """What a player was shown before revealing their part."""

    commitments: tuple[str, ...]
    """All commitments, in the order of the parts."""
    givers: tuple[tuple[int, ...], ...]
    """For each commitment, the seats it covers; the server's commitment covers the bots' seats."""
    mine: int
    """The index of this player's commitment."""
    seats: tuple[int, ...]
    """This player's seats."""
    players: int
    first: int | None
    """The seat that goes first; None: chance decides."""
    rules: str
    """As JSON; under other rules, the same seed would give different hands."""


@dataclass(frozen=True, slots=True)
class RememberedPart:
    """A player's part of a deal, and what they were shown before they revealed it."""

    part: str
    shown: ShownTerms | None = None
    """None until the player reveals their part."""

    @property
    def commitment(self) -> str:
        return commitment_of(self.part)

    def may_reveal(self, shown: ShownTerms) -> bool:
        """Is it safe to reveal the part now?

        Everyone must have committed. If the part was revealed before, the terms must still be the same: someone who
        already knows it could otherwise try parts of their own until they like the deal.
        """
        is_complete = all(shown.commitments) and shown.commitments[shown.mine] == self.commitment
        return is_complete and self.shown in (None, shown)


@dataclass(frozen=True, slots=True)
class DealCheck:
    """What a player finds out about a deal they took part in."""

    verdict: Verdict
    silent: tuple[int, ...] = ()
    """The seats of other people who contributed no part, and so can't check the deal."""


def silent_seats(shown: ShownTerms, people: Iterable[int]) -> tuple[int, ...]:
    """Which of these seats, all held by people, contributed no part."""
    contributed = {seat for giver in shown.givers[:-1] for seat in giver}
    return tuple(seat for seat in people if seat not in contributed)


def rules_text(rules: Mapping[str, object]) -> str:
    """The rules as canonical text, for comparison."""
    return json.dumps(rules, sort_keys=True)


def verdict(
    own_part: RememberedPart,
    seed: str,
    seed_hash: str | None,
    rules: str,
    seats: Sequence[int],
    players: int,
    first: int,
) -> Verdict:
    """Check whether a finished game was dealt from its players' parts.

    `seed_hash` is the hash that came with the hand, or None if it's unknown; `seats` are the player's own. To check
    that the seed gives the tiles, replay the game's record.
    """
    shown = own_part.shown
    parts = seed.split(SEPARATOR)
    if shown is None or shown.mine >= len(parts) or parts[shown.mine] != own_part.part:
        return "not-in-it"
    if tuple(map(commitment_of, parts)) != shown.commitments:
        return "changed"
    if rules != shown.rules:
        return "other-rules"
    expected_first = first_seat(seed, players) if shown.first is None else shown.first
    if (tuple(seats), players, first) != (shown.seats, shown.players, expected_first):
        return "other-seats"
    if seed_hash is not None and seed_hash != commitment_of(seed):
        return "other-hash"
    return "verified"
