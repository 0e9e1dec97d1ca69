"""Drawing in a helper process: pictures of games, and QR codes for links."""

from __future__ import annotations

import io
from base64 import b64encode
from dataclasses import dataclass, replace
from hashlib import sha256
from re import DOTALL, search
from typing import Literal

from chromino.draw import Theme, animated_svg, drawing_svg, game_card, game_drawing
from chromino.draw.scenes import general_card
from chromino.errors import RecordError
from chromino.game import Game
from chromino.messages.records import DrawRecord
from chromino.record import Record
from chromino.server.problems import Problem
from chromino.view import View

PictureKind = Literal["svg", "png", "gif", "animated", "card"]

_SVG, _PNG = "image/svg+xml", "image/png"
_TYPES = {"svg": _SVG, "animated": _SVG, "png": _PNG, "card": _PNG, "gif": "image/gif"}
_POLICY = "default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_SCALE = 2  # Pixels per drawing unit.


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as a file."""

    content: bytes
    type: str

    @property
    def headers(self) -> dict[str, str]:
        """Headers for the picture. An SVG may use its own style, but no scripts."""
        if self.type != _SVG:
            return {}
        style = search(rb"<style>(.*?)</style>", self.content, DOTALL)
        source = f"'sha256-{b64encode(sha256(style[1]).digest()).decode()}'" if style else "'none'"
        return {"Content-Security-Policy": _POLICY.format(source)}


def draw(view: View | None, kind: PictureKind, theme: Theme) -> Picture:
    """Draw a view or, if it's None, a generic table."""
    if kind == "svg" and view is not None:
        content = drawing_svg(game_drawing(view), theme).encode()
    elif kind == "animated" and view is not None:
        content = animated_svg(view, theme).encode()
    elif kind == "gif" and view is not None:
        from chromino.draw.gif import gif  # Loads Pillow only when it's needed.

        content = gif(view, theme)
    else:
        from chromino.draw.raster import png

        if view is None:
            content = png(general_card(), theme, 1)
        else:
            content = png(game_card(view), theme, 1) if kind == "card" else png(game_drawing(view), theme, _SCALE)
    return Picture(content, _TYPES[kind])


def draw_record(message: DrawRecord) -> Picture:
    """A picture of any record. It shows all hands, since anyone who has the record knows them."""
    try:
        record = Record.parse(message.record)
        Game.replay(record)  # The whole record must be valid, even if only a part is shown.
        game = Game.replay(replace(record, events=record.events[: message.move]))
    except RecordError as error:
        raise Problem("bad-record", str(error)) from None
    return draw(replace(game.view(None), hands=game.hands), message.kind, Theme(message.theme))


def qr_code(link: str) -> Picture:
    import segno

    out = io.BytesIO()
    segno.make(link, micro=False).save(out, kind="svg", scale=4, border=2, light="#fff")
    return Picture(out.getvalue(), _SVG)
