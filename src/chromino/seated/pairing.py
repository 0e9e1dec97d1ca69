"""Who plays whom, among people who are looking for an opponent right now.

Only people who want the same rules are paired. If both have a rating, only a small difference is allowed at first. The
longer one of them has been waiting, the larger the difference may be, so nobody waits long. Time is an argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from chromino.rules import Rules
from chromino.seated.gathering import Gathering
from chromino.seated.seats import Chair

INITIAL_DIFFERENCE = 100.0
"""The rating difference that's allowed from the start."""
DIFFERENCE_PER_SECOND = 40.0
"""How much the allowed difference grows each second."""
PATIENCE = 15.0
"""Seconds after which any difference is allowed."""
GONE_AFTER = 6.0
"""Someone whose page hasn't asked again for this many seconds isn't looking anymore."""
START_WITHIN = 12.0
"""Seconds that two people have to start their game once they've been paired."""
TURN_LIMIT = 180
"""Seconds per turn: nobody should have to wait long for a stranger."""


@dataclass(frozen=True, slots=True)
class Seeker:
    """Someone who's looking for an opponent."""

    person: str
    rules: str
    """The rules they want: they're only paired with people who want the same ones."""
    since: float
    rating: float | None = None
    avoids: frozenset[str] = field(default_factory=frozenset)
    """People they've hidden, or who've hidden them."""


def pairs(seekers: Iterable[Seeker], now: float) -> list[tuple[Seeker, Seeker]]:
    """Who plays whom now. The person who has waited longest is matched first, with whoever is closest in rating."""
    waiting = sorted(seekers, key=_order)
    matched = []
    while waiting:
        first, *waiting = waiting
        if (match := _match(first, waiting, now)) is not None:
            waiting.remove(match)
            matched.append((first, match))
    return matched


def opponent_of(person: str, seekers: Iterable[Seeker], now: float) -> Seeker | None:
    """This person's opponent, if they're paired now."""
    for pair in pairs(seekers, now):
        if person in {seeker.person for seeker in pair}:
            return next(seeker for seeker in pair if seeker.person != person)
    return None


def table_for_pair(game_id: str, chairs: tuple[Chair, Chair], rules: Rules, *, rated: bool, entropy: str) -> Gathering:
    """The table where two people meet who've just been paired. Their pages contribute to the deal at once."""
    return Gathering(
        id=game_id,
        host=chairs[0].person or "",
        chairs=chairs,
        rules=rules,
        aids=not rated,
        turn_limit=TURN_LIMIT,
        rated=rated,
        entropy=entropy,
        dealing=True,
    )


def _match(seeker: Seeker, others: Sequence[Seeker], now: float) -> Seeker | None:
    possible = (other for other in others if _can_pair(seeker, other, now))
    return min(possible, key=lambda other: (_difference(seeker, other), *_order(other)), default=None)


def _can_pair(one: Seeker, other: Seeker, now: float) -> bool:
    if one.rules != other.rules or one.person == other.person:
        return False
    if other.person in one.avoids or one.person in other.avoids:
        return False
    waited = now - min(one.since, other.since)
    allowed = INITIAL_DIFFERENCE + DIFFERENCE_PER_SECOND * max(0.0, waited)
    return waited >= PATIENCE or _difference(one, other) <= allowed


def _difference(one: Seeker, other: Seeker) -> float:
    """The rating difference. If either has no rating, they can be paired, but pairs with closer ratings come first."""
    return INITIAL_DIFFERENCE if one.rating is None or other.rating is None else abs(one.rating - other.rating)


def _order(seeker: Seeker) -> tuple[float, str]:
    return seeker.since, seeker.person
