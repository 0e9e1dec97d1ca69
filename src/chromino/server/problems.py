"""Every way the server can say no: a code that the page translates, a status, and an English sentence for programs."""

from __future__ import annotations

from chromino.messages.bounds import MAX_NAME_LENGTH
from chromino.messages.games import ErrorBody
from chromino.messages.views import WireRefusal
from chromino.refusal import Refusal
from chromino.seated.declined import Declined

# The HTTP status and English sentence for each code. The page has its own sentence for it in every language.
PROBLEMS = {
    "bad-message": (400, "this message can't be read; /api/openapi.json describes all messages"),
    "bad-name": (400, f"a name must have 1 to {MAX_NAME_LENGTH} characters on one line"),
    "bad-part": (409, "this isn't the random number that you committed to; send that one, or sit down again"),
    "bad-push": (400, "this server can't send notifications to your browser"),
    "bad-rules": (400, "these choices don't go together; change one of them"),
    "bad-seats": (400, "a game must have 1 to 8 seats, and at least one person"),
    "cannot-be-rated": (
        400,
        "a rated game needs at least two players with one seat each, hands of eight tiles or more, "
        "a turn limit of an hour or less, and no help",
    ),
    "foreign-page": (403, "this request came from another site's page; open this site directly"),
    "not-your-game": (403, "you have no seat in this game"),
    "not-your-seat": (403, "this seat isn't yours"),
    "not-the-host": (403, "only the host can do this"),
    "nobody": (403, "you have no identity here yet; start a game or sit down at a table first"),
    "signed-out": (403, "you used another device to sign this one out; get a code there to sign in again"),
    "bad-code": (403, "this code is wrong, already used, or expired; get a new one"),
    "aids-off": (403, "hints and other help are switched off in this game"),
    "no-such-game": (404, "there's no such game; check the link"),
    "no-such-gathering": (404, "this table is closed; ask for a new link"),
    "no-such-person": (404, "you haven't finished a game with this person lately; send them a link instead"),
    "no-such-page": (404, "there's nothing here"),
    "wrong-method": (405, "this address doesn't support that method"),
    "not-your-turn": (409, "it isn't this seat's turn"),
    "seats-taken": (409, "all seats are taken; ask for another table, or open one yourself"),
    "seat-taken": (409, "someone else has just taken this seat; try another one"),
    "has-seat": (409, "you already have a seat in this game"),
    "no-latecomers": (403, "you can't join this game now that it's started; ask for a new link"),
    "too-late": (409, "too late: this game is over, or the next one is already starting; ask for a new link"),
    "too-fast": (429, "too many requests; wait a moment and try again"),
    "too-many-games": (429, "you have too many games open; finish or leave some first"),
    "lobby-full": (429, "too many public tables from your network; share a link instead, or try later"),
    "too-many-invitations": (429, "that's enough invitations for now; try again in an hour, or send your link"),
    "too-many-pages": (429, "too many pages are open; close some of them"),
    "too-many-spectators": (429, "this game has as many spectators as it can take; try again later"),
    "nothing-to-choose": (409, "there's no placement to choose now"),
    "nothing-to-take-back": (
        409,
        "there's no turn to take back; you can do that only against bots, in unrated games",
    ),
    "stale": (409, "the game has moved on since then; look at its latest state"),
    "not-allowed": (409, "the rules don't allow this"),
    "not-over": (409, "you can do this only when the game is over"),
    "bad-conundrum": (400, "this isn't a conundrum"),
    "bad-record": (400, "this isn't a game record"),
    "too-large": (413, "this message is too long; make it shorter"),
    "broken-game": (500, "this game is damaged, but we've kept it as it is; please tell the operator of this site"),
    "failed": (500, "something went wrong on the server; nothing was changed, so try again"),
    "took-too-long": (503, "this took too long and was stopped; try something smaller"),
    "banned": (403, "the operator of this site has banned you from playing"),
    "database-locked": (503, "another program is using the database; try again in a moment"),
    "database-away": (503, "the database isn't available; try again in a moment"),
    "storage": (503, "the game can't be stored right now; nothing was changed, so try again in a moment"),
}


class Problem(Exception):
    """A request that can't be granted; nothing was changed."""

    def __init__(self, code: str, text: str | None = None, refusal: Refusal | None = None) -> None:
        self.code = code
        self.status, sentence = PROBLEMS[code]
        self.text = text or sentence
        self.refusal = refusal
        super().__init__(self.text)

    @classmethod
    def of(cls, declined: Declined) -> Problem:
        """The problem to report when a table declines a request."""
        return cls(declined.reason, declined.text, declined.refusal)

    @property
    def is_storage(self) -> bool:
        """Did the database fail?"""
        return self.code in ("storage", "database-away", "database-locked")

    def __reduce__(self) -> tuple[object, ...]:
        return Problem, (self.code, self.text, self.refusal)  # Makes problems picklable for helper processes.

    @property
    def body(self) -> ErrorBody:
        return ErrorBody(self.code, self.text, WireRefusal.of(self.refusal) if self.refusal else None)
