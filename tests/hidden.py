"""What a seat cannot know, and the same game with other tiles there: worked out from the rules alone."""

from __future__ import annotations

from dataclasses import replace

from chromino import Drew, Game, Placed, Tile


def unseen(game: Game, me: int | None) -> list[Tile]:
    """The tiles of which `me` cannot know where they are, worked out from the rules alone."""
    seen = {placement.tile for placement in game.table.laid}
    for seat, hand in enumerate(game.hands):
        if game.rules.open_hands or seat == me or len(hand) == 1 or game.over:
            seen.update(hand)
    seen.update(event.shows for event in game.log if isinstance(event, Placed) and event.shows)
    if game.rules.hand_size == 1:  # 5.1: a hand of one lies open from the start.
        seen.update(tile for hand in game.deal.hands for tile in hand)
    return [tile for tile in game.rules.tiles if tile not in seen]


def renamed(game: Game, names: dict[Tile, Tile]) -> Game:
    """The same game with other tiles where nobody may look; the seed is another one too."""

    def swap(hand: tuple[Tile, ...]) -> tuple[Tile, ...]:
        return tuple(names.get(tile, tile) for tile in hand)

    return replace(
        game,
        deal=replace(game.deal, hands=tuple(map(swap, game.deal.hands)), bag=swap(game.deal.bag), seed="another"),
        log=tuple(
            replace(event, tile=names.get(event.tile, event.tile)) if isinstance(event, Drew) and event.tile else event
            for event in game.log
        ),
        hands=tuple(tuple(sorted(swap(hand))) for hand in game.hands),
        bag=swap(game.bag),
        drawn=names.get(game.drawn, game.drawn) if game.drawn else None,
    )
