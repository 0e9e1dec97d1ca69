"""Answers about tiles: which are easy to place, which are good to have, and which are worth keeping."""

from __future__ import annotations

from collections.abc import Collection
from math import sqrt

from chromino.draw.words import listed
from chromino.study.answers.answer import Answer, Entry, Share
from chromino.study.cells import UNIT, CellSums
from chromino.study.estimates import Estimate, Ratio, Z
from chromino.study.plan import Study
from chromino.study.plots import Row, Section, intervals
from chromino.study.results import Results
from chromino.tiles import Kind, Tile

_Kinds = dict[Kind, tuple[Estimate, dict[Tile, Estimate]]]

_ENOUGH_GAMES = 30
"""With fewer games, intervals would be wrong."""


def _ratio(sums: CellSums, name: str) -> Ratio:
    return sums.ratios.get(name, Ratio())


_EXAMPLES = {
    Kind.ONE_COLOR: "RRR",
    Kind.PLAIN: "RRG",
    Kind.SYMMETRIC: "RGR",
    Kind.THREE_COLOR: "RGB",
    Kind.CHAMELEON: "G*R",
}


def _kinds(study: Study, sums: CellSums, name: str, unit: int) -> _Kinds:
    """The estimate for each kind of tile, and for each of its tiles, if there are enough games."""
    estimates = {}
    for kind in Kind:
        of_kind = [tile for tile in study.rules.tiles if tile.kind is kind]
        ratios = {tile: _ratio(sums, f"{name} {tile}") for tile in of_kind}
        kind_ratio = _ratio(sums, f"{name} {kind}")
        if kind_ratio.games >= _ENOUGH_GAMES:
            tiles = {tile: ratio.estimate(unit) for tile, ratio in ratios.items() if ratio.games >= _ENOUGH_GAMES}
            estimates[kind] = kind_ratio.estimate(unit), tiles
    return estimates


def _spread(tiles: Collection[Estimate]) -> str:
    """The standard deviation among the tiles of a kind, minus what chance explains."""
    if len(tiles) < 2:
        return "too few games"
    center = sum(tile.value for tile in tiles) / len(tiles)
    spread = sum((tile.value - center) ** 2 for tile in tiles) / (len(tiles) - 1)
    chance = sum(((tile.high - tile.low) / (2 * Z)) ** 2 for tile in tiles) / len(tiles)
    return f"{100 * sqrt(max(spread - chance, 0.0)):.1f}%"


def _kind_row(kind: Kind, estimate: Estimate, tiles: dict[Tile, Estimate] | None = None) -> Row:
    dots = tuple(tile.value for tile in tiles.values()) if tiles else ()
    return Row(str(kind), estimate, dots, Tile.parse(_EXAMPLES[kind]))


def tiles(study: Study, results: Results) -> Answer | None:
    sums = results.of(study.base)
    kinds = _kinds(study, sums, "fits", 1)
    if not kinds:
        return None
    ranked = sorted(kinds, key=lambda kind: kinds[kind][0].value, reverse=True)
    best, worst = ranked[0], ranked[-1]
    sentences = (
        f"The easiest tiles to place are {best} tiles: they fit somewhere in {kinds[best][0].percent()} of turns.",
        f"The hardest are {worst} tiles, at {kinds[worst][0].percent()}.",
    )
    rows: list[tuple[Entry, ...]] = []
    for kind in ranked:
        estimate, tiles = kinds[kind]
        order = sorted(tiles, key=lambda tile: tiles[tile].value)
        easiest, hardest = (f"{tile}, {tiles[tile].percent()}" for tile in (order[-1], order[0])) if order else ("", "")
        rows.append((str(kind), len(tiles), Share(estimate), _spread(tiles.values()), easiest, hardest))
    return Answer(
        "tiles",
        sums.games,
        sentences,
        ("kind", "tiles", "fits in", "tiles differ by", "easiest", "hardest"),
        tuple(rows),
        {
            "tiles": intervals(
                "How often a tile in hand fits somewhere: each kind, with its individual tiles as dots",
                [Section("of turns", [_kind_row(kind, *kinds[kind]) for kind in ranked])],
            )
        },
        f'"Fits in" is the share of turns in which a tile in hand can be placed, with {study.base.players} players. '
        "Tiles that are hard to place stay in hand longer, so they count more often, and later in the game. "
        '"Tiles differ by" is the standard deviation within a kind, minus what chance explains.',
    )


def _gains_and_losses(kinds: _Kinds, better: str, worse: str, neither: str) -> list[str]:
    """Sentences about the kinds that gain or lose more than chance explains."""
    sentences = []
    for sign, words in ((1, better), (-1, worse)):
        clear = [(kind, gain) for kind, (gain, _) in kinds.items() if gain.compare(0, among=len(kinds)) == sign]
        clear.sort(key=lambda pair: -abs(pair[1].value))
        if clear:
            names = listed(f"{kind} tiles ({gain.percent(signed=True)})" for kind, gain in clear)
            sentences.append(f"{words}: {names}.")
    return sentences or [neither]


def keeping(study: Study, results: Results) -> Answer | None:
    played, experiment = results.of(study.base), results.of(study.experiment)
    dealt, kept = (_kinds(study, played, "dealt", UNIT), _kinds(study, experiment, "keep", UNIT))
    both = [kind for kind in dealt if kind in kept]
    if not both:
        return None
    sentences = [
        *_gains_and_losses(
            dealt, "Good to be dealt", "Bad to be dealt", "No kind of tile is clearly good or bad to be dealt."
        ),
        *_gains_and_losses(
            kept,
            "Worth keeping if you have a choice",
            "Better placed at once",
            "It makes no clear difference whether you keep a tile or place it at once.",
        ),
    ]
    rows = tuple(
        (str(kind), Share(dealt[kind][0], True), _spread(dealt[kind][1].values()), Share(kept[kind][0], True))
        for kind in both
    )
    return Answer(
        "keeping",
        played.games + experiment.games,
        tuple(sentences),
        ("kind", "in the starting hand", "tiles differ by", "keeping instead of placing"),
        rows,
        {
            "keeping": intervals(
                "How a tile in the starting hand, and keeping a tile instead of placing it, "
                "change the chance of winning",
                [
                    Section("in the starting hand", [_kind_row(kind, *dealt[kind]) for kind in both], signed=True),
                    Section(
                        "keeping instead of placing", [_kind_row(kind, kept[kind][0]) for kind in both], signed=True
                    ),
                ],
            )
        },
        "The deal is random, so any effect of a tile in the starting hand is due to the tile. "
        "Keeping is an experiment: in separate games, one choice among tiles is made at random, and games in which the "
        "tile was kept are compared with games in which it was placed. "
        f"All results are for games with {study.base.players} players in which {study.bot} plays every seat, and for "
        "keeping a tile once, not forever.",
    )
