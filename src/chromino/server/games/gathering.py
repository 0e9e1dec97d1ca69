"""A gathering: people finding together before a game begins. Pure: each step gives a new gathering or a `Problem`."""

from __future__ import annotations

import secrets
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from chromino.bots import find
from chromino.errors import RulesError
from chromino.game import Game
from chromino.rules import Rules
from chromino.server.database.store import GameRow, SeatRow
from chromino.server.problems import Problem

_LONGEST_NAME = 40


class Chair(Struct, frozen=True):
    """A seat to be: a person, a bot, or free for whoever comes."""

    kind: Literal["person", "bot", "free"]
    name: str = ""
    person: str | None = None
    level: int | None = None


class Gathering(Struct, frozen=True):
    """Who sits where so far, and what will be played."""

    id: str
    host: str
    chairs: tuple[Chair, ...]
    rules: dict[str, Any]
    first: int | None = None
    aids: bool = True
    pace: bool = True
    watch: bool = True
    public: bool = False
    turn_limit: int | None = None
    version: int = 0

    def seats_of(self, person: str | None) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if person is not None and chair.person == person]

    def sit(self, person: str, name: str) -> Gathering:
        """Take a free seat; who sits already takes another name."""
        mine = self.seats_of(person)
        free = [seat for seat, chair in enumerate(self.chairs) if chair.kind == "free"]
        if not mine and not free:
            raise Problem("seats-taken")
        return self._with_chair((mine or free)[0], Chair("person", checked_name(name), person))

    def leave(self, person: str) -> Gathering | None:
        """Stand up; if it was the host, the next one is. None if nobody is left."""
        chairs = tuple(Chair("free") if chair.person == person else chair for chair in self.chairs)
        people = [chair.person for chair in chairs if chair.person is not None]
        if not people:
            return None
        host = people[0] if self.host == person else self.host
        return replace(self, chairs=chairs, host=host, version=self.version + 1)

    def hand_over(self, present: set[str]) -> Gathering:
        """The host has been away for long: the first one who is there takes over, if somebody is."""
        others = [chair.person for chair in self.chairs if chair.person in present]
        host = others[0] if others and self.host not in present else None
        return self if host is None else replace(self, host=host, version=self.version + 1)

    def remove(self, by: str, seat: int) -> Gathering:
        """The host frees a seat that is not his own."""
        self.check_host(by)
        if seat not in range(len(self.chairs)) or self.chairs[seat].person == by:
            raise Problem("bad-seats")
        return self._with_chair(seat, Chair("free"))

    def fill(self, by: str, seat: int, level: int, name: str) -> Gathering:
        """The host gives a free seat to a bot."""
        self.check_host(by)
        if seat not in range(len(self.chairs)) or self.chairs[seat].kind != "free":
            raise Problem("bad-seats")
        return self._with_chair(seat, Chair("bot", checked_name(name), level=level))

    def begin(self, by: str) -> tuple[Game, GameRow]:
        """The host begins; seats that are still free are taken away."""
        self.check_host(by)
        taken = [chair for chair in self.chairs if chair.kind != "free"]
        first = None
        if self.first is not None and self.chairs[self.first].kind != "free":
            first = sum(chair.kind != "free" for chair in self.chairs[: self.first])
        game = new_game(Rules.from_json(self.rules), [chair.name for chair in taken], first)
        seats = tuple(SeatRow(chair.person, find(chair.level).name if chair.level else None) for chair in taken)
        row = GameRow(
            id=self.id,
            header=header_of(game),
            aids=self.aids,
            pace=self.pace,
            seats=seats,
            watch=self.watch,
            turn_limit=self.turn_limit,
        )
        return game, row

    def check_host(self, person: str) -> None:
        if person != self.host:
            raise Problem("not-the-host")

    def _with_chair(self, seat: int, chair: Chair) -> Gathering:
        chairs = (*self.chairs[:seat], chair, *self.chairs[seat + 1 :])
        return replace(self, chairs=chairs, version=self.version + 1)


def new_game(rules: Rules, names: list[str], first: int | None) -> Game:
    """Deal, by a seed that nobody can guess."""
    try:
        return Game.start(rules, names, seed=secrets.token_hex(16), first=first)
    except RulesError as error:
        raise Problem("bad-rules" if error.code == "bag-too-small" else "bad-name", str(error)) from None


def header_of(game: Game) -> str:
    """The first line of a game's record."""
    return str(game.record).partition("\n")[0]


def checked_name(name: str) -> str:
    """A name that a game takes, and that fits everywhere it is shown."""
    if len(name.strip()) > _LONGEST_NAME:
        raise Problem("bad-name")
    new_game(Rules.classic(), [name.strip()], None)
    return name.strip()
