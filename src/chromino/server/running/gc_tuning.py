"""Python's garbage collector, kept from stalling thousands of sockets.

A full collection looks at every object; with a thousand games in memory it takes half a second. Nearly all of our
garbage goes by reference counting. So what is young is looked at once, a little at a time, and what lives is put aside
("frozen") every second and not looked at again: looking at all of a second's objects once more takes ten milliseconds.
What becomes garbage in spite of that is found by a full collection when nobody plays, and in any case once an hour.
"""

from __future__ import annotations

import gc
from time import monotonic

_OFTEN = 60.0  # Seconds between two full collections while nobody plays.
_SELDOM = 3600.0
_YOUNG = 0
_AT_A_TIME = 1000  # Young objects.
_NEVER = 1_000_000


class GarbageCollection:
    """Taken out about once a second."""

    def __init__(self) -> None:
        self._last = monotonic()
        self._before = gc.get_threshold()
        gc.set_threshold(_AT_A_TIME, _NEVER, _NEVER)

    def take_out(self, *, is_quiet: bool) -> None:
        if monotonic() - self._last > (_OFTEN if is_quiet else _SELDOM):
            gc.unfreeze()
            gc.collect()
            self._last = monotonic()
        else:
            gc.collect(_YOUNG)
        gc.freeze()

    def stop(self) -> None:
        """Leave the collector as it was: a server in a test isn't alone in its process."""
        gc.set_threshold(*self._before)
