"""The page's catalogs, one for each language."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

WEB = Path(__file__).parents[2] / "src" / "chromino" / "web"
LANGUAGES = ("en", "fr", "es", "ca", "zh-Hant")


def catalog(language: str) -> dict[str, Any]:
    """A language's whole catalog: what every page needs, and the parts that only some pages need."""
    found: dict[str, Any] = {}
    for part in ("", "learn."):
        found |= json.loads((WEB / "lang" / f"{part}{language}.json").read_text(encoding="utf-8"))
    return found
