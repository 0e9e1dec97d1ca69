"""`make types`: writes the page's types from the OpenAPI description, which comes from the messages and endpoints.

With `--check`, it writes nothing, and outdated types are an error.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from chromino.server.openapi import describe

SCRIPTS = Path(__file__).parents[1] / "src" / "chromino" / "web" / "js"
TARGET = SCRIPTS / "types.js"
PAGE_ONLY = SCRIPTS / "page_types.js"
"""The file with handwritten types, which never go over the wire."""

_HEAD = """\
// Written by `make types` from src/chromino/messages/: change those, and run it again.
// Types that never go over the wire are written by hand in page_types.js and repeated at the end.
"""


def message_types() -> str:
    """The text of types.js."""
    described = describe()
    schemas = described["components"]["schemas"]
    page_only = re.findall(r"@typedef \{.*\} (\w+)", PAGE_ONLY.read_text(encoding="utf-8"))
    if both := schemas.keys() & page_only:
        sys.exit(f"{PAGE_ONLY.name} defines types that messages define, too: {', '.join(sorted(both))}")
    parts = [_HEAD, *(_typedef(name, schemas[name]) for name in sorted(schemas)), _calls(described["paths"])]
    parts += [_sockets(described["x-websockets"])]
    parts += [f'/** @typedef {{import("./{PAGE_ONLY.name}").{name}}} {name} */\n' for name in page_only]
    return "\n".join([*parts, "export {};\n"])


def _typedef(name: str, schema: dict[str, Any]) -> str:
    about = schema.get("description", "")
    if "properties" not in schema:
        return f"/** @typedef {{{_type(schema)}}} {name} {about} */\n"
    lines = [f" * @typedef {{object}} {name} {about}"]
    for field, kind in schema["properties"].items():
        shown = field if field in schema["required"] else f"[{field}]"
        lines.append(f" * @property {{{_type(kind)}}} {shown} {kind.get('description', '')}")
    return "\n".join(["/**", *map(str.rstrip, lines), " */", ""])


def _calls(paths: dict[str, Any]) -> str:
    """What each call sends and gets."""
    calls = [
        f' *   "{method.upper()} {path}": {{body: {_sent(operation)}, answer: {_returned(operation)}}},'
        for path, operations in paths.items()
        for method, operation in operations.items()
    ]
    about = "The body and the answer of each call, by its method and path. Answers that aren't JSON are null."
    return "\n".join(["/**", f" * {about}", " * @typedef {{", *calls, " * }} Calls", " */", ""])


def _sockets(described: dict[str, Any]) -> str:
    """What the page sends to and gets from each socket."""
    sockets = [
        f' *   "{path}": {{sends: {_any_of(socket["receives"])}, gets: {_any_of(socket["sends"])}}},'
        for path, socket in described.items()
    ]
    about = "What the page sends to and gets from each socket, by its path."
    return "\n".join(["/**", f" * {about}", " * @typedef {{", *sockets, " * }} Sockets", " */", ""])


def _any_of(schemas: list[dict[str, Any]]) -> str:
    return " | ".join(map(_type, schemas)) or "never"


def _sent(operation: dict[str, Any]) -> str:
    return _type(_json(operation["requestBody"])) if "requestBody" in operation else "undefined"


def _returned(operation: dict[str, Any]) -> str:
    responses = operation["responses"]
    kinds = [
        _type(_json(response)) for status, response in responses.items() if status < "300" and "content" in response
    ]
    return " | ".join([*kinds, *["null"] * ("204" in responses or not kinds)])


def _json(content: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = content["content"]["application/json"]["schema"]
    return schema


def _type(schema: dict[str, Any]) -> str:
    match schema:
        case {"$ref": reference}:
            return str(reference).rpartition("/")[2]
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"anyOf": parts}:
            return _any_of(parts)
        case {"prefixItems": items}:
            return f"[{', '.join(map(_type, items))}]"
        case {"type": "array", "items": item}:
            inner = _type(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"Record<string, {_type(values)}>"
    return "number" if schema["type"] == "integer" else str(schema["type"])


def main() -> None:
    text = message_types()
    if "--check" not in sys.argv:
        TARGET.write_text(text, encoding="utf-8")
    elif TARGET.read_text(encoding="utf-8") != text:
        sys.exit(f"{TARGET.name} doesn't match the messages: run make types")


if __name__ == "__main__":
    main()
