"""The `chromino` command, run as a user would."""

from __future__ import annotations

import os
import re
import subprocess
import sys

COMMAND = [sys.executable, "-m", "chromino"]


def run(*words: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )


def under_way(*words: str, bar: str) -> subprocess.Popen[str]:
    """A command that plays many games, once its progress bar has said this: a pattern."""
    process = subprocess.Popen(
        [*COMMAND, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "FORCE_COLOR": "1", "PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )
    assert process.stderr is not None
    shown = ""
    while not re.search(bar, shown):
        letter = process.stderr.read(1)
        assert letter, f"it ended after {shown!r}"
        shown += letter
    return process
