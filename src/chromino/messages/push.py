"""Notifications: how a browser subscribes and unsubscribes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from chromino.messages.bounds import Bounds

Endpoint = Annotated[str, Bounds(max_length=1000)]
Minute = Annotated[int, Bounds(ge=0, le=1439)]


@dataclass(frozen=True, slots=True)
class PushOffer:
    """What a browser needs to subscribe."""

    key: str | None
    """This server's public key; null if it sends no notifications."""


@dataclass(frozen=True, slots=True)
class PushOn:
    """A browser's `PushSubscription`, and how its user wants to be notified."""

    endpoint: Endpoint
    p256dh: Annotated[str, Bounds(max_length=100)]
    auth: Annotated[str, Bounds(max_length=40)]
    language: Annotated[str, Bounds(max_length=10)] = "en"
    timezone: Annotated[str, Bounds(max_length=64)] = "UTC"
    quiet_from: Minute = 0
    """The minute of the user's day when quiet hours start. Nothing is sent during quiet hours."""
    quiet_to: Minute = 0
    """The minute when quiet hours end; if it's the same as `quiet_from`, there are no quiet hours."""


@dataclass(frozen=True, slots=True)
class PushOff:
    """The endpoint of a browser that wants no more notifications."""

    endpoint: Endpoint
