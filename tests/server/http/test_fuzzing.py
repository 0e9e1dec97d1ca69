"""Random requests and messages: answers are as described, the server survives, and nobody else notices."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from functools import partial
from socket import SHUT_WR
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from schemathesis import BaseSchema, Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.exceptions import ConnectionClosed

from chromino import Game, Rules
from chromino.conundrum.making import daily
from chromino.errors import ChrominoError
from chromino.events import parse_action
from chromino.messages.people import COOKIE
from chromino.server.endpoints import ENDPOINTS
from chromino.server.http.calls import Endpoint
from chromino.server.problems import PROBLEMS
from tests.helpers import more
from tests.server.sites.serving import (
    FREE,
    HERE,
    ME,
    PATIENCE,
    Answer,
    BareSocket,
    Client,
    GameSocket,
    Json,
    Server,
    act,
    plant_multiplayer,
)

START = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]

examples = partial(
    settings,
    deadline=None,
    phases=[Phase.reuse, Phase.generate],  # Shrinking would take too long.
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without limits, since most of these requests would be refused as too fast.

    It's a separate process, because Hypothesis objects if another thread uses `random` while it generates.
    """
    with Server(tmp_path_factory.mktemp("server") / "games.sqlite", options=["--limits", "none"]) as server:
        yield server


@pytest.fixture(autouse=True)
def _nothing_fails(server: Server) -> Iterator[None]:
    """No matter what's sent, the server logs no traceback, keeps working, and leaves other people's games alone."""
    before = len(server.errors)
    bystander = Client(server.url)
    game, gathering = bystander.new_game(ME, HERE), bystander.gather()
    state, chairs = bystander.state(game), bystander.gathering(gathering)
    yield
    assert bystander.state(game) == state
    assert bystander.gathering(gathering) == chairs
    for word in ("Traceback", "Error", "failed"):
        assert word not in server.errors[before:]


# Over HTTP: schemathesis reads the description, and makes requests that follow it and some that don't.


@pytest.fixture(scope="module")
def described(server: Server) -> BaseSchema:
    schema = schemathesis.openapi.from_dict(Client(server.url).get("/api/openapi.json").json)
    refused = schema.config.checks.negative_data_rejection
    refused.expected_statuses = [*refused.expected_statuses, "413"]  # For bodies that are too large.
    return schema


def something_of(person: Client, path: str, *, over: bool) -> dict[str, str]:
    """Values for a path, so that it leads to this person's game or table."""
    if path.startswith("/api/gatherings/{game}"):
        return {"game": person.gather(ME, FREE, FREE)}
    if path.startswith("/api/games/{game}"):
        game = person.new_game(ME, rules={"hand_size": 1, "joining": "ends"})  # These games are the shortest.
        if over:
            with person.open(game) as socket:
                socket.play_on()
        return {"game": game}
    if path.startswith("/api/lesson/{step}"):
        return {"step": "contacts"}
    return {"day": "2026-11-15", "grade": "1"} if "{day}" in path else {}


def assert_as_described(strategy: SearchStrategy[Case[Any]], person: Client, most: int) -> None:
    """Make requests, and check the answers against the description."""
    session = requests.Session()
    session.trust_env = False  # Never use a proxy.

    @examples(max_examples=most)
    @given(case=strategy)
    def each(case: Case[Any]) -> None:
        session.cookies.clear()
        if person.secret is not None:
            session.cookies.set(COOKIE, person.secret)
        response = case.call(person.url, session, timeout=PATIENCE)
        case.validate_response(response, checks=CHECKS)
        if response.status_code >= 400:
            answer = json.loads(response.content)
            assert PROBLEMS[answer["code"]][0] == response.status_code
            assert answer["text"]

    with session:
        each()


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
@pytest.mark.parametrize(("many", "few"), [(3, 1), more(25, 2)])
def test_every_answer_matches_its_description(
    many: int, few: int, endpoint: Endpoint, described: BaseSchema, server: Server
) -> None:
    """Tries many examples where there's something to make up, and few where there isn't."""
    operation = described[endpoint.path][endpoint.method]
    most = many if endpoint.body or "{" in endpoint.path else few
    assert_as_described(operation.as_strategy(), Client(server.url), most)
    for over in (False, True) if "/games/{game}" in endpoint.path else (False,):
        ada = Client(server.url)
        ada.new_game()
        path = something_of(ada, endpoint.path, over=over) or None
        assert_as_described(operation.as_strategy(path_parameters=path), ada, many if endpoint.body else few)
        if endpoint.body or endpoint.query:
            assert_as_described(operation.as_strategy(GenerationMode.NEGATIVE, path_parameters=path), ada, many)


# Random text rarely follows a grammar, so these tests start with valid text and change a part.


def finished() -> str:
    game = Game.start(Rules.expert(), ["Ada", "Bob"], seed=7)
    while not game.over:
        game = game.apply(game.actions()[0])
    return str(game.record)


RECORD = finished()
CONUNDRUM = str(daily(date(2026, 11, 15), 2))
PLACEMENT = next(str(place) for places in daily(date(2026, 11, 15), 2).solutions.values() for place in places)


@st.composite
def altered(draw: st.DrawFn, text: str) -> str:
    """Text with one part replaced."""
    where, end = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    start, stop = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    short = st.text(max_size=6) | st.text("RGBYP*@,-0123456789<>v?{}[] ", max_size=6) | st.just(text[start : start + 9])
    return text[:where] + draw(short | st.just(text[start:stop])) + text[draw(st.sampled_from([where, end])) :]


@st.composite
def altered_record(draw: st.DrawFn) -> str:
    """A record with one value replaced, and perhaps with its lines in another order."""
    lines = [json.loads(line) for line in RECORD.splitlines()]
    part: Any = lines
    while True:
        key = draw(st.sampled_from(range(len(part)) if isinstance(part, list) else sorted(part)))
        if not part[key] or not isinstance(part[key], list | dict) or draw(st.integers(0, 3)) == 0:
            break
        part = part[key]
    part[key] = draw(ANYTHING | st.sampled_from(RECORD.splitlines()).map(json.loads) | st.just([part[key]] * 2))
    if draw(st.integers(0, 5)) == 0:
        lines = draw(st.permutations(lines))
    return "\n".join(map(json.dumps, lines))


def assert_known(answer: Answer, code: str) -> None:
    """The request was done, or refused with an expected code."""
    assert answer.status == 200 or answer.refused in ((400, code), (400, "bad-message"), (409, "nothing-to-choose"))


def test_nearly_valid_records_get_a_proper_answer(server: Server) -> None:
    client = Client(server.url)
    codes = set()

    @examples(max_examples=80)
    @given(altered_record() | altered(RECORD))
    def each(record: str) -> None:
        answer = client.post("/api/records", {"record": record})
        assert_known(answer, "bad-record")
        codes.add(answer.status)

    assert client.post("/api/records", {"record": RECORD}).status == 200
    each()
    assert 400 in codes


def test_nearly_valid_conundrums_get_a_proper_answer(server: Server) -> None:
    client = Client(server.url)
    codes = set()

    @examples(max_examples=50)
    @given(
        st.just(CONUNDRUM) | altered(CONUNDRUM),
        st.just(PLACEMENT) | altered(PLACEMENT),
        st.lists(st.just(PLACEMENT) | altered(PLACEMENT), max_size=3),
        st.integers(1, 3),
    )
    def each(conundrum: str, placement: str, found: list[str], step: int) -> None:
        calls: dict[str, Json] = {
            "": {},
            "/try": {"placement": placement, "found": found},
            "/hint": {"found": found, "step": step},
            "/missing": {"found": found},
        }
        for path, rest in calls.items():
            answer = client.post(f"/api/conundrums{path}", {"conundrum": conundrum, **rest})
            assert_known(answer, "bad-conundrum")
            codes.add(answer.status)

    each()
    assert codes >= {200, 400}


# Over the sockets.

IDS = st.sampled_from(["01234567", "a-first-id", "x" * 64])
VERSIONS = st.sampled_from([0, 1, 2, 10**6, 2**31, 2**63, 2**64, 10**30]) | st.integers(0)
ACTIONS = (
    st.sampled_from(["draw", "pass", *(f"{tile}@0,1>" for tile in Rules.classic().tiles)])
    | st.from_regex(r"[RGBYP*]{3}@-?[0-9]{1,9},-?[0-9]{1,9}[>v]", fullmatch=True)
    | st.text(max_size=40)
)
PHRASES = st.sampled_from(["hello", "bye", "heart"])
VALID: list[SearchStrategy[Json]] = [
    st.fixed_dictionaries(
        {"type": st.just("act"), "id": IDS, "version": VERSIONS, "seat": st.integers(0, 7), "action": ACTIONS}
    ),
    st.fixed_dictionaries({"type": st.just("hint"), "id": IDS, "version": VERSIONS}),
    st.fixed_dictionaries({"type": st.just("pace"), "id": IDS, "pace": st.booleans()}),
    st.fixed_dictionaries({"type": st.just("say"), "id": IDS, "phrase": PHRASES}),
    st.fixed_dictionaries({"type": st.just("leave"), "id": IDS}),
]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)
INVALID_FIELDS = {
    "type": st.sampled_from(["done", "state", "Act", "", "act\0"]) | ANYTHING,
    "id": st.text(max_size=7) | st.just("x" * 65) | st.just("with spaces") | st.integers() | st.lists(IDS),
    "version": st.integers(max_value=-1) | st.floats() | st.text() | st.booleans() | st.none(),
    "seat": st.integers(8) | st.integers(max_value=-1) | st.floats() | st.text() | st.none(),
    "action": st.text(min_size=41) | st.integers() | st.lists(st.text()) | st.none(),
    "pace": st.integers() | st.text() | st.none(),
    "phrase": st.text().filter(lambda text: text.isupper() or not text) | st.integers() | st.none(),
}
TEXTS = st.text(max_size=200) | st.binary(max_size=100).map(lambda content: content.decode("latin-1"))


@st.composite
def spoiled(draw: st.DrawFn) -> Json:
    """A message that's valid except for one field, which is invalid, missing, or extra."""
    message: Json = draw(st.one_of(VALID))
    name = draw(st.sampled_from(sorted(message)))
    match draw(st.sampled_from(["wrong", "missing", "extra"])):
        case "wrong":
            return {**message, name: draw(INVALID_FIELDS[name])}
        case "missing":
            return {key: value for key, value in message.items() if key != name}
    return {**message, draw(st.text(min_size=1).filter(lambda extra: extra not in INVALID_FIELDS)): draw(SCALARS)}


def is_allowed(message: Any) -> bool:
    """Would this message be allowed if seat 0 sent it at the start of the game?"""
    if not isinstance(message, dict) or message.get("type") != "act":
        return False
    if (message["version"], message["seat"]) != (0, 0):
        return False
    try:
        START.apply(parse_action(message["action"]))
    except ChrominoError:
        return False
    return True


class AtOneTable:
    """A two-player game: one player or a spectator sends random messages, and the other player watches."""

    def __init__(self, server: Server) -> None:
        self.game, secrets = plant_multiplayer(server.database, START)
        self.people = [Client(server.url, secret) for secret in secrets]
        self.looking = Client(server.url)
        self.before = [person.state(self.game) for person in (*self.people, self.looking)]

    def assert_unchanged(self, watching: GameSocket) -> None:
        """The game is unchanged, and the other person got no other messages and can still act."""
        assert [person.state(self.game) for person in (*self.people, self.looking)] == self.before
        answer = watching.ask({"type": "say", "id": "still-here", "phrase": "hello"})
        assert answer["type"] == "done"
        assert watching.states
        assert all(state == self.before[1] for state in watching.states)


@pytest.fixture
def table(server: Server) -> AtOneTable:
    return AtOneTable(server)


def test_a_players_invalid_messages_are_refused(table: AtOneTable) -> None:
    always_allowed = ("say", "pace", "leave")  # For a player.
    with table.people[1].open(table.game) as watching, table.people[0].open(table.game) as socket:
        right = st.one_of(VALID).filter(
            lambda message: message["type"] not in always_allowed and not is_allowed(message)
        )

        @examples(max_examples=120)
        @given(st.one_of(right, spoiled(), ANYTHING.map(json.dumps), TEXTS))
        def each(message: object) -> None:
            socket.send(message)
            while (answer := socket.receive())["type"] == "state":
                pass
            if isinstance(message, dict) and message.get("type") == "hint" and answer["type"] == "hint":
                return  # The request is valid.
            assert answer["type"] == "refused"
            assert answer["code"] in PROBLEMS
            assert answer["code"] != "failed"
            assert answer["text"]

        each()
        table.assert_unchanged(watching)


def test_all_of_a_spectators_messages_are_refused(table: AtOneTable) -> None:
    """Even messages that would be valid if a player sent them."""
    legal = [act(table.before[0], str(action)) for action in START.actions()]
    with table.people[1].open(table.game) as watching, table.looking.open(table.game) as socket:

        @examples(max_examples=60)
        @given(st.one_of(*VALID, st.sampled_from(legal), spoiled()))
        def each(message: object) -> None:
            assert socket.refusal(message)["code"] in {
                "not-your-seat",
                "not-your-game",
                "not-your-turn",
                "stale",
                "bad-message",
            }

        each()
        table.assert_unchanged(watching)


def closing(connection: BareSocket) -> int | None:
    """Wait until a socket is closed, ignoring messages; returns the code it's closed with, if any."""
    try:
        while True:
            connection.recv(PATIENCE)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def test_a_binary_message_closes_a_games_socket(table: AtOneTable) -> None:
    with table.people[1].open(table.game) as watching:

        @examples(max_examples=12)
        @given(st.binary(max_size=300) | spoiled().map(lambda message: json.dumps(message).encode()))
        def each(content: bytes) -> None:
            with table.people[0].connect(table.game) as connection:
                connection.send(content)
                assert closing(connection) == 1003  # Text only.

        each()
        table.assert_unchanged(watching)


# Bytes that aren't valid WebSocket frames.
BROKEN_FRAMES = {
    "a reserved bit": b"\xf1\x80\0\0\0\0",
    "an unknown kind": b"\x83\x80\0\0\0\0",
    "not masked": b"\x81\x02{}",
    "a continuation of nothing": b"\x80\x80\0\0\0\0",
    "text that is not UTF-8": b"\x81\x81\0\0\0\0\xff",
    "a fragmented ping": b"\x09\x80\0\0\0\0",
    "a long ping": b"\x89\xfe\x00\x7e\0\0\0\0" + b"x" * 126,
    "a huge text": b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0",
    "a close with half a code": b"\x88\x81\0\0\0\0\x03",
    "a close with an invalid code": b"\x88\x82\0\0\0\0\0\x01",
}
SOCKETS = ("game", "gathering")


def opened(kind: str, table: AtOneTable, gathering: str) -> BareSocket:
    return table.people[0].connect(table.game) if kind == "game" else table.people[0].watch(gathering)


@pytest.mark.parametrize("kind", SOCKETS)
@pytest.mark.parametrize("frame", BROKEN_FRAMES)
def test_forbidden_frames_close_a_socket_with_a_code(kind: str, frame: str, table: AtOneTable) -> None:
    gathering = table.people[0].gather()
    with table.people[1].open(table.game) as watching:
        with opened(kind, table, gathering) as connection:
            connection.send_raw(BROKEN_FRAMES[frame])
            assert closing(connection) in (1002, 1007, 1009)
        table.assert_unchanged(watching)


@pytest.mark.parametrize("kind", SOCKETS)
def test_random_bytes_harm_nobody(kind: str, table: AtOneTable) -> None:
    gathering = table.people[0].gather()
    before = table.people[0].gathering(gathering)
    with table.people[1].open(table.game) as watching:

        @examples(max_examples=15)
        @given(st.binary(min_size=1, max_size=400))
        def each(content: bytes) -> None:
            with opened(kind, table, gathering) as connection:
                connection.send_raw(content)
                with suppress(OSError):
                    connection.shut_down(SHUT_WR)  # Nothing that was started will be finished.
                closing(connection)

        each()
        table.assert_unchanged(watching)
    assert table.people[0].gathering(gathering) == before


def test_nothing_sent_to_a_gathering_changes_it(server: Server) -> None:
    """A gathering's socket only sends."""
    host, guest = Client(server.url), Client(server.url)
    gathering = host.gather(ME, FREE, FREE)
    guest.sit(gathering, "Bob")
    before = host.gathering(gathering)
    with host.watch(gathering) as watching, guest.watch(gathering) as connection:
        connection.recv(PATIENCE)

        @examples(max_examples=60)
        @given(st.one_of(spoiled().map(json.dumps), *(right.map(json.dumps) for right in VALID), TEXTS, st.binary()))
        def each(message: str | bytes) -> None:
            connection.send(message)

        each()
        assert host.gathering(gathering) == before
        assert json.loads(watching.recv(PATIENCE)) == before
        assert host.at(gathering, "fill", {"seat": 2, "level": 1, "name": "Snail"}).status == 200
        for socket in (watching, connection):  # Both get the next change, and nothing before it.
            while (seen := json.loads(socket.recv(PATIENCE))["version"]) == before["version"]:
                pass  # A repeated state does no harm.
            assert seen == before["version"] + 1
