"""The description of the API, which programs read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_args

import pytest

from chromino import __version__
from chromino.server.endpoints import ENDPOINTS, SOCKETS
from chromino.server.problems import PROBLEMS
from tests.server.sites.serving import Client, Json


@pytest.fixture
def described(client: Client) -> Json:
    answer = client.get("/api/openapi.json")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/json"
    found: Json = answer.json
    return found


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        for inner in part.values():
            yield from references(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from references(inner)


def test_every_reference_resolves(described: Json) -> None:
    found = set(references(described))
    assert len(found) > 10
    for reference in found:
        part = described
        for name in reference.removeprefix("#/").split("/"):
            part = part[name]
        assert part


def test_every_endpoint_is_described(described: Json) -> None:
    assert described["openapi"] == "3.1.0"
    assert described["info"]["version"] == __version__
    listed = {(method.upper(), path) for path, methods in described["paths"].items() for method in methods}
    assert listed == {(endpoint.method, endpoint.path) for endpoint in ENDPOINTS}
    for endpoint in ENDPOINTS:
        operation = described["paths"][endpoint.path][endpoint.method.lower()]
        assert operation["summary"] == endpoint.about
        assert str(endpoint.status) in operation["responses"]
        assert ("requestBody" in operation) == (endpoint.body is not None)
        parameters = operation.get("parameters", [])
        assert [one["name"] for one in parameters if one["in"] == "path"] == re.findall(r"{(\w+)}", endpoint.path)
        query = {one["name"]: one for one in parameters if one["in"] == "query"}
        assert list(query) == ([field.name for field in fields(endpoint.query)] if endpoint.query else [])
        assert all(one["description"] and one["schema"] and not one["required"] for one in query.values())
        for code in endpoint.problems:
            assert code in operation["responses"][str(PROBLEMS[code][0])]["description"]


def test_operations_have_unique_names(described: Json) -> None:
    names = [operation["operationId"] for methods in described["paths"].values() for operation in methods.values()]
    assert len(names) == len(set(names))


def test_the_messages_of_the_sockets_are_described(described: Json) -> None:
    schemas = described["components"]["schemas"]
    for socket in SOCKETS:
        found = described["x-websockets"][socket.path]
        for way, kinds in (("receives", socket.reads), ("sends", socket.writes)):
            names = [reference.rpartition("/")[2] for reference in references(found[way])]
            assert names == [kind.__name__ for kind in get_args(kinds)]
            for kind in get_args(kinds):
                (tag,) = schemas[kind.__name__]["properties"]["type"]["enum"]
                assert tag == next(field.default for field in fields(kind) if field.name == "type")


def test_every_refusal_is_described(described: Json) -> None:
    """The others are sent over sockets, or whatever the call is."""
    operations = [operation for methods in described["paths"].values() for operation in methods.values()]
    about = [answer["description"] for operation in operations for answer in operation["responses"].values()]
    listed = {code for text in about for code in re.findall("[a-z-]+", text.partition(": ")[2])}
    over_sockets = {"aids-off", "not-allowed", "not-your-turn", "nothing-to-take-back", "signed-out"}
    over_sockets |= {"too-many-pages", "too-many-spectators"}
    assert PROBLEMS.keys() - listed == {*over_sockets, "failed", "wrong-method"}
