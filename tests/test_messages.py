"""Messages: plain JSON gives the same text as the server's msgspec and the engine's own `to_json`."""

from __future__ import annotations

import importlib
import json
import pkgutil
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chromino import Game, Placement, Rules
from chromino import messages as package
from chromino.messages.bounds import FieldsOf
from chromino.messages.encoding import encode
from chromino.messages.views import WireRefusal, WireView
from chromino.refusal import Reason
from chromino.server.message_structs import query_struct
from chromino.server.openapi import describe
from tests.helpers import VARIANTS, states

MODULES = [
    importlib.import_module(f"{package.__name__}.{found.name}")
    for found in pkgutil.iter_modules(package.__path__)
    if found.name != "bounds"
]
MESSAGES: list[type] = [
    found
    for module in MODULES
    for found in vars(module).values()
    if is_dataclass(found) and isinstance(found, type) and found.__module__ == module.__name__
]


def test_all_messages_are_described() -> None:
    """OpenAPI describes them, and the page's types are generated from it; query strings are among the parameters."""
    described = describe()
    parameters = {
        one["name"]
        for methods in described["paths"].values()
        for operation in methods.values()
        for one in operation.get("parameters", [])
    }
    for kind in MESSAGES:
        if kind.__name__.startswith("Which"):
            assert set(query_struct(kind).__struct_fields__) <= parameters
        else:
            schema = described["components"]["schemas"][kind.__name__.removeprefix("Wire")]
            assert set(schema["properties"]) == {field.name for field in fields(kind)}
            assert schema["description"] == kind.__doc__


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
def test_plain_json_matches_the_servers(kind: type) -> None:
    @settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])  # The machine may be busy.
    @given(of(kind))
    def same(message: object) -> None:
        written = msgspec.json.encode(message)
        assert encode(message) == written.decode()
        assert msgspec.json.decode(written, type=kind) == message

    same()


def of(hint: Any) -> SearchStrategy[Any]:
    """A strategy for any value of a type that messages use."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return st.just(Rules().to_json()) if isinstance(parts[1], FieldsOf) else of(parts[0])
    if origin in (Union, UnionType):
        return st.one_of(*map(of, parts))
    if origin is Literal:
        return st.sampled_from(parts)
    if origin is list:
        return st.lists(of(parts[0]), max_size=3)
    if origin is tuple:
        return st.tuples(*map(of, parts))
    if origin is dict:
        return st.dictionaries(of(parts[0]), of(parts[1]), max_size=3)
    if is_typeddict(hint):
        hints = get_type_hints(hint, include_extras=True)
        optional = {name: of(get_args(one)[0]) for name, one in hints.items() if get_origin(one) is NotRequired}
        return st.fixed_dictionaries(
            {name: of(one) for name, one in hints.items() if name not in optional}, optional=optional
        )
    if hint in MESSAGES:
        hints = get_type_hints(hint, include_extras=True)
        return st.builds(hint, **{one.name: of(hints[one.name]) for one in fields(hint) if one.init})
    if issubclass(hint, Enum):
        return st.sampled_from(hint)
    return PLAIN[hint]


PLAIN: dict[Any, SearchStrategy[Any]] = {
    str: st.text(max_size=8),
    bool: st.booleans(),
    int: st.integers(-(2**53), 2**53),
    float: st.integers(-(10**8), 10**8).map(lambda number: number / 10**4),  # Messages have four decimal places.
    NoneType: st.none(),
}


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
def test_views_on_the_wire_match_to_json(rules: Rules) -> None:
    for game in states(rules, 2, seed=5):
        for seat in (None, 0, 1):
            view = game.view(seat)
            message = WireView.of(view)
            assert encode(message) == msgspec.json.encode(message).decode() == plain(view.to_json())


def test_refusals_on_the_wire_match_to_json() -> None:
    table = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7).table
    places = [Placement.parse(f"RGB@{x},{y}>") for x in range(-4, 5) for y in range(-2, 3)]
    refusals = [refusal for place in places if (refusal := table.refusal(place))]
    assert {refusal.reason for refusal in refusals} >= {Reason.OVERLAP, Reason.CLASH, Reason.TOO_FEW_CONTACTS}
    for refusal in refusals:
        assert encode(WireRefusal.of(refusal)) == plain(refusal.to_json())


def plain(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
