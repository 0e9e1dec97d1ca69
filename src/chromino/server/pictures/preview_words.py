"""The sentences in link previews, in five languages, such as a game's result.

Only these and notifications (`push_words.py`) come from the server. The page takes everything else from its catalogs
in `web/lang/`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_SOUNDS_LIKE_I = re.compile(r"[ií]|h[ií](?![aeo])", re.IGNORECASE)
"""For Spanish: it matches Inés and Hilario, but not Hielo."""


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences in one language. In each pair, the first is about one person, the second about several."""

    locale: str
    general: str
    won: tuple[str, str]
    won_alone: tuple[str, str]
    """Used when nobody lost."""
    nobody: str
    """Only a solo game has no winner."""
    plays: tuple[str, str]
    invites: tuple[str, str]
    tiles: str
    comma: str
    last_comma: str
    serial_comma: str = ""
    """What comes before the last of three or more names, if it isn't `last_comma`."""
    before_i: str = ""
    """What comes before the last name if that begins with the sound of i, if it isn't `last_comma`."""

    def result(self, players: Sequence[str], winners: Sequence[int]) -> str:
        """Who won against whom."""
        won = [players[seat] for seat in winners]
        lost = [name for seat, name in enumerate(players) if seat not in winners]
        if not won:
            return self.nobody.format(others=self._listed(lost))
        several = len(won) > 1
        sentences = self.won if lost else self.won_alone
        return sentences[several].format(winners=self._listed(won), others=self._listed(lost))

    def playing(self, players: Sequence[str]) -> str:
        """Who's playing in a game in progress."""
        return self.plays[len(players) > 1].format(names=self._listed(players))

    def invitation(self, people: Sequence[str]) -> str:
        """Who invites you to a table with free seats."""
        return self.invites[len(people) > 1].format(names=self._listed(people))

    def _listed(self, names: Sequence[str]) -> str:
        *others, last = names or [""]
        if not others:
            return last
        link = self.serial_comma if self.serial_comma and len(others) > 1 else self.last_comma
        if self.before_i and _SOUNDS_LIKE_I.match(last):
            link = self.before_i
        return self.comma.join(others) + link + last


WORDS = {
    "en": Words(
        locale="en_US",
        general="Play the tile game Chromino on your own, on one device, or with friends.",
        won=("{winners} beat {others}", "{winners} beat {others}"),
        won_alone=("{winners} won", "{winners} won together"),
        nobody="{others} didn’t win",
        plays=("{names} is playing", "{names} are playing"),
        invites=("{names} invited you to play", "{names} invited you to play"),
        tiles="Tiles on the table: {n}",
        comma=", ",
        last_comma=" and ",
        serial_comma=", and ",
    ),
    "fr": Words(
        locale="fr_FR",
        general="Joue à Chromino\u00a0: en solo, sur un seul appareil ou entre proches.",
        won=("{winners} a gagné contre {others}", "{winners} ont gagné contre {others}"),
        won_alone=("{winners} a gagné", "{winners} ont gagné ensemble"),
        nobody="{others} n’a pas gagné",
        plays=("{names} joue", "{names} jouent"),
        invites=("{names} t’invite à jouer", "{names} t’invitent à jouer"),
        tiles="Chrominos sur la table\u00a0: {n}",
        comma=", ",
        last_comma=" et ",
    ),
    "es": Words(
        locale="es_ES",
        general="El juego de fichas Chromino: a solas, en un solo dispositivo o con tus amistades.",
        won=("{winners} ganó contra {others}", "{winners} ganaron contra {others}"),
        won_alone=("{winners} ganó", "{winners} comparten la victoria"),
        nobody="{others} no ganó",
        plays=("{names} juega", "{names} juegan"),
        invites=("{names} te invita a jugar", "{names} te invitan a jugar"),
        tiles="Fichas en la mesa: {n}",
        comma=", ",
        last_comma=" y ",
        before_i=" e ",
    ),
    "ca": Words(
        locale="ca_ES",
        general="El joc de fitxes Chromino: en solitari, en un sol dispositiu o amb amistats.",
        won=("{winners} ha guanyat contra {others}", "{winners} han guanyat contra {others}"),
        won_alone=("{winners} ha guanyat", "{winners} comparteixen la victòria"),
        nobody="{others} no ha guanyat",
        plays=("{names} juga", "{names} juguen"),
        invites=("{names} et convida a jugar", "{names} et conviden a jugar"),
        tiles="Fitxes a la taula: {n}",
        comma=", ",
        last_comma=" i ",
    ),
    "zh-Hant": Words(
        locale="zh_TW",
        general="骨米諾遊戲 Chromino：可以一個人玩、共用一台裝置玩，或和朋友一起玩。",
        won=("{winners}戰勝{others}", "{winners}一起戰勝{others}"),
        won_alone=("{winners}獲勝", "{winners}一起獲勝"),
        nobody="{others}沒有獲勝",
        plays=("{names}正在玩", "{names}正在玩"),
        invites=("{names}邀請你一起玩", "{names}邀請你一起玩"),
        tiles="桌上有 {n} 塊",
        comma="、",
        last_comma="和",
    ),
}


def best_language(accepted: str) -> str:
    """The language in an Accept-Language header that has the highest weight among those we support.

    >>> best_language("de, fr;q=0.5, zh-TW;q=0.9")
    'zh-Hant'
    """
    weighed: list[tuple[float, str]] = []
    for part in accepted[:200].split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            weighed.append((-float(weight or 1), tag.lower().partition("-")[0]))
        except ValueError:
            continue
    for _, base in sorted(weighed, key=lambda pair: pair[0]):
        if base == "zh":
            return "zh-Hant"
        if base in WORDS:
            return base
    return "en"
