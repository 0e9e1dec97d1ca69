"""Runs the `chromino` command as a user would."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout

import pytest

from chromino.cli import main

COMMAND = [sys.executable, "-m", "chromino"]


def run(*arguments: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, which takes milliseconds instead of half a second."""
    out, err = _FakePipe(), _FakePipe()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["chromino", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8"))
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main()
    code = ended.value.code
    return subprocess.CompletedProcess(
        arguments, code if isinstance(code, int) else int(bool(code)), out.text, err.text
    )


def run_in_own_process(*arguments: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a separate process, for behavior that only shows up there."""
    return subprocess.run(
        [*COMMAND, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )


class _FakePipe(io.TextIOWrapper):
    """Stands in for a pipe: a command can write text and bytes to it."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")

    @property
    def text(self) -> str:
        self.flush()
        self.seek(0)
        return self.read()


def start_and_wait_for(*arguments: str, bar: str) -> subprocess.Popen[str]:
    """Start a command that plays many games, and wait until its progress bar matches the pattern `bar`."""
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "FORCE_COLOR": "1", "PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )
    assert process.stderr is not None
    shown = ""
    while not re.search(bar, shown):
        character = process.stderr.read(1)
        assert character, f"the command ended after {shown!r}"
        shown += character
    return process
