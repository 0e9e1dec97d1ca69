"""The page's files, read once at startup and kept in memory, plain and compressed."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

from chromino.server.problems import Problem
from chromino.server.services import services

_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
_PAGE = "index.html"
# Comments on lines of their own.
_COMMENT = re.compile(rb"^[ \t]*(?://.*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/[ \t]*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Asset:
    """A file, ready to send."""

    content: bytes
    compressed: bytes
    type: str
    etag: str

    @classmethod
    def of(cls, content: bytes, extension: str) -> Asset:
        etag = f'"{sha256(content).hexdigest()[:20]}"'
        smaller = min(content, gzip.compress(content, 9, mtime=0), key=len)  # Some files, like fonts, don't compress.
        return cls(content, smaller, _TYPES[extension], etag)

    def response(self, request: Request, vary: str = "Accept-Encoding") -> Response:
        """The file, or 304 if the browser already has it."""
        headers = {"ETag": self.etag, "Cache-Control": "no-cache", "Vary": vary}
        if is_known(request, self.etag):
            return Response(status_code=304, headers=headers)
        if self.compressed is not self.content and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(self.compressed, headers=headers, media_type=self.type)
        return Response(self.content, headers=headers, media_type=self.type)


@cache
def read_assets() -> Mapping[str, Asset]:
    """All files of `chromino/web` by path."""
    return dict(_walk(files("chromino").joinpath("web"), ""))


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, Asset]]:
    assets = []
    for entry in folder.iterdir():
        if entry.is_dir():
            assets += _walk(entry, f"{prefix}{entry.name}/")
        elif (extension := entry.name.rpartition(".")[2]) in _TYPES:
            content = entry.read_bytes()
            content = without_comments(content) if extension in ("css", "js") else content
            assets.append((prefix + entry.name, Asset.of(content, extension)))
    return assets


def without_comments(code: bytes) -> bytes:
    """A script or style sheet without its comments, which are a quarter of all bytes. Line numbers don't change."""
    return _COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n"), code)


def is_known(request: Request, etag: str) -> bool:
    """Does the caller already have this version? A proxy that compresses answers makes their ETags weak."""
    tags = request.headers.get("if-none-match", "").split(",")
    return etag in [tag.strip().removeprefix("W/") for tag in tags]


def page_asset(request: Request) -> Asset:
    """The HTML page, which `previews.py` completes."""
    return services(request).assets[_PAGE]


async def asset(request: Request) -> Response:
    assets = services(request).assets
    if file := assets.get(request.path_params["path"]):
        return file.response(request)
    if "text/html" in request.headers.get("accept", ""):  # For people, the page explains this in their language.
        page = assets[_PAGE]
        return Response(page.content, 404, {"Cache-Control": "no-cache"}, page.type)
    raise Problem("no-such-page")
