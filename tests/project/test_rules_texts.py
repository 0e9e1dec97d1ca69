"""The rules on the page: the same in five languages, and the same as the engine's."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from chromino import CHAMELEONS, CLASSIC_TILES, Kind, Rules, Table, Tile
from chromino.deal import MAX_PLAYERS, Deal
from chromino.rules import PRESETS, Scoring
from chromino.scoring import points, value
from tests.figures import ROOT, RULES, Edges, positions, read

LANGUAGES = ("en", "fr", "es", "ca", "zh-Hant")
FIGURES = positions()
OUTLINE = read("outline")
TEXTS = {language: read(language) for language in LANGUAGES}
IDS = [rule for section in OUTLINE["sections"] for rule in section["rules"]]
RULINGS = {name for name, rule in TEXTS["en"]["rules"].items() if "ruling" in rule}


def shape(data: Any) -> Any:
    """The structure without the words."""
    if isinstance(data, dict):
        return {key: shape(part) for key, part in data.items()}
    return [shape(part) for part in data] if isinstance(data, list) else type(data).__name__


def strings(data: Any) -> Iterator[str]:
    """Every string in the data."""
    if isinstance(data, str):
        yield data
    else:
        for part in data.values() if isinstance(data, dict) else data:
            yield from strings(part)


def numbers(language: str, rule: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", " ".join(strings(TEXTS[language]["rules"][rule])))]


# The five languages.


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_rules_rulings_and_figures(language: str) -> None:
    texts = TEXTS[language]
    assert shape(texts) == shape(TEXTS["en"])
    assert list(texts["sections"]) == [section["id"] for section in OUTLINE["sections"]]
    assert list(texts["rules"]) == IDS
    assert list(texts["figures"]) == list(FIGURES)
    for rule in texts["rules"].values():
        assert set(rule) in ({"title", "text"}, {"title", "text", "ruling", "why"})
    for text in strings(texts):
        assert text.strip() == text != ""
        assert not re.search(r"[<>]|  ", text)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_language_has_the_same_numbers_and_tiles(language: str) -> None:
    for part in ("rules", "figures", "words"):
        for key, english in TEXTS["en"][part].items():
            text = " ".join(strings([TEXTS[language][part][key]]))
            for pattern in (r"\d+", r"\{.*?\}"):
                expected = Counter(re.findall(pattern, " ".join(strings([english]))))
                assert Counter(re.findall(pattern, text)) == expected, key


def test_nothing_was_left_in_english() -> None:
    for language in LANGUAGES[1:]:
        same = set(strings(TEXTS[language])) & set(strings(TEXTS["en"]))
        assert {text for text in same if len(text) > len("Points A")} == set()


def test_there_is_a_file_for_each_language_and_no_other_file() -> None:
    assert {path.name for path in RULES.iterdir()} == {f"{name}.json" for name in (*LANGUAGES, "outline", "figures")}


def test_the_names_match_the_catalogs() -> None:
    rows = [tuple(names[language] for language in LANGUAGES) for names in OUTLINE["names"]]
    for preset in ("junior", "expert"):
        names = []
        for language in LANGUAGES:
            catalog = json.loads((RULES.parent / "lang" / f"{language}.json").read_text(encoding="utf-8"))
            assert (
                TEXTS[language]["rules"]["6.3" if preset == "junior" else "6.4-expert"]["title"]
                == (catalog[f"preset.{preset}"])
            )
            names.append(catalog[f"preset.{preset}"])
        assert tuple(names) in rows


# The outline.


def test_every_rule_in_the_docs_is_on_the_page_in_its_section() -> None:
    listed = re.findall(r"^- (\d\.\d) ", (ROOT / "docs" / "rules.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [rule for rule in IDS if re.fullmatch(r"\d\.\d", rule)] == listed
    for section in OUTLINE["sections"]:
        for rule in section["rules"]:
            assert not rule[0].isdigit() or rule.startswith(f"{section['id']}.")


def test_links_and_figures_exist_and_each_figure_is_shown_once() -> None:
    ids = [*IDS, *(section["id"] for section in OUTLINE["sections"])]
    assert len(ids) == len(set(ids))
    shown = [name for names in OUTLINE["figures"].values() for name in names]
    assert sorted(shown) == sorted(FIGURES)
    assert set(OUTLINE["figures"]) <= set(IDS)
    for rule, others in OUTLINE["see"].items():
        assert {rule, *others} <= set(IDS)
        assert rule not in others


def test_our_rulings_in_the_docs_are_marked_on_the_page() -> None:
    docs = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8").partition("## 1.")[2]
    marked = {
        found[1]
        for item in re.split(r"\n(?=- |\n)", docs)
        if re.search(r"\*Our\s+ruling", item) and (found := re.match(r"\n*- (\d\.\d) ", item))
    }
    assert marked == {"1.4", "2.3", "2.4", "5.4", "5.5", "5.6", "6.4"}
    assert marked - {"6.4"} | {"6.4-end"} <= RULINGS


# The numbers.


def test_numbers_match_the_engine() -> None:
    kinds = Counter(tile.kind for tile in CLASSIC_TILES)
    order = (Kind.ONE_COLOR, Kind.PLAIN, Kind.SYMMETRIC, Kind.THREE_COLOR)
    every = len(Rules.classic().tiles)
    classic = len(CLASSIC_TILES)
    red_kinds = Counter(tile.kind for tile in CLASSIC_TILES if "R" in tile.colors)
    red = sum(red_kinds.values())
    scorings: tuple[Scoring, ...] = ("a", "b")
    values = {
        scoring: [value(Tile.parse(text), scoring) for text in ("RRR", "BBR", "BRB", "GBR")] for scoring in scorings
    }
    chameleon = Tile.parse("P*R")
    example = [value(Tile.parse(text), "b") for text in ("GBR", "BBR")]
    expected = {
        "box": [every, classic, len(CHAMELEONS), 1],
        "1.3": [classic, *(kinds[kind] for kind in order), red, *(red_kinds[kind] for kind in order)],
        "1.4": [len(CHAMELEONS)],
        "2.1": [1, MAX_PLAYERS, 6],
        "2.3": [Rules.classic().hand_size],
        "4.2": [8],
        "6.4-expert": [*sorted(set(values["a"])), value(chameleon, "expert")],
        "6.4-b": [*values["b"], *example, sum(example), value(chameleon, "b")],
        "6.4-end": [min(values["a"]), max(values["a"]), min(values["b"]), max(values["b"])],
    }
    for language in LANGUAGES:
        assert {rule: numbers(language, rule) for rule in expected} == expected


def test_2_1_and_2_3_every_preset_deals_the_same_hand_size_to_1_to_8_players() -> None:
    for rules in PRESETS.values():
        assert rules.hand_size == Rules.classic().hand_size
        Deal.check_players(rules, 1)
        Deal.check_players(rules, MAX_PLAYERS)


def test_6_1_the_limits_mentioned_can_be_chosen() -> None:
    assert [Rules(draw_limit=limit).draw_limit for limit in numbers("en", "6.1")] == [3, 4, 5]


def test_1_4_the_chameleons_mentioned_are_the_ones_we_deal() -> None:
    for language in LANGUAGES:
        tiles = re.findall(r"\{(.*?)\}", TEXTS[language]["rules"]["1.4"]["ruling"])
        assert set(map(Tile.parse, tiles)) == set(CHAMELEONS)
    assert {placed.tile for placed in FIGURES["chameleons"].table.laid} == set(CHAMELEONS)


def test_1_3_each_kind_is_shown_by_a_tile_of_that_kind() -> None:
    order = [Kind.ONE_COLOR, Kind.PLAIN, Kind.SYMMETRIC, Kind.THREE_COLOR]
    for language in LANGUAGES:
        tiles = re.findall(r"\{(.*?)\}", " ".join(TEXTS[language]["rules"]["1.3"]["text"][1]))
        assert [Tile.parse(tile).kind for tile in tiles] == order
    assert [placed.tile.kind for placed in FIGURES["kinds"].table.laid] == [*order, Kind.CHAMELEON]


def test_4_4_the_wild_centers_in_the_box_never_meet() -> None:
    """Wild centers are side by side only if the ends are, too, and no two chameleons have the same ends."""
    for one in CHAMELEONS:
        table = Table.parse(f"{one}@0,0>")
        for other in set(CHAMELEONS) - {one}:
            for placement in table.placements(other):
                assert all({contact.color, contact.neighbor_color} != {"*"} for contact in table.contacts(placement))


# The figures.


@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_legal_or_illegal_as_they_claim(name: str) -> None:
    figure = FIGURES[name]
    if figure.verdict and not figure.places:  # A table built tile by tile.
        table = Table.parse(str(figure.table.laid[0]))
        for placement in figure.table.laid[1:]:
            assert table.refusal(placement, figure.rules) is None
            table = table.lay(placement)
        assert figure.verdict == "legal"
    for placement in figure.places:
        refusal = figure.table.refusal(placement, figure.rules)
        assert (refusal.reason.value if refusal else "legal") == (figure.verdict or "legal")


@pytest.mark.parametrize("name", FIGURES)
def test_figures_mark_every_contact_and_nothing_else(name: str) -> None:
    figure = FIGURES[name]
    good: Edges = []
    bad: Edges = []
    for placement in figure.places:
        refusal = figure.table.refusal(placement, figure.rules)
        blamed = refusal.contacts if refusal and refusal.reason != "too-few-contacts" else ()
        for contact in figure.table.contacts(placement):
            (bad if contact in blamed else good).append((contact.square, contact.neighbor))
    assert (figure.good, figure.bad) == (good, bad)


@pytest.mark.parametrize("name", FIGURES)
def test_figures_show_only_tiles_from_the_box_and_each_only_once(name: str) -> None:
    figure = FIGURES[name]
    if name != "turned":
        laid = [placed.tile for placed in figure.table.laid] + [placed.tile for placed in figure.places[:1]]
        assert len(set(laid)) == len(laid)
        assert set(laid) <= set(figure.rules.tiles)


@pytest.mark.parametrize("name", [name for name, figure in FIGURES.items() if figure.points])
def test_6_4_captions_count_points_like_the_engine(name: str) -> None:
    figure = FIGURES[name]
    (placement,) = figure.places
    scoring = figure.rules.scoring
    assert scoring is not None
    assert points(figure.table, placement, scoring) == figure.points
    for language in LANGUAGES:
        caption = TEXTS[language]["figures"][name]
        assert re.search(rf"\b{sum(figure.points)}\b", re.sub(r"[^\x00-\x7f]", " ", caption))
        sums = re.findall(r"(\d+) ([+×]) (\d+) = (\d+)", caption.replace("2 + 1 + 2", "3 + 2"))
        assert sums
        for left, sign, right, result in sums:
            counted = int(left) + int(right) if sign == "+" else int(left) * int(right)
            assert counted == int(result)


def test_6_4_c_the_caption_says_what_b_would_earn() -> None:
    figure = FIGURES["points-c"]
    other: Scoring = "b"
    assert sum(points(figure.table, figure.places[0], other)) == 14
    for language in LANGUAGES:
        assert "14" in TEXTS[language]["figures"]["points-c"]


def test_4_2_a_tile_has_at_most_eight_contacts() -> None:
    figure = FIGURES["eight"]
    own = set(figure.places[0].squares)
    around = {(x + dx, y + dy) for x, y in own for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))} - own
    assert {neighbor for _, neighbor in figure.good} == around  # Not one edge is free.
    assert len(figure.good) == len(around) == 8


def test_1_2_the_rotated_tile_is_the_same() -> None:
    one, other = FIGURES["turned"].table.laid
    assert one.tile is other.tile
    assert one.colors != other.colors


def test_6_5_the_conundrum_shows_all_its_places() -> None:
    figure = FIGURES["conundrum"]
    tile = figure.places[0].tile
    assert sorted(figure.places) == sorted(figure.table.placements(tile))
    for language in LANGUAGES:
        caption = TEXTS[language]["figures"]["conundrum"]
        assert re.findall(r"\{(.*?)\}", caption) == [str(tile)]
        assert re.findall(r"\d+", caption) == [str(len(figure.places))]
