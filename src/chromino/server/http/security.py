"""Adds security headers to every answer, and refuses calls from other sites' pages.

This is plain ASGI around the whole app, so errors have the headers, too.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chromino.server.http.answers import problem_answer
from chromino.server.problems import Problem

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
_HOST = re.compile(r"[A-Za-z0-9._:\[\]-]{0,255}", re.ASCII)
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
# Any site's page can send these.
_FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")


class Security:
    """Wraps the app."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)  # Pictures have their own policy, which allows less.
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        if scope["type"] == "websocket":
            if _same_site(scope, needs_origin=True):
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008, "reason": "foreign-page"})
            return
        if scope["type"] == "http" and (problem := _problem(scope)):
            await problem_answer(problem)(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)


def _problem(scope: Scope) -> Problem | None:
    """Why a call is refused, if it is."""
    if not _HOST.fullmatch(Headers(scope=scope).get("host", "")):
        return Problem("bad-message", "the Host header isn't a host name")  # It goes into links and caches.
    if scope["method"] in _SAFE_METHODS:
        return None
    if not _same_site(scope, needs_origin=False):
        return Problem("foreign-page")
    kind = Headers(scope=scope).get("content-type", "").partition(";")[0].strip().lower()
    return (
        Problem("foreign-page", f"this may be another site's form: send application/json, not {kind}")
        if kind in _FORM_TYPES
        else None
    )


def _same_site(scope: Scope, *, needs_origin: bool) -> bool:
    """Does the request come from our own page?

    Browsers always say; programs don't have to, unless `needs_origin` is set.
    """
    headers = Headers(scope=scope)
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return not needs_origin
    try:
        return urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # The origin isn't a URL.
        return False
