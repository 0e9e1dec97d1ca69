"""Every player can check a deal."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest

from chromino.deal import first_seat
from chromino.fair_deal import (
    RememberedPart,
    ShownTerms,
    Verdict,
    commitment_of,
    derived_part,
    join_parts,
    new_part,
    rules_text,
    silent_seats,
    verdict,
)

pytestmark = pytest.mark.rules

MINE, OTHERS, SERVERS = (derived_part(name, 0) for name in ("mine", "others", "servers"))
SEED = join_parts([OTHERS, MINE, SERVERS])
COMMITTED = tuple(map(commitment_of, (OTHERS, MINE, SERVERS)))
SHOWN = ShownTerms(COMMITTED, givers=((0,), (1,), ()), mine=1, seats=(1,), players=2, first=None, rules="{}")
KEPT = RememberedPart(MINE, SHOWN)


class End(NamedTuple):
    """What's known after a game."""

    seed: str = SEED
    seed_hash: str | None = commitment_of(SEED)
    rules: str = "{}"
    seats: tuple[int, ...] = (1,)
    players: int = 2
    first: int = first_seat(SEED, 2)


HONEST = End()


def found(kept: RememberedPart = KEPT, end: End = HONEST) -> Verdict:
    return verdict(kept, *end)


def dealt_by(*parts: str) -> Verdict:
    """The verdict on a game dealt from these parts by a server that publishes a matching hash."""
    seed = join_parts(parts)
    return found(end=End(seed, commitment_of(seed), first=first_seat(seed, 2)))


def test_a_part_cannot_be_guessed() -> None:
    assert len({new_part() for _ in range(100)}) == 100
    assert {len(new_part()), len(derived_part("a", 1))} == {32}
    assert derived_part("a", 1) != derived_part("a", 2)


def test_an_honest_deal_is_verified() -> None:
    assert found() == "verified"
    assert found(end=End(seed_hash=None)) == "verified"
    fixed = replace(KEPT, shown=replace(SHOWN, first=1))
    assert found(fixed, End(first=1)) == "verified"


def test_a_server_that_changes_its_part_is_caught() -> None:
    """The server knows all other parts before it deals, and tries parts of its own until it likes the hands."""
    tried = [dealt_by(OTHERS, MINE, derived_part("servers", number)) for number in range(1, 5)]
    assert set(tried) == {"changed"}


def test_a_server_that_tries_seeds_is_caught() -> None:
    for parts in ([new_part()], [OTHERS, new_part(), SERVERS], ["7"]):
        assert dealt_by(*parts) == "not-in-it"


def test_a_puppet_seat_that_changes_its_part_is_caught() -> None:
    assert dealt_by(derived_part("others", 1), MINE, SERVERS) == "changed"
    assert dealt_by(MINE, MINE, SERVERS) == "changed"


def test_reordered_or_additional_parts_are_caught() -> None:
    assert dealt_by(SERVERS, MINE, OTHERS) == "changed"
    assert dealt_by(OTHERS, MINE, SERVERS, new_part()) == "changed"


@pytest.mark.parametrize("end", [End(seats=(0,)), End(players=3), End(first=1 - first_seat(SEED, 2))])
def test_different_seats_are_caught(end: End) -> None:
    assert found(end=end) == "other-seats"


def test_different_rules_are_caught() -> None:
    assert found(end=End(rules=rules_text({"hand_size": 9}))) == "other-rules"
    assert rules_text({"a": 1, "b": None}) == rules_text({"b": None, "a": 1})


def test_a_seed_that_differs_from_the_initial_one_is_caught() -> None:
    assert found(end=End(seed_hash=commitment_of("another"))) == "other-hash"


def test_a_deal_without_my_part_is_reported() -> None:
    assert found(RememberedPart(MINE)) == "not-in-it"


def test_people_who_gave_no_part_are_named() -> None:
    assert silent_seats(SHOWN, [0, 1]) == ()
    assert silent_seats(replace(SHOWN, givers=((0, 4), (1,), (2,))), [0, 1, 3, 4, 5]) == (3, 5)
    assert silent_seats(replace(SHOWN, givers=((1,), (0,))), [0, 1]) == (0,)  # The server passed someone off as a bot.


def test_a_part_is_revealed_for_only_one_set_of_commitments() -> None:
    assert KEPT.may_reveal(SHOWN)
    assert RememberedPart(MINE).may_reveal(SHOWN)
    assert not RememberedPart(OTHERS).may_reveal(SHOWN)
    assert not RememberedPart(MINE).may_reveal(replace(SHOWN, commitments=("", *SHOWN.commitments[1:])))
    puppet = (commitment_of(new_part()), *SHOWN.commitments[1:])
    assert RememberedPart(MINE).may_reveal(replace(SHOWN, commitments=puppet))
    assert not KEPT.may_reveal(replace(SHOWN, commitments=puppet))
