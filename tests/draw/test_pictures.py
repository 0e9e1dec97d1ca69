"""Pictures: SVG, PNG, GIF and animated SVG of tables, hands and whole games, all with the same look."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageFont, ImageSequence

from chromino import Game, Placed, Placement, Rules, Table, Tile, View
from chromino.draw import (
    Theme,
    animated_svg,
    drawing_svg,
    fonts,
    framed_table_drawing,
    game_card,
    game_drawing,
    table_drawing,
)
from chromino.draw.animation import REST, STEP, moments
from chromino.draw.gif import gif
from chromino.draw.look import MARK, SIZE, VIVID
from chromino.draw.raster import png
from chromino.draw.scenes import CARD, Row, card_drawing, fitted, general_card, hands_drawing, text_width
from chromino.draw.shapes import Circle, outlines
from chromino.draw.shapes import Path as Lines
from chromino.table import FREE_SPREAD
from tests.helpers import VARIANTS, position, states

SVG = "{http://www.w3.org/2000/svg}"
AWKWARD = (
    "<script>ran=1</script>",
    "]]><script>ran=1</script>",
    "\"'&amp;",
    "小明",
    "עדה",
    "W" * 5000,
    "👩‍👩‍👧",
    "Zoé ﷽",
)


@pytest.fixture(scope="module")
def game() -> Game:
    *_, last = states(Rules.expert(), 3, seed=4)
    return last


@pytest.fixture(scope="module")
def view(game: Game) -> View:
    return game.view(None)


def opened(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


def colors_at(image: Image.Image, left: float, top: float, side: float) -> set[str]:
    """All colors in the inner half of a square."""
    box = [round(edge) for edge in (left + side / 4, top + side / 4, left + side * 3 / 4, top + side * 3 / 4)]
    found = image.convert("RGB").crop((box[0], box[1], box[2], box[3])).getcolors(100_000) or []
    return {"#%02X%02X%02X" % color for _, color in found if isinstance(color, tuple)}  # noqa: UP031


# Tables.


@pytest.mark.parametrize("scale", [1, 1.5, 2])
def test_every_square_of_a_png_has_its_color_and_its_texture(scale: float) -> None:
    table = Table.parse("Y*R@0,0> GRR@1,1> YBR@3,-2v PGR@0,2> YBP@-1,0v")
    drawing = table_drawing(table)
    image = opened(png(drawing, scale=scale))
    assert image.size == (round(drawing.width * scale), round(drawing.height * scale))
    for placement in table.laid:
        for (x, y), color in zip(placement.squares, placement.colors, strict=True):
            left, top = (x * SIZE - drawing.left) * scale, (y * SIZE - drawing.top) * scale
            found = colors_at(image, left, top, SIZE * scale)
            assert VIVID.palette[color] in found
            assert len(found) > 3  # A texture with smooth edges is drawn on the square.
            others = {VIVID.palette[other] for other in VIVID.palette if other not in (color, "*")}
            assert not others & found
    assert image.getpixel((1, 1)) == (0, 0, 0, 0)


def test_the_ink_of_each_texture_is_visible() -> None:
    image = opened(png(table_drawing(Table.parse("RGB@0,0> YPP@0,2>")), scale=4))
    found = {"#%02X%02X%02X" % color[:3] for _, color in image.getcolors(200_000) or () if isinstance(color, tuple)}  # noqa: UP031
    assert set(VIVID.inks.values()) <= found


def test_places_the_last_tile_and_mistakes_are_marked() -> None:
    table = Table.parse("Y*R@0,0> GRR@1,1>")
    tried = Placement.parse("PPP@0,1v")
    refusal = table.refusal(tried)
    assert refusal is not None
    drawing = framed_table_drawing(table, places=[*table.placements(Tile.parse("YBR")), tried], wrong=refusal.squares)
    root = ElementTree.fromstring(drawing_svg(drawing))  # noqa: S314
    assert len(root.findall(f"{SVG}g[@class='place']")) == 4
    assert len(root.findall(f"{SVG}path")) == 2 * len(refusal.squares)
    image = opened(png(drawing, scale=1))
    for x, y in refusal.squares:
        assert MARK in colors_at(image, x * SIZE - drawing.left, y * SIZE - drawing.top, SIZE)
    ringed = ElementTree.fromstring(drawing_svg(framed_table_drawing(table, last=table.laid[-1])))  # noqa: S314
    assert len(ringed.findall(f"{SVG}g[@class='last']")) == 1


@pytest.mark.parametrize("theme", Theme)
def test_themes_change_the_colors(theme: Theme, view: View) -> None:
    text = drawing_svg(game_drawing(view), theme)
    assert ("prefers-color-scheme" in text) == (theme is Theme.AUTO)
    assert (f'fill="{Theme.DARK.roles["paper"]}"' in text) == (theme is Theme.DARK)
    image = opened(png(game_drawing(view), theme, 1))
    assert image.convert("RGB").getpixel((image.width // 2, 5)) == rgb(theme.roles["paper"])


def rgb(color: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(color[1:]))


def test_the_number_of_pixels_is_limited() -> None:
    far = Table.parse(f"RGB@0,0> RGB@{FREE_SPREAD},0> RGB@0,{FREE_SPREAD}v")
    assert max(opened(png(table_drawing(far))).size) <= 4000
    assert opened(png(table_drawing(Table()))).size == (160, 160)


def test_svg_paths_are_turned_into_outlines() -> None:
    assert outlines(Lines("M1 2 3 4M5 6v2h-1Z")) == [
        ((1.0, 2.0), (3.0, 4.0)),
        ((5.0, 6.0), (5.0, 8.0), (4.0, 8.0), (5.0, 6.0)),
    ]
    (wave,) = outlines(Lines("M0 4q3-4 6 0t6 0L12 0V3H2"))
    assert wave[4] == (3.0, 2.0)  # The top of the first half, and the bottom of the second.
    assert wave[12] == (9.0, 6.0)
    assert wave[-3:] == ((12.0, 0.0), (12.0, 3.0), (2.0, 3.0))
    (circle,) = outlines(Circle(0, 0, 1, "ink"))
    assert circle[0] == pytest.approx(circle[-1])


# Games.


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_the_end_of_a_game_shows_names_points_hands_and_a_crown(game: Game, view: View) -> None:
    root = ElementTree.fromstring(drawing_svg(game_drawing(view)))  # noqa: S314
    assert texts(root) == [
        part for name, score in zip(game.players, game.scores, strict=True) for part in (name, str(score))
    ]
    assert len(root.findall(f".//{SVG}g[@class='won']")) == len(game.winners)
    shown = [title.text for title in root.iterfind(f".//{SVG}g[@transform]//{SVG}title")]
    assert [Placement.parse(text or "").tile for text in shown] == [tile for hand in game.hands for tile in hand]
    assert root.get("aria-label") == "Chromino table with 25 tiles. Bob wins."


def test_an_unfinished_game_shows_the_backs_of_tiles() -> None:
    running = position("RRR@0,0>", ["RRG BBB", "GGG", "YYY PPP GGB"])
    root = ElementTree.fromstring(drawing_svg(game_drawing(running.view(None))))  # noqa: S314
    assert len(root.findall(f".//{SVG}g[@class='back']")) == 5  # A last tile is open (5.1).
    assert not root.findall(f".//{SVG}g[@class='won']")
    assert len(root.findall(f"{SVG}g/{SVG}path")) == 1  # Whose turn it is.


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_can_be_drawn(name: str) -> None:
    *_, last = states(VARIANTS[name], 2, seed=1)
    seen = last.view(None)
    for text in (drawing_svg(game_drawing(seen)), animated_svg(seen)):
        assert len(ElementTree.fromstring(text).findall(f".//{SVG}g[@class='tile']")) >= 1  # noqa: S314
    assert len(moments(seen)) == len(last.table)
    assert moments(seen)[-1] == (last.scores if last.rules.scoring else tuple(map(len, last.hands)))
    assert moments(seen)[0] == ((0, 0) if last.rules.scoring else (last.rules.hand_size,) * 2)


def test_names_in_any_script_are_drawn(view: View) -> None:
    for name in AWKWARD:
        named = replace(view, players=(name, "Bob", "Cy"))
        for text in (drawing_svg(game_drawing(named)), animated_svg(named), drawing_svg(game_card(named))):
            root = ElementTree.fromstring(text)  # noqa: S314
            assert not list(root.iter(f"{SVG}script"))
            assert any(found.startswith(name[:8]) for found in texts(root)), name
        assert opened(png(game_card(named), scale=0.25))


def test_long_names_are_truncated() -> None:
    assert fitted("Ada", 20, 100) == "Ada"
    assert fitted("Adalbertina", 20, 100).endswith("…")
    assert text_width(fitted("小" * 60_000, 20, 100)) * 20 <= 100
    assert fitted("é", 20, 100) == "é"


def test_hands_can_be_drawn_without_a_table() -> None:
    drawing = hands_drawing([Row("Ada", hand=(Tile.parse("RGB"), None)), Row("Bob")])
    root = ElementTree.fromstring(drawing_svg(drawing))  # noqa: S314
    assert texts(root) == ["Ada", "Bob"]
    assert opened(png(drawing, scale=1)).size == (drawing.width, drawing.height)


# Cards.


@pytest.mark.parametrize("players", [1, 2, 8])
def test_a_card_has_the_size_link_previews_expect(players: int) -> None:
    *_, last = states(Rules.classic(), players, seed=2)
    image = opened(png(game_card(last.view(None)), scale=1))
    assert image.size == CARD
    assert image.convert("RGB").getpixel((5, 5)) == rgb(Theme.LIGHT.roles["table"])
    found = {"#%02X%02X%02X" % color[:3] for _, color in image.getcolors(500_000) or () if isinstance(color, tuple)}  # noqa: UP031
    assert set(VIVID.palette.values()) <= found


def test_the_general_card_shows_a_table_that_follows_the_rules() -> None:
    assert opened(png(general_card(), scale=1)).size == CARD
    titles = [group.title or "" for shape in general_card().shapes for group in getattr(shape, "shapes", ())
              if getattr(group, "title", None) and "@" in group.title]  # fmt: skip
    placements = [Placement.parse(title) for title in titles]
    table = Table().lay(placements[0])
    for placement in placements[1:-1]:  # The last one is the mark next to the name.
        table = table.place(placement)
    assert len(table) > 10
    assert card_drawing(Table(), None, (), "nothing").label == "nothing"


# Fonts.


@pytest.fixture
def no_fonts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server without any fonts."""
    monkeypatch.setattr(fonts, "_FILES", {False: (), True: ()})
    fonts._fonts.cache_clear()
    yield
    fonts._fonts.cache_clear()


def written(text: str, instead: str = "Player 2") -> str:
    return "".join(piece for _, piece in fonts.runs(text, 20, is_bold=False, fallback=instead))


@pytest.mark.usefixtures("no_fonts")
def test_without_fonts_accents_are_dropped_and_names_in_other_scripts_are_replaced(view: View) -> None:
    assert written("Ada") == "Ada"
    assert written("Zoé Müller") == "Zoe Muller"
    assert written("小明") == written("👩") == "Player 2"
    assert written("Fay 🦊 7") == "Fay 7"
    assert written("小明", instead="") == ""
    assert opened(png(game_drawing(replace(view, players=("小明", "Zoé", "Cy"))), scale=1))


def test_letters_in_the_same_font_are_drawn_together() -> None:
    found = fonts.runs("Ada", 20, is_bold=True, fallback="")
    assert len(found) == 1
    assert isinstance(found[0][0], ImageFont.FreeTypeFont)


def test_a_letter_that_a_font_lacks_is_drawn_in_the_next_one() -> None:
    basic, ours = ImageFont.load_default(20), fonts._fonts(20, True)[0]
    assert fonts._runs("Zoé Ada", (basic, ours)) == [(basic, "Zo"), (ours, "é "), (basic, "Ada")]
    assert fonts._runs("Zoé 小", (basic, ours)) is None


# Animations.


def frames_of(image: Image.Image) -> int:
    return sum(1 for _ in ImageSequence.Iterator(image))


def test_a_gif_has_a_frame_for_each_tile_and_pauses_at_the_end(game: Game, view: View) -> None:
    content = gif(view)
    placed = [event for event in game.log if isinstance(event, Placed)]
    image = Image.open(io.BytesIO(content))
    assert frames_of(image) == 1 + len(placed) == len(game.table)
    assert image.info["loop"] == 0
    times = []
    for number in range(frames_of(image)):
        image.seek(number)
        times.append(image.info["duration"])
    assert times == [1000 * STEP] * len(placed) + [1000 * REST]
    assert len(content) < 2_000_000
    last = image.convert("RGB")
    found = {"#%02X%02X%02X" % color for _, color in last.getcolors(10_000) or () if isinstance(color, tuple)}  # noqa: UP031
    assert set(VIVID.palette.values()) <= found
    image.seek(0)
    assert image.convert("RGB").tobytes() != last.tobytes()
    assert image.size == last.size


def test_an_animated_svg_shows_each_tile_in_turn_without_a_script(game: Game, view: View) -> None:
    text = animated_svg(view)
    root = ElementTree.fromstring(text)  # noqa: S314
    tiles = [group for group in root.iter(f"{SVG}g") if (group.get("class") or "").split(" ")[0] == "tile"]
    assert [tile.findtext(f"{SVG}title") for tile in tiles] == str(game.table).split()
    assert [tile.get("class") for tile in tiles] == ["tile", *(f"tile t{n}" for n in range(1, len(tiles)))]
    style = root.findtext(f"{SVG}style") or ""
    for number in range(1, len(tiles)):
        assert style.count(f"@keyframes t{number}{{") == style.count(f"@keyframes r{number}{{") == 1
    assert "@media (prefers-reduced-motion:reduce){*{animation:none!important}}" in style
    for word in ("<script", "javascript:", "onload", "<foreignObject"):
        assert word not in text
    assert text.count("href=") == text.count('href="#chromino-')  # Nothing is loaded from elsewhere.
    # Without motion, only the end is left: all tiles, one ring, and the last numbers.
    hidden = {name for name in style.replace("}", "}\n").split("\n") if name.endswith("{opacity:0}") and name[0] == "."}
    rings = {f".r{number}{{opacity:0}}" for number in range(1, len(tiles) - 1)}
    assert rings <= hidden
    assert f".r{len(tiles) - 1}{{opacity:0}}" not in hidden
    assert not any(name.startswith(".t") for name in hidden)


def test_the_frame_never_moves(view: View) -> None:
    whole = ElementTree.fromstring(animated_svg(view))  # noqa: S314
    still = ElementTree.fromstring(drawing_svg(game_drawing(view)))  # noqa: S314
    assert whole.get("viewBox") == still.get("viewBox")


def test_a_game_without_a_move_can_be_drawn_too() -> None:
    start = Game.start(Rules.classic(), ["Ada"], seed=1).view(None)
    assert Image.open(io.BytesIO(gif(start))).size
    assert ElementTree.fromstring(animated_svg(start)) is not None  # noqa: S314
    assert len(moments(start)) == 1
