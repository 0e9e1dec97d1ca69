"""Hypothesis explores on a developer's machine, and repeats the same cases in CI.

Programs that a shell starts in the background ignore Ctrl-C, and so do their children, so we turn Ctrl-C back on.

With CHROMINO_COVERAGE set, workers measure coverage while they import the rules and while they run tests marked
`rules` but not `heavy`. Measuring the other tests too would double their time.

Without a compiler, tests that need the kernel are left out, and the end of the run says so.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import pytest
from coverage import Coverage
from hypothesis import settings

_is_measured = "CHROMINO_COVERAGE" in os.environ and "PYTEST_XDIST_WORKER" in os.environ
_coverage = Coverage(data_suffix=True) if _is_measured else None
if _coverage is not None:
    with _coverage.collect():
        seated = import_module("chromino.seated")  # This imports the rules too.
        for found in walk_packages(seated.__path__, "chromino.seated."):
            import_module(found.name)

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Keep the garbage collector from scanning five thousand tests over and over."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not _is_compiled():
        items[:] = [item for item in items if item.get_closest_marker("compiled") is None]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    is_measured = _coverage is not None and item.get_closest_marker("rules") and not item.get_closest_marker("heavy")
    if not is_measured or _coverage is None:
        return (yield)
    with _coverage.collect():
        return (yield)


def pytest_sessionfinish() -> None:
    if _coverage is not None:
        _coverage.save()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _is_compiled():
        terminalreporter.write_line("There's no compiled kernel, so tests marked `compiled` were left out.")


def _is_compiled() -> bool:
    from chromino.bots import kernel  # If we imported it earlier, coverage would miss everything that it imports.

    return kernel.COMPILED
