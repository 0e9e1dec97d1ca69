"""How a game starts: everyone at the table commits to a part of the deal, then reveals it (see `fair_deal.py`).

Older clients send no commitment. If nobody sends one, the server deals alone, and the game says so.
"""

from __future__ import annotations

from chromino.errors import RulesError
from chromino.fair_deal import commitment_of, derived_part, join_parts
from chromino.game import Game
from chromino.messages.deals import DealTerms
from chromino.rules import Rules
from chromino.seated.declined import Declined
from chromino.seated.events import Began, Committed, DealBegan, DealStopped, Revealed
from chromino.seated.gathering import Gathering, apply, check_host, committed
from chromino.seated.seats import Chair, seats_of


def terms(table: Gathering, person: str | None) -> DealTerms:
    """The terms of the deal, from one person's point of view: what the seed will be made of."""
    givers = _givers(table)
    taken = tuple(chair for chair in table.chairs if chair.kind != "free")
    bots = [number for number, chair in enumerate(taken) if chair.kind == "bot"]
    return DealTerms(
        begun=table.dealing,
        commitments=[*(chair.commitment or "" for chair in givers), commitment_of(_server_part(table))],
        givers=[*(seats_of(taken, chair.person) for chair in givers), bots],
        mine=next((number for number, chair in enumerate(givers) if person and chair.person == person), None),
        seats=seats_of(taken, person),
        players=len(taken),
        first=_first(table),
        rules=table.rules.to_json(),
    )


def commit(table: Gathering, person: str, commitment: str) -> Committed | None:
    """Commit to a new part. Once the host has started the deal, commitments are final."""
    chair = _chair_of(table, person)
    if chair.commitment == commitment:
        return None
    if table.dealing and not chair.is_undecided:
        raise Declined("stale")
    return Committed(person, commitment)


def contribute_nothing(table: Gathering, person: str, now: float) -> Committed | Began | None:
    """Continue without a part from this person. If nobody contributes one, the server deals alone."""
    chair = _chair_of(table, person)
    if chair.contributes and not chair.is_undecided:
        return None
    if table.dealing and not _givers(committed(table, person, None)):
        return Began(_dealt(table, _server_part(table)), now, "server")
    return Committed(person, None) if chair.contributes else None


def begin(table: Gathering, person: str, now: float) -> DealBegan | Began | None:
    """Start the deal, which only the host can do. Free chairs are removed when the tiles are dealt."""
    check_host(table, person)
    if table.dealing:
        return None
    server_deal = Began(_dealt(table, _server_part(table)), now, "server")
    apply(table, server_deal)  # Raises an error now, rather than after the reveal, if the game isn't possible.
    return DealBegan() if _givers(table) else server_deal


def reveal(table: Gathering, person: str, part: str, now: float) -> Revealed | Began | None:
    """Reveal a person's part, once everyone has committed. When the last part is revealed, the tiles are dealt."""
    chair = _chair_of(table, person)
    givers = _givers(table)
    if not table.dealing or any(giver.is_undecided for giver in givers):
        raise Declined("stale")
    if commitment_of(part) != chair.commitment:
        raise Declined("bad-part")
    parts = [part if giver is chair else giver.part for giver in givers]
    revealed = [each for each in parts if each is not None]
    if len(revealed) == len(parts):
        return Began(_dealt(table, join_parts([*revealed, _server_part(table)])), now, "joint")
    return None if chair.part is not None else Revealed(person, part)


def stop(table: Gathering, person: str) -> DealStopped | None:
    """Stop waiting for the missing parts, which only the host can do."""
    check_host(table, person)
    return DealStopped() if table.dealing else None


def deal(rules: Rules, names: list[str], seed: str, first: int | None) -> Game:
    """Deal a game, or decline and say why that isn't possible."""
    try:
        return Game.start(rules, names, seed=seed, first=first)
    except RulesError as error:
        raise Declined("bad-rules" if error.code == "bag-too-small" else "bad-name", str(error)) from None


def _givers(table: Gathering) -> list[Chair]:
    """The chairs that contribute a part, one per person."""
    return [chair for chair in table.chairs if chair.contributes]


def _chair_of(table: Gathering, person: str) -> Chair:
    mine = table.chairs_of(person)
    if not mine:
        raise Declined("not-your-seat")
    return table.chairs[mine[0]]


def _server_part(table: Gathering) -> str:
    """The part that the server contributes, for itself and its bots."""
    return derived_part(table.entropy, table.attempt)


def _first(table: Gathering) -> int | None:
    """The seat that goes first, not counting free chairs."""
    if table.first is None or table.chairs[table.first].kind == "free":
        return None
    return sum(chair.kind != "free" for chair in table.chairs[: table.first])


def _dealt(table: Gathering, seed: str) -> Game:
    names = [chair.name for chair in table.chairs if chair.kind != "free"]
    return deal(table.rules, names, seed, _first(table))
