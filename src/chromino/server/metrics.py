"""Figures for Prometheus at `/metrics`, summed over all worker processes of one machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
"""Names a directory that the worker processes share; set before this module is imported, or not at all."""

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5)

_registry = CollectorRegistry()
GAMES = Gauge("chromino_games", "Games in memory", multiprocess_mode="livesum", registry=_registry)
SOCKETS = Gauge("chromino_sockets", "Open sockets", ["kind"], multiprocess_mode="livesum", registry=_registry)
STARTED = Counter("chromino_games_started", "Games begun", registry=_registry)
ENDED = Counter("chromino_games_ended", "Games that came to their end", registry=_registry)
ACTIONS = Counter("chromino_actions", "Events stored", ["by"], registry=_registry)
REFUSALS = Counter("chromino_refusals", "What was refused, by code", ["code"], registry=_registry)
ACTING = Histogram(
    "chromino_action_seconds", "From an action read to its acknowledgement", buckets=_SECONDS, registry=_registry
)
STORING = Histogram("chromino_append_seconds", "To store one event", buckets=_SECONDS, registry=_registry)
CALLS = Histogram("chromino_call_seconds", "To answer a call", ["path"], buckets=_SECONDS, registry=_registry)
THINKING = Histogram("chromino_bot_seconds", "A bot's thinking", ["bot"], buckets=_SECONDS, registry=_registry)


@contextmanager
def timed(histogram: Histogram) -> Iterator[None]:
    """Note how long this takes, if it succeeds."""
    began = perf_counter()
    yield
    histogram.observe(perf_counter() - began)


def exposition() -> bytes:
    """All figures in Prometheus' text format."""
    directory = os.environ.get(DIRECTORY)
    if directory is None:
        return bytes(generate_latest(_registry))
    for path in Path(directory).glob("gauge_live*.db"):
        process = path.stem.rpartition("_")[2]
        if not Path("/proc", process).exists():
            mark_process_dead(process)  # type: ignore[no-untyped-call]  # What it counted stays; what it had open does not.
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return bytes(generate_latest(together))
