"""`make screenshots`: every screen in phone, tablet and desktop size, light and dark, into build/screenshots/.

Pictures in docs/screenshots/ are updated as well. For docs/look.md, the main screens are put side by side with pictures
of where the look is going.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.server.sites.in_process import CachedFiles, InProcessServer
from tests.web.person import DESKTOP, PHONE, Person, launch
from tests.web.reference.pictures import opened, save_small
from tests.web.reference.screens import REFERENCES, shoot
from tests.web.screens import SCREENS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "screenshots"
SHOWN = ROOT / "docs" / "screenshots"
LOOK = ROOT / "docs" / "look"
DIRECTION = LOOK / "direction"  # One picture for each pair, named after a reference screen of the same size.
TABLET = {"width": 820, "height": 1180}
SIZES = {"phone": PHONE, "tablet": TABLET, "desktop": DESKTOP}
GAP = 16  # Pixels between the two pictures of a pair.


def shoot_screen(browser: Browser, server: InProcessServer, name: str) -> None:
    """Take pictures of a screen in every size, light and dark."""
    for size, viewport in SIZES.items():
        touch = {"has_touch": True, "is_mobile": True} if size != "desktop" else {}
        with Person(browser, server, viewport=viewport, color_scheme="light", **touch) as person:
            SCREENS[name](person)
            for scheme in ("light", "dark"):
                person.page.emulate_media(color_scheme=scheme)
                file = f"{name}-{size}-{scheme}.png"
                picture = person.page.screenshot(path=FOLDER / file)
                if (SHOWN / file).exists():
                    save_small(picture, SHOWN / file)


def compose_pair(browser: Browser, server: InProcessServer, direction: Path) -> None:
    """Put where we're going on the left, and where we are on the right."""
    pair = opened(direction), opened(shoot(browser, server, REFERENCES[direction.stem]))
    width, height = pair[0].size
    sheet = Image.new("RGB", (2 * width + GAP, height), "white")
    for column, picture in enumerate(pair):
        sheet.paste(picture, (column * (width + GAP), 0))
    buffer = BytesIO()
    sheet.save(buffer, "PNG")
    save_small(buffer.getvalue(), LOOK / direction.name)


def main(names: list[str]) -> None:
    """Take pictures of all screens and pairs, or of the screens named."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as folder,
        InProcessServer(Path(folder) / "games.sqlite", wrapped_in=CachedFiles) as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for name in names or SCREENS:
            shoot_screen(browser, server, name)
        for direction in [] if names else sorted(DIRECTION.glob("*.png")):
            compose_pair(browser, server, direction)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
