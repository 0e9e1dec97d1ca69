"""Message types on the wire: Structs that check and describe messages.

They're derived from the dataclasses in `chromino.messages`, which msgspec can read and write directly. But only Structs
can check bounds, refuse unknown fields, and tell the types in a union apart.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Mapping
from dataclasses import MISSING, Field, asdict, fields, is_dataclass
from functools import cache
from itertools import pairwise
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    TypedDict,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from chromino.messages.bounds import Bounds, FieldsOf
from chromino.server.problems import Problem

T = TypeVar("T")

REFERENCE = "#/components/schemas/{name}"


class Reader(Generic[T]):
    """Reads messages of one type or several: `Reader[FromClient](Act, Say).read(text)`."""

    def __init__(self, *kinds: Any) -> None:
        self._kinds = {struct_of(kind, strict=True): kind for kind in kinds}
        self._decode = msgspec.json.Decoder(_union(self._kinds)).decode

    def read(self, content: bytes | str) -> T:
        """Read a client's message, or raise a `Problem` that says what's wrong with it."""
        try:
            decoded = self._decode(content)
        except RecursionError:
            raise Problem("bad-message", "this is nested too deeply") from None
        except UnicodeDecodeError:
            raise Problem("bad-message", "this isn't UTF-8") from None
        except msgspec.MsgspecError as error:
            where = re.search(r"`\$\.(?:(?:(?:seats|chairs)\[\d+\]\.)?(name)|seats|chairs)`$", str(error))
            code = "bad-message" if where is None else "bad-name" if where[1] else "bad-seats"
            raise Problem(code, str(error)) from None
        message: T = msgspec.convert(decoded, self._kinds[type(decoded)], from_attributes=True)
        return message


reader = cache(Reader[Any])
"""The reader for a type, created only once."""


def read_query(parameters: Mapping[str, str], kind: Any) -> Any:
    """Read a query string, or raise a `Problem`. Unknown parameters are ignored."""
    try:
        query = msgspec.convert(parameters, query_struct(kind), strict=False)
    except msgspec.ValidationError as error:
        raise Problem("bad-message", str(error)) from None
    return kind(**{name: value for name, value in msgspec.structs.asdict(query).items() if value is not UNSET})


@cache
def struct_of(kind: type, *, strict: bool) -> type[Struct]:
    """The Struct of a message type.

    A strict Struct is for reading: it has defaults and refuses unknown fields. Other Structs describe messages that we
    write, which always have all their fields.
    """
    hints = get_type_hints(kind, include_extras=True)
    tag = get_args(hints.pop("type", None))
    docs = _field_docs(kind.__module__).get(kind.__name__, {})
    members = [
        (
            field.name,
            _with_doc(_checked(hints[field.name], strict), docs.get(field.name)),
            *(_default(field) if strict else ()),
        )
        for field in fields(kind)
        if field.name in hints
    ]
    return msgspec.defstruct(
        _name(kind),
        members,
        tag_field="type" if tag else None,
        tag=tag[0] if tag else None,
        forbid_unknown_fields=strict,
        namespace={"__doc__": kind.__doc__},
    )


@cache
def query_struct(kind: type) -> type[Struct]:
    """The Struct of a query string. Parameters that default to None can be missing, but not null."""
    hints = get_type_hints(kind, include_extras=True)
    members = []
    for field in fields(kind):
        hint = _checked(hints[field.name], strict=False)
        if field.default is None:
            hint = _union([UnsetType if part is NoneType else part for part in get_args(hint)])
        members.append((field.name, hint, UNSET if field.default is None else field.default))
    return msgspec.defstruct(kind.__name__, members)


def _checked(hint: Any, strict: bool) -> Any:
    """A type as msgspec needs it: with bounds, and with Structs instead of dataclasses."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[(_checked(parts[0], strict), *map(_meta, parts[1:]))]
    if origin in (Union, UnionType):
        return _union([_checked(part, strict) for part in parts])
    if origin is not None and origin is not Literal:
        return origin[tuple(_checked(part, strict) for part in parts)]
    if is_typeddict(hint):
        return _renamed(hint)
    is_message = is_dataclass(hint)
    return struct_of(hint, strict=strict) if is_message else hint


def _meta(mark: Bounds | FieldsOf) -> Meta:
    if isinstance(mark, FieldsOf):
        return Meta(extra_json_schema={"$ref": REFERENCE.format(name=mark.name)})
    return Meta(**{name: value for name, value in asdict(mark).items() if value is not None})


def _with_doc(hint: Any, doc: str | None) -> Any:
    return Annotated[hint, Meta(description=doc)] if doc else hint


@cache
def _field_docs(module: str) -> dict[str, dict[str, str]]:
    """The docstring below each field of each class in a module. Python drops these, so we read them from the source."""
    docs: dict[str, dict[str, str]] = {}
    for part in ast.parse(inspect.getsource(sys.modules[module])).body:
        if isinstance(part, ast.ClassDef):
            for statement, following in pairwise(part.body):
                match statement, following:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                        docs.setdefault(part.name, {})[name] = " ".join(text.split())
    return docs


@cache
def _renamed(kind: type) -> Any:
    return TypedDict(_name(kind), get_type_hints(kind, include_extras=True))  # type: ignore[operator]


def _name(kind: type) -> str:
    return kind.__name__.removeprefix("Wire")


def _default(field: Field[Any]) -> tuple[Any, ...]:
    if field.default_factory is not MISSING:
        return (msgspec.field(default_factory=field.default_factory),)
    return () if field.default is MISSING else (field.default,)


def _union(kinds: Any) -> Any:
    return Union[tuple(kinds)]  # noqa: UP007
