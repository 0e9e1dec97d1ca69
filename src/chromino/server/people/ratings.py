"""Ratings in the database: OpenSkill's Plackett–Luce for people and bots, by family of rules.

A game that is over is rated once. Who ended where goes to `results`, and each result moves the `ratings`; so these
can be computed anew from the results, and the results from the logs, and give the same numbers. See docs/ratings.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, get_args

from openskill.models import PlackettLuce
from sqlalchemy import Connection, delete, exists, func, insert, select, text, update

from chromino.bots import BOTS
from chromino.errors import ChrominoError
from chromino.events import Passed
from chromino.game import Game
from chromino.messages.people import Family
from chromino.rules import CLASSIC, Rules
from chromino.seated.counting import rated_players
from chromino.server.database import schema
from chromino.server.database.store import GameRow, find_game, new_id

FAMILIES: tuple[Family, ...] = get_args(Family)

_model = PlackettLuce()
_MOST = 100  # Lines of a leaderboard.
_ROWS = 1000  # Looked for at once.
_SCALE = 40  # Points for one of OpenSkill's: who is new has 1000 ± 1000.
_DEVIATIONS = 3  # How many make the interval that is shown; its lower end is OpenSkill's ordinal.
_ONE_AT_A_TIME = text("LOCK TABLE results IN SHARE ROW EXCLUSIVE MODE")

_results, _ratings, _people, _seats, _games = (
    schema.results.c,
    schema.ratings.c,
    schema.people.c,
    schema.seats.c,
    schema.games.c,
)


class Result(NamedTuple):
    """Who ended where in a game."""

    seat: int
    player: str
    """`p:` and a person's id, `b:` and a bot's name, or `g:` and something random for someone who was erased."""
    place: int
    """1 is the best; equal for those who share it."""


class Rating(NamedTuple):
    """How strong a player is thought to be, and how sure that is."""

    mu: float = _model.mu
    sigma: float = _model.sigma
    games: int = 0

    @property
    def certain(self) -> float:
        """OpenSkill's ordinal, by which leaderboards are sorted."""
        return self.mu - _DEVIATIONS * self.sigma

    @property
    def points(self) -> int:
        """The rating as people read it."""
        return round(_SCALE * self.mu)

    @property
    def uncertainty(self) -> int:
        """By how much the points may be wrong: hardly ever by more."""
        return round(_SCALE * _DEVIATIONS * self.sigma)


class Line(NamedTuple):
    """A line of a leaderboard."""

    place: int
    player: str
    name: str | None
    """A bot's, or the one under which someone wants to be listed."""
    rating: Rating


# What counts.


def family_of(rules: Rules) -> Family:
    """Games of one family ask for the same skill."""
    if rules.joining == "ends":
        return "junior"
    if rules.scoring is None:
        return "classic"
    return "expert" if rules.scoring == "expert" else "points"


def from_log(row: GameRow) -> tuple[Family, list[Result]]:
    """The family of a game that is over, and its results: none if fewer than two players count."""
    family, found = _counted(row)
    return family, found if len(found) > 1 else []


def _counted(row: GameRow) -> tuple[Family, list[Result]]:
    """The seats that count: those who played themselves, without a hint, to the end. With fewer tiles than the
    rulebooks give, luck decides."""
    game = Game.replay([row.header, *(entry.event for entry in row.log)])
    family = family_of(game.rules)
    if not game.over or game.rules.hand_size < CLASSIC.hand_size:
        return family, []
    themselves = _played_themselves(game, row)
    return family, [
        Result(seat, player, game.places[seat])
        for seat, player in rated_players(row.seats).items()
        if seat in themselves and not row.seats[seat].had_hint
    ]


def _played_themselves(game: Game, row: GameRow) -> set[int]:
    """Seats of bots, and those of people who did what was to be done last. A pass is nobody's choice, and goes by
    itself; for whom nothing else was done may never have been there."""
    last = {
        event.seat: entry.action_id
        for event, entry in zip(game.log, row.log, strict=True)
        if not isinstance(event, Passed)
    }
    return {seat for seat, who in enumerate(row.seats) if who.bot is not None or last.get(seat) is not None}


# Rating.


def after(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings of players who ended at these places."""
    teams = [[_model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    rated = _model.rate(teams, ranks=[float(place) for place in places])
    return [Rating(new.mu, new.sigma, rating.games + 1) for rating, (new,) in zip(before, rated, strict=True)]


def rate(game: str) -> Callable[[Connection], bool]:
    """Let a game count that is over; nothing more is due in it then. Does it count from now on?"""

    def work(connection: Connection) -> bool:
        _wait_for_others(connection)
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
    """One more result, and the ratings after it."""

    def work(connection: Connection) -> None:
        number = (connection.scalar(select(func.max(_results.number))) or 0) + 1
        rows = [{"number": number, "game": game, "family": family, **result._asdict()} for result in results]
        connection.execute(insert(schema.results), rows)
        players = [result.player for result in results]
        here = (_ratings.family == family) & _ratings.player.in_(players)
        known = {
            row.player: Rating(row.mu, row.sigma, row.games)
            for row in connection.execute(select(schema.ratings).where(here))
        }
        before = [known.get(player, Rating()) for player in players]
        now = after(before, [result.place for result in results])
        connection.execute(delete(schema.ratings).where(here))
        keys = [(family, player) for player in players]
        _insert(connection, dict(zip(keys, now, strict=True)))

    return work


def note_hint(game: str, seat: int) -> Callable[[Connection], bool]:
    """This seat has a hint, and does not count. False if the game is over: it is too late then."""
    here = (_seats.game == game) & (_seats.seat == seat)
    goes_on = select(_games.id).where(_games.id == game, ~_games.over).with_for_update()

    def work(connection: Connection) -> bool:
        if connection.scalar(goes_on) is None:
            return False
        connection.execute(update(schema.seats).where(here).values(had_hint=True))
        return True

    return work


def forget(connection: Connection, person: str) -> None:
    """Someone is erased: nobody knows any more whose results these were, and the others keep their numbers."""
    _wait_for_others(connection)
    nobody = f"g:{new_id()}"
    change = {"player": nobody}
    for table, values in ((schema.results, change), (schema.ratings, {**change, "listed": False})):
        connection.execute(update(table).where(table.c.player == f"p:{person}").values(values))


def _wait_for_others(connection: Connection) -> None:
    """So it need not be `alone`, and all that is read is the latest."""
    if connection.dialect.name == "postgresql":
        connection.execute(_ONE_AT_A_TIME)


# Computing anew.


def recompute(connection: Connection) -> dict[tuple[str, str], Rating]:
    """All ratings by family and player, from the results alone; work for `read`."""
    found: dict[tuple[str, str], Rating] = {}
    for family, _, results in _all_results(connection):
        keys = [(family, result.player) for result in results]
        before = [found.get(key, Rating()) for key in keys]
        found.update(zip(keys, after(before, [result.place for result in results]), strict=True))
    return found


def rebuild(connection: Connection) -> int:
    """Write all ratings anew from the results, and say how many there are; work for `write`."""
    found = recompute(connection)
    connection.execute(delete(schema.ratings))
    _insert(connection, found)
    return len(found)


def _insert(connection: Connection, found: dict[tuple[str, str], Rating]) -> None:
    """Write ratings, with what leaderboards are searched by."""
    people = {player.removeprefix("p:") for _, player in found if player.startswith("p:")}
    listed: set[str] = set()
    for some in _some(sorted(people)):
        query = select(_people.id).where(_people.id.in_(some), _people.listed_as.is_not(None))
        listed.update(f"p:{person}" for person in connection.scalars(query))
    rows = [
        {
            "family": family,
            "player": player,
            **rating._asdict(),
            "certain": rating.certain,
            "listed": player.startswith("b:") or player in listed,
        }
        for (family, player), rating in found.items()
    ]
    if rows:
        connection.execute(insert(schema.ratings), rows)


def differences(connection: Connection) -> list[str]:
    """Where ratings are not what the results give, or results not what the logs give; work for `read`."""
    kept = {
        (row.family, row.player): Rating(row.mu, row.sigma, row.games)
        for row in connection.execute(select(schema.ratings))
    }
    computed = recompute(connection)
    found = [
        f"{player} in {family}: {kept.get((family, player))} is kept, {computed.get((family, player))} is right"
        for family, player in sorted(kept.keys() | computed.keys())
        if kept.get((family, player)) != computed.get((family, player))
    ]
    for family, game, results in _all_results(connection):
        row = find_game(game)(connection)
        if row is None:
            continue  # Deleted with the only person who played it.
        try:
            right = _counted(row)
        except ChrominoError as error:
            found.append(f"game {game} cannot be replayed: {error}")
            continue
        # Whoever was erased is not in the log any more; the others ended where they did.
        if (family, [result for result in results if not result.player.startswith("g:")]) != right:
            found.append(f"game {game}: {family} {results} is kept, {right} is right")
    return found


def _all_results(connection: Connection) -> Iterator[tuple[str, str, list[Result]]]:
    """Family, game and results of each game, in the order in which they were rated."""
    rows = connection.execute(select(schema.results).order_by(_results.number, _results.seat)).all()
    for _, group in groupby(rows, key=lambda row: row.number):
        seats = list(group)
        yield seats[0].family, seats[0].game, [Result(row.seat, row.player, row.place) for row in seats]


def _some(items: list[str]) -> Iterator[list[str]]:
    """As many at a time as a query takes."""
    for start in range(0, len(items), _ROWS):
        yield items[start : start + _ROWS]


# Leaderboards.


def listed_as(person: str) -> Callable[[Connection], str | None]:
    """The name under which someone is on the leaderboards; None: nobody sees them there."""
    return lambda connection: connection.scalar(select(_people.listed_as).where(_people.id == person))


def be_listed(person: str, name: str | None) -> Callable[[Connection], None]:
    """From now on; whom an operator hides is on no leaderboard, whatever they ask for."""
    mine = _people.id == person

    def work(connection: Connection) -> None:
        _wait_for_others(connection)
        shown = None if connection.scalar(select(_people.hidden).where(mine)) else name
        connection.execute(update(schema.people).where(mine).values(listed_as=shown))
        ratings = update(schema.ratings).where(_ratings.player == f"p:{person}")
        connection.execute(ratings.values(listed=shown is not None))

    return work


def board(family: Family, person: str | None) -> Callable[[Connection], list[Line]]:
    """The best bots and those people who want to be there, by what is certain; and the reader, at any place.

    All of it comes from the index on family, listed and certain: how many others are rated makes no difference.
    """
    bots = {f"b:{bot.name}": bot.name for bot in BOTS}
    mine = f"p:{person}" if person is not None else ""
    here = _ratings.family == family
    best = select(schema.ratings).where(here, _ratings.listed).order_by(_ratings.certain.desc(), _ratings.player)

    def work(connection: Connection) -> list[Line]:
        rows = connection.execute(best.limit(_MOST)).all()
        lines: list[Line] = []
        for number, row in enumerate(rows, start=1):
            rating = Rating(row.mu, row.sigma, row.games)
            is_equal = bool(lines) and lines[-1].rating.certain == rating.certain
            lines.append(Line(lines[-1].place if is_equal else number, row.player, None, rating))
        me = connection.execute(select(schema.ratings).where(here, _ratings.player == mine)).one_or_none()
        if me is not None and all(line.player != mine for line in lines):
            better = select(func.count()).where(here, _ratings.listed, _ratings.certain > me.certain)
            place = 1 + (connection.scalar(better.select_from(schema.ratings)) or 0)
            before = [line for line in lines if line.place < place]
            mine_line = Line(place, mine, None, Rating(me.mu, me.sigma, me.games))
            lines = [*before, mine_line, *lines[len(before) :]]
        ids = [line.player.removeprefix("p:") for line in lines if line.player not in bots]
        query = select(_people.id, _people.listed_as).where(_people.id.in_(ids))
        names = {**bots, **{f"p:{row.id}": row.listed_as for row in connection.execute(query)}}
        return [line._replace(name=names.get(line.player)) for line in lines]

    return work
