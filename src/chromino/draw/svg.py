"""Drawings as SVG documents. Each texture is defined once. Theme colors are fixed, or follow the viewer's system."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from chromino.draw.look import DOT, SIZE, SPIRAL, TEXTURES, VIVID, Look, Theme, color_of
from chromino.draw.parts import at_origin, cross, ghost, ring, tile_shapes
from chromino.draw.shapes import Circle, Drawing, Group, Line, Path, Rect, Shape, Stroke, Text, Texture
from chromino.table import Table
from chromino.tiles import Placement, Square, Tile

_FONT = "Fredoka, Nunito, system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'Noto Sans TC', 'PingFang TC', sans-serif"


def table_svg(
    table: Table,
    *,
    places: Iterable[Placement] = (),
    wrong: Iterable[Square] = (),
    last: Placement | None = None,
    title: str | None = None,
    look: Look = VIVID,
) -> str:
    """A table as an SVG document: `places` are ghosts, squares in `wrong` are crossed out, and `last` has a ring."""
    drawing = table_drawing(table, places=places, wrong=wrong, last=last, title=title, look=look)
    return drawing_svg(drawing, look=look)


def table_drawing(
    table: Table,
    *,
    places: Iterable[Placement] = (),
    wrong: Iterable[Square] = (),
    last: Placement | None = None,
    title: str | None = None,
    look: Look = VIVID,
) -> Drawing:
    """A table and its marks, without a background."""
    places, wrong = list(places), list(wrong)
    covered = [square for placement in [*table.laid, *places] for square in placement.squares] + wrong or [(0, 0)]
    left, right = min(x for x, _ in covered), max(x for x, _ in covered) + 1
    top, bottom = min(y for _, y in covered), max(y for _, y in covered) + 1
    shapes: list[Shape] = [tile_shapes(placement, look=look) for placement in table.laid]
    shapes += [*([ring(last)] if last else ()), *(ghost(placement, look) for placement in places)]
    for square in wrong:
        shapes += cross(square)
    return Drawing(
        left * SIZE - SIZE // 2,
        top * SIZE - SIZE // 2,
        (right - left + 1) * SIZE,
        (bottom - top + 1) * SIZE,
        tuple(shapes),
        title or f"Chromino table with {len(table)} tile{'' if len(table) == 1 else 's'}",
    )


def tile_svg(tile: Tile, look: Look) -> str:
    """One horizontal tile, for a page that also has a table's picture (which defines the textures)."""
    drawn = _shape_svg(tile_shapes(at_origin(tile), look=look), Theme.LIGHT)
    return f'<svg viewBox="0 0 {3 * SIZE} {SIZE}" role="img" aria-label="{tile}">{drawn}</svg>'


def drawing_svg(drawing: Drawing, theme: Theme = Theme.LIGHT, style: str = "", look: Look = VIVID) -> str:
    """The drawing as an SVG document, with this style added."""
    label = _escaped(drawing.label)
    textures = "".join(_definition(f"chromino-{color}", look.texture(color), theme) for color in TEXTURES if look.inks)
    if theme is Theme.AUTO:
        style = _dark_style() + style
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{drawing.width}" height="{drawing.height}" '
            f'viewBox="{drawing.left} {drawing.top} {drawing.width} {drawing.height}" '
            f'role="img" aria-label="{label}">',
            f"<title>{label}</title>",
            *([f"<style>{style}</style>"] if style else ()),
            f"<defs>{textures}{_ground(theme)}{_gradients(theme, look)}</defs>",
            *(_shape_svg(shape, theme) for shape in drawing.shapes),
            "</svg>",
            "",
        ]
    )


def _dark_style() -> str:
    """A style with the dark colors, for viewers who prefer them. The shapes themselves have the light colors."""
    rules = "".join(f".f-{role}{{fill:{color}}}.s-{role}{{stroke:{color}}}" for role, color in Theme.DARK.roles.items())
    rules += f".c-light{{stop-color:{Theme.DARK.roles['light']}}}"
    return f"@media (prefers-color-scheme:dark){{{rules}}}"


def _definition(name: str, path: Path, theme: Theme) -> str:
    filled = "" if path.fill else ' fill="none"'
    return f'<path id="{name}"{filled}{_shape_svg(path, theme).removeprefix("<path")}'


def _ground(theme: Theme) -> str:
    """The pattern of the bare table."""
    return (
        f'<pattern id="chromino-ground" width="{SIZE}" height="{SIZE}" patternUnits="userSpaceOnUse">'
        f"{_shape_svg(Rect(0, 0, SIZE, SIZE, fill='table'), theme)}"
        f"{''.join(_shape_svg(dot, theme) for dot in _CORNER_DOTS)}"
        "</pattern>"
    )


_CORNER_DOTS = [replace(DOT, x=x, y=y) for x in (0, SIZE) for y in (0, SIZE)]


def _gradients(theme: Theme, look: Look) -> str:
    """Light on the table and on squares, and the colors of a wild square."""
    spiral = "".join(f'<stop offset="{at}" stop-color="{look.palette[color]}"/>' for color, at in SPIRAL.items())
    wild = f'<linearGradient id="chromino-wild" x1="0" y1="0" x2="1" y2="1">{spiral}</linearGradient>'
    if look.is_flat:
        return wild
    light, name = color_of("light", theme), ' class="c-light"' if theme is Theme.AUTO else ""
    return (
        f'{wild}<linearGradient id="chromino-gloss" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#FFF" '
        'stop-opacity=".2"/><stop offset=".6" stop-color="#FFF" stop-opacity="0"/></linearGradient>'
        f'<radialGradient id="chromino-glow"><stop stop-color="{light}"{name}/>'
        f'<stop offset="1" stop-color="{light}"{name} stop-opacity="0"/></radialGradient>'
    )


def _shape_svg(shape: Shape, theme: Theme) -> str:
    match shape:
        case Group():
            return _group(shape, theme)
        case Rect(x, y, width, height, radius, fill, stroke):
            rounded = f' rx="{radius}"' if radius else ""
            return (
                f'<rect x="{x}" y="{y}" width="{width}" height="{height}"{rounded}{_fill_svg(fill, theme)}'
                f"{_stroke_svg(stroke, theme)}{_classes(theme, fill, stroke)}/>"
            )
        case Circle(x, y, radius, fill):
            return (
                f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{radius}"'
                f"{_fill_svg(fill, theme)}{_classes(theme, fill)}/>"
            )
        case Line(points, stroke):
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            return f'<polyline points="{path}" fill="none"{_stroke_svg(stroke, theme)}{_classes(theme, None, stroke)}/>'
        case Path(d, stroke, fill):
            filled = _fill_svg(fill, theme) if fill else ""
            return f'<path d="{d}"{filled}{_stroke_svg(stroke, theme)}{_classes(theme, fill, stroke)}/>'
        case Texture(color, _, x, y):
            return f'<use href="#chromino-{color}" x="{x}" y="{y}"/>'
    return _text(shape, theme)


def _group(group: Group, theme: Theme) -> str:
    inside = "".join(_shape_svg(shape, theme) for shape in group.shapes)
    title = f"<title>{_escaped(group.title)}</title>" if group.title else ""
    names = " ".join(name for name in (group.name, group.animation) if name)
    attributes = f' class="{names}"' if names else ""
    if group.opacity != 1:
        attributes += f' opacity="{group.opacity}"'
    if group.at is not None:
        x, y, scale = group.at
        attributes += f' transform="translate({_short(x)} {_short(y)}) scale({_short(scale)})"'
    return f"<g{attributes}>{title}{inside}</g>"


def _text(shape: Text, theme: Theme) -> str:
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    weight = ' font-weight="700"' if shape.is_bold else ""
    return (
        f'<text x="{_short(shape.x)}" y="{_short(shape.y)}" font-size="{_short(shape.size)}" font-family="{_FONT}"'
        f"{weight}{anchor}{_fill_svg(shape.fill, theme)}{_classes(theme, shape.fill)}>{_escaped(shape.text)}</text>"
    )


def _fill_svg(paint: str | None, theme: Theme) -> str:
    if paint is None:
        return ' fill="none"'
    if paint in ("ground", "glow", "gloss"):
        return f' fill="url(#chromino-{paint})"'
    return _paint_svg("fill", color_of(paint, theme))


def _paint_svg(kind: str, color: str) -> str:
    """The attributes of a fill or stroke. Opacity is separate, since not every viewer supports colors with alpha."""
    opacity = f' {kind}-opacity="{_short(int(color[7:], 16) / 255)}"' if len(color) == 9 else ""
    return f' {kind}="{color[:7]}"{opacity}'


def _stroke_svg(stroke: Stroke | None, theme: Theme) -> str:
    if stroke is None:
        return ""
    width = "" if stroke.width == 1 else f' stroke-width="{stroke.width}"'
    dash = f' stroke-dasharray="{stroke.dash[0]} {stroke.dash[1]}"' if stroke.dash else ""
    cap = ' stroke-linecap="round"' if stroke.is_round else ""
    paint = (
        ' stroke="url(#chromino-wild)"'
        if stroke.paint == "wild"
        else _paint_svg("stroke", color_of(stroke.paint, theme))
    )
    return f"{paint}{width}{dash}{cap}"


def _classes(theme: Theme, fill: str | None = None, stroke: Stroke | None = None) -> str:
    """Classes that let the style change the theme's colors."""
    if theme is not Theme.AUTO:
        return ""
    names = [f"f-{fill}"] if fill in theme.roles else []
    names += [f"s-{stroke.paint}"] if stroke is not None and stroke.paint in theme.roles else []
    return f' class="{" ".join(names)}"' if names else ""


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;").replace('"', "&quot;")
