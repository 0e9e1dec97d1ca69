"""A crowd of people who play at many tables, each with an identity and a socket, all in one process.

Actions happen at a steady average rate, each by a random person whose turn it is. As with real people, some tables are
quick and some are slow, so games end at different times. `Figures` has the measurements.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any

from chromino.client import Client, Http, Socket, must_decide
from chromino.messages.games import Act, Done, Refused, State, ToClient
from chromino.messages.gatherings import ChairChoice, NewGathering
from tests.server.ledger import Ledger

PATIENCE = 60.0  # Seconds; anything that takes longer is broken.
_MAX_OPENING = 64  # Sockets to open at the same time.
_SPEED_RATIO = 8.0  # The quickest table acts this many times as often as the slowest one.


@dataclass
class Figures:
    """The measurements, in seconds."""

    acknowledged: list[float] = field(default_factory=list)
    """How long it took from each action to its acknowledgment."""
    seen: list[float] = field(default_factory=list)
    """How long it took from each action to the state that shows it to another player."""
    late: list[float] = field(default_factory=list)
    """How much later than planned an action was sent, because the crowd itself was slow."""
    refusals: Counter[str] = field(default_factory=Counter)
    rematches: int = 0
    idle: int = 0
    """How many times nobody was ready to act."""
    lost: int = 0
    """Sockets that the server closed."""

    def __add__(self, other: Figures) -> Figures:
        mine, theirs = vars(self), vars(other)
        return Figures(**{name: mine[name] + theirs[name] for name in mine})


class Ready:
    """People whose turn it is. They're picked at random, and quicker people are picked more often."""

    def __init__(self) -> None:
        self._list: list[Person] = []
        self._index: dict[Person, int] = {}

    def __len__(self) -> int:
        return len(self._list)

    def add(self, person: Person) -> None:
        if person not in self._index:
            self._index[person] = len(self._list)
            self._list.append(person)

    def discard(self, person: Person) -> None:
        index = self._index.pop(person, None)
        if index is not None:
            last = self._list.pop()
            if last is not person:
                self._list[index] = last
                self._index[last] = index

    def take(self, rng: Random) -> Person:
        while True:
            person = self._list[rng.randrange(len(self._list))]
            if rng.uniform(0, _SPEED_RATIO) < person.quickness:
                self.discard(person)
                return person


class Person:
    """Someone at a table, in one game after another."""

    def __init__(self, crowd: Crowd, table: list[Person], quickness: float) -> None:
        self.crowd = crowd
        self.table = table
        """Everyone at this person's table, including them."""
        self.quickness = quickness
        self.client = Client(crowd.http)
        self.game = ""
        self.state: State | None = None
        self._socket: Socket[ToClient] | None = None
        self._next: str | None = None
        """The rematch, once someone has asked for one."""
        self._acted = -1
        """The version that the last action was based on."""
        self._asked: tuple[str, float] | None = None
        """The action that hasn't been answered yet, and when it was sent."""
        self._awaited: deque[tuple[int, float]] = deque()
        """The versions that others' actions lead to, and when those actions were sent."""

    @property
    def is_settled(self) -> bool:
        """Is this person in a game that isn't over, with no unanswered action?"""
        state = self.state
        return state is not None and self._asked is None and not state.view.over and state.next_game is None

    async def go(self, game: str, *, is_rematch: bool = False) -> None:
        """Open a game and close the old one, as the page does. A rematch is dealt once everyone has arrived."""
        await self.leave()
        if is_rematch:
            await self.client.dealt(game)
        self.game, self.state, self._acted, self._asked, self._next = game, None, -1, None, None
        self._awaited.clear()
        async with self.crowd.opening_slots:
            # Browsers don't send pings.
            connection = await self.client.connect(f"/api/games/{game}/play", ping_interval=None)
        self._socket = Socket(connection, ToClient)
        self.crowd.spawn(self._listen(self._socket))

    async def leave(self) -> None:
        """Close the page."""
        if self._socket is not None:
            socket, self._socket = self._socket, None
            await socket.connection.close()

    async def act(self) -> None:
        """Perform a random legal action."""
        crowd, state, socket = self.crowd, self.state, self._socket
        if state is None or socket is None or state.view.me is None:
            raise RuntimeError("someone has to see the game before they can act")
        message = Act(crowd.new_id(), state.version, state.view.me, crowd.rng.choice(state.view.actions))
        now = perf_counter()
        self._acted, self._asked = state.version, (message.id, now)
        for other in self.table:
            if other is not self:
                other._awaited.append((state.version + 1, now))
        await socket.send(message)

    async def _listen(self, socket: Socket[ToClient]) -> None:
        async for message in socket:
            self._hear(message)
        if socket is self._socket:  # The server closed the connection, so this person is lost.
            self.crowd.figures.lost += 1
            self.crowd.ready.discard(self)

    def _hear(self, message: ToClient) -> None:
        now = perf_counter()
        match message:
            case State():
                self._see(message, now)
            case Done() if self._asked and message.id == self._asked[0]:
                self.crowd.figures.acknowledged.append(now - self._asked[1])
                self._asked = None
                self.crowd.ledger.done(self.game, message.id, message.version)
            case Refused():
                self._handle_refusal(message)

    def _see(self, state: State, now: float) -> None:
        if self.state is not None and state.version < self.state.version:
            return
        self.state = state
        while self._awaited and self._awaited[0][0] <= state.version:
            self.crowd.figures.seen.append(now - self._awaited.popleft()[1])
        if state.view.over:
            self.crowd.ready.discard(self)
            self._go_on(state.next_game)
        elif must_decide(state) and state.version > self._acted:
            self.crowd.ready.add(self)
        else:
            self.crowd.ready.discard(self)

    def _go_on(self, next_game: str | None) -> None:
        """After a game, the first person asks for a rematch, and everyone joins it once."""
        if self is self.table[0]:
            if self._next is None:
                self._next = ""  # The id isn't known yet.
                self.crowd.spawn(self.crowd.rematch(self))
        elif next_game is not None and self._next != next_game:
            self._next = next_game
            self.crowd.spawn(self.go(next_game, is_rematch=True))

    def _handle_refusal(self, refused: Refused) -> None:
        self.crowd.figures.refusals[refused.code] += 1
        if self._asked is None or refused.id != self._asked[0]:
            return
        self.crowd.ledger.refuse(self.game, self._asked[0], refused.code)
        for other in self.table:
            if other is not self and other._awaited and other._awaited[-1][0] == self._acted + 1:
                other._awaited.pop()
        self._asked, self._acted = None, -1
        if self.state is not None and must_decide(self.state):
            self.crowd.ready.add(self)


class Crowd:
    """All the people, at all tables."""

    def __init__(self, port: int, seed: int) -> None:
        self.http = Http(f"http://127.0.0.1:{port}", connections=16, keep_alive=True, timeout=PATIENCE)
        self.rng = Random(seed)
        self.ready = Ready()
        self.figures = Figures()
        self.ledger = Ledger()
        self.tables: list[list[Person]] = []
        self.opening_slots = asyncio.Semaphore(_MAX_OPENING)
        self._tasks: set[asyncio.Task[None]] = set()
        self._ids = 0

    def new_id(self) -> str:
        self._ids += 1
        return f"{self._ids:012x}"

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` in the background; if it fails, `settle` raises its error."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(lambda task: None if task.cancelled() or task.exception() else self._tasks.discard(task))

    async def come(self, games: int, seats: int) -> None:
        """Add this many tables: at each one, people gather, start a game and open it."""
        await asyncio.gather(*(self._sit_down(seats) for _ in range(games)))
        await self.settle()

    async def _sit_down(self, seats: int) -> None:
        table: list[Person] = []
        quickness = _SPEED_RATIO ** self.rng.random()
        table += [Person(self, table, quickness) for _ in range(seats)]
        chairs = [ChairChoice("me", "Player 1"), *[ChairChoice("free")] * (seats - 1)]
        game = await table[0].client.gather(NewGathering(chairs))
        for number, person in enumerate(table[1:], 2):
            await person.client.sit(game, f"Player {number}")
        await table[0].client.begin(game)
        await asyncio.gather(*(person.client.dealt(game) for person in table))
        self.tables.append(table)
        for person in table:
            await person.go(game)

    async def rematch(self, person: Person) -> None:
        self.figures.rematches += 1
        # Wait for the call to return first: until then, this client doesn't know its own part of the deal.
        await person.go(await person.client.rematch(person.game), is_rematch=True)

    async def play(self, rate: float, seconds: float) -> None:
        """Perform this many actions a second, at random intervals."""
        due = perf_counter()
        end = due + seconds
        while (due := due + self.rng.expovariate(rate)) < end:
            if (wait := due - perf_counter()) > 0:
                await asyncio.sleep(wait)
            self.figures.late.append(max(0.0, perf_counter() - due))
            if len(self.ready):
                await self.ready.take(self.rng).act()
            else:
                self.figures.idle += 1
        await self.settle()

    async def settle(self) -> None:
        """Wait until everyone is in a game, and all actions have been answered."""
        people = [person for table in self.tables for person in table]
        await _until(lambda: all(person.is_settled for person in people) or self._failed())
        if failed := self._failed():
            await failed[0]

    def _failed(self) -> list[asyncio.Task[None]]:
        return [task for task in self._tasks if task.done() and (task.cancelled() or task.exception())]

    async def close(self) -> None:
        """Make everyone leave."""
        await self.http.close()
        for table in self.tables:
            for person in table:
                await person.leave()


async def _until(condition: Callable[[], object]) -> None:
    """Check the condition from time to time until it's met."""
    end = perf_counter() + PATIENCE
    while not condition():
        if perf_counter() > end:
            raise TimeoutError(f"the crowd didn't settle within {PATIENCE:.0f} seconds")
        await asyncio.sleep(0.05)
