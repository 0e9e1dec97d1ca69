"""Pictures over HTTP, and link previews: who may see them, nothing hidden, and names as text."""

from __future__ import annotations

import gzip
import io
import re
from html import unescape
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageSequence

from chromino.draw.scenes import CARD
from chromino.events import Place
from chromino.server.http.limits import PER_IDENTITY
from chromino.server.pictures.preview_words import WORDS, best_language
from tests.evil_names import NAMES
from tests.server.sample_games import alike, played
from tests.server.sites.in_process import InProcessServer
from tests.server.sites.serving import FREE, HERE, ME, Answer, Client, plant_multiplayer

KINDS = {
    "picture.svg": ("image/svg+xml", b"<svg "),
    "picture.png": ("image/png", b"\x89PNG"),
    "picture.gif": ("image/gif", b"GIF89a"),
    "animated.svg": ("image/svg+xml", b"<svg "),
    "card.png": ("image/png", b"\x89PNG"),
}
PAGES = ("/game/", "/replay/", "/join/")


def _frames(image: Image.Image) -> int:
    return sum(1 for _ in ImageSequence.Iterator(image))


# Who may see pictures.


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("over", [False, True])
def test_everyone_gets_the_same_picture(kind: str, over: bool, server: InProcessServer) -> None:
    game, secrets = plant_multiplayer(server.database, played(events=1000 if over else 2, hand_size=4))
    path = f"/api/games/{game}/{kind}"
    answers = [Client(server.url, secret).get(path) for secret in (*secrets, None)]
    assert {answer.status for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    media, beginning = KINDS[kind]
    assert answers[0].headers["Content-Type"] == media
    assert answers[0].content.startswith(beginning)
    assert answers[0].headers["Set-Cookie"] is None
    head = Client(server.url).request("HEAD", path)
    assert (head.status, head.content) == (200, b"")
    assert head.headers["Content-Length"] == str(len(answers[0].content))
    assert answers[0].headers["Cache-Control"] == ("public, max-age=300" if over else "no-store")
    assert (answers[0].headers["ETag"] is not None) == over


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("over", [False, True])
def test_a_game_without_spectators_is_visible_only_to_its_players(
    kind: str, over: bool, server: InProcessServer
) -> None:
    game, secrets = plant_multiplayer(server.database, played(events=1000 if over else 2), watch=False)
    path = f"/api/games/{game}/{kind}"
    assert Client(server.url).get(path).refused == (403, "not-your-game")
    stranger = Client(server.url)
    stranger.new_game(ME, HERE)
    assert stranger.get(path).refused == (403, "not-your-game")
    mine = Client(server.url, secrets[1]).get(path)
    assert mine.status == 200
    assert mine.headers["Cache-Control"] == ("private, no-cache" if over else "no-store")
    known = Client(server.url).get(path, {"If-None-Match": mine.headers["ETag"] or '"x"'})
    assert known.refused == (403, "not-your-game")  # Knowing the tag isn't enough.


def test_an_unknown_game_has_no_picture(client: Client) -> None:
    for kind in KINDS:
        assert client.get(f"/api/games/nobodys/{kind}").refused == (404, "no-such-game")


def test_unchanged_pictures_are_not_sent_again(server: InProcessServer) -> None:
    game, _ = plant_multiplayer(server.database, played())
    client = Client(server.url)
    tags = set()
    for kind in KINDS:
        for theme in ("", "?theme=light", "?theme=dark", "?theme=auto"):
            path = f"/api/games/{game}/{kind}{theme}"
            tag = client.get(path).headers["ETag"] or ""
            tags.add(tag)
            for sent in (tag, f"W/{tag}", f'"other", {tag}'):
                known = client.get(path, {"If-None-Match": sent})
                assert (known.status, known.content) == (304, b"")
            assert client.get(path, {"If-None-Match": '"other"'}).status == 200
    assert len(tags) == 3 * len(KINDS)  # The default theme is auto.


def test_pictures_show_the_game(server: InProcessServer) -> None:
    game = played(hand_size=4)
    planted, _ = plant_multiplayer(server.database, game)
    client = Client(server.url)
    root = ElementTree.fromstring(client.get(f"/api/games/{planted}/picture.svg").content)  # noqa: S314
    titles = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert set(str(game.table).split()) <= set(titles)
    assert Image.open(io.BytesIO(client.get(f"/api/games/{planted}/card.png").content)).size == CARD
    film = Image.open(io.BytesIO(client.get(f"/api/games/{planted}/picture.gif").content))
    assert _frames(film) == len(game.table)
    general = client.get("/api/card.png")
    assert Image.open(io.BytesIO(general.content)).size == CARD
    assert client.get("/api/card.png", {"If-None-Match": general.headers["ETag"] or ""}).status == 304


def test_an_svg_runs_nothing_and_uses_only_its_own_styles(server: InProcessServer) -> None:
    game, _ = plant_multiplayer(server.database, played())
    for kind in ("picture.svg", "animated.svg"):
        policy = Client(server.url).get(f"/api/games/{game}/{kind}").headers["Content-Security-Policy"] or ""
        assert re.fullmatch(
            r"default-src 'none'; style-src 'sha256-[\w+/=]{44}'; "
            r"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            policy,
        )
    plain = Client(server.url).get(f"/api/games/{game}/picture.svg?theme=dark").headers["Content-Security-Policy"]
    assert "style-src 'none'" in (plain or "")


def test_different_hidden_tiles_or_seeds_change_no_byte(server: InProcessServer) -> None:
    answers = []
    for game in alike(Place):
        planted, secrets = plant_multiplayer(server.database, game)
        found = [
            Client(server.url, secret).get(path).content.replace(planted.encode(), b"GAME")
            for secret in (secrets[0], None)
            for path in (
                *(f"/api/games/{planted}/{kind}{theme}" for kind in KINDS for theme in ("", "?theme=dark")),
                *(f"{page}{planted}" for page in PAGES),
            )
        ]
        answers.append(found)
    assert answers[0] == answers[1]


def test_picture_requests_are_limited_unless_cached(server: InProcessServer) -> None:
    client = Client(server.url)
    client.new_game(ME, HERE)
    games = [plant_multiplayer(server.database, played((f"Ada {n}", "Bob")))[0] for n in range(20)]
    kinds = [f"{kind}?theme={theme}" for kind in ("picture.svg", "animated.svg") for theme in ("light", "dark", "auto")]
    paths = [f"/api/games/{game}/{kind}" for kind in kinds for game in games]
    made = 0
    while (answer := client.get(paths[made])).status == 200:
        made += 1
    assert answer.refused == (429, "too-fast")
    assert made >= PER_IDENTITY["draw"].burst
    assert {client.get(paths[made - 1]).status for _ in range(10)} == {200}


# Records.


@pytest.mark.parametrize("kind", ["svg", "png", "gif", "animated"])
def test_any_record_can_be_drawn(kind: str, client: Client) -> None:
    game = played(NAMES[:3], hand_size=3)
    answer = client.post("/api/pictures", {"record": str(game.record), "kind": kind})
    assert answer.status == 200
    assert answer.headers["Cache-Control"] == "no-store"
    dark = client.post("/api/pictures", {"record": str(game.record), "kind": kind, "theme": "dark"})
    assert dark.content != answer.content
    start = client.post("/api/pictures", {"record": str(game.record), "kind": kind, "move": 0})
    assert len(start.content) < len(answer.content)


def test_only_records_are_drawn(client: Client) -> None:
    record = str(played().record)
    assert client.post("/api/pictures", {"record": "x", "kind": "svg"}).refused == (400, "bad-record")
    invalid = record.replace('"seat":0', '"seat":1', 1)
    assert client.post("/api/pictures", {"record": invalid, "kind": "svg", "move": 0}).refused == (400, "bad-record")
    assert client.post("/api/pictures", {"record": record, "kind": "exe"}).refused == (400, "bad-message")
    assert client.post("/api/pictures", {"record": record, "kind": "svg", "move": -1}).refused == (400, "bad-message")


# Links.


class Head(HTMLParser):
    """All elements of a page with their attributes, as a browser would read them."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(answer.content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    @property
    def tags(self) -> dict[str, str]:
        return {
            (attributes.get("property") or attributes["name"] or ""): attributes["content"] or ""
            for name, attributes in self.elements
            if name == "meta" and ":" in (attributes.get("property") or attributes.get("name") or "")
        }


def tags(client: Client, path: str, language: str = "") -> dict[str, str]:
    answer = client.get(path, {"Accept-Language": language} if language else None)
    assert answer.status == 200
    return Head(answer).tags


@pytest.mark.parametrize("page", PAGES)
def test_a_link_to_a_game_says_who_won(page: str, server: InProcessServer) -> None:
    game = played(("Ada", "Bob", "Fox"), hand_size=3)
    planted, _ = plant_multiplayer(server.database, game)
    found = tags(Client(server.url), page + planted)
    winners = [game.players[seat] for seat in game.winners]
    others = [name for name in game.players if name not in winners]
    assert found["og:title"] == found["twitter:title"]
    assert found["og:title"] == f"{' and '.join(winners)} beat {' and '.join(others)} – Chromino"
    assert found["og:url"] == f"{server.url}{page[1:]}{planted}"
    assert found["og:type"] == "website"
    assert found["twitter:card"] == "summary_large_image"
    assert found["og:image"] == found["twitter:image"]
    assert found["og:image"].startswith(f"{server.url}api/games/{planted}/card.png?")
    assert all(
        f"{name} {score}" in found["og:description"] for name, score in zip(game.players, game.scores, strict=True)
    )
    robot = Client(server.url).get("/" + found["og:image"].removeprefix(server.url))
    assert robot.headers["Content-Type"] == "image/png"
    assert (found["og:image:width"], found["og:image:height"]) == tuple(map(str, CARD))


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("fr-CA, en;q=0.5", "Ada a gagné contre Bob – Chromino"),
        ("es", "Ada ha ganado contra Bob – Chromino"),
        ("ca;q=0.9, de", "Ada ha guanyat contra Bob – Chromino"),
        ("zh-TW", "Ada戰勝Bob – Chromino"),
        ("de", "Ada beat Bob – Chromino"),
    ],
)
def test_a_preview_can_be_in_five_languages(language: str, title: str, server: InProcessServer) -> None:
    game = played()
    assert game.winners == (0,)
    planted, _ = plant_multiplayer(server.database, game)
    assert tags(Client(server.url), f"/game/{planted}", language)["og:title"] == title


def test_the_best_language_is_chosen() -> None:
    assert best_language("") == best_language("*") == best_language("xx;q=a, ;;") == "en"
    assert best_language("en;q=0.1,fr;q=0.2") == "fr"
    for words in WORDS.values():
        assert words.result(["A"], []) != words.result(["A"], [0]) != words.result(["A", "B"], [0, 1])
        assert words.playing(["A"]).startswith("A")
        last = words.listing.serial_conjunction or words.listing.conjunction
        assert words.playing(["A", "B", "C"]).startswith(f"A{words.listing.separator}B{last}C")


@pytest.mark.parametrize(
    ("language", "names", "expected"),
    [
        ("en", ["Ada", "Bob"], "Ada and Bob are playing"),
        ("en", ["Ada", "Bob", "Cy"], "Ada, Bob, and Cy are playing"),
        ("es", ["Ana", "Bob", "Eva"], "Ana, Bob y Eva juegan"),
        ("es", ["Ana", "Inés"], "Ana e Inés juegan"),
        ("es", ["Ana", "íñigo"], "Ana e íñigo juegan"),
        ("es", ["Ana", "Bob", "Hilario"], "Ana, Bob e Hilario juegan"),
        ("es", ["Ana", "Hielo"], "Ana y Hielo juegan"),
        ("ca", ["Anna", "Inés"], "Anna i Inés juguen"),
    ],
)
def test_names_are_listed_the_way_each_language_does_it(language: str, names: list[str], expected: str) -> None:
    assert WORDS[language].playing(names) == expected


def test_a_game_in_progress_is_previewed_as_a_spectator_sees_it(server: InProcessServer) -> None:
    planted, _ = plant_multiplayer(server.database, played(events=2, hand_size=8))
    found = tags(Client(server.url), f"/game/{planted}")
    assert found["og:title"] == "Ada and Bob are playing – Chromino"


@pytest.mark.parametrize("over", [False, True])
def test_a_game_without_spectators_has_no_preview(over: bool, server: InProcessServer) -> None:
    planted, secrets = plant_multiplayer(server.database, played(events=1000 if over else 2), watch=False)
    general = Client(server.url).get("/")
    for page in PAGES:
        for secret in (None, secrets[0]):
            assert Client(server.url, secret).get(page + planted).content == general.content


@pytest.mark.parametrize(
    "path", ["/", "/new", "/game/nobodys", "/replay/nobodys", "/join/nobodys", "/replay", "/game/<b>"]
)
def test_every_other_page_has_generic_tags(path: str, client: Client) -> None:
    found = tags(client, path.replace("<", "%3C").replace(">", "%3E"))
    assert found["og:title"] == "Chromino"
    assert found["og:image"] == f"{client.url}api/card.png"
    assert found["og:url"] == client.url


def test_a_link_to_a_table_is_an_invitation(client: Client) -> None:
    table = client.gather(ME, FREE)
    found = tags(Client(client.url), f"/join/{table}")
    assert found["og:title"] == "Ada invited you to play – Chromino"
    assert found["og:image"] == f"{client.url}api/card.png"
    assert tags(client, f"/game/{table}")["og:title"] == "Chromino"
    Client(client.url).sit(table, "Bob")
    assert tags(client, f"/join/{table}")["og:title"] == "Ada and Bob invited you to play – Chromino"
    client.begin(table)
    assert tags(client, f"/join/{table}")["og:title"] == "Ada and Bob are playing – Chromino"


def test_names_in_the_tags_are_text(server: InProcessServer) -> None:
    plain = Head(Client(server.url).get("/"))
    for start in range(0, len(NAMES), 4):
        names = NAMES[start : start + 4]
        planted, _ = plant_multiplayer(server.database, played(names, events=1, hand_size=3))
        answer = Client(server.url).get(f"/game/{planted}")
        head = Head(answer)
        assert [name for name, _ in head.elements] == [name for name, _ in plain.elements]
        assert [sorted(attributes) for _, attributes in head.elements] == [sorted(a) for _, a in plain.elements]
        assert all(name in head.tags["og:title"] for name in names)
        assert all(name in unescape(answer.content.decode()) for name in names)


def test_a_forged_host_is_escaped(client: Client) -> None:
    plain = Head(client.get("/"))
    for host in ('evil.test"><script>', "evil.test'/><img src=x>", "a b", ""):
        answer = client.get("/", {"Host": host})
        if answer.status == 200:
            assert [name for name, _ in Head(answer).elements] == [name for name, _ in plain.elements]


def test_pages_are_cached_and_never_mixed_up(server: InProcessServer) -> None:
    client = Client(server.url)
    games = [plant_multiplayer(server.database, played(names))[0] for names in (("Ada", "Bob"), ("Eve", "Fay"))]
    paths = ["/", *(page + game for game in games for page in PAGES)]
    pages = {path: client.get(path) for path in paths}
    assert len({page.headers["ETag"] for page in pages.values()}) == len(paths)
    for path, page in pages.items():
        assert page.headers["Cache-Control"] == "no-cache"
        assert page.headers["Vary"] == "Accept-Encoding, Accept-Language"
        for other, answer in pages.items():
            known = client.get(path, {"If-None-Match": answer.headers["ETag"] or ""})
            assert known.status == (304 if path == other else 200)
        head = client.request("HEAD", path)
        assert (head.status, head.content, head.headers["ETag"]) == (200, b"", page.headers["ETag"])
        assert gzip.decompress(client.get(path, {"Accept-Encoding": "gzip"}).content) == page.content
    known = client.get(paths[1], {"Accept-Language": "fr", "If-None-Match": pages[paths[1]].headers["ETag"] or ""})
    assert known.status == 200


def test_too_frequent_requests_get_the_page_without_a_preview(server: InProcessServer) -> None:
    game, (secret, _) = plant_multiplayer(server.database, played())
    client = Client(server.url, secret)
    bare = Client(server.url).get("/").content
    asked = 0
    while (answer := client.get(f"/game/{game}")).content != bare:  # No matter how slow the machine is.
        assert answer.status == 200
        asked += 1
        assert asked < 20 * PER_IDENTITY["ask"].burst, "there is no limit"
    assert answer.status == 200
    assert asked >= PER_IDENTITY["ask"].burst
