"""`make accept`: make the current screens the new references. Look at the differences before you commit them.

    python -m tests.web.reference.pictures [NAME…]

The pictures have 256 colors, so each takes 15 to 55 kB. The comparison allows for that, and for letters that another
version of the browser smooths differently.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import sync_playwright

from tests.server.sites.in_process import CachedFiles, InProcessServer
from tests.web.person import launch
from tests.web.reference.screens import REFERENCES, shoot

FOLDER = Path(__file__).parent / "accepted"
DIFFERENCES = Path(__file__).parents[3] / "build" / "differences"
MAX_DIFFERENT_PIXELS = 40  # About one letter more or less.
NOTICED = 24  # Of 255, in any channel, after a little blur.


def accepted(name: str) -> Path:
    return FOLDER / f"{name}.png"


def opened(picture: bytes | Path) -> Image.Image:
    source = picture if isinstance(picture, Path) else BytesIO(picture)
    with Image.open(source) as image:
        return image.convert("RGB")


def difference(before: Image.Image, after: Image.Image) -> Image.Image:
    """White where the pictures differ noticeably, and where one is larger than the other."""
    size = max(before.width, after.width), max(before.height, after.height)
    pair = []
    for image, beyond in ((before, "black"), (after, "white")):
        paper = Image.new("RGB", size, beyond)
        paper.paste(image)
        pair.append(paper.filter(ImageFilter.BoxBlur(1)))
    channels = ImageChops.difference(*pair).split()
    most = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    return most.point(lambda value: 255 if value > NOTICED else 0)


def count(marks: Image.Image) -> int:
    """How many pixels are marked."""
    return marks.histogram()[255]


def compare(name: str, after: bytes) -> str | None:
    """What's wrong with a screen, or None; the accepted picture, the new one and the difference go to `build/`."""
    file = accepted(name)
    if not file.exists():
        return f"{file.name} doesn't exist yet; `make accept` creates it."
    old, new = opened(file), opened(after)
    marks = difference(old, new)
    pixels = count(marks)
    if pixels <= MAX_DIFFERENT_PIXELS:
        return None
    DIFFERENCES.mkdir(parents=True, exist_ok=True)
    shown = DIFFERENCES / file.name
    side_by_side(old, new, marks).save(shown)
    return f"{name} looks different ({pixels} pixels): see {shown}. If that's intended, `make accept NAMES={name}`."


def side_by_side(old: Image.Image, new: Image.Image, marks: Image.Image) -> Image.Image:
    """Before, after, and after with the differences in red."""
    faded = Image.new("RGB", marks.size, "white")
    faded.paste(new)
    faded = Image.blend(faded, Image.new("RGB", marks.size, "white"), 0.7)
    faded.paste("red", mask=marks.filter(ImageFilter.MaxFilter(3)))
    sheet = Image.new("RGB", (3 * marks.width + 20, marks.height), "gray")
    for column, picture in enumerate((old, new, faded)):
        sheet.paste(picture, (column * (marks.width + 10), 0))
    return sheet


def accept(name: str, after: bytes) -> bool:
    """Keep this picture, unless it matches the existing one; returns whether it's new."""
    file = accepted(name)
    if file.exists() and count(difference(opened(file), opened(after))) <= MAX_DIFFERENT_PIXELS:
        return False
    save_small(after, file)
    return True


def save_small(picture: bytes, file: Path) -> None:
    """Save a picture in 256 colors, at a sixth of its size."""
    opened(picture).quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, optimize=True)


def main(names: list[str]) -> None:
    """Accept all screens, or those named."""
    if unknown := set(names) - set(REFERENCES):
        sys.exit(f"Unknown screens: {', '.join(sorted(unknown))}. Choose from {', '.join(REFERENCES)}.")
    FOLDER.mkdir(exist_ok=True)
    with (
        TemporaryDirectory() as folder,
        InProcessServer(Path(folder) / "games.sqlite", wrapped_in=CachedFiles) as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for name in names or REFERENCES:
            is_new = accept(name, shoot(browser, server, REFERENCES[name]))
            print(f"{name}: {'accepted' if is_new else 'as before'}")
        browser.close()
    for file in FOLDER.glob("*.png"):
        if file.stem not in REFERENCES:
            file.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
