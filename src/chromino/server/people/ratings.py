"""Ratings of people and bots in the database, by family of rules; `rating_model.py` computes them.

A finished rated game counts once. Everyone's rank goes into `results`, and the results update the `ratings`. So ratings
can be recomputed exactly from the results, and results from the logs. See docs/ratings.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, get_args

from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, select, text, update

from chromino.bots import BOTS
from chromino.errors import ChrominoError
from chromino.messages.bounds import Face
from chromino.messages.people import Family, Listed
from chromino.rules import Rules
from chromino.seated.rated_games import rated_players
from chromino.server.database import schema
from chromino.server.database.rows import table_of
from chromino.server.database.store import GameRow, find_game, new_id
from chromino.server.rating_model import RECENT_GAMES, Rating, Result, compute_ratings, updated_ratings

FAMILIES: tuple[Family, ...] = get_args(Family)

_MAX_LINES = 100  # Lines on a leaderboard.
_BATCH = 1000  # People to look up at once.
_LOCK_RESULTS = text("LOCK TABLE results IN SHARE ROW EXCLUSIVE MODE")

_results, _ratings, _people, _games = schema.results.c, schema.ratings.c, schema.people.c, schema.games.c


class Line(NamedTuple):
    """A line of a leaderboard."""

    rank: int
    player: str
    name: str | None
    """A bot's name, or the name that a person chose."""
    rating: Rating
    face: Face | None = None


# What counts.


def family_of(rules: Rules) -> Family:
    """The family that rules belong to: games in one family need the same skills."""
    if rules.joining == "ends":
        return "junior"
    if rules.scoring is None:
        return "classic"
    return "expert" if rules.scoring == "expert" else "points"


def from_log(row: GameRow) -> tuple[Family, list[Result]]:
    """The family of a finished rated game, and its results, if at least two players count."""
    family, results = _ranked(row)
    return family, results if len(results) > 1 else []


def _ranked(row: GameRow) -> tuple[Family, list[Result]]:
    """The family, and the rank of everyone who counts. Nobody counts if the game isn't rated or isn't over."""
    table = table_of(row)
    ranks = table.ranks
    if ranks is None:
        return family_of(table.game.rules), []
    players = rated_players(table.seats)
    return family_of(table.game.rules), [Result(seat, player, ranks[seat]) for seat, player in players.items()]


# Rating.


def rate(game: str) -> Callable[[Connection], bool]:
    """Count a finished game, and record that nothing is due in it anymore. Returns whether it was counted."""

    def work(connection: Connection) -> bool:
        _lock_results(connection)
        connection.execute(update(schema.games).where(_games.id == game, _games.over).values(due=None))
        row = find_game(game)(connection)
        if row is None or connection.scalar(select(exists().where(_results.game == game))):
            return False
        family, results = from_log(row)
        if results:
            add(game, family, results)(connection)
        return bool(results)

    return work


def add(game: str, family: Family, results: Sequence[Result]) -> Callable[[Connection], None]:
    """Add a game's results, and update the ratings."""

    def work(connection: Connection) -> None:
        number = (connection.scalar(select(func.max(_results.number))) or 0) + 1
        rows = [
            {"number": number, "game": game, "family": family, "seat": seat, "player": player, "place": rank}
            for seat, player, rank in results
        ]
        connection.execute(insert(schema.results), rows)
        players = [result.player for result in results]
        here = (_ratings.family == family) & _ratings.player.in_(players)
        stored = {
            row.player: Rating(row.mu, row.sigma, row.games)
            for row in connection.execute(select(schema.ratings).where(here))
        }
        before = {player: stored.get(player, Rating()) for player in players}
        met = {player: _meetings(connection, player, number) for player in players}
        after = updated_ratings(before, results, met)
        connection.execute(delete(schema.ratings).where(here))
        _insert(connection, {(family, player): rating for player, rating in after.items()})

    return work


def _meetings(connection: Connection, player: str, before: int) -> Counter[str]:
    """How often a player has met each opponent in their latest games before this one."""
    mine = select(_results.number).where(_results.player == player, _results.number < before)
    numbers = connection.scalars(mine.order_by(_results.number.desc()).limit(RECENT_GAMES)).all()
    others = select(_results.player).where(_results.number.in_(numbers), _results.player != player)
    return Counter(connection.scalars(others))


def forget(connection: Connection, person: str) -> None:
    """Make an erased person's results anonymous. Other people's ratings stay as they are."""
    _lock_results(connection)
    nobody = f"g:{new_id()}"
    change = {"player": nobody}
    for table, values in ((schema.results, change), (schema.ratings, {**change, "listed": False})):
        connection.execute(update(table).where(table.c.player == f"p:{person}").values(values))


def _lock_results(connection: Connection) -> None:
    """Lock the results, so that everything this transaction reads is current, even if the write isn't `isolated`."""
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK_RESULTS)


# Recomputing.


def recompute(connection: Connection) -> dict[tuple[str, str], Rating]:
    """Compute all ratings, by family and player, from the results alone. Pass this to `Store.read`."""
    return compute_ratings((family, results) for family, _, results in _all_results(connection))


def rebuild(connection: Connection) -> int:
    """Recompute all ratings from the results, store them, and return how many there are. Pass this to `Store.write`."""
    computed = recompute(connection)
    connection.execute(delete(schema.ratings))
    _insert(connection, computed)
    return len(computed)


def _insert(connection: Connection, ratings: dict[tuple[str, str], Rating]) -> None:
    """Store ratings, with the columns that leaderboards search by."""
    people = {player.removeprefix("p:") for _, player in ratings if player.startswith("p:")}
    listed: set[str] = set()
    programs: set[str] = set()
    for batch in _batches(sorted(people)):
        query = select(_people.id, _people.listed_as, _people.is_program).where(_people.id.in_(batch))
        for person in connection.execute(query):
            listed.update({f"p:{person.id}"} if person.listed_as is not None else ())
            programs.update({f"p:{person.id}"} if person.is_program else ())
    rows = [
        {
            "family": family,
            "player": player,
            **rating._asdict(),
            "certain": rating.ordinal,
            "is_bot": player.startswith("b:") or player in programs,
            "listed": player.startswith("b:") or player in listed,
        }
        for (family, player), rating in ratings.items()
    ]
    if rows:
        connection.execute(insert(schema.ratings), rows)


def differences(connection: Connection) -> list[str]:
    """Where ratings don't match the results, or results don't match the logs. Pass this to `Store.read`."""
    stored = {
        (row.family, row.player): Rating(row.mu, row.sigma, row.games)
        for row in connection.execute(select(schema.ratings))
    }
    computed = recompute(connection)
    messages = [
        f"{player} in {family}: stored as {stored.get((family, player))}, should be {computed.get((family, player))}"
        for family, player in sorted(stored.keys() | computed.keys())
        if stored.get((family, player)) != computed.get((family, player))
    ]
    for family, game, results in _all_results(connection):
        row = find_game(game)(connection)
        if row is None:
            continue  # The game was deleted with the only person who played it.
        try:
            expected = _ranked(row)
        except ChrominoError as error:
            messages.append(f"game {game} can't be replayed: {error}")
            continue
        if not row.rated:
            continue  # It's older than the choice between rated and unrated games, so its results stay.
        # Erased people no longer have a seat, so compare only the others' ranks among themselves.
        if (family, _reranked([result for result in results if not result.player.startswith("g:")])) != (
            expected[0],
            _reranked(expected[1]),
        ):
            messages.append(f"game {game}: stored as {family} {results}, should be {expected}")
    return messages


def _reranked(results: Sequence[Result]) -> list[Result]:
    """These results, with each player's rank among just these players."""
    return [result._replace(rank=1 + sum(other.rank < result.rank for other in results)) for result in results]


def _all_results(connection: Connection) -> Iterator[tuple[str, str, list[Result]]]:
    """The family, id and results of each game, in the order in which games were rated."""
    rows = connection.execute(select(schema.results).order_by(_results.number, _results.seat)).all()
    for _, group in groupby(rows, key=lambda row: row.number):
        seats = list(group)
        yield seats[0].family, seats[0].game, [Result(row.seat, row.player, row.place) for row in seats]


def _batches(items: list[str]) -> Iterator[list[str]]:
    """Split a list into batches that fit into a query."""
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]


# Leaderboards.


def listed_as(person: str) -> Callable[[Connection], str | None]:
    """A person's name on the leaderboards; None if they aren't listed."""
    return lambda connection: connection.scalar(select(_people.listed_as).where(_people.id == person))


def be_listed(person: str, name: str | None) -> Callable[[Connection], None]:
    """List someone under this name, or stop listing them. People hidden by an operator are never listed."""
    mine = _people.id == person

    def work(connection: Connection) -> None:
        _lock_results(connection)
        shown = None if connection.scalar(select(_people.hidden).where(mine)) else name
        connection.execute(update(schema.people).where(mine).values(listed_as=shown))
        ratings = update(schema.ratings).where(_ratings.player == f"p:{person}")
        connection.execute(ratings.values(listed=shown is not None))

    return work


def declare_program(person: str) -> Callable[[Connection], tuple[list[str], list[str]]]:
    """Record, for good, that a program plays for someone. Returns their games in progress and their gatherings."""
    mine = _people.id == person

    def work(connection: Connection) -> tuple[list[str], list[str]]:
        _lock_results(connection)
        if connection.scalar(select(_people.is_program).where(mine)):
            return [], []
        connection.execute(update(schema.people).where(mine).values(is_program=True))
        connection.execute(update(schema.ratings).where(_ratings.player == f"p:{person}").values(is_bot=True))
        seats, chairs = schema.seats.c, schema.chairs.c
        games = select(seats.game).where(seats.person == person, seats.ended.is_(None)).distinct()
        gatherings = select(chairs.gathering).where(chairs.person == person).distinct()
        return list(connection.scalars(games)), list(connection.scalars(gatherings))

    return work


def best(family: Family, board: Listed) -> Callable[[Connection], list[Line]]:
    """The best people or bots among those listed, sorted by `Rating.ordinal`. An index covers the query."""
    query = select(schema.ratings).where(_is_on_board(family, board), _ratings.listed)
    query = query.order_by(_ratings.certain.desc(), _ratings.player).limit(_MAX_LINES)

    def work(connection: Connection) -> list[Line]:
        lines: list[Line] = []
        for number, row in enumerate(connection.execute(query).all(), start=1):
            rating = Rating(row.mu, row.sigma, row.games)
            is_tie = bool(lines) and lines[-1].rating.ordinal == rating.ordinal
            lines.append(Line(lines[-1].rank if is_tie else number, row.player, None, rating))
        return _with_names(connection, lines)

    return work


def with_reader(lines: list[Line], family: Family, board: Listed, person: str) -> Callable[[Connection], list[Line]]:
    """These lines, plus the reader's own if it isn't among them. An index helps to count everyone who's better."""
    here, mine = _is_on_board(family, board), f"p:{person}"

    def work(connection: Connection) -> list[Line]:
        if any(line.player == mine for line in lines):
            return lines
        me = connection.execute(select(schema.ratings).where(here, _ratings.player == mine)).one_or_none()
        if me is None:
            return lines
        better = select(func.count()).where(here, _ratings.listed, _ratings.certain > me.certain)
        rank = 1 + (connection.scalar(better.select_from(schema.ratings)) or 0)
        ahead = [line for line in lines if line.rank < rank]
        [line] = _with_names(connection, [Line(rank, mine, None, Rating(me.mu, me.sigma, me.games))])
        return [*ahead, line, *lines[len(ahead) :]]

    return work


def _is_on_board(family: Family, board: Listed) -> ColumnElement[bool]:
    return (_ratings.family == family) & (_ratings.is_bot == (board == "bots"))


def _with_names(connection: Connection, lines: list[Line]) -> list[Line]:
    """Add everyone's current name and face to these lines."""
    bots = {f"b:{bot.name}": bot.name for bot in BOTS}
    ids = [line.player.removeprefix("p:") for line in lines if line.player not in bots]
    people = connection.execute(select(_people.id, _people.listed_as, _people.face).where(_people.id.in_(ids))).all()
    names = {**bots, **{f"p:{row.id}": row.listed_as for row in people}}
    faces = {f"p:{row.id}": row.face for row in people}
    return [line._replace(name=names.get(line.player), face=faces.get(line.player)) for line in lines]
