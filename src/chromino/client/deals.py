"""What a client remembers about the deals it takes part in, so it can check them after the game."""

from __future__ import annotations

from dataclasses import replace

from chromino.errors import ChrominoError
from chromino.fair_deal import Kept, Shown, Verdict, new_part, verdict
from chromino.game import Game
from chromino.messages.deals import DealTerms
from chromino.messages.games import State

_GAMES = 200  # To remember.
_PARTS = 5  # Per game. A commitment may get lost, or a new one be needed.


class Deals:
    """Deals by game id. They last as long as the client: a restarted program can't check older deals."""

    def __init__(self) -> None:
        self._kept: dict[str, list[Kept]] = {}
        self._hashes: dict[str, str] = {}

    def keep(self, game: str, kept: Kept) -> None:
        self._kept[game] = [*self._kept.get(game, ()), kept][-_PARTS:]
        for old in list(self._kept)[:-_GAMES]:
            del self._kept[old]
            self._hashes.pop(old, None)

    def knows(self, game: str) -> bool:
        """Did we contribute to its deal?"""
        return game in self._kept

    def new_commitment(self, game: str) -> str:
        """A commitment to a new part for this game."""
        kept = Kept(new_part())
        self.keep(game, kept)
        return kept.commitment

    def part(self, game: str, terms: DealTerms) -> str | None:
        """My part, if it can be revealed on these terms, which are remembered first. Once a part is revealed, older
        ones stay secret, or others could choose between two deals."""
        shown = shown_by(terms)
        kept = self._kept.get(game, [])
        for number in reversed(range(len(kept))):
            one = kept[number]
            if shown is not None and one.may_reveal(shown):
                kept[number] = replace(one, shown=shown)
                return one.part
            if one.shown is not None:
                break
        return None

    def see(self, state: State) -> None:
        """Remember the seed's hash, which comes with the hand."""
        if state.game in self._kept and not state.view.over:
            self._hashes.setdefault(state.game, state.seed_hash)

    def verdict(self, state: State, record: str) -> Verdict:
        """How a finished game that we contributed to was dealt."""
        parts = self._kept[state.game]
        kept = next((one for one in reversed(parts) if one.shown is not None), parts[-1])
        try:
            game = Game.replay(record)
        except ChrominoError:
            return "other-tiles"
        seats = [number for number, seat in enumerate(state.seats) if seat.mine]
        seed_hash = self._hashes.get(state.game)
        hands = zip(state.view.dealt, game.deal.hands, strict=True)
        if any(seen is not None and sorted(seen) != sorted(map(str, hand)) for seen, hand in hands):
            return "other-tiles"
        found = verdict(kept, game.deal.seed or "", seed_hash, seats, len(game.players), game.first)
        # If parts were revealed in an earlier round, someone could have known that deal and rejected it.
        is_repeated = sum(one.shown is not None for one in parts) > 1
        return "repeated" if found == "verified" and is_repeated else found


def shown_by(terms: DealTerms) -> Shown | None:
    """What to remember of these terms; None if we contribute nothing."""
    if terms.mine is None:
        return None
    return Shown(tuple(terms.commitments), terms.mine, tuple(terms.seats), terms.players, terms.first)
