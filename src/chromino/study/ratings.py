"""OpenSkill ratings (Plackett–Luce) from every deal of one or more matches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from chromino.study.match import Match

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating


class Rating(NamedTuple):
    """How strong a bot seems to be, and how uncertain that is."""

    bot: str
    mu: float
    sigma: float


def ratings(matches: Iterable[Match]) -> list[Rating]:
    """The bots in these matches, strongest first. Each deal counts as one game, since its rotations make it fair."""
    from openskill.models import PlackettLuce  # It's slow to load and rarely needed.

    matches = list(matches)
    model = PlackettLuce()
    rated: dict[str, PlackettLuceRating] = {}
    for match in matches:
        for bot in match.bots:
            rated.setdefault(bot.name, model.rating(name=bot.name))
    for match in matches:
        names = [bot.name for bot in match.bots]
        for deal in match.deals:
            teams = model.rate([[rated[name]] for name in names], scores=list(deal.shares))
            for name, (rating,) in zip(names, teams, strict=True):
                rated[name] = rating
    results = (Rating(name, rating.mu, rating.sigma) for name, rating in rated.items())
    return sorted(results, key=lambda rating: rating.mu, reverse=True)
