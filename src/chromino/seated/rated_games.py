"""Rated games: what they require, and everyone's final rank.

Whether a game is rated is settled before it starts. It counts for everyone in it, so you gain nothing by leaving.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from chromino.events import Drew, Passed
from chromino.game import Game
from chromino.messages.deals import DealKind
from chromino.rules import CLASSIC, Rules
from chromino.seated.declined import Declined
from chromino.seated.seats import Seat

LONGEST_RATED_TURN = 3600
"""In seconds. With this limit, a rated game ends within a few days, even if nobody comes back."""

_MAX_BOT_SHARE = 1 / 4  # If bots made more than this share of your decisions, you didn't play the game.


def check_rated(rules: Rules, aids: bool, turn_limit: int | None) -> None:
    """Decline rules and settings that a rated game can't have, and say why."""
    if turn_limit is None or turn_limit > LONGEST_RATED_TURN:
        raise Declined("cannot-be-rated", "a rated game needs a turn limit of an hour or less")
    if aids:
        raise Declined("cannot-be-rated", "a rated game can't have hints or other help")
    if rules.hand_size < CLASSIC.hand_size:
        why = f"a rated game needs at least {CLASSIC.hand_size} tiles per hand; with fewer, luck decides"
        raise Declined("cannot-be-rated", why)


def check_rated_people(people: Sequence[str | None]) -> None:
    """Decline if one person has several seats: they would play against themselves."""
    if any(count > 1 for person, count in Counter(people).items() if person is not None):
        raise Declined("cannot-be-rated", "in a rated game, everyone must play one seat, on their own device")


def check_rated_seats(seats: Sequence[Seat]) -> None:
    """Decline if one person has several seats, or if there's no opponent."""
    check_rated_people([who.person for who in seats])
    if len(rated_players(seats)) < 2:
        raise Declined("cannot-be-rated", "a rated game needs at least two players")


def check_rated_deal(deal: DealKind) -> None:
    """Decline a deal that someone chose."""
    if deal == "fixed":
        raise Declined("cannot-be-rated", "a rated game can't have a fixed deal: someone may know the tiles")


def rated_players(seats: Sequence[Seat]) -> dict[int, str]:
    """The players by seat: people as `p:ID`, bots as `b:NAME`.

    A bot in several seats counts once, for its first seat.
    """
    players: dict[int, str] = {}
    for number, who in enumerate(seats):
        if who.bot is not None and f"b:{who.bot}" not in players.values():
            players[number] = f"b:{who.bot}"
        elif who.person is not None:
            players[number] = f"p:{who.person}"
    return players


def standings(game: Game, seats: Sequence[Seat], action_ids: Sequence[str | None]) -> list[int]:
    """Each seat's rank in a finished game, for the ratings: 1 is the best, and ties share a rank.

    People who didn't play to the end rank behind everyone who did, and the earlier they gave up, the lower their rank.
    You didn't play to the end if you left, if a bot made your last decision, or if bots made more than a quarter of
    your decisions. A pass isn't a decision.
    """
    own_decisions: Counter[int] = Counter()
    bot_decisions: Counter[int] = Counter()
    last_is_own: dict[int, bool] = {}
    last_round: Counter[int] = Counter()
    turns = 0
    for event, action_id in zip(game.log, action_ids, strict=True):
        if not isinstance(event, Passed):
            is_own = last_is_own[event.seat] = action_id is not None
            (own_decisions if is_own else bot_decisions)[event.seat] += 1
            if is_own:
                last_round[event.seat] = 1 + turns // len(seats)
        turns += not isinstance(event, Drew)

    def sort_key(seat: int) -> tuple[int, int]:
        who = seats[seat]
        gave_up = who.has_left or not last_is_own.get(seat, True)
        has_delegated = bot_decisions[seat] > _MAX_BOT_SHARE * (own_decisions[seat] + bot_decisions[seat])
        return (1, -last_round[seat]) if who.bot is None and (gave_up or has_delegated) else (0, game.ranks[seat])

    keys = [sort_key(seat) for seat in range(len(seats))]
    return [1 + sum(other < key for other in keys) for key in keys]
