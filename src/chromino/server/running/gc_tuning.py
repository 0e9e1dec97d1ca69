"""Keeps Python's garbage collector from stalling thousands of sockets.

A full collection looks at every object, which takes half a second with a thousand games in memory. Reference counting
frees nearly all of our garbage. So young objects are collected in small steps, and the survivors are "frozen" every
second and not looked at again (checking a second's worth of objects again would take ten milliseconds). The rest is
left to a full collection when nobody is playing, or at least once an hour.
"""

from __future__ import annotations

import gc
from time import monotonic

_IDLE_SECONDS = 60.0  # Seconds between two full collections while nobody is playing.
_MAX_SECONDS = 3600.0  # The same while people are playing.
_YOUNG = 0
_YOUNG_LIMIT = 1000  # New objects before the young ones are collected.
_NO_LIMIT = 1_000_000  # Older generations are never collected automatically.


class GarbageCollection:
    """Collects garbage in small steps: call `take_out` about once a second."""

    def __init__(self) -> None:
        self._last = monotonic()
        self._before = gc.get_threshold()
        gc.set_threshold(_YOUNG_LIMIT, _NO_LIMIT, _NO_LIMIT)

    def take_out(self, *, is_quiet: bool) -> None:
        if monotonic() - self._last > (_IDLE_SECONDS if is_quiet else _MAX_SECONDS):
            gc.unfreeze()
            gc.collect()
            self._last = monotonic()
        else:
            gc.collect(_YOUNG)
        gc.freeze()

    def stop(self) -> None:
        """Restore the collector's settings: in tests, a server shares its process."""
        gc.set_threshold(*self._before)
