"""Metrics for Prometheus, summed over all worker processes on a machine, at a separate address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

DIRECTORY_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable for a directory that all workers share. Set it before importing this module, if at all."""

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5)

_registry = CollectorRegistry()
GAMES = Gauge("chromino_games", "Games in memory", multiprocess_mode="livesum", registry=_registry)
SOCKETS = Gauge("chromino_sockets", "Open sockets", ["kind"], multiprocess_mode="livesum", registry=_registry)
CONNECTIONS = Gauge("chromino_connections", "Open connections", multiprocess_mode="livesum", registry=_registry)
REFUSED_CONNECTIONS = Counter(
    "chromino_connections_refused", "Refused connections, by reason", ["why"], registry=_registry
)
STARTED = Counter("chromino_games_started", "Games started", registry=_registry)
ENDED = Counter("chromino_games_ended", "Games finished", registry=_registry)
ACTIONS = Counter("chromino_actions", "Events stored", ["by"], registry=_registry)
INVITED = Counter("chromino_invitations", "Invitations sent to people", registry=_registry)
PAIRED = Counter("chromino_pairings", "Tables opened for two people looking for an opponent", registry=_registry)
PUSHED = Counter("chromino_notifications", "Delivery attempts, by outcome", ["outcome"], registry=_registry)
REFUSALS = Counter("chromino_refusals", "Requests refused, by code", ["code"], registry=_registry)
ACTING = Histogram(
    "chromino_action_seconds",
    "Seconds from reading an action to acknowledging it",
    buckets=_BUCKETS,
    registry=_registry,
)
SEEKING = Histogram(
    "chromino_seek_seconds",
    "Seconds it took to find an opponent, counted for whichever of the two is told first",
    buckets=(1, 2, 5, 10, 15, 20, 30, 60, 120, 300),
    registry=_registry,
)
STORING = Histogram("chromino_append_seconds", "Seconds to store one event", buckets=_BUCKETS, registry=_registry)
CALLS = Histogram("chromino_call_seconds", "Seconds to answer a call", ["path"], buckets=_BUCKETS, registry=_registry)
THINKING = Histogram("chromino_bot_seconds", "Seconds a bot thinks", ["bot"], buckets=_BUCKETS, registry=_registry)


@contextmanager
def timed(histogram: Histogram) -> Iterator[None]:
    """Record how long the block takes, if it succeeds."""
    start = perf_counter()
    yield
    histogram.observe(perf_counter() - start)


class _AllWorkers:
    """The sums over all worker processes on a machine, read on request."""

    def __init__(self, directory: str) -> None:
        self._directory = directory

    def collect(self) -> Iterable[Metric]:
        for path in Path(self._directory).glob("gauge_live*.db"):
            process = path.stem.rpartition("_")[2]
            if not Path("/proc", process).exists():
                # A dead process's counters stay, but its gauges go.
                mark_process_dead(process, self._directory)  # type: ignore[no-untyped-call]
        metrics: Iterable[Metric] = MultiProcessCollector(None, self._directory).collect()  # type: ignore[no-untyped-call]
        return metrics


def serve(host: str, port: int, directory: str | None = None) -> int:
    """Serve metrics at a separate address, so that no proxy can expose them by mistake. Returns the port.

    `directory` is where worker processes keep their metrics. Without it, only this process's metrics are served.
    """
    registry = _registry
    if directory is not None:
        registry = CollectorRegistry()
        registry.register(_AllWorkers(directory))
    server, _ = start_http_server(port, host, registry)
    return int(server.server_port)
