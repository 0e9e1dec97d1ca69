"""Messages as JSON with only the standard library, for programs without msgspec."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any


def encode(message: object) -> str:
    """The text of a message, as the server writes it.

    >>> from chromino.messages.games import Done
    >>> encode(Done("0123456789ab", 7))
    '{"type":"done","id":"0123456789ab","version":7}'
    """
    return json.dumps(message, default=_object, ensure_ascii=False, separators=(",", ":"))


def _object(message: Any) -> dict[str, Any]:
    return {field.name: getattr(message, field.name) for field in fields(message)}
