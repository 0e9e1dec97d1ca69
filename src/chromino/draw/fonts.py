"""Fonts for PNG and GIF: the page's, then the system's, then Pillow's own, which has only basic Latin letters.

If a letter isn't in any font, we drop the accents from the text. Letters that are still missing, such as emoji, are
dropped, too. If too little would be left, as with a name in another script on a server without fonts, we use `fallback`
instead.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from importlib.resources import files

from PIL import ImageFont, features

_OUR_FONTS = files("chromino").joinpath("web", "fonts")

# Pillow searches the system's font folders by name. Index 3 of the CJK collection is Traditional Chinese.
_FILES = {
    False: (
        (str(_OUR_FONTS.joinpath("nunito.woff2")), 0),
        ("NotoSans-Regular.ttf", 0),
        ("DejaVuSans.ttf", 0),
        ("arial.ttf", 0),
        ("Arial.ttf", 0),
        ("NotoSansCJK-Regular.ttc", 3),
        ("wqy-zenhei.ttc", 0),
        ("PingFang.ttc", 0),
        ("msjh.ttc", 0),
    ),
    True: (
        (str(_OUR_FONTS.joinpath("fredoka.woff2")), 0),
        ("NotoSans-Bold.ttf", 0),
        ("DejaVuSans-Bold.ttf", 0),
        ("arialbd.ttf", 0),
        ("Arial Bold.ttf", 0),
        ("NotoSansCJK-Bold.ttc", 3),
        ("wqy-zenhei.ttc", 0),
        ("PingFang.ttc", 0),
        ("msjhbd.ttc", 0),
    ),
}
_NO_LETTER = "\U0010fffe"

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
Run = tuple[Font, str]


@lru_cache(maxsize=64)
def _fonts(size: int, is_bold: bool) -> tuple[Font, ...]:
    """The available fonts, best first; the last one is always available."""
    found: list[Font] = []
    for name, index in _FILES[is_bold]:
        try:
            found.append(ImageFont.truetype(name, size, index))
        except OSError:
            continue
    return (*found, ImageFont.load_default(size))


def runs(text: str, size: int, *, is_bold: bool, fallback: str) -> list[Run]:
    """The text in pieces, each with a font that has all its letters."""
    fonts = _fonts(size, is_bold)
    return (
        _runs(text, fonts)
        or _runs(_without_accents(text), fonts)
        or _without_missing(text, fonts)
        or _runs(fallback, fonts)
        or []
    )


def _runs(text: str, fonts: tuple[Font, ...]) -> list[Run] | None:
    """Like `runs`, but None if some letter is in no font, or if right-to-left letters can't be put in order."""
    if not features.check("fribidi") and any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text):
        return None
    pieces: list[Run] = []
    for letter in text:
        if unicodedata.combining(letter) or letter == " ":
            font = pieces[-1][0] if pieces else fonts[-1]
        else:
            font_or_none = next((font for font in fonts if _has(font, letter)), None)
            if font_or_none is None:
                return None
            font = font_or_none
        if pieces and pieces[-1][0] is font:
            pieces[-1] = font, pieces[-1][1] + letter
        else:
            pieces.append((font, letter))
    return pieces


def _without_missing(text: str, fonts: tuple[Font, ...]) -> list[Run] | None:
    """The text without letters that no font has, like an emoji after a name; None if half or more would be lost."""
    kept = "".join(letter for letter in text if letter == " " or any(_has(font, letter) for font in fonts))
    return _runs(" ".join(kept.split()), fonts) if 2 * len(kept) > len(text) else None


@lru_cache(maxsize=4096)
def _has(font: Font, letter: str) -> bool:
    """Does the font have this letter? If so, it looks different from a letter that no font has."""
    return bytes(font.getmask(letter)) != bytes(font.getmask(_NO_LETTER))


def _without_accents(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
