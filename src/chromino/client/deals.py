"""What a client remembers about the deals it takes part in, so that it can check them after the games."""

from __future__ import annotations

from dataclasses import dataclass, replace

from chromino.errors import ChrominoError
from chromino.fair_deal import (
    DealCheck,
    RememberedPart,
    ShownTerms,
    Verdict,
    new_part,
    rules_text,
    silent_seats,
    verdict,
)
from chromino.game import Game
from chromino.messages.deals import DealTerms
from chromino.messages.games import State

_MAX_GAMES = 200  # How many games to remember.
_MAX_PARTS = 5  # How many parts to remember per game: commitments can get lost or replaced, so there may be several.


@dataclass(frozen=True, slots=True)
class _Start:
    """What a server said at the start of a game."""

    seed_hash: str
    laid: str
    """The first placement."""
    dealt: dict[int, list[str]]
    """Hands by seat."""

    def matches(self, game: Game) -> bool:
        """Does a game from a record match this start? The server could have sent the record of a different game."""
        hands = dict(enumerate(game.deal.hands))
        same_hands = all(sorted(map(str, hands.get(seat, ()))) == hand for seat, hand in self.dealt.items())
        return same_hands and str(game.deal.start_placement) == self.laid


class Deals:
    """The client's deals, by game id. They aren't saved to a file, so a restarted program can't check older deals."""

    def __init__(self) -> None:
        self._parts: dict[str, list[RememberedPart]] = {}
        self._starts: dict[str, _Start] = {}
        self._committed_at: dict[str, int] = {}

    def keep(self, game: str, part: RememberedPart) -> None:
        """Remember a part for this game."""
        self._parts[game] = _pruned([*self._parts.get(game, ()), part])
        for old in list(self._parts)[:-_MAX_GAMES]:
            del self._parts[old]
            self._starts.pop(old, None)
            self._committed_at.pop(old, None)

    def knows(self, game: str) -> bool:
        """Have we contributed to this game's deal?"""
        return game in self._parts

    def committed_at(self, game: str) -> int:
        """The table's version when we last committed; states of earlier versions may still arrive."""
        return self._committed_at.get(game, 0)

    def note_commitment(self, game: str, version: int) -> None:
        self._committed_at[game] = version

    def has_revealed(self, game: str) -> bool:
        """Have we revealed a part for this game? If the table then asks for another part, the deal was stopped."""
        return any(part.shown is not None for part in self._parts.get(game, ()))

    def new_commitment(self, game: str) -> str:
        """A commitment to a new part for this game."""
        part = RememberedPart(new_part())
        self.keep(game, part)
        return part.commitment

    def forget_last(self, game: str) -> None:
        """Forget the last commitment, which the server didn't accept."""
        self._parts[game].pop()
        if not self._parts[game]:
            del self._parts[game]

    def part_to_reveal(self, game: str, terms: DealTerms) -> str | None:
        """Our part, if it's safe to reveal on these terms; we then remember the terms. Once a part has been revealed,
        older parts stay secret, or others could choose between two deals."""
        shown = _stored_form(terms)
        parts = self._parts.get(game, [])
        for number in reversed(range(len(parts))):
            remembered = parts[number]
            if shown is not None and remembered.may_reveal(shown):
                parts[number] = replace(remembered, shown=shown)
                return remembered.part
            if remembered.shown is not None:
                break
        return None

    def note_start(self, state: State) -> None:
        """Remember how the game started. If we have several seats, each state shows only one of our hands."""
        if state.game not in self._parts or state.view.over:
            return
        start = self._starts.setdefault(state.game, _Start(state.seed_hash, state.view.table.split(" ", 1)[0], {}))
        for seat, hand in enumerate(state.view.dealt):
            if hand is not None:
                start.dealt.setdefault(seat, sorted(hand))

    def check(self, state: State, record: str) -> DealCheck:
        """Check how a finished game was dealt. We must have contributed a part."""
        result = self._verdict(state, record)
        shown = self._expected_part(state.game).shown
        people = [number for number, seat in enumerate(state.seats) if seat.kind == "person"]
        return DealCheck(result, () if shown is None else silent_seats(shown, people))

    def _expected_part(self, game: str) -> RememberedPart:
        """The part that should be in the deal."""
        parts = self._parts[game]
        return next((part for part in reversed(parts) if part.shown is not None), parts[-1])

    def _verdict(self, state: State, record: str) -> Verdict:
        try:
            game = Game.replay(record)
        except ChrominoError:
            return "other-tiles"
        seats = [number for number, seat in enumerate(state.seats) if seat.mine]
        start = self._starts.get(state.game)
        if start is not None and not start.matches(game):
            return "other-tiles"
        seed_hash = None if start is None else start.seed_hash
        rules = rules_text(game.rules.to_json())
        part = self._expected_part(state.game)
        result = verdict(part, game.deal.seed or "", seed_hash, rules, seats, len(game.players), game.first)
        # If parts were revealed for an earlier deal, someone may have stopped that deal because they didn't like it.
        is_repeated = sum(part.shown is not None for part in self._parts[state.game]) > 1
        return "repeated" if result == "verified" and is_repeated else result


def _stored_form(terms: DealTerms) -> ShownTerms | None:
    """These terms in the form in which we store them; None if we contribute nothing."""
    if terms.mine is None:
        return None
    return ShownTerms(
        commitments=tuple(terms.commitments),
        givers=tuple(map(tuple, terms.givers)),
        mine=terms.mine,
        seats=tuple(terms.seats),
        players=terms.players,
        first=terms.first,
        rules=rules_text(terms.rules),
    )


def _pruned(parts: list[RememberedPart]) -> list[RememberedPart]:
    """The latest parts, plus the last two that were revealed, so a server can't ask for many more parts to hide that it
    stopped a deal."""
    revealed = [part for part in parts if part.shown is not None][-2:]
    return [part for part in parts if part in parts[-_MAX_PARTS:] or part in revealed]
