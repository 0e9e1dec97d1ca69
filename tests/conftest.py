"""Hypothesis explores on a developer's machine, and repeats itself where a change is judged.

What a shell starts in the background ignores Ctrl-C, and so does all that it starts: tests that press it need it back.

Where no compiler was, tests that need the kernel do not apply: they are left out, and the end of the run says so.
"""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import settings

settings.register_profile("judge", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("judge")


signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not _is_compiled():
        items[:] = [item for item in items if item.get_closest_marker("compiled") is None]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _is_compiled():
        terminalreporter.write_line("There is no compiled kernel: tests marked `compiled` do not apply.")


def _is_compiled() -> bool:
    from chromino.bots import kernel  # Not earlier: what is imported before coverage is measured seems not to be run.

    return kernel.COMPILED
