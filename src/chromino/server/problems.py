"""Every "no" of the server: a code that the page translates, a status, and a sentence in English for programs."""

from __future__ import annotations

from chromino.messages.games import ErrorBody
from chromino.messages.views import WireRefusal
from chromino.refusal import Refusal
from chromino.seated.declined import Declined

# What can be wrong: the HTTP status and the sentence of each code. The page has a sentence for each in every language.
PROBLEMS = {
    "bad-message": (400, "this message cannot be read"),
    "bad-name": (400, "a name is 1 to 40 letters in one line"),
    "bad-part": (409, "this is not the part of the deal that you committed to"),
    "bad-push": (400, "this server can't send notifications to your browser"),
    "bad-rules": (400, "these choices do not go together"),
    "bad-seats": (400, "a game has 1 to 8 seats, and at least one person"),
    "cannot-be-rated": (
        400,
        "a rated game needs two players, each with one seat, eight tiles, a turn limit of an hour or less, and no aids",
    ),
    "foreign-page": (403, "this came from a page of another site"),
    "not-your-game": (403, "you have no seat in this game"),
    "not-your-seat": (403, "this seat is not yours"),
    "not-the-host": (403, "only the host can do this"),
    "nobody": (403, "you have no identity here yet"),
    "signed-out": (403, "you signed this device out from another one"),
    "bad-code": (403, "this code is wrong, used or too old"),
    "aids-off": (403, "hints are switched off in this game"),
    "no-such-game": (404, "there is no such game"),
    "no-such-gathering": (404, "nobody gathers here, or not any more"),
    "no-such-page": (404, "there is nothing here"),
    "wrong-method": (405, "this cannot be done here"),
    "not-your-turn": (409, "it is not the turn of this seat"),
    "seats-taken": (409, "all seats are taken"),
    "too-fast": (429, "one thing after another, please"),
    "too-many-games": (429, "you have too many games open; end some of them first"),
    "lobby-full": (429, "too many public tables were opened from your network; open one by link only, or try later"),
    "too-many-pages": (429, "too many pages are open; close some of them"),
    "nothing-to-choose": (409, "there is no placement to choose now"),
    "nothing-to-take-back": (409, "you can take back a turn only against bots, in a game that isn't rated"),
    "stale": (409, "the game has gone on since"),
    "not-allowed": (409, "the rules do not allow this"),
    "not-over": (409, "this can be done when the game is over"),
    "bad-conundrum": (400, "this is no conundrum"),
    "bad-record": (400, "this is not the record of a game"),
    "too-large": (413, "this message is too long"),
    "broken-game": (500, "this game cannot be read; it is kept as it is"),
    "failed": (500, "something went wrong here; nothing was changed"),
    "took-too-long": (503, "this took too long and was stopped"),
    "banned": (403, "the operator of this site has banned you from playing"),
    "database-locked": (503, "another program is using the database; try again in a moment"),
    "database-away": (503, "the database is away; it will be back in a moment"),
    "storage": (503, "the game cannot be stored now; nothing was changed"),
}


class Problem(Exception):
    """Something that was asked for cannot be; nothing was changed."""

    def __init__(self, code: str, text: str | None = None, refusal: Refusal | None = None) -> None:
        self.code = code
        self.status, sentence = PROBLEMS[code]
        self.text = text or sentence
        self.refusal = refusal
        super().__init__(self.text)

    @classmethod
    def of(cls, declined: Declined) -> Problem:
        """What was declined at a table, as the server tells it."""
        return cls(declined.reason, declined.text, declined.refusal)

    @property
    def is_storage(self) -> bool:
        """Did the database fail?"""
        return self.code in ("storage", "database-away", "database-locked")

    def __reduce__(self) -> tuple[object, ...]:
        return Problem, (self.code, self.text, self.refusal)  # Makes it picklable: helper processes send it back.

    @property
    def body(self) -> ErrorBody:
        return ErrorBody(self.code, self.text, WireRefusal.of(self.refusal) if self.refusal else None)
