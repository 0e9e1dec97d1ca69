"""The reference screens look as they did when they were accepted."""

from __future__ import annotations

import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.server.sites.in_process import InProcessServer
from tests.web.reference.pictures import FOLDER, MAX_DIFFERENT_PIXELS, compare, count, difference
from tests.web.reference.screens import REFERENCES, shoot


@pytest.mark.long
@pytest.mark.parametrize("name", REFERENCES)
def test_screens_match_their_references(browser: Browser, server: InProcessServer, name: str) -> None:
    wrong = compare(name, shoot(browser, server, REFERENCES[name]))
    assert wrong is None, wrong


def test_every_reference_is_accepted_and_small() -> None:
    assert {file.stem for file in FOLDER.glob("*.png")} == set(REFERENCES)
    assert max(file.stat().st_size for file in FOLDER.glob("*.png")) < 130_000


def test_visible_changes_are_differences_and_noise_is_not() -> None:
    before = Image.new("RGB", (100, 100), "#FBF8F1")
    noise, moved, longer = before.copy(), before.copy(), Image.new("RGB", (100, 101), "#FBF8F1")
    for at in range(0, 100, 10):
        noise.putpixel((at, at), (240, 238, 230))
    moved.paste("#23212B", (20, 20, 30, 30))
    assert count(difference(before, noise)) == 0
    assert count(difference(before, moved)) > MAX_DIFFERENT_PIXELS
    assert count(difference(before, longer)) > MAX_DIFFERENT_PIXELS
