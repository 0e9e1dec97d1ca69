"""The types of the compiled kernel. `twin.Position` does the same work in plain Python."""

from collections.abc import Iterable, Sequence

from chromino.bots.kernel.twin import PlayoutSums
from chromino.bots.worlds import HiddenTile
from chromino.game import Game
from chromino.tiles import Placement, Tile

class Position:
    def __init__(self, game: Game, turn_cost: float) -> None: ...
    def counts(self) -> list[int]: ...
    def counts_after(self, placements: Iterable[Placement]) -> list[list[int]]: ...
    def play_on(self, seed: int) -> tuple[list[Placement | Tile | None], list[float], list[float], bool]: ...
    def playouts(
        self,
        candidates: Sequence[Placement],
        hidden: Sequence[HiddenTile],
        may_be_in_bag: Iterable[Tile],
        seed: int,
        seconds: float,
        max_worlds: int,
        eliminate: int,
    ) -> tuple[list[PlayoutSums], list[int]]: ...
    def prospects(
        self, seat: int, hidden: Sequence[HiddenTile], may_be_in_bag: Iterable[Tile], seed: int, max_worlds: int
    ) -> tuple[PlayoutSums, int]: ...

def random_games(position: Position, n: int, seed: int) -> tuple[list[float], int, int]: ...
