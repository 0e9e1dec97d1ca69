"""Game records: how a game started and what happened, as JSON Lines.

The first line is the header, with the format's version, the rules, the players and the start. Each line after it is
one event. Files, database rows, downloads and tests all use this text. Reading a record only checks its form;
`Game.replay` checks every event against the rules.

    Path("game.jsonl").write_text(str(game.record))
    game = Game.replay(Path("game.jsonl").read_text())
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from chromino.deal import Deal
from chromino.errors import ChrominoError, ParseError, RecordError
from chromino.events import Event, event_from_json, event_to_json
from chromino.rules import Rules

VERSION = 1
T = TypeVar("T")


def event_line(index: int) -> int:
    """The line of the event with this index. Lines are numbered from 1, and the first is the header."""
    return index + 2


@dataclass(frozen=True, slots=True)
class Record:
    """A game as data; `str` and `parse` convert it to and from text, one line of JSON per event."""

    rules: Rules
    players: tuple[str, ...]
    deal: Deal
    events: tuple[Event, ...]

    def __str__(self) -> str:
        header = {
            "chromino": VERSION,
            "rules": self.rules.to_json(),
            "players": list(self.players),
            "start": self.deal.to_json(),
        }
        lines = [header, *map(event_to_json, self.events)]
        return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)

    @classmethod
    def parse(cls, text: str | Iterable[str]) -> Record:
        """Read a record from its text or its lines; `RecordError` names the line and the reason.

        >>> Record.parse("")
        Traceback (most recent call last):
        chromino.errors.RecordError: line 1: the record is empty
        """
        lines = text.split("\n") if isinstance(text, str) else [line.removesuffix("\n") for line in text]
        if lines and not lines[-1]:  # The last line may end with a line break.
            lines.pop()
        if not lines:
            raise RecordError(1, "the record is empty")
        rules, players, deal = _read_line(1, _header, lines[0])
        events = (_read_line(event_line(index), event_from_json, line) for index, line in enumerate(lines[1:]))
        return cls(rules, players, deal, tuple(events))


def _read_line(number: int, read: Callable[[object], T], line: str) -> T:
    """Parse a line with `read`, and turn any error into a `RecordError` for that line."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise RecordError(number, "this isn't JSON") from None
    try:
        return read(data)
    except ChrominoError as error:
        raise RecordError(number, str(error)) from None


def _header(data: object) -> tuple[Rules, tuple[str, ...], Deal]:
    match data:
        case {"chromino": version} if type(version) is int and version != VERSION:
            raise ParseError(f"this is version {version} of the format, but only version {VERSION} can be read")
        case {"chromino": version, "rules": rules, "players": [*players], "start": start, **rest}:
            if type(version) is int and not rest and all(isinstance(name, str) for name in players):
                return Rules.from_json(rules), tuple(players), Deal.from_json(start)
    raise ParseError(
        'a record must start with a header that has "chromino" (the version), "rules", "players" and "start"'
    )
