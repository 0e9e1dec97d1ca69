"""The five colors are distinct for normal color vision and the three kinds of dichromacy.

The page and pictures use the same ones.
"""

from __future__ import annotations

import re
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from pathlib import Path

import pytest

from chromino.draw.look import (
    BODY,
    BODY_EDGE,
    BODY_RADIUS,
    DISTINCT,
    EDGE_HEIGHT,
    GAP,
    INSET,
    PLAIN,
    PRINT,
    SHADOWS,
    SIZE,
    SQUARE_RADIUS,
    VIVID,
    Look,
    Theme,
)

WEB = Path(__file__).parents[2] / "src" / "chromino" / "web"
NAMES = {"R": "red", "G": "green", "B": "blue", "Y": "yellow", "P": "purple"}
Vector = tuple[float, float, float]

# Machado, Oliveira and Fernandes 2009, full severity, for linear RGB.
VISIONS: dict[str, tuple[Vector, Vector, Vector]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
_TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
_WHITE = (0.95047, 1.0, 1.08883)


def tokens(selector: str = ":root {") -> dict[str, str]:
    """The custom properties in a block of the page's tokens."""
    css = (WEB / "css" / "tokens.css").read_text(encoding="utf-8")
    block = css[css.index(selector) :]
    return dict(re.findall(r"(--[\w-]+): ([^;]+);", block[: block.index("}")]))


@pytest.mark.parametrize(
    ("selector", "look"),
    [(":root {", VIVID), ('[data-squares="distinct"] {', DISTINCT), ("@media print", PRINT)],
)
def test_the_page_and_pictures_have_the_same_tiles(selector: str, look: Look) -> None:
    found = tokens(selector)
    for letter, name in NAMES.items():
        assert found[f"--{name}"] == look.palette[letter].lower()
        assert found[f"--{name}-texture"] == look.inks[letter].lower()
    assert (float(found["--texture-width"]), float(found["--texture-dot"])) == (look.line, look.dot)


def test_the_page_and_pictures_have_the_same_paper_ink_and_table() -> None:
    found = tokens()
    names = {"table": "table-dark", "light": "table-light", "dot": "table-dot"}
    for role, color in Theme.LIGHT.roles.items():
        both = found[f"--{names.get(role, role)}"]
        light, dark = (one[:7].upper() for one in both.removeprefix("light-dark(").removesuffix(")").split(", "))
        assert (light, dark) == (color, Theme.DARK.roles[role])
    assert (found["--body"].upper(), found["--body-edge"].upper()) == (BODY, BODY_EDGE)


def test_the_page_and_pictures_have_the_same_dimensions() -> None:
    script = (WEB / "js" / "table" / "tile_art.js").read_text(encoding="utf-8")
    measures = {
        "UNIT": SIZE,
        "GAP": GAP,
        "EDGE_HEIGHT": EDGE_HEIGHT,
        "BODY_RADIUS": BODY_RADIUS,
        "INSET": INSET,
        "SQUARE_RADIUS": SQUARE_RADIUS,
    }
    for name, value in measures.items():
        found = re.search(rf"const {name} = ([\d.]+);", script)
        assert found is not None
        assert float(found[1]) == value
    shades = re.findall(r"reach: ([\d.]+), down: ([\d.]+)", script)
    assert tuple((float(reach), float(down)) for reach, down in shades) == SHADOWS


def test_every_custom_property_is_defined() -> None:
    """A misspelled property would silently have no effect."""
    styles = "".join(file.read_text(encoding="utf-8") for file in sorted((WEB / "css").rglob("*.css")))
    scripts = "".join(file.read_text(encoding="utf-8") for file in sorted((WEB / "js").rglob("*.js")))
    set_by_scripts = set(re.findall(r'setProperty\("(--[\w-]+)"', scripts))
    assert set(re.findall(r"var\((--[\w-]+)", styles)) <= set(re.findall(r"(--[\w-]+):", styles)) | set_by_scripts


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("look", [VIVID, PLAIN, DISTINCT], ids=["vivid", "plain", "distinct"])
def test_colors_can_be_told_apart(look: Look, vision: str) -> None:
    for one, other in combinations(NAMES, 2):
        difference = delta_e(seen(look.palette[one], vision), seen(look.palette[other], vision))
        assert difference >= 20, (one, other, difference)


def test_the_measure_agrees_with_published_pairs() -> None:
    """Sharma, Wu and Dalal 2005, the first pair and two of the harder ones in their table."""
    assert delta_e((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert delta_e((50, 2.49, -0.001), (50, -2.49, 0.0011)) == pytest.approx(7.2195, abs=1e-4)
    assert delta_e((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619)) == pytest.approx(2.0373, abs=1e-4)


def seen(color: str, vision: str) -> Vector:
    """A color in CIELAB as someone with this vision sees it."""
    linear = tuple(_linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    simulated = tuple(min(1, max(0, _dot(row, linear))) for row in VISIONS[vision])
    x, y, z = (_f(_dot(row, simulated) / white) for row, white in zip(_TO_XYZ, _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _dot(row: tuple[float, ...], vector: tuple[float, ...]) -> float:
    return sum(a * b for a, b in zip(row, vector, strict=True))


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _f(t: float) -> float:
    return float(t ** (1 / 3)) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29


def delta_e(one: Vector, other: Vector) -> float:
    """The CIEDE2000 difference between two colors."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    g = 0.5 * (1 - sqrt(mean**7 / (mean**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = (degrees(atan2(b, a)) % 360 if a or b else 0.0 for a, b in ((a1, b1), (a2, b2)))
    dh = 0.0 if not c1 * c2 else (h2 - h1 + 180) % 360 - 180
    dl, dc = l2 - l1, c2 - c1
    d_hue = 2 * sqrt(c1 * c2) * sin(radians(dh) / 2)
    l_mean, c_mean = (l1 + l2) / 2, (c1 + c2) / 2
    h_mean = h1 + h2 if not c1 * c2 else (h1 + h2 + (360 if abs(h1 - h2) > 180 else 0)) / 2 % 360
    t = (
        1
        - 0.17 * cos(radians(h_mean - 30))
        + 0.24 * cos(radians(2 * h_mean))
        + 0.32 * cos(radians(3 * h_mean + 6))
        - 0.20 * cos(radians(4 * h_mean - 63))
    )
    rotation = -sin(radians(60 * exp(-(((h_mean - 275) / 25) ** 2)))) * 2 * sqrt(c_mean**7 / (c_mean**7 + 25**7))
    s_l = 1 + 0.015 * (l_mean - 50) ** 2 / sqrt(20 + (l_mean - 50) ** 2)
    s_c, s_h = 1 + 0.045 * c_mean, 1 + 0.015 * c_mean * t
    return sqrt((dl / s_l) ** 2 + (dc / s_c) ** 2 + (d_hue / s_h) ** 2 + rotation * (dc / s_c) * (d_hue / s_h))
