"""Playing what a study still lacks: on one core or all, or on a cluster through joblib's Dask backend."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from chromino.study.cells import Cell, CellSums, StudyError, play_batch
from chromino.study.plan import Study
from chromino.study.results import Results

Done = tuple[Cell, int, CellSums]


def run(
    study: Study,
    results: Results,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    tell: Callable[[int], None] = lambda _: None,
) -> None:
    """Play all batches that are missing, and add each to the results; Ctrl-C loses those that are being played.

    `tell` hears after each batch how many games that were.
    """
    missing = results.missing(study.plan())
    if not missing:
        return
    with connected(cluster) if cluster else _here():
        for cell, number, sums in _played(missing, results.seed, jobs):
            results.add(cell, number, sums)
            tell(sums.games)


def _played(missing: list[tuple[Cell, int]], seed: int, jobs: int) -> Iterator[Done]:
    from joblib import Parallel, delayed  # A tenth of a second, which most commands need not wait.
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend()
    if jobs == 1 and type(backend).__name__ == "LokyBackend":
        yield from (_batch(cell, seed, number) for cell, number in missing)
        return
    work = [delayed(_batch)(cell, seed, number) for cell, number in missing]
    # One batch at a time for each worker: joblib would put quick ones together, and answer only when all are done.
    yield from Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(work)


def _batch(cell: Cell, seed: int, number: int) -> Done:
    return cell, number, play_batch(cell, seed, number)


def _leave_alone() -> None:
    """Ctrl-C in a terminal reaches all processes: the workers leave it to the one that started them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _here() -> Iterator[None]:
    from joblib import parallel_config

    with parallel_config(backend="loky", initializer=_leave_alone):
        yield


@contextmanager
def connected(address: str) -> Iterator[None]:
    """All that joblib plays is played on a Dask cluster (`tcp://host:8786`)."""
    if not address.startswith(("tcp://", "tls://", "ws://", "wss://")):
        raise StudyError(f"{address!r} is not the address of a Dask cluster, like tcp://host:8786")
    from joblib import parallel_config

    try:
        from distributed import Client
    except ImportError:
        raise StudyError("Dask is not installed here: pip install 'chromino[dask]'") from None
    try:
        client: Any = Client(address, timeout=3, set_as_default=False)  # type: ignore[no-untyped-call]
    except OSError:
        raise StudyError(f"no Dask scheduler answers at {address}") from None
    with client:
        if not client.ncores():
            raise StudyError(f"the Dask scheduler at {address} has no workers; start one with: dask worker {address}")
        _same_version(client)
        with parallel_config(backend="dask", client=client, wait_for_workers_timeout=60):
            yield


def _same_version(client: Any) -> None:
    """Workers must have the same Chromino, or their games would be others."""
    from chromino.version import __version__

    for worker, version in client.run(_version).items():
        if version != __version__:
            raise StudyError(f"the worker {worker} has chromino {version}, not {__version__}: install the same there")


def _version() -> str:
    try:
        from chromino.version import __version__
    except ImportError:
        return "nowhere"
    return __version__
