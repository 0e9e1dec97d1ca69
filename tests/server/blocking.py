"""`chromino.client` for tests that wait for each step: its coroutines run in a separate thread."""

from __future__ import annotations

import asyncio
import atexit
import json
import secrets
import sys
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import cache
from threading import Thread
from types import TracebackType
from typing import Any, NoReturn, Self, TypeVar

from websockets.asyncio.client import ClientConnection, connect

from chromino import client
from chromino.client import Answer, Http, Identity

PATIENCE = 90.0  # In seconds. Anything that takes longer is broken, even on a busy machine.
REVIEW_PLAYOUTS = 20_000  # A review takes a fraction of a second.
ME = {"kind": "me", "name": "Ada"}
SNAIL = {"kind": "bot", "name": "Snail", "level": 1}
FREE = {"kind": "free"}

_PRESENCE = ("present", "stand_in_in", "away_for")

Json = dict[str, Any]
T = TypeVar("T")


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def end() -> None:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    atexit.register(end)
    return loop


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Run one of the client's coroutines and return its result."""
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()


def in_loop(work: Callable[..., object], *arguments: object) -> None:
    _loop().call_soon_threadsafe(work, *arguments)


async def _opened(opening: connect) -> ClientConnection:
    return await opening


class Client:
    """One person who waits for each answer: `chromino.client`, without `await`."""

    def __init__(self, url: str, secret: str | None = None) -> None:
        self.received: list[bytes] = []
        """Everything received over HTTP."""
        self._client = client.Client(Http(url, timeout=PATIENCE), Identity(secret))

    @property
    def url(self) -> str:
        return f"{self._client.http.site}/"

    @url.setter
    def url(self, url: str) -> None:
        self._client.http = Http(url, timeout=PATIENCE)

    @property
    def secret(self) -> str | None:
        return self._client.identity.secret

    @secret.setter
    def secret(self, secret: str | None) -> None:
        self._client.identity = Identity(secret)

    def request(self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None) -> Answer:
        """Send a request; a body is sent as JSON unless it's bytes."""
        answer = wait_for(self._client.ask(method, path, body, headers))
        self.received.append(answer.content)
        return answer

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        return self.request("GET", path, None, headers)

    def post(self, path: str, body: object, headers: Mapping[str, str] | None = None) -> Answer:
        return self.request("POST", path, body, headers)

    def new_game(self, *seats: Json, **choices: Any) -> str:
        """Start a game, by default against one easy bot, with bots that don't pause; returns its id."""
        answer = self.post("/api/games", {"seats": seats or (ME, SNAIL), "pace": False, **choices})
        assert answer.status == 201, answer.content
        game: str = answer.json["game"]
        return game

    def gather(self, *chairs: Json, **choices: Any) -> str:
        """Open a table, by default for one more person, with bots that don't pause; returns its id."""
        answer = self.post("/api/gatherings", {"chairs": chairs or (ME, FREE), "pace": False, **choices})
        assert answer.status == 201, answer.content
        gathering: str = answer.json["game"]
        return gathering

    def at(self, gathering: str, call: str, body: object = None) -> Answer:
        """A call about a gathering, such as sit or begin."""
        return self.post(f"/api/gatherings/{gathering}/{call}", body)

    def sit(self, gathering: str, name: str) -> Json:
        """Sit down; returns the gathering after that."""
        answer = self.at(gathering, "sit", {"name": name})
        assert answer.status == 200, answer.content
        found: Json = answer.json
        return found

    def begin(self, gathering: str) -> str:
        """Start the game as the host; returns its id once everyone else has contributed to the deal."""
        answer = self.at(gathering, "begin")
        assert answer.status == 200, answer.content
        return self._until_dealt(answer.json)

    def rematch(self, game: str, *others: Client) -> str:
        """Ask for a rematch together with these others; returns its id, once it has started."""
        answers = [person.post(f"/api/games/{game}/rematch", None) for person in (self, *others)]
        assert [answer.status for answer in answers] == [200] * len(answers), [answer.content for answer in answers]
        return self._until_dealt(answers[-1].json)

    def _until_dealt(self, created: Json) -> str:
        game: str = created["game"]
        if created["deal"] is not None:
            with self.watch(game) as page:
                while json.loads(page.recv())["type"] != "begun":
                    pass
        return game

    def gathering(self, gathering: str) -> Json:
        """A gathering as this person sees it."""
        answer = self.get(f"/api/gatherings/{gathering}")
        assert answer.status == 200, answer.content
        found: Json = answer.json
        return found

    def whole_state(self, game: str) -> Json:
        """The game as this person may see it, including who's present."""
        answer = self.get(f"/api/games/{game}")
        assert answer.status == 200, answer.content
        found: Json = answer.json
        return found

    def state(self, game: str) -> Json:
        """The game as this person may see it."""
        return without_presence(self.whole_state(game))

    def record(self, game: str) -> str:
        answer = self.get(f"/api/games/{game}/record")
        assert answer.status == 200, answer.content
        return answer.content.decode()

    def open(self, game: str) -> GameSocket:
        """The game's socket, to be used in a `with`."""
        return GameSocket(self.connect(game))

    def watch(self, gathering: str) -> BareSocket:
        """The gathering's socket, to be used in a `with`."""
        return self.socket(f"/api/gatherings/{gathering}/watch")

    def connect(self, game: str, headers: Mapping[str, str] | None = None) -> BareSocket:
        """The game's bare socket, to be used in a `with`."""
        return self.socket(f"/api/games/{game}/play", headers)

    def socket(self, path: str, headers: Mapping[str, str] | None = None) -> BareSocket:
        """Any socket; the page's own origin is sent unless `headers` are given."""
        return BareSocket(self._client.connect(path, headers))


class BareSocket:
    """A WebSocket that waits."""

    def __init__(self, opening: connect) -> None:
        self._connection = wait_for(_opened(opening))

    def send(self, message: str | bytes) -> None:
        wait_for(self._connection.send(message))

    def recv(self, seconds: float | None = None) -> str | bytes:
        return wait_for(asyncio.wait_for(self._connection.recv(), seconds))

    def send_raw(self, content: bytes) -> None:
        """Bypass the client, which would never send this."""
        in_loop(self._connection.transport.write, content)

    def shut_down(self, how: int) -> None:
        """Close the connection without a closing message."""
        self._connection.transport.get_extra_info("socket").shutdown(how)

    def close(self) -> None:
        wait_for(self._connection.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass
class GameSocket:
    """A game's socket, to watch and play; `state` is the latest state received."""

    connection: BareSocket
    received: list[str] = field(default_factory=list)
    """All messages, as received."""
    states: list[Json] = field(default_factory=list)
    seats: list[Json] = field(default_factory=list)
    """The latest seats, including who's present."""

    @property
    def state(self) -> Json:
        return self.states[-1]

    @property
    def moves(self) -> list[Json]:
        """All events except draws."""
        return [event for event in self.state["view"]["log"] if "draw" not in event]

    def send(self, message: object) -> None:
        """Send a message, as JSON unless it's text or bytes."""
        self.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def receive(self) -> Json:
        """The next message, whatever it is."""
        text = str(self.connection.recv(PATIENCE))
        self.received.append(text)
        message: Json = json.loads(text)
        if message["type"] == "state":
            self.states.append(without_presence(message))
            self.seats = message["seats"]
        return message

    def seats_when(self, condition: Callable[[list[Json]], bool]) -> list[Json]:
        """Wait until the seats meet a condition, unless they already do, and return them."""
        while not self.seats or not condition(self.seats):
            self.receive()
        return self.seats

    def message(self, kind: str) -> Json:
        """The next message of this kind."""
        while (message := self.receive())["type"] != kind:
            pass
        return message

    def until_closed(self) -> NoReturn:
        """Receive until the connection is closed, which raises an error."""
        while True:
            self.receive()

    def state_when(self, condition: Callable[[Json], bool]) -> Json:
        """Wait until the state meets a condition, unless it already does, and return it."""
        while not self.states or not condition(self.state):
            self.receive()
        return self.state

    def state_since(self, version: int) -> Json:
        """The first state of this version or later."""
        return self.state_when(lambda state: state["version"] >= version)

    def my_turn(self, since: int = 0) -> Json:
        """The first state of this version or later in which I have something to decide or the game is over."""

        def is_mine(state: Json) -> bool:
            view = state["view"]  # A pass isn't a decision: it's automatic.
            return state["version"] >= since and (view["over"] or view["actions"] not in ([], ["pass"]))

        return self.state_when(is_mine)

    def ask(self, message: Json) -> Json:
        """Send a message that has an id, and wait for its answer."""
        self.send(message)
        while (answer := self.receive()).get("id") != message["id"]:
            pass
        return answer

    def refusal(self, message: object) -> Json:
        """Send something wrong, even without an id, and wait for the refusal."""
        self.send(message)
        while (answer := self.receive())["type"] in ("state", "said"):
            pass
        assert answer["type"] == "refused", answer
        return answer

    def act(self, action: str, **other: Any) -> Json:
        """Perform an action in the latest state, when it's my turn; `other` replaces fields of the message."""
        return self.ask(act(self.state, action, **other))

    def play_on(self, actions: int = sys.maxsize) -> Json:
        """Take the first action, this many times or to the end; returns the state when it's my turn again."""
        state = self.my_turn()
        while actions and not state["view"]["over"]:
            done = self.act(state["view"]["actions"][0])
            assert done["type"] == "done", done
            state = self.my_turn(since=done["version"])
            actions -= 1
        return state

    def __enter__(self) -> Self:
        self.connection.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.__exit__(kind, error, trace)


def without_presence(state: Json) -> Json:
    """A state without the fields that say who has a page open."""
    seats = [{name: value for name, value in seat.items() if name not in _PRESENCE} for seat in state["seats"]]
    return {**state, "seats": seats}


def act(state: Json, action: str, **other: Any) -> Json:
    """The message that performs an action in this state."""
    view = state["view"]
    return {
        "type": "act",
        "id": secrets.token_hex(8),
        "version": state["version"],
        "seat": view["seat"],
        "action": action,
        **other,
    }
