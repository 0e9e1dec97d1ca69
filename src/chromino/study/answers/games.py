"""Answers about games: who wins them, how long they take, how they end, and what variants change."""

from __future__ import annotations

from chromino.draw.words import listed
from chromino.study.answers.answer import Answer, Entry, Number, Share, all_games, known, players_text, share_of
from chromino.study.cells import CellSums, rules_text
from chromino.study.estimates import Estimate, mean, quantile, wilson
from chromino.study.plan import Study
from chromino.study.plots import Panel, Row, Section, histograms, intervals, panels
from chromino.study.results import Results


def beginning(study: Study, results: Results) -> Answer | None:
    cells = known(study.by_players, results)
    if not cells:
        return None
    begins = {players: share_of(sums, 0) for players, sums in cells.items()}
    gains = {players: share.plus(-1 / players) for players, share in begins.items()}
    players = next(iter(cells))
    sentences = [
        f"The first player wins {begins[players].percent()} of games with {players} players; "
        f"a fair share is {100 / players:.3g}%."
    ]
    for sign, words in (
        (1, "Going first is an advantage"),
        (-1, "Going first is a disadvantage"),
        (0, "There's no clear difference"),
    ):
        numbers = [number for number, gain in gains.items() if gain.compare(0, among=len(gains)) == sign]
        if numbers:
            sentences.append(f"{words} with {listed(numbers)} players.")
    rows = [
        (number, sums.games, Share(begins[number]), f"{100 / number:.1f}%", Share(gains[number], signed=True),
         Share(share_of(sums, number - 1)))
        for number, sums in cells.items()
    ]  # fmt: skip
    return Answer(
        "beginning",
        all_games(cells.values()),
        tuple(sentences),
        ("players", "games", "first player wins", "fair share", "difference", "last player wins"),
        tuple(rows),
        {
            "beginning": intervals(
                "How much more than a fair share the first player wins, by number of players",
                [
                    Section(
                        "more than a fair share", [Row(players_text(n), gain) for n, gain in gains.items()], signed=True
                    )
                ],
            ),
            "beginning-order": panels(
                "How often each player wins, by turn order and number of players; 1 is a fair share",
                [
                    Panel(f"{n} players", [share_of(sums, place).times(n) for place in range(n)])
                    for n, sums in cells.items()
                ],
            ),
        },
        "Joint winners share a win equally. The same bot plays all seats and the deal is random, so only the turn "
        "order differs.",
    )


def length(study: Study, results: Results) -> Answer | None:
    solo = {1: study.solo} if study.solo else {}
    cells = known(solo | study.by_players, results)
    if not cells:
        return None
    rows, sentences = [], []
    for players, sums in cells.items():
        turns, tiles = sums.counts["turns"], sums.counts["tiles"]
        low, middle, high = (quantile(turns, part) for part in (0.05, 0.5, 0.95))
        average = mean(turns)
        rows.append((players, sums.games, Number(average), Number(average.times(1 / players)), middle,
                     f"{low} to {high}", Number(mean(tiles))))  # fmt: skip
        if players == _fewest(cells) and players > 1:
            sentences.append(
                f"A game with {players} players takes {average.number()} turns, about {average.value / players:.0f} "
                f"per player; nine out of ten games take {low} to {high}."
            )
    if 1 in cells:
        won = wilson(cells[1].counts["winners"][1], cells[1].games)
        turns_alone = mean(cells[1].counts["turns"]).number()
        sentences.append(f"Of solo games, {won.percent()} are won; a game takes {turns_alone} turns.")
    return Answer(
        "length",
        all_games(cells.values()),
        tuple(sentences),
        ("players", "games", "turns", "turns each", "median", "nine out of ten", "tiles placed"),
        tuple(rows),
        {
            "length": histograms(
                "How many turns a game takes, by number of players",
                [(players_text(number), sums.counts["turns"]) for number, sums in cells.items()],
                "turns",
            )
        },
        "A turn ends when a tile is placed or the player passes; drawing is part of the turn. "
        '"Nine out of ten" leaves out the shortest and the longest 5%.',
    )


def _fewest(cells: dict[int, CellSums]) -> int:
    """The smallest number of players above one or, if there are only solo games, one."""
    return next((players for players in cells if players > 1), 1)


def _joint(sums: CellSums) -> Estimate:
    return wilson(sum(count for number, count in sums.counts["winners"].items() if number > 1), sums.games)


def _blocked(sums: CellSums) -> Estimate:
    return wilson(sums.counts["blocked"][1], sums.games)


def endings(study: Study, results: Results) -> Answer | None:
    cells = known(study.by_players, results)
    if not cells:
        return None
    joint = {players: _joint(sums) for players, sums in cells.items()}
    blocked = {players: _blocked(sums) for players, sums in cells.items()}
    sentences = [
        f"Of games with {players} players, {joint[players].percent()} have several winners, and "
        f"{blocked[players].percent()} are blocked."
        for players in dict.fromkeys((min(cells), max(cells)))
    ]
    return Answer(
        "endings",
        all_games(cells.values()),
        tuple(sentences),
        ("players", "games", "several winners", "blocked"),
        tuple((n, sums.games, Share(joint[n]), Share(blocked[n])) for n, sums in cells.items()),
        {
            "endings": intervals(
                "How many games have several winners, and how many are blocked, by number of players",
                [
                    Section("several winners", [Row(players_text(n), share) for n, share in joint.items()]),
                    Section("blocked", [Row(players_text(n), share) for n, share in blocked.items()]),
                ],
            )
        },
        "Blocked: the bag is empty and nobody can place a tile. "
        "The player with the fewest tiles (or the most points) wins.",
    )


def variants(study: Study, results: Results) -> Answer | None:
    cells = known(study.variants, results)
    if "as chosen" not in cells:
        return None
    base = cells.pop("as chosen")
    turns, begins = mean(base.counts["turns"]), share_of(base, 0)
    name, players = rules_text(study.rules), study.base.players

    def row(label: str, sums: CellSums, change: Entry, gain: Entry) -> tuple[Entry, ...]:
        return (label, sums.games, Number(mean(sums.counts["turns"])), change, Share(share_of(sums, 0)), gain,
                Share(_joint(sums)), Share(_blocked(sums)))  # fmt: skip

    longer = {label: mean(sums.counts["turns"]) - turns for label, sums in cells.items()}
    better = {label: share_of(sums, 0) - begins for label, sums in cells.items()}
    rows = [row(name, base, "", "")]
    rows += [row(label, sums, Number(longer[label], True), Share(better[label], True)) for label, sums in cells.items()]
    sentences = [f"With {name} rules, a game with {players} players takes {turns.number()} turns."]
    if cells:
        shortest = min(longer, key=lambda label: longer[label].value)
        longest = max(longer, key=lambda label: longer[label].value)
        sentences.append(
            f"Games are shortest with {shortest} ({longer[shortest].number(signed=True)}) and longest with {longest} "
            f"({longer[longest].number(signed=True)})."
        )
        clear = [label for label, change in better.items() if change.compare(0, among=len(better))]
        sentences.append(
            f"These variants change what going first is worth: {listed(clear)}." if clear
            else "No variant clearly changes what going first is worth."
        )  # fmt: skip
    return Answer(
        "variants",
        all_games([base, *cells.values()]),
        tuple(sentences),
        ("rules", "games", "turns", "difference", "first player wins", "change", "several winners", "blocked"),
        tuple(rows),
        {
            "variants": intervals(
                f"What each variant changes, compared with {name}, {players} players",
                [
                    Section("turns", [Row(*change) for change in longer.items()], percent=False, signed=True),
                    Section("first player's wins", [Row(*change) for change in better.items()], signed=True),
                ],
            )
        }
        if cells
        else {},
        f"All games have {players} players, and {study.bot} plays every seat. With points, several winners means a "
        "tie.",
    )
