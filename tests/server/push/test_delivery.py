"""Endpoints come from browsers, so they can't be trusted; and notifications respect quiet hours."""

from __future__ import annotations

import asyncio

import pytest

from chromino.server.push.delivery import PushServices, _outcome
from chromino.server.push.quiet_hours import is_timezone, next_send_time


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc",
        "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "https://web.push.apple.com/abc?x=1",
        "https://push.mine.example/abc",
        "https://push.mine.example:443/abc",
        "https://inside.example:8443/abc",
    ],
)
def test_services_on_the_list_are_allowed(endpoint: str) -> None:
    assert PushServices("push.mine.example, inside.example:8443").allows(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://fcm.googleapis.com/abc",
        "https://fcm.googleapis.com.evil.example/abc",
        "https://evilfcm.googleapis.com.example/abc",
        "https://notfcm.googleapis.com/abc",
        "https://fcm.googleapis.com:22/abc",
        "https://fcm.googleapis.com@evil.example/abc",
        "https://me@fcm.googleapis.com/abc",
        "https://127.0.0.1/abc",
        "https://[::1]/abc",
        "https://localhost/abc",
        "https://sub.push.mine.example/abc",
        "https://inside.example/abc",
        "https://fcm.googleapis.com/a b",
        "https://fcm.googleapis.com/a\r\nX: 1",
        "https://fcm.googleapis.com:99999/abc",
        "https://fcm.googleapis.com/" + "a" * 1000,
        "file:///etc/passwd",
    ],
)
def test_services_not_on_the_list_are_refused(endpoint: str) -> None:
    services = PushServices("push.mine.example, inside.example:8443")
    assert not services.allows(endpoint)
    assert asyncio.run(services.deliver(endpoint, b"", {})).kind == "refused"


@pytest.mark.parametrize("name", ["https://push.example", "push.example/x", "a b", "push.example:x"])
def test_an_invalid_push_service_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name a push service by its host"):
        PushServices(name)


@pytest.mark.parametrize(
    ("head", "kind", "after"),
    [
        (b"HTTP/1.1 201 Created\r\n\r\n", "sent", 0),
        (b"HTTP/1.0 200 OK\r\n\r\n", "sent", 0),
        (b"HTTP/1.1 404 Not Found\r\n\r\n", "gone", 0),
        (b"HTTP/1.1 410 Gone\r\n\r\n", "gone", 0),
        (b"HTTP/1.1 429 Too Many\r\nretry-after: 120\r\n\r\n", "later", 120),
        (b"HTTP/1.1 503 Away\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n\r\n", "later", 0),
        (b"HTTP/1.1 413 Too Large\r\n\r\n", "refused", 0),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "later", 0),
    ],
)
def test_each_answer_is_understood(head: bytes, kind: str, after: float) -> None:
    assert (_outcome(head).kind, _outcome(head).after) == (kind, after)


NOON = 1_700_000_000 - 1_700_000_000 % 86400 + 12 * 3600  # UTC.


@pytest.mark.parametrize(
    ("quiet", "place", "minutes"),
    [
        ((0, 0), "UTC", 0),
        ((22 * 60, 8 * 60), "UTC", 0),
        ((11 * 60, 13 * 60), "UTC", 60),
        ((12 * 60, 12 * 60 + 1), "UTC", 1),
        ((11 * 60, 12 * 60), "UTC", 0),
        ((22 * 60, 8 * 60), "Asia/Taipei", 0),
        ((19 * 60, 8 * 60), "Asia/Taipei", 12 * 60),
        ((11 * 60, 13 * 60), "Nowhere/Land", 60),
    ],
)
def test_quiet_hours_follow_the_readers_clock(quiet: tuple[int, int], place: str, minutes: int) -> None:
    assert next_send_time(NOON, *quiet, place) == NOON + minutes * 60


@pytest.mark.parametrize("name", ["", "..", "/etc/passwd", "Europe", "Nowhere/Land", "x" * 300, "a\0b"])
def test_unknown_time_zones_are_refused(name: str) -> None:
    assert not is_timezone(name)
