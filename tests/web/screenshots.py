"""`make screenshots`: every screen in phone, tablet and desktop size, light and dark, into build/screenshots/.

Files that already exist in docs/screenshots/ are updated too.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from tests.server.serving import Server
from tests.web.person import DESKTOP, PHONE, Person, launch
from tests.web.screens import SCREENS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "screenshots"
SHOWN = ROOT / "docs" / "screenshots"
TABLET = {"width": 820, "height": 1180}
SIZES = {"phone": PHONE, "tablet": TABLET, "desktop": DESKTOP}


def main(names: list[str]) -> None:
    """All screens, or those named."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as folder,
        Server(Path(folder) / "games.sqlite") as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for name in names or SCREENS:
            for size, viewport in SIZES.items():
                touch = {"has_touch": True, "is_mobile": True} if size != "desktop" else {}
                with Person(browser, server, viewport=viewport, color_scheme="light", **touch) as person:
                    SCREENS[name](person)
                    for scheme in ("light", "dark"):
                        person.page.emulate_media(color_scheme=scheme)
                        file = f"{name}-{size}-{scheme}.png"
                        person.page.screenshot(path=FOLDER / file)
                        if (SHOWN / file).exists():
                            shutil.copy(FOLDER / file, SHOWN)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
