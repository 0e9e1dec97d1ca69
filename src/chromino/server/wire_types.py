"""Message types on the wire: Structs derived from the dataclasses of `chromino.messages`, which check what comes in and
describe it all.

msgspec writes and reads dataclasses as they are. But only Structs check bounds, refuse unknown fields, and tell the
types of a union apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, asdict, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from chromino.messages.bounds import Bounds
from chromino.server.problems import Problem

T = TypeVar("T")


class Reader(Generic[T]):
    """Reads messages of one type or several: `Reader[FromClient](Act, Say).read(text)`."""

    def __init__(self, *kinds: type[T]) -> None:
        self._kinds = {struct_of(kind, strict=True): kind for kind in kinds}
        self._decode = msgspec.json.Decoder(_union(self._kinds)).decode

    def read(self, content: bytes | str) -> T:
        """What a client sent, or a `Problem` that names what is wrong with it."""
        try:
            found = self._decode(content)
        except RecursionError:
            raise Problem("bad-message", "this is nested too deeply") from None
        except UnicodeDecodeError:
            raise Problem("bad-message", "this is not UTF-8") from None
        except msgspec.MsgspecError as error:
            where = re.search(r"`\$\.(?:(?:(?:seats|chairs)\[\d+\]\.)?(name)|seats|chairs)`$", str(error))
            code = "bad-message" if where is None else "bad-name" if where[1] else "bad-seats"
            raise Problem(code, str(error)) from None
        return msgspec.convert(found, self._kinds[type(found)], from_attributes=True)


reader = cache(Reader[Any])
"""The reader of a type, made once."""


def read_query(given: Mapping[str, str], kind: type[T]) -> T:
    """What stands behind the "?" of an address, or a `Problem`. What is not known does no harm."""
    try:
        found = msgspec.convert(given, query_struct(kind), strict=False)
    except msgspec.ValidationError as error:
        raise Problem("bad-message", str(error)) from None
    return kind(**{name: value for name, value in msgspec.structs.asdict(found).items() if value is not UNSET})


@cache
def struct_of(kind: type, *, strict: bool) -> type[Struct]:
    """The Struct of a message type; a strict one refuses unknown fields."""
    hints = get_type_hints(kind, include_extras=True)
    tag = get_args(hints.pop("type", None))
    members = [
        (one.name, _checked(hints[one.name], strict), *_default(one)) for one in fields(kind) if one.name in hints
    ]
    return msgspec.defstruct(
        kind.__name__,
        members,
        tag_field="type" if tag else None,
        tag=tag[0] if tag else None,
        forbid_unknown_fields=strict,
        namespace={} if (kind.__doc__ or "").startswith(f"{kind.__name__}(") else {"__doc__": kind.__doc__},
        module=kind.__module__,
    )


@cache
def query_struct(kind: type) -> type[Struct]:
    """The Struct of what may stand behind a "?": there, what is left out is None, and nothing else is."""
    hints = get_type_hints(kind, include_extras=True)
    members = []
    for one in fields(kind):
        hint = _checked(hints[one.name], strict=False)
        if one.default is None:
            hint = _union([UnsetType if part is NoneType else part for part in get_args(hint)])
        members.append((one.name, hint, UNSET if one.default is None else one.default))
    return msgspec.defstruct(kind.__name__, members)


def _checked(hint: Any, strict: bool) -> Any:
    """A type with the bounds as msgspec knows them, and Structs in the place of dataclasses."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        known = [Meta(**_given(mark)) for mark in parts[1:] if isinstance(mark, Bounds)]
        return Annotated[(_checked(parts[0], strict), *known)]
    if origin in (Union, UnionType):
        return _union([_checked(part, strict) for part in parts])
    if origin is not None and origin is not Literal:
        return origin[tuple(_checked(part, strict) for part in parts)]
    return struct_of(hint, strict=strict) if is_dataclass(hint) else hint


def _given(bounds: Bounds) -> dict[str, Any]:
    return {name: value for name, value in asdict(bounds).items() if value is not None}


def _default(one: Field[Any]) -> tuple[Any, ...]:
    if one.default_factory is not MISSING:
        return (msgspec.field(default_factory=one.default_factory),)
    return () if one.default is MISSING else (one.default,)


def _union(kinds: Any) -> Any:
    return Union[tuple(kinds)]  # noqa: UP007
