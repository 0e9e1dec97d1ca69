"""The OpenAPI description, made from the table of endpoints and the types of their messages."""

from __future__ import annotations

import re
from typing import Any, get_args

import msgspec

from chromino.messages.games import ErrorBody, FromClient, ToClient
from chromino.server.endpoints import ENDPOINTS
from chromino.server.http.calls import Endpoint
from chromino.server.problems import PROBLEMS
from chromino.server.wire_types import query_struct, struct_of
from chromino.version import __version__

_REF = "#/components/schemas/{name}"


def describe() -> dict[str, Any]:
    """OpenAPI 3.1; the messages of the WebSocket are among the schemas."""
    read = [*(endpoint.body for endpoint in ENDPOINTS if endpoint.body), *get_args(FromClient)]
    written = [*(endpoint.gives for endpoint in ENDPOINTS if endpoint.gives), ErrorBody, *get_args(ToClient)]
    structs = [struct_of(kind, strict=kind in read) for kind in (*read, *written)]
    schemas, components = msgspec.json.schema_components(structs, ref_template=_REF)
    by_type = dict(zip([*read, *written], schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, by_type)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Chromino",
            "version": __version__,
            "description": (
                "Begin games and look at them. A game is played over the WebSocket /api/games/{game}/play: it sends a "
                "State at once and after each change, takes Act, AskHint and SetPace, and answers "
                "Done, Hint or Refused."
            ),
        },
        "paths": paths,
        "components": {"schemas": components},
    }


def _operation(endpoint: Endpoint, by_type: dict[Any, Any]) -> dict[str, Any]:
    codes = [*endpoint.problems, "too-fast", "database-away"]
    if endpoint.query:
        codes += ["bad-message"]
    if endpoint.body:
        codes += ["bad-message", "too-large"]
    if endpoint.method == "POST":
        codes += ["foreign-page"]
    responses: dict[str, Any] = {str(endpoint.status): {"description": "Done"}}
    if endpoint.gives:
        responses[str(endpoint.status)]["content"] = {"application/json": {"schema": by_type[endpoint.gives]}}
    if endpoint.may_be_empty:
        responses["204"] = {"description": "Done, and nothing is left"}
    for status in sorted({PROBLEMS[code][0] for code in codes}):
        named = ", ".join(code for code in codes if PROBLEMS[code][0] == status)
        responses[str(status)] = {
            "description": f"Refused: {named}",
            "content": {"application/json": {"schema": {"$ref": _REF.format(name="ErrorBody")}}},
        }
    operation: dict[str, Any] = {
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


def _in_path(endpoint: Endpoint) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"\{(\w+)\}", endpoint.path)
    ]


def _in_query(endpoint: Endpoint) -> list[dict[str, Any]]:
    """What may stand behind the "?": all of it may be left out."""
    if not endpoint.query:
        return []
    struct = query_struct(endpoint.query)
    described = msgspec.json.schema_components([struct], ref_template=_REF)[1][struct.__name__]
    return [
        {"name": name, "in": "query", "required": False, "description": schema.pop("description", ""), "schema": schema}
        for name, schema in described["properties"].items()
    ]
