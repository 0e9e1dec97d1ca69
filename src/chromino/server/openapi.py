"""The OpenAPI description, built from the tables of endpoints and sockets, and from their message types."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, get_args

import msgspec

from chromino.messages.bounds import FieldsOf
from chromino.messages.games import ErrorBody
from chromino.messages.views import RuleChoices, WireRules
from chromino.server.endpoints import ENDPOINTS, SOCKETS
from chromino.server.http.assets import Asset
from chromino.server.http.calls import Endpoint
from chromino.server.message_structs import REFERENCE, query_struct, struct_of
from chromino.server.problems import PROBLEMS
from chromino.version import __version__

Json = dict[str, Any]


@cache
def description() -> Asset:
    """What `/api/openapi.json` sends."""
    return Asset.of(msgspec.json.encode(describe()), "json")


def describe() -> Json:
    """Describe the server in OpenAPI 3.1, which doesn't cover WebSockets: their messages are under `x-websockets`."""
    read = [endpoint.body for endpoint in ENDPOINTS if endpoint.body]
    read += [kind for socket in SOCKETS for kind in get_args(socket.reads)]
    written = [*(endpoint.returns for endpoint in ENDPOINTS if endpoint.returns), ErrorBody]
    written += [kind for socket in SOCKETS for kind in get_args(socket.writes)]
    kinds = dict.fromkeys([*read, *written])
    structs = [struct_of(kind, strict=kind in read) for kind in kinds]
    schemas, components = msgspec.json.schema_components(structs, ref_template=REFERENCE)
    by_type = dict(zip(kinds, schemas, strict=True))
    paths: dict[str, Json] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, by_type)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Chromino",
            "version": __version__,
            "description": "Start games and look at them. Games are played over WebSockets: see `x-websockets`.",
        },
        "paths": paths,
        "x-websockets": {
            socket.path: {
                "summary": socket.about,
                "receives": [by_type[kind] for kind in get_args(socket.reads)],
                "sends": [by_type[kind] for kind in get_args(socket.writes)],
            }
            for socket in SOCKETS
        },
        "components": {"schemas": {**components, **_choices(WireRules), **_choices(RuleChoices)}},
    }


def _choices(hint: Any) -> dict[str, Json]:
    """The schema of an object with a dataclass's fields, of which all or none are required."""
    mark: FieldsOf = get_args(hint)[1]
    schema = msgspec.json.schema_components([mark.kind])[1][mark.kind.__name__]
    required = [] if mark.partial else list(mark.kind().to_json())
    shape = {"description": mark.about, "required": required, "additionalProperties": not mark.partial}
    return {mark.name: {**schema, "title": mark.name, **shape}}


def _operation(endpoint: Endpoint, by_type: dict[Any, Any]) -> Json:
    codes = [*endpoint.problems, "too-fast", "database-away", "database-locked"]
    if endpoint.query:
        codes += ["bad-message"]
    if endpoint.body:
        codes += ["bad-message", "too-large"]
    if endpoint.method == "POST":
        codes += ["foreign-page"]
    responses: Json = {str(endpoint.status): {"description": "Done"}}
    if endpoint.returns:
        responses[str(endpoint.status)]["content"] = {"application/json": {"schema": by_type[endpoint.returns]}}
    if endpoint.may_be_empty:
        responses["204"] = {"description": "Done; there's nothing to return"}
    for status in sorted({PROBLEMS[code][0] for code in codes}):
        listed = ", ".join(code for code in codes if PROBLEMS[code][0] == status)
        responses[str(status)] = {
            "description": f"Refused: {listed}",
            "content": {"application/json": {"schema": {"$ref": REFERENCE.format(name="ErrorBody")}}},
        }
    operation: Json = {
        "operationId": endpoint.answer.__name__,
        "summary": endpoint.about,
        "responses": responses,
    }
    if parameters := [*_in_path(endpoint), *_in_query(endpoint)]:
        operation["parameters"] = parameters
    if endpoint.body:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": by_type[endpoint.body]}},
        }
    return operation


def _in_path(endpoint: Endpoint) -> list[Json]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"\{(\w+)\}", endpoint.path)
    ]


def _in_query(endpoint: Endpoint) -> list[Json]:
    """The query parameters, all of them optional."""
    if not endpoint.query:
        return []
    struct = query_struct(endpoint.query)
    described = msgspec.json.schema_components([struct], ref_template=REFERENCE)[1][struct.__name__]
    return [
        {"name": name, "in": "query", "required": False, "description": schema.pop("description", ""), "schema": schema}
        for name, schema in described["properties"].items()
    ]
