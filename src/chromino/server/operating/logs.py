"""Logs on stderr, as sentences for people or as JSON Lines for programs.

They contain game ids and codes, but nobody's name, address or secrets.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from datetime import UTC, datetime


class JsonLines(logging.Formatter):
    """Formats each log record as one line, including its traceback."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


VARIABLE = "CHROMINO_LOG"
"""The environment variable that tells workers how to log."""


def set_up_from_environment() -> None:
    """Set up a worker's log like its parent's."""
    set_up(as_json=os.environ.get(VARIABLE) == "json")


def set_up(*, as_json: bool, level: str = "warning") -> None:
    """Write logs to stderr, as sentences for people or as JSON for programs."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if as_json else logging.Formatter("%(levelname)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    set_up_uvicorn()


def set_up_uvicorn() -> None:
    """Let uvicorn write to the same log, without its access log and without noise."""
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.addFilter(_without_noise)
        logger.propagate = name != "uvicorn.access"  # The access log would contain addresses.


def _without_noise(record: logging.LogRecord) -> bool:
    """Drop the traceback for a client's invalid UTF-8, which isn't our fault and which anyone could cause.

    Also drop uvicorn's line about a failed start, since the line before it says why.
    """
    if record.getMessage() == "Application startup failed. Exiting.":
        return False
    if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError) and "UTF-8" in record.getMessage():
        record.exc_info = None
    return True
