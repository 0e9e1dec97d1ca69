"""What notifications say in each language."""

from __future__ import annotations

import json

import pytest

from chromino.server.database.notices import Notice
from chromino.server.push.push_words import payload


@pytest.mark.parametrize(
    ("language", "names", "expected"),
    [
        ("en", ["Bob"], "Your game with Bob is waiting."),
        ("en", ["Bob", "Cy", "Eve"], "Your game with Bob, Cy, and Eve is waiting."),
        ("fr", ["Bob", "Cy", "Eve"], "Ta partie avec Bob, Cy et Eve t’attend."),
        ("es", ["Bob", "Inés"], "Tu partida con Bob e Inés te espera."),
        ("ca", ["Bob", "Cy", "Inés"], "La teva partida amb Bob, Cy i Inés t’espera."),
        ("zh-Hant", ["Bob", "Cy", "Eve"], "你跟Bob、Cy和Eve的遊戲正在等你。"),
        ("xx", ["Bob", "Cy"], "Your game with Bob and Cy is waiting."),
        ("en", ["{names}", "Cy, Jr."], "Your game with {names} and Cy, Jr. is waiting."),
    ],
)
def test_a_notification_lists_names_the_way_its_language_does(language: str, names: list[str], expected: str) -> None:
    notice = Notice("a-game", "turn", 1, "\n".join(names), 0.0, 9e9)
    assert json.loads(payload(notice, language))["body"] == expected
