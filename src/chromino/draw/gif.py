"""A whole game as a GIF. Importing this module loads Pillow."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence

from PIL import Image, ImageChops, ImageColor

from chromino.draw.animation import REST, STEP, frames
from chromino.draw.look import BODY, FLAT, FRAME_EDGE, SIZE, Theme
from chromino.draw.raster import Canvas, canvas
from chromino.draw.shapes import Shape
from chromino.view import View

_MAX_SIDE = 800  # The maximum length of the longer side, in pixels.
_COLORS = 128
_TOLERANCE = 8  # Of 255. Blends this close to one of our own colors are dropped, so the color itself is used.


def gif(view: View, theme: Theme = Theme.LIGHT) -> bytes:
    """A looping GIF of a game: one frame for the start, and one for each tile placed."""
    background, steps = frames(view)
    side = int(SIZE * min(1.0, _MAX_SIDE / background.width, _MAX_SIDE / background.height))
    scale = max(side, 1) / SIZE  # Whole pixels per square keep the picture crisp.
    final = canvas(background, theme, scale)
    for tile, _ in steps:
        final.paint(tile)
    final.paint(steps[-1][1])
    palette = _palette(_flat(final, theme), theme)
    pictures = _indexed(_painted(canvas(background, theme, scale), steps, theme), palette)
    times = [round(1000 * STEP)] * (len(pictures) - 1) + [round(1000 * REST)]
    first, *others = pictures
    out = io.BytesIO()
    first.save(out, "gif", save_all=True, append_images=others, duration=times, loop=0)
    return out.getvalue()


def _painted(table: Canvas, steps: Sequence[tuple[Shape, ...]], theme: Theme) -> Iterator[Image.Image]:
    """Yield one frame at a time: in full color, all frames together would take hundreds of megabytes."""
    for tile, marks in steps:
        table.paint(tile)
        frame = table.copy()
        frame.paint(marks)
        yield _flat(frame, theme)


def _flat(table: Canvas, theme: Theme) -> Image.Image:
    """A picture without transparency: the background fills its rounded corners."""
    return Image.alpha_composite(Image.new("RGBA", table.image.size, theme.roles["paper"]), table.image).convert("RGB")


def _palette(picture: Image.Image, theme: Theme) -> Image.Image:
    """Our own colors exactly, plus the most frequent blends in the picture."""
    named = [*theme.roles.values(), *FLAT.palette.values(), *FLAT.inks.values(), BODY, FRAME_EDGE]
    exact = list(dict.fromkeys(ImageColor.getrgb(color)[:3] for color in named))
    mixed = picture.quantize(_COLORS - len(exact), Image.Quantize.MEDIANCUT).getpalette() or []
    palette = Image.new("P", (1, 1))
    blends = [tuple(mixed[start : start + 3]) for start in range(0, len(mixed), 3)]
    distinct = [blend for blend in blends if not any(_is_close(blend, own) for own in exact)]
    palette.putpalette([part for color in (*exact, *distinct) for part in color])
    return palette


def _is_close(color: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(a - b) <= _TOLERANCE for a, b in zip(color, other, strict=True))


def _indexed(pictures: Iterable[Image.Image], palette: Image.Image) -> list[Image.Image]:
    """Convert pictures to the palette's colors. Only what differs from the previous picture is converted."""
    indexed: list[Image.Image] = []
    previous = None
    for picture in pictures:
        if previous is None:
            indexed.append(picture.quantize(palette=palette, dither=Image.Dither.NONE))
        else:
            image = indexed[-1].copy()
            if box := ImageChops.difference(previous, picture).getbbox():
                image.paste(picture.crop(box).quantize(palette=palette, dither=Image.Dither.NONE), box)
            indexed.append(image)
        previous = picture
    return indexed
