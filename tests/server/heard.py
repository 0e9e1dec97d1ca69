"""What comes over a game's socket, as far as someone must know it to play; all else is skipped, which is cheap."""

from __future__ import annotations

import msgspec
from msgspec import Struct


class View(Struct):
    seat: int
    me: int | None
    actions: list[str]
    over: bool


class State(Struct, tag_field="type", tag="state"):
    version: int
    view: View
    next_game: str | None

    @property
    def is_mine(self) -> bool:
        """Is there something to decide? A pass goes by itself."""
        view = self.view
        return view.seat == view.me and not view.over and view.actions not in ([], ["pass"])


class Done(Struct, tag_field="type", tag="done"):
    id: str
    version: int


class Refused(Struct, tag_field="type", tag="refused"):
    id: str | None
    code: str


class Said(Struct, tag_field="type", tag="said"):
    pass


hear = msgspec.json.Decoder(State | Done | Refused | Said).decode
