"""All text that people read keeps to the glossary of its language: see docs/translating.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest

from chromino.server.pictures import preview_words
from chromino.server.push import push_words
from tests.project.documents import ROOT
from tests.web.catalogs import LANGUAGES, WEB, catalog

GLOSSARY = json.loads((ROOT / "docs" / "glossary.json").read_text(encoding="utf-8"))


def texts(data: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """All strings in the data, with their paths."""
    if isinstance(data, str):
        yield name, data
    elif isinstance(data, dict):
        for key, part in data.items():
            yield from texts(part, f"{name} {key}")
    else:
        for part in data:
            yield from texts(part, name)


def all_texts(language: str) -> Iterator[tuple[str, str]]:
    yield from texts(catalog(language))
    yield from texts(json.loads((WEB / "rules" / f"{language}.json").read_text(encoding="utf-8")), "rules")
    yield from texts(asdict(preview_words.WORDS[language]), "preview")
    yield from texts(asdict(push_words.WORDS[language]), "push")


def test_every_language_has_a_glossary_of_the_same_words() -> None:
    assert tuple(GLOSSARY) == LANGUAGES
    for entry in GLOSSARY.values():
        assert entry["words"].keys() >= GLOSSARY["en"]["words"].keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_keeps_to_the_glossary(language: str) -> None:
    never = {re.compile(pattern): instead for pattern, instead in GLOSSARY[language]["never"].items()}
    found = [
        f"{name}: “{match[0]}” in “{text}”: {instead}"
        for name, text in all_texts(language)
        for pattern, instead in never.items()
        if (match := pattern.search(text))
    ]
    assert not found
