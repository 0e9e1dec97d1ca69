"""`make types`: writes the page's types from the OpenAPI description, which comes from the messages.

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


def page_types() -> str:
    """The text of types.js."""
    schemas = describe()["components"]["schemas"]
    page_only = re.findall(r"@typedef \{.*\} (\w+)", PAGE_ONLY.read_text(encoding="utf-8"))
    parts = [_HEAD, *(_typedef(name, schemas[name]) for name in sorted(schemas.keys() - set(page_only)))]
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


def _type(schema: dict[str, Any]) -> str:
    match schema:
        case {"$ref": reference}:
            return str(reference).rpartition("/")[2]
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"anyOf": parts}:
            return " | ".join(map(_type, parts))
        case {"prefixItems": items}:
            return f"[{', '.join(map(_type, items))}]"
        case {"type": "array", "items": item}:
            inner = _type(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"Record<string, {_type(values)}>"
    return "number" if schema["type"] == "integer" else str(schema["type"])


def main() -> None:
    text = page_types()
    if "--check" not in sys.argv:
        TARGET.write_text(text, encoding="utf-8")
    elif TARGET.read_text(encoding="utf-8") != text:
        sys.exit(f"{TARGET.name} doesn't match the messages: run make types")


if __name__ == "__main__":
    main()
