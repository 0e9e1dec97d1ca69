"""Quiet hours, when someone wants no notifications."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

_MINUTES_PER_DAY = 24 * 60


def is_timezone(name: str) -> bool:
    """Is this a time zone that this machine knows, like Europe/Paris?"""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # Unknown, a path, or a folder.
        return False
    return True


def next_send_time(now: float, quiet_from: int, quiet_to: int, timezone: str) -> float:
    """`now` or, in quiet hours, the time when they end. Quiet hours are given in minutes after local midnight."""
    if quiet_from == quiet_to:
        return now
    local = datetime.fromtimestamp(now, ZoneInfo(timezone) if is_timezone(timezone) else ZoneInfo("UTC"))
    minute = local.hour * 60 + local.minute
    if (minute - quiet_from) % _MINUTES_PER_DAY >= (quiet_to - quiet_from) % _MINUTES_PER_DAY:
        return now
    end = local.replace(hour=quiet_to // 60, minute=quiet_to % 60, second=0, microsecond=0)
    if end <= local:
        end += timedelta(days=1)
    return end.timestamp()
