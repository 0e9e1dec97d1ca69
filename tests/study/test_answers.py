"""A study's answers: intervals that keep their promise, plots, pages and documents."""

from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser
from math import inf, isfinite
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chromino import Rules
from chromino.draw import Theme, drawing_svg
from chromino.study.answers import Answer, answers
from chromino.study.cells import Cell, CellSums, StudyError, play_batch, rules_text
from chromino.study.document import filled
from chromino.study.estimates import Estimate, Ratio, mean, quantile, wilson
from chromino.study.plan import QUESTIONS, Study
from chromino.study.plots import Panel, Row, Section, histograms, intervals, panels
from chromino.study.results import Results
from tests.command import run as command
from tests.helpers import VARIANTS

ROOT = Path(__file__).parents[2]
NUMBERS = st.floats(-1e6, 1e6) | st.floats(-1, 1)


def test_wilson_intervals_match_the_literature() -> None:
    """Newcombe 1998, table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    for successes, trials, low, high in [
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)
    ]:  # fmt: skip
        found = wilson(successes, trials)
        assert found.low == pytest.approx(low, abs=6e-5)
        assert found.high == pytest.approx(high, abs=6e-5)


def test_differences_match_the_literature() -> None:
    """Newcombe 1998, method 10: 56 of 70 against 48 of 80."""
    found = wilson(56, 70) - wilson(48, 80)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0524, 0.3339)


def _coverage(truth: float, made: list[Estimate]) -> float:
    return sum(one.low <= truth <= one.high for one in made) / len(made)


def test_intervals_contain_the_truth_in_19_of_20_studies() -> None:
    rng = Random(1)
    shares = [wilson(sum(rng.random() < 0.03 for _ in range(300)), 300) for _ in range(1500)]
    assert _coverage(0.03, shares) == pytest.approx(0.95, abs=0.02)
    means = [mean(Counter(min(int(rng.expovariate(0.1)), 99) for _ in range(200))) for _ in range(1500)]
    truth = sum(2.718281828459045 ** (-0.1 * number) for number in range(1, 100))
    assert _coverage(truth, means) == pytest.approx(0.95, abs=0.02)
    differences = [
        wilson(sum(rng.random() < 0.5 for _ in range(100)), 100)
        - wilson(sum(rng.random() < 0.3 for _ in range(80)), 80)
        for _ in range(1500)
    ]
    assert _coverage(0.2, differences) == pytest.approx(0.95, abs=0.02)


def test_among_equals_nothing_stands_out_in_19_of_20_studies() -> None:
    rng = Random(3)
    studies = [[Estimate.from_error(rng.gauss(0, 1), 1) for _ in range(11)] for _ in range(2000)]
    named = sum(any(one.compare(0, among=11) for one in study) for study in studies) / 2000
    assert named == pytest.approx(0.05, abs=0.02)
    assert sum(any(one.compare(0) for one in study) for study in studies) / 2000 > 0.3


def test_turns_of_one_game_are_not_treated_as_independent() -> None:
    """In each game a tile fits in most turns or in few: if turns were independent, the interval would be too narrow."""
    rng = Random(2)
    ratios, naive = [], []
    for _ in range(800):
        ratio, fits, turns = Ratio(), 0, 0
        for _ in range(120):
            count, often = rng.randrange(1, 20), rng.choice((0.1, 0.9))
            fitted = sum(rng.random() < often for _ in range(count))
            ratio.add(fitted, count)
            fits, turns = fits + fitted, turns + count
        ratios.append(ratio.estimate())
        naive.append(wilson(fits, turns))
    assert _coverage(0.5, ratios) == pytest.approx(0.95, abs=0.025)
    assert _coverage(0.5, naive) < 0.7


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 9)), max_size=30), st.integers(0, 30))
def test_ratios_can_be_merged(games: list[tuple[int, int]], cut: int) -> None:
    whole, first, second = Ratio(), Ratio(), Ratio()
    for number, game in enumerate(games):
        whole.add(*game)
        (first if number < cut else second).add(*game)
    first.merge(second)
    assert first == whole
    if len(games) > 1:
        amounts, counts = (sum(column) for column in zip(*games, strict=True))
        found = whole.estimate()
        assert found.value == pytest.approx(amounts / counts)
        assert found.low <= found.value <= found.high


@settings(deadline=None)
@given(st.lists(st.integers(0, 60), min_size=2), st.floats(0.01, 1))
def test_means_and_quantiles_of_counts_match_those_of_the_numbers(numbers: list[int], part: float) -> None:
    counts = Counter(numbers)
    assert mean(counts).value == pytest.approx(sum(numbers) / len(numbers))
    found = quantile(counts, part)
    assert sum(number <= found for number in numbers) >= part * len(numbers) - 1e-6
    assert sum(number < found for number in numbers) < part * len(numbers) + 1e-6


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(0.5213, 0.5182, 0.5244), "52.1% ± 0.3"),
        (Estimate(-0.0004, -0.031, 0.03), "0% ± 3"),
        (Estimate(0.25, 0.236, 0.264), "25.0% ± 1.4"),
        (Estimate(0.02, 0.01, 0.05), "2% (1 to 5)"),
        (Estimate(0.1, -inf, inf), "too few games"),
    ],
)
def test_estimates_show_no_more_digits_than_are_known(estimate: Estimate, text: str) -> None:
    assert estimate.percent() == text


def test_different_rules_have_different_descriptions() -> None:
    assert rules_text(Rules.classic()) == "classic"
    assert len({rules_text(rules) for rules in VARIANTS.values()}) == len(VARIANTS)


ESTIMATES = st.builds(
    lambda value, below, above: Estimate(value, value - below, value + above),
    NUMBERS,
    st.floats(0, 1e3) | st.just(inf),
    st.floats(0, 1e3),
)


@settings(deadline=None)
@given(st.lists(ESTIMATES, min_size=1, max_size=8), st.booleans())
def test_plots_stay_within_their_frame(estimates: list[Estimate], percent: bool) -> None:
    rows = [Row(f"row {number}", one, (one.value,)) for number, one in enumerate(estimates)]
    counts = Counter({abs(int(one.value)) % 500: 1 + number for number, one in enumerate(estimates)})
    for plot in (
        intervals("intervals", [Section("section", rows, percent=percent)]),
        histograms("histograms", [("one", counts), ("two", counts)], "turns"),
        panels("panels", [Panel("one", estimates), Panel("two", estimates)]),
    ):
        picture = ET.fromstring(drawing_svg(plot, Theme.AUTO))  # noqa: S314
        assert picture.get("role") == "img"
        for line in picture.iter("{http://www.w3.org/2000/svg}polyline"):
            for point in (line.get("points") or "").split():
                x, y = map(float, point.split(","))
                assert 0 <= x <= plot.width
                assert 0 <= y <= plot.height
        for text in picture.iter("{http://www.w3.org/2000/svg}text"):
            assert isfinite(float(text.get("x", "nan")))
            assert "nan" not in (text.text or "")


@pytest.fixture(scope="module")
def study_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a study with one batch of cheap random games per cell."""
    file = tmp_path_factory.mktemp("study") / "study.jsonl"
    results = Results.open(file, 1)
    study = Study(bot="random", players=(1, 2, 3))
    played: dict[tuple[int, bool], CellSums] = {}
    for cell in study.plan():
        if len(cell.bots) == 1:  # The results of variants don't matter here, so they share their games.
            key = cell.players, cell.is_experiment
            played[key] = played.get(key) or play_batch(
                Cell(Rules.classic(), cell.players, ("random",), cell.is_experiment), 1, 0
            )
            results.add(cell, 0, played[key])
    pair = Cell(Rules.classic(), 2, ("snail", "random"))
    results.add(pair, 0, play_batch(pair, 1, 0))
    results.close()
    return file


@pytest.fixture(scope="module")
def found(study_file: Path) -> list[Answer]:
    return answers(Study(bot="random", players=(1, 2, 3)), Results.read(study_file))


class _Page(HTMLParser):
    """What a page refers to, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.sources: list[str] = []
        self.alternatives: list[str | None] = []
        self.links: list[str] = []
        self.names: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert tag not in ("script", "link", "iframe")
        if tag == "img":
            self.sources.append(given["src"] or "")
            self.alternatives.append(given.get("alt"))
        if tag == "a":
            self.links.append(given["href"] or "")
        if given.get("id"):
            self.names.add(given["id"] or "")

    def handle_data(self, data: str) -> None:
        self.text += data


PLAYED = ("--bot", "random", "--players", "1-3", "--games", "100", "--seed", "1", "--jobs", "1")


def test_a_report_is_one_file_with_everything_in_it(study_file: Path, found: list[Answer], tmp_path: Path) -> None:
    report = tmp_path / "out.html"
    questions = [name for name in QUESTIONS if name != "bots"]
    result = command("study", *questions, *PLAYED, "--file", str(study_file), "--report", str(report))
    assert result.returncode == 0, result.stderr
    assert result.stderr == f"The report is in {report}\n"
    page = _Page()
    html = report.read_text(encoding="utf-8")
    page.feed(html)
    assert all(source.startswith("data:image/svg+xml;base64,") for source in page.sources)
    assert all(page.alternatives)
    assert "url(" not in html
    assert "http" not in html
    assert {link.removeprefix("#") for link in page.links} <= page.names
    for answer in found:
        if answer.question in questions:
            assert all(sentence in page.text.replace("\u00a0", " ") for sentence in answer.sentences)
            assert len(page.sources) >= len(answer.plots)


def test_answers_are_shown_in_the_terminal_and_as_json(study_file: Path, found: list[Answer]) -> None:
    beginning = found[0]
    text = command("study", "beginning", *PLAYED, "--file", str(study_file)).stdout
    assert text.startswith(f"{beginning.title}\n{beginning.sentences[0]}\n")
    assert "Seed 1" in text
    data = json.loads(command("study", "beginning", *PLAYED, "--file", str(study_file), "--json").stdout)
    assert data["complete"] is True
    rows = data["answers"]["beginning"]["rows"]
    assert [row["players"] for row in rows] == [2, 3]
    for row in rows:
        wins = row["first player wins"]
        assert wins["low"] < wins["value"] < wins["high"]


def test_documents_are_filled_in_between_their_markers(study_file: Path, tmp_path: Path) -> None:
    document = tmp_path / "study.md"
    document.write_text("By hand.\n<!-- study: beginning -->\nold\n<!-- /study -->\nBy hand too.\n", encoding="utf-8")
    arguments = ("study", "beginning", *PLAYED, "--file", str(study_file), "--markdown", str(document))
    assert command(*arguments).returncode == 0
    once = document.read_text(encoding="utf-8")
    assert once.startswith("By hand.\n<!-- study: beginning -->\n**The first player wins")
    assert once.endswith("games.\n<!-- /study -->\nBy hand too.\n")
    assert "\nold\n" not in once
    for picture in re.findall(r"\]\((figures/[^)]+)\)", once):
        ET.fromstring((tmp_path / picture).read_text(encoding="utf-8"))  # noqa: S314
    assert command(*arguments).returncode == 0
    assert document.read_text(encoding="utf-8") == once
    for text, message in [
        ("nothing", "no blocks to fill"),
        ("<!-- study: tea -->\n<!-- /study -->", "unknown block 'tea'"),
    ]:
        with pytest.raises(StudyError, match=message):
            filled(text, Study(), 1, [])


def test_the_finished_study_matches_its_games() -> None:
    """docs/study.md and its plots match docs/study.jsonl; `make study` writes all of them."""
    results, study = Results.read(ROOT / "docs" / "study.jsonl"), Study()
    made = answers(study, results)
    assert [answer.question for answer in made] == list(QUESTIONS)
    text = (ROOT / "docs" / "study.md").read_text(encoding="utf-8")
    assert filled(text, study, results.seed, made) == text
    for answer in made:
        assert f"<!-- study: {answer.question} -->" in text
        for name, plot in answer.plots.items():
            picture = ROOT / "docs" / "figures" / f"study-{name}.svg"
            assert picture.read_text(encoding="utf-8") == drawing_svg(plot, Theme.AUTO)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["weather"], "there is no question 'weather'; choose from beginning"),
        (["--games", "0"], "--games must be 1 or more"),
        (["--players", "2-9"], "--players must be numbers from 1 to 8"),
        (["--players", "9" * 5000], "--players must be numbers from 1 to 8"),
        (["--players", "2-" + "9" * 5000], "--players must be numbers from 1 to 8"),
        (["--cluster", "here"], "'here' isn't the address of a Dask cluster"),
        (["--markdown", "nowhere.md"], "nowhere.md: No such file"),
        (["--report", "nowhere/out.html"], "there's no folder nowhere"),
        (["--file", "/"], "Is a directory"),
    ],
)
def test_bad_input_gets_one_clear_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = command("study", *arguments, XDG_DATA_HOME=str(tmp_path))
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
