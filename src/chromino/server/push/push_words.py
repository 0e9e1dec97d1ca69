"""What notifications say, in five languages. The browser shows them even if no page is open."""

from __future__ import annotations

import json
from dataclasses import dataclass

from chromino.server.database.notices import Notice
from chromino.server.name_lists import LISTINGS, Listing


@dataclass(frozen=True, slots=True)
class Words:
    """The texts in one language. `{names}` stands for the people in question."""

    turn: str
    turn_about: str
    invitation: str
    invitation_about: str
    rematch: str
    rematch_about: str
    off: str
    """The button that turns notifications off."""
    listing: Listing


WORDS = {
    "en": Words(
        turn="Your turn",
        turn_about="Your game with {names} is waiting.",
        invitation="{names} invited you",
        invitation_about="Come play Chromino.",
        rematch="Play again?",
        rematch_about="{names} would like a rematch.",
        off="Turn off notifications",
        listing=LISTINGS["en"],
    ),
    "fr": Words(
        turn="À toi de jouer",
        turn_about="Ta partie avec {names} t’attend.",
        invitation="{names} t’invite",
        invitation_about="Viens jouer à Chromino.",
        rematch="On rejoue\u00a0?",
        rematch_about="{names} propose une revanche.",
        off="Désactiver les notifications",
        listing=LISTINGS["fr"],
    ),
    "es": Words(
        turn="Te toca",
        turn_about="Tu partida con {names} te espera.",
        invitation="{names} te invita",
        invitation_about="Ven a jugar a Chromino.",
        rematch="¿Otra partida?",
        rematch_about="{names} te propone la revancha.",
        off="Desactivar las notificaciones",
        listing=LISTINGS["es"],
    ),
    "ca": Words(
        turn="Et toca",
        turn_about="La teva partida amb {names} t’espera.",
        invitation="{names} et convida",
        invitation_about="Vine a jugar a Chromino.",
        rematch="Una altra partida?",
        rematch_about="{names} et proposa la revenja.",
        off="Desactiva les notificacions",
        listing=LISTINGS["ca"],
    ),
    "zh-Hant": Words(
        turn="輪到你了",
        turn_about="你跟{names}的遊戲正在等你。",
        invitation="{names}邀請你一起玩",
        invitation_about="一起來玩 Chromino 吧。",
        rematch="再玩一局？",
        rematch_about="{names}想再和你玩一局。",
        off="關閉通知",
        listing=LISTINGS["zh-Hant"],
    ),
}


def payload(notice: Notice, language: str) -> bytes:
    """The message for the service worker; see `web/worker.js`."""
    words = WORDS.get(language, WORDS["en"])
    title, about = {
        "turn": (words.turn, words.turn_about),
        "invitation": (words.invitation, words.invitation_about),
        "rematch": (words.rematch, words.rematch_about),
    }[notice.kind]
    names = words.listing.join(notice.about.split("\n"))
    page = "game" if notice.kind == "turn" else "join"
    message = {
        "title": title.format(names=names),
        "body": about.format(names=names),
        "url": f"/{page}/{notice.game}",
        "tag": notice.game,
        "off": words.off,
    }
    return json.dumps(message, ensure_ascii=False).encode()
