"""Faces: chosen when someone sits down, stored with the seat and the person, and seen by everyone."""

from __future__ import annotations

from tests.server.devices import claim
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import FREE, HERE, ME, SNAIL, Client, Json, leave


def faces(seats: list[Json]) -> list[str | None]:
    return [seat["face"] for seat in seats]


def test_people_on_one_device_have_their_own_faces(client: Client) -> None:
    game = client.new_game({**ME, "face": "cap"}, {**HERE, "face": "braids"}, SNAIL)
    assert faces(client.state(game)["seats"]) == ["cap", "braids", None]
    assert [faces(line["seats"]) for line in client.get("/api/games").json["games"]] == [["cap", "braids", None]]
    assert client.get("/api/me").json["face"] == "cap"


def test_a_face_is_shown_before_and_during_the_game(client: Client, server: InProcessServer) -> None:
    guest = Client(server.url)
    table = client.gather({**ME, "face": "bun"}, FREE)
    guest.at(table, "sit", {"name": "Bob", "face": "beard"})
    guest.at(table, "sit", {"name": "Robert"})
    assert faces(client.gathering(table)["chairs"]) == ["bun", "beard"]
    game = client.begin(table)
    assert faces(guest.state(game)["seats"]) == ["bun", "beard"]
    with guest.open(game) as socket:
        socket.ask(leave())  # A bot takes over at once.
    with client.open(game) as socket:
        socket.play_on()
    assert "beard" not in client.record(game)


def test_a_face_is_remembered_with_the_person_and_seats_keep_theirs(client: Client, server: InProcessServer) -> None:
    assert client.post("/api/me/face", {"face": "cap"}).status == 204
    assert client.secret is None  # Choosing a face doesn't create an identity.
    game = client.new_game({**ME, "face": "cap"}, SNAIL)
    other = Client(server.url)
    claim(other, client.post("/api/me/code", None).json["code"])
    assert other.post("/api/me/face", {"face": "long"}).status == 204
    assert client.get("/api/me").json["face"] == "long"
    assert faces(client.state(game)["seats"]) == ["cap", None]


def test_an_invalid_face_is_refused_with_a_reason(client: Client) -> None:
    for face in ("dragon", "", 3, ["cap"]):
        answer = client.post("/api/games", {"seats": [{**ME, "face": face}]})
        assert answer.refused == (400, "bad-message")
        assert "seats[0].face" in answer.json["text"]
    for call, field in (("/api/games", "seats"), ("/api/gatherings", "chairs")):
        assert client.post(call, {field: [ME, {**SNAIL, "face": "cap"}]}).refused == (400, "bad-seats")
    assert client.post("/api/gatherings", {"chairs": [ME, {**FREE, "face": "cap"}]}).refused == (400, "bad-seats")
    assert client.secret is None


def test_erased_people_leave_no_face_behind(client: Client, server: InProcessServer) -> None:
    guest = Client(server.url)
    table = client.gather({**ME, "face": "bun"}, FREE)
    guest.sit(table, "Bob")
    game = client.begin(table)
    assert client.post("/api/me/erase", None).status == 204
    assert faces(guest.state(game)["seats"]) == [None, None]
