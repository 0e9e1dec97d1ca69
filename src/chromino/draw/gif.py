"""A whole game as a GIF. Pillow is loaded with this module."""

from __future__ import annotations

import io
from itertools import pairwise

from PIL import Image, ImageChops, ImageColor

from chromino.draw.look import FRAME, FRAME_EDGE, INK, PALETTE, SIZE, SQUARE_EDGE, Theme
from chromino.draw.moving import REST, STEP, frames
from chromino.draw.raster import canvas
from chromino.view import View

_LARGEST = 800  # Pixels of the longer side.
_COLORS = 128


def gif(view: View, theme: Theme = Theme.LIGHT) -> bytes:
    """A GIF that plays a game again and again: a frame for the start, and one for each tile laid."""
    ground, steps = frames(view)
    side = int(SIZE * min(1.0, _LARGEST / ground.width, _LARGEST / ground.height))
    scale = max(side, 1) / SIZE  # Whole pixels a square, which keeps it crisp.
    table = canvas(ground, theme, scale)
    bare = Image.new("RGBA", table.image.size, theme.roles["bg"])  # Behind the rounded corners.
    pictures = []
    for tile, marks in steps:
        table.paint(tile)
        now = table.copy()
        now.paint(marks)
        pictures.append(Image.alpha_composite(bare, now.image).convert("RGB"))
    times = [round(1000 * STEP)] * (len(pictures) - 1) + [round(1000 * REST)]
    first, *others = _indexed(pictures, _palette(pictures[-1], theme))
    out = io.BytesIO()
    first.save(out, "gif", save_all=True, append_images=others, duration=times, loop=0)
    return out.getvalue()


def _palette(picture: Image.Image, theme: Theme) -> Image.Image:
    """Our own colors as they are, and those in between that the picture has most."""
    named = [*theme.roles.values(), *PALETTE.values(), *INK.values(), FRAME, FRAME_EDGE, SQUARE_EDGE]
    exact = list(dict.fromkeys(ImageColor.getrgb(color)[:3] for color in named))
    mixed = picture.quantize(_COLORS - len(exact), Image.Quantize.MEDIANCUT).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for color in exact for part in color] + mixed[: 3 * (_COLORS - len(exact))])
    return palette


def _indexed(pictures: list[Image.Image], palette: Image.Image) -> list[Image.Image]:
    """In the colors of the palette; only what changes is looked at."""
    found = [pictures[0].quantize(palette=palette, dither=Image.Dither.NONE)]
    for before, picture in pairwise(pictures):
        image = found[-1].copy()
        if box := ImageChops.difference(before, picture).getbbox():
            image.paste(picture.crop(box).quantize(palette=palette, dither=Image.Dither.NONE), box)
        found.append(image)
    return found
