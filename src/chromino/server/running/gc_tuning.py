"""Keeps Python's garbage collector from stalling thousands of sockets.

A full collection looks at every object, which takes half a second with a thousand games in memory. But reference
counting frees nearly all of our garbage. So we collect young objects in small steps. Every second, we "freeze" the
survivors, so that they aren't looked at again: checking a second's worth of them again would take ten milliseconds.
The rest of the garbage waits for a full collection, when nobody is playing or at least once an hour.
"""

from __future__ import annotations

import gc
from time import monotonic

_IDLE_SECONDS = 60.0  # Seconds between full collections while nobody is playing.
_BUSY_SECONDS = 3600.0  # Seconds between full collections while people are playing.
_YOUNG = 0
_YOUNG_LIMIT = 1000  # How many new objects trigger a collection of the young ones.
_NO_LIMIT = 1_000_000  # Older generations are never collected automatically.


class GarbageCollection:
    """Collects garbage in small steps: call `collect` about once a second."""

    def __init__(self) -> None:
        self._last = monotonic()
        self._old_threshold = gc.get_threshold()
        gc.set_threshold(_YOUNG_LIMIT, _NO_LIMIT, _NO_LIMIT)

    def collect(self, *, is_quiet: bool) -> None:
        if monotonic() - self._last > (_IDLE_SECONDS if is_quiet else _BUSY_SECONDS):
            gc.unfreeze()
            gc.collect()
            self._last = monotonic()
        else:
            gc.collect(_YOUNG)
        gc.freeze()

    def stop(self) -> None:
        """Restore the collector's settings: in tests, the server isn't alone in its process."""
        gc.set_threshold(*self._old_threshold)
