"""Studies: sums of many games, their file, and the same numbers no matter how the games are played."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from chromino import Game, Rules, Tile
from chromino.bots import find
from chromino.bots.bot import placements
from chromino.events import Drew
from chromino.study.answers import answers
from chromino.study.cells import UNIT, Cell, CellSums, StudyError, _Experiment, play_batch
from chromino.study.plan import LADDER, QUESTIONS, Study
from chromino.study.results import Results
from chromino.study.running import _ctrl_c_ignored, run
from chromino.tiles import ALL_TILES
from tests.command import run as command
from tests.command import start_and_wait_for

pytestmark = pytest.mark.heavy

SMALL = Study(games=100, questions=("beginning",), players=(2, 3), bot="snail")
CELL = Cell(Rules.classic(), 2, ("snail",))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of the small study, played one batch after another."""
    file = tmp_path_factory.mktemp("finished") / "study.jsonl"
    results = Results.open(file, 5)
    run(SMALL, results)
    results.close()
    return file.read_bytes()


@pytest.fixture
def file(finished: bytes, tmp_path: Path) -> Path:
    """A copy of the small study's file."""
    path = tmp_path / "study.jsonl"
    path.write_bytes(finished)
    return path


@pytest.fixture
def played(file: Path) -> Results:
    """The results of the small study."""
    return Results.read(file)


@pytest.fixture(scope="module")
def batch() -> CellSums:
    return play_batch(CELL, 5, 0)


def test_sums_match_the_games(batch: CellSums) -> None:
    """Play the batch's games again, and count the obvious way."""
    turns: Counter[int] = Counter()
    begins, fitted, held = 0.0, Counter[str](), Counter[str]()
    for number in range(CELL.batch_size):
        seed = f"study 5/{CELL.key}/0/{number}"
        game, rng = Game.start(Rules.classic(), ["a", "b"], seed), Random(seed)
        while not game.over:
            if not game.log or not isinstance(game.log[-1], Drew):
                hand = game.hand(game.seat)
                held.update(map(str, hand))
                alone = len(hand) == 1 and hand[0].is_chameleon  # 5.2: it can't be placed.
                fitted.update(str(tile) for tile in hand if not alone and game.table.fits(tile))
            game = game.apply(find("snail").choose(game.view(game.seat), rng))
        turns[game.turns] += 1
        begins += (game.first in game.winners) / len(game.winners)
    assert batch.games == CELL.batch_size
    assert batch.counts["turns"] == turns
    assert batch.ratios["order 0"].estimate(UNIT).value == pytest.approx(begins / CELL.batch_size)
    for tile in map(str, ALL_TILES):
        if held[tile]:
            assert batch.ratios[f"fits {tile}"].estimate().value == pytest.approx(fitted[tile] / held[tile])


def test_each_game_has_one_win_to_share(batch: CellSums) -> None:
    shares = [batch.ratios[f"order {place}"].estimate(UNIT).value for place in range(2)]
    assert sum(shares) == pytest.approx(1)
    assert sum(batch.counts["winners"].values()) == batch.games
    # The player with the tile gains what the others lose, so a whole deal sums to zero.
    kinds = [batch.ratios[f"dealt {kind}"] for kind in ("one-color", "plain", "symmetric", "three-color", "chameleon")]
    assert sum(ratio.to_json()[1] for ratio in kinds) == 0


def test_sums_merge_in_any_order_and_round_trip_as_text(batch: CellSums) -> None:
    parts = [batch, batch, play_batch(Cell(Rules.classic(), 2, ("random",)), 5, 0)]
    once, again = CellSums(), CellSums()
    for part in parts:
        once.merge(part)
    for part in reversed(parts):
        again.merge(CellSums.from_json(json.loads(json.dumps(part.to_json()))))
    assert once == again
    assert once.games == 3 * CELL.batch_size


@pytest.mark.parametrize("data", [None, {}, {"games": 1, "counts": {"turns": 3}, "ratios": {}},
                                  {"games": 1, "counts": {}, "ratios": {"fits RRR": [1, 2]}}])  # fmt: skip
def test_invalid_sums_are_refused(data: object) -> None:
    with pytest.raises(StudyError, match="sums must have games, counts and ratios"):
        CellSums.from_json(data)


def test_a_batch_depends_on_seed_cell_and_number(batch: CellSums) -> None:
    assert play_batch(CELL, 5, 0) == batch
    assert play_batch(CELL, 6, 0) != batch
    assert play_batch(CELL, 5, 1) != batch


@pytest.mark.parametrize("count", [2, 3, 7])
def test_an_experiment_is_unbiased(count: int) -> None:
    """Over all random choices, the gain is the difference between games that kept a tile and games that didn't."""
    options = list(ALL_TILES[:count])
    results = {tile: (37 * number) % 11 * UNIT for number, tile in enumerate(options)}
    amounts, counts = Counter[Tile](), Counter[Tile]()
    for chosen in options:
        experiment = _Experiment(find("random"), Random(1))
        experiment.options, experiment.chosen = options, chosen
        for tile, (amount, weight) in experiment.gains(results[chosen]).items():
            amounts[tile] += amount
            counts[tile] += weight
    for tile in options:
        kept = [results[other] for other in options if other is not tile]
        assert amounts[tile] / counts[tile] == pytest.approx(sum(kept) / len(kept) - results[tile], rel=1e-3)


def test_an_experiment_takes_each_tile_equally_often() -> None:
    game = Game.start(Rules.classic(), ["a", "b"], "much to choose from")
    while len({place.tile for place in placements(game.view(game.seat))}) < 3:
        game = game.apply(game.actions()[0])
    view, chosen = game.view(game.seat), Counter[Tile]()
    for seed in range(600):
        experiment = _Experiment(find("snail"), Random(seed))
        experiment.choices_to_skip = 0
        place = experiment.place(view, Random(seed))
        assert place is not None
        assert place in view.actions
        assert experiment.place(view, Random(seed)) is None  # Only once per game.
        chosen[place.placement.tile] += 1
    expected = 600 / len(chosen)
    assert set(chosen) == set(experiment.options)
    assert sum((number - expected) ** 2 / expected for number in chosen.values()) < 30


def test_two_processes_play_the_same_games(played: Results) -> None:
    results = Results(seed=5)
    counts: list[int] = []
    run(SMALL, results, jobs=2, on_batch=counts.append)
    assert results.sums == played.sums
    assert sum(counts) == sum(sums.games for sums in results.sums.values()) == 200


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """A Dask cluster."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # These warnings are Dask's own.
        from distributed import LocalCluster

        with LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=None, worker_dashboard_address=None
        ) as local:
            yield local.scheduler_address


def test_a_dask_cluster_plays_the_same_games(played: Results, cluster: str, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.jsonl"
    words = ("study", "beginning", "--players", "2,3", "--bot", "snail", "--games", "100", "--seed", "5")
    result = command(*words, "--file", str(elsewhere), "--cluster", cluster, "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["complete"] is True
    assert Results.read(elsewhere).sums == played.sums


def test_a_missing_cluster_is_reported() -> None:
    for address, message in [
        ("tcp://127.0.0.1:1", "no Dask scheduler is answering at tcp://127.0.0.1:1"),
        ("somewhere", "isn't the address of a Dask cluster"),
    ]:
        with pytest.raises(StudyError, match=message):
            run(SMALL, Results(5), cluster=address)


def test_a_process_that_starts_while_interrupts_are_ignored_never_stops_on_ctrl_c() -> None:
    """Otherwise, a worker that's still starting would print a traceback."""
    interrupt = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('still here')"
    with _ctrl_c_ignored():
        result = subprocess.run([sys.executable, "-c", interrupt], capture_output=True, text=True, check=True)
    assert (result.stdout, result.stderr) == ("still here\n", "")
    with pytest.raises(KeyboardInterrupt):  # The study itself stops again.
        os.kill(os.getpid(), signal.SIGINT)


def test_a_study_stopped_by_ctrl_c_resumes_to_the_same_numbers(tmp_path: Path) -> None:
    """A real Ctrl-C: the terminal sends it to all processes of the group, workers too."""
    words = ["study", "beginning", "--players", "2", "--bot", "snail", "--games", "9000", "--seed", "3", "--jobs", "2"]
    stopped = tmp_path / "stopped.jsonl"
    process = start_and_wait_for(*words, "--file", str(stopped), bar=r"[1-9]\d*00/9000")
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "The first player wins" in out
    assert "Traceback" not in err
    assert f"To continue: chromino {' '.join(words)} --file" in err
    before = Results.read(stopped).of(CELL).games
    assert 0 < before < 9000
    # Ask for a little more than was played, since the slower job's batch is missing.
    words[words.index("9000")] = str(games := before + 2 * CELL.batch_size)
    assert command(*words, "--file", str(stopped)).returncode == 0
    results = Results(3)
    run(Study(games=games, questions=("beginning",), players=(2,), bot="snail"), results)
    assert Results.read(stopped).sums == results.sums


def test_nothing_is_played_twice(file: Path, played: Results) -> None:
    larger = Study(games=200, questions=("beginning",), players=(2, 3), bot="snail")
    again, counts = Results.open(file, 5), list[int]()
    run(SMALL, again, on_batch=counts.append)
    assert counts == []
    assert again.sums == played.sums
    run(larger, again, on_batch=counts.append)
    assert counts == [100]
    assert len(file.read_text().splitlines()) == 4
    again.shorten(file)
    again.close()
    assert len(file.read_text().splitlines()) == 3
    shortened = Results.open(file, 5)
    assert shortened.sums == again.sums
    run(larger, shortened, on_batch=counts.append)
    shortened.close()
    assert counts == [100]


def test_a_batch_whose_line_is_torn_is_played_again(file: Path, played: Results) -> None:
    data = file.read_bytes()
    for cut in (len(data) - 1, data.index(b"\n") - 3):
        file.write_bytes(data[:cut])
        again = Results.open(file, 5)
        assert len(again.missing(SMALL.plan())) == (1 if cut > 1000 else 2)
        run(SMALL, again)
        again.close()
        assert Results.read(file).sums == played.sums


def test_unusable_files_are_refused_with_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "study.jsonl"
    results = Results.open(file, 5)
    with pytest.raises(StudyError, match="another study is writing"):
        Results.open(file, 5)
    run(Study(games=100, questions=("beginning",), players=(2,), bot="random"), results)
    results.close()
    with pytest.raises(StudyError, match="has the seed 5, not 6"):
        Results.open(file, 6)
    header, line = file.read_text().splitlines()
    for text, message in [
        (header.replace('"play": "', '"play": "0'), "rules or bots have changed since then"),
        (header.replace('"study": 1', '"study": 9'), "has format 9"),
        ("{}", "isn't a study file"),
        ("RRR@0,0>", "line 1 isn't JSON"),
        (f"{header}\nnonsense", "line 2 isn't JSON"),
        (f"{header}\n[]", "line 2: expected cell"),
        (header + "\n" + line.replace("[0,1]", "[1,0]"), "line 2: expected cell"),
        (
            f"{header}\n{line}\n" + line.replace("[0,1]", "[0,2]"),
            "line 3: some of the batches 0 to 1 of .* were already counted",
        ),
    ]:
        file.write_text(f"{text}\n")
        with pytest.raises(StudyError, match=message):
            Results.open(file, 5)
    file.write_text(f"{header}\n{line}\n{line}\n")  # A batch that's there twice counts once.
    assert Results.read(file).of(Cell(Rules.classic(), 2, ("random",))).games == 100


def test_a_file_that_is_not_a_study_is_never_erased(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    for text in ("Dear Ada, this is one line", '{"study": 1, "chromino": "', "[]"):
        file.write_text(f"{text}…")
        with pytest.raises(StudyError, match="isn't a study file"):
            Results.open(file, 5)
        assert file.read_text() == f"{text}…"


def test_requests_are_checked() -> None:
    for choices, message in [
        ({"games": 0}, "1 game or more"),
        ({"questions": ("weather",)}, "there is no question 'weather'"),
        ({"players": (9,)}, "1 to 8 players"),
        ({"bot": "cat"}, "there is no bot 'cat'"),
        ({"players": (1,)}, "with one player, only"),
    ]:
        with pytest.raises(Exception, match=message):
            Study(**choices)  # type: ignore[arg-type]
    assert Study(bot="1").bot == "snail"
    assert Study(players=(1,), questions=("length",)).plan().keys() == {Cell(Rules.classic(), 1, ("fox",))}


def test_each_question_gets_as_many_games_as_requested() -> None:
    for games in (1000, 100_000):
        for question in QUESTIONS:
            plan = Study(games=games, questions=(question,)).plan()
            assert sum(cell.batch_size * batches for cell, batches in plan.items()) >= games, question
    pairs = {bots for cell in Study(games=100_000, questions=("bots",)).plan() if (bots := cell.bots)}
    assert len(pairs) == len(LADDER) * (len(LADDER) - 1) / 2
    assert not any("dragon" in cell.bots for cell in Study(games=1000).plan())


def test_variants_differ_from_the_rules_and_from_each_other() -> None:
    for name in ("classic", "junior", "scoring_b"):
        cells = Study(rules=Rules.preset(name)).variants
        assert len({cell.rules for cell in cells.values()}) == len(cells)
        assert cells["as chosen"].rules == Rules.preset(name)
        assert len({cell.key for cell in cells.values()}) == len(cells)


def test_every_question_has_an_answer_and_an_unfinished_study_has_some() -> None:
    study = Study(games=60, bot="random", players=(1, 2))
    results = Results(1)
    assert answers(study, results) == []
    for cell, number in results.missing(study.plan()):
        if cell.bots == ("random",) and cell.rules in (Rules.classic(), Rules.expert()):
            results.add(cell, number, play_batch(cell, 1, number))
    pair = Cell(Rules.classic(), 2, ("snail", "random"))
    results.add(pair, 0, play_batch(pair, 1, 0))
    found = {answer.question: answer for answer in answers(study, results)}
    assert list(found) == list(QUESTIONS)
    for answer in found.values():
        assert answer.sentences
        assert answer.plots
        assert all(len(row) == len(answer.head) for row in answer.rows)
        assert answer.games > 0
    assert [row[0] for row in found["length"].rows] == [1, 2]
    assert "junior" not in [row[0] for row in found["variants"].rows]
