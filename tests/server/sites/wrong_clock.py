"""Runs a Python program with a wrong clock: `python -m tests.server.sites.wrong_clock SECONDS python -m PROGRAM …`."""

from __future__ import annotations

import runpy
import sys
import time

if __name__ == "__main__":
    seconds, (program, *words) = float(sys.argv[1]), sys.argv[4:]
    real = time.time
    time.time = lambda: real() + seconds
    sys.argv = [program, *words]
    runpy.run_module(program, run_name="__main__", alter_sys=True)
