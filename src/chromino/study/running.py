"""Plays the missing batches of a study on one core, on several, or on a cluster through joblib's Dask backend."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from chromino.study.cells import Cell, CellSums, StudyError, play_batch
from chromino.study.plan import Study
from chromino.study.results import Results

PlayedBatch = tuple[Cell, int, CellSums]


def run(
    study: Study,
    results: Results,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    on_batch: Callable[[int], None] = lambda _: None,
) -> None:
    """Play all missing batches, and add each one to the results. Ctrl-C loses only the batches in progress.

    After each batch, `on_batch` is called with its number of games.
    """
    missing = results.missing(study.plan())
    if not missing:
        return
    in_process = jobs == 1 and cluster is None
    with _on_cluster(cluster) if cluster else _on_this_machine():
        for cell, number, sums in _played(missing, results.seed, jobs, in_process):
            results.add(cell, number, sums)
            on_batch(sums.games)


def _played(missing: list[tuple[Cell, int]], seed: int, jobs: int, in_process: bool) -> Iterator[PlayedBatch]:
    from joblib import Parallel, delayed  # Loading joblib takes a tenth of a second, so we only do it here.

    if in_process:
        yield from (_batch(cell, seed, number) for cell, number in missing)
        return
    work = [delayed(_batch)(cell, seed, number) for cell, number in missing]
    # Give each worker one batch at a time: joblib would group quick ones, and return each group only when it's done.
    with _ctrl_c_ignored():  # This starts the workers.
        batches = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(work)
    yield from batches


def _batch(cell: Cell, seed: int, number: int) -> PlayedBatch:
    return cell, number, play_batch(cell, seed, number)


def _ignore_ctrl_c_for_good() -> None:
    """Ignore Ctrl-C in a worker, including those that joblib starts later: all processes receive it, and the parent
    handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _ctrl_c_ignored() -> Iterator[None]:
    """Ignore Ctrl-C while workers start: they inherit that, so one that's still importing doesn't print a traceback."""
    if threading.current_thread() is not threading.main_thread():  # Only the main thread gets Ctrl-C.
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _on_this_machine() -> Iterator[None]:
    from joblib import parallel_config

    with parallel_config(backend="loky", initializer=_ignore_ctrl_c_for_good):
        yield


@contextmanager
def _on_cluster(address: str) -> Iterator[None]:
    """Let joblib use the Dask cluster at this address, such as `tcp://host:8786`."""
    if not address.startswith(("tcp://", "tls://", "ws://", "wss://")):
        raise StudyError(f"{address!r} isn't the address of a Dask cluster: use something like tcp://host:8786")
    from joblib import parallel_config

    try:
        from distributed import Client
    except ImportError:
        raise StudyError("Dask isn't installed: pip install 'chromino[dask]'") from None
    try:
        client: Any = Client(address, timeout=3, set_as_default=False)
    except OSError:
        raise StudyError(f"no Dask scheduler is answering at {address}") from None
    with client:
        if not client.ncores():
            raise StudyError(f"the Dask scheduler at {address} has no workers; start one with: dask worker {address}")
        _check_versions(client)
        with parallel_config(backend="dask", client=client, wait_for_workers_timeout=60):
            yield


def _check_versions(client: Any) -> None:
    """Check that all workers have our version, because other versions could play different games."""
    from chromino.version import __version__

    try:
        versions = client.run(_version)
    except ImportError:
        raise StudyError(f"not all workers have chromino: install version {__version__} on them") from None
    for worker, version in versions.items():
        if version != __version__:
            raise StudyError(f"worker {worker} has chromino {version}, not {__version__}: install the same version")


def _version() -> str:
    from chromino.version import __version__

    return __version__
