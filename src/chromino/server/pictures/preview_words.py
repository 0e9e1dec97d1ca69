"""The sentences in link previews, such as a game's result, in five languages.

Only these sentences and the notifications in `push_words.py` come from the server. All other texts are in the page's
catalogs in `web/lang/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chromino.server.name_lists import LISTINGS, Listing


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences in one language. In each pair, the first is about one person, the second about several."""

    locale: str
    general: str
    won: tuple[str, str]
    won_without_losers: tuple[str, str]
    """Used when nobody lost."""
    nobody: str
    """Used when nobody won, which happens only in solo games."""
    plays: tuple[str, str]
    invites: tuple[str, str]
    tiles: str
    listing: Listing

    def result(self, players: Sequence[str], winners: Sequence[int]) -> str:
        """Who won against whom."""
        won = [players[seat] for seat in winners]
        lost = [name for seat, name in enumerate(players) if seat not in winners]
        if not won:
            return self.nobody.format(others=self.listing.join(lost))
        several = len(won) > 1
        sentences = self.won if lost else self.won_without_losers
        return sentences[several].format(winners=self.listing.join(won), others=self.listing.join(lost))

    def playing(self, players: Sequence[str]) -> str:
        """Who's playing in a game in progress."""
        return self.plays[len(players) > 1].format(names=self.listing.join(players))

    def invitation(self, people: Sequence[str]) -> str:
        """Who invites you to a table with free seats."""
        return self.invites[len(people) > 1].format(names=self.listing.join(people))


WORDS = {
    "en": Words(
        locale="en_US",
        general="Play the tile game Chromino on your own, together on one device, or online with friends.",
        won=("{winners} beat {others}", "{winners} beat {others}"),
        won_without_losers=("{winners} won", "{winners} shared the win"),
        nobody="{others} didn’t win",
        plays=("{names} is playing", "{names} are playing"),
        invites=("{names} invited you to play", "{names} invited you to play"),
        tiles="Tiles on the table: {n}",
        listing=LISTINGS["en"],
    ),
    "fr": Words(
        locale="fr_FR",
        general="Joue à Chromino, un jeu de pose et de couleurs\u00a0: en solo, sur un seul appareil "
        "ou en ligne entre proches.",
        won=("{winners} a gagné contre {others}", "{winners} ont gagné contre {others}"),
        won_without_losers=("{winners} a gagné", "{winners} ont gagné ensemble"),
        nobody="{others} n’a pas gagné",
        plays=("{names} joue", "{names} jouent"),
        invites=("{names} t’invite à jouer", "{names} t’invitent à jouer"),
        tiles="Chrominos sur la table\u00a0: {n}",
        listing=LISTINGS["fr"],
    ),
    "es": Words(
        locale="es_ES",
        general="El juego de fichas Chromino: en solitario, en un solo dispositivo o con tus amistades.",
        won=("{winners} ha ganado contra {others}", "{winners} han ganado contra {others}"),
        won_without_losers=("{winners} ha ganado", "{winners} comparten la victoria"),
        nobody="{others} no ha ganado",
        plays=("{names} juega", "{names} juegan"),
        invites=("{names} te invita a jugar", "{names} te invitan a jugar"),
        tiles="Fichas en la mesa: {n}",
        listing=LISTINGS["es"],
    ),
    "ca": Words(
        locale="ca_ES",
        general="Juga al joc de fitxes Chromino: en solitari, en un sol dispositiu o amb les teves amistats.",
        won=("{winners} ha guanyat contra {others}", "{winners} han guanyat contra {others}"),
        won_without_losers=("{winners} ha guanyat", "{winners} comparteixen la victòria"),
        nobody="{others} no ha guanyat",
        plays=("{names} juga", "{names} juguen"),
        invites=("{names} et convida a jugar", "{names} et conviden a jugar"),
        tiles="Fitxes a la taula: {n}",
        listing=LISTINGS["ca"],
    ),
    "zh-Hant": Words(
        locale="zh_TW",
        general="骨米諾遊戲 Chromino：可以一個人玩、共用一台裝置玩，或和朋友在線上一起玩。",
        won=("{winners}戰勝{others}", "{winners}一起戰勝{others}"),
        won_without_losers=("{winners}獲勝", "{winners}一起獲勝"),
        nobody="{others}沒有獲勝",
        plays=("{names}正在玩", "{names}正在玩"),
        invites=("{names}邀請你一起玩", "{names}邀請你一起玩"),
        tiles="桌上有 {n} 塊骨米諾",
        listing=LISTINGS["zh-Hant"],
    ),
}


def best_language(accepted: str) -> str:
    """The supported language with the highest weight in an Accept-Language header, or English if there's none.

    >>> best_language("de, fr;q=0.5, zh-TW;q=0.9")
    'zh-Hant'
    """
    candidates: list[tuple[float, str]] = []
    for part in accepted[:200].split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            candidates.append((-float(weight or 1), tag.lower().partition("-")[0]))
        except ValueError:
            continue
    for _, base in sorted(candidates, key=lambda pair: pair[0]):
        if base == "zh":
            return "zh-Hant"
        if base in WORDS:
            return base
    return "en"
