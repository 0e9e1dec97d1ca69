"""The client's HTTP, with answers like those of other servers and proxies."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable

import pytest

from chromino.client import Answer, Client, Http, Unreachable

OK = b"HTTP/1.1 200 OK\r\n"


def against(answer: bytes, work: Callable[[int], Awaitable[Answer]]) -> tuple[Answer, str]:
    """Work with a server that always gives this answer; returns the result, and the head of the request."""
    asked: list[bytes] = []

    async def serve(reader: StreamReader, writer: StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(answer)
        await writer.drain()
        writer.close()

    async def run() -> tuple[Answer, str]:
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            return await work(server.sockets[0].getsockname()[1]), asked[0].decode()

    return asyncio.run(run())


@pytest.mark.parametrize(
    "answer",
    [
        OK + b"Content-Length: 5\r\n\r\nhello",
        OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
        b"HTTP/1.0 200 OK\r\n\r\nhello",  # Until the connection closes.
    ],
)
def test_bodies_can_be_framed_in_three_ways(answer: bytes) -> None:
    found, asked = against(answer, lambda port: Http(f"http://localhost:{port}").request("GET", "/x"))
    assert (found.status, found.content) == (200, b"hello")
    assert asked.startswith("GET /x HTTP/1.1\r\nHost: localhost:")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (OK + b"Content-Length: 5\r\n\r\nhe", "the connection was closed before the answer"),
        (b"", "the connection was closed before the answer"),
        (b"220 smtp.example ESMTP\r\n", "doesn't seem to be a Chromino server"),
    ],
)
def test_half_an_answer_is_an_error(answer: bytes, reason: str) -> None:
    with pytest.raises(Unreachable, match=reason):
        against(answer, lambda port: Client(f"http://localhost:{port}").ask("GET", "/x"))


def test_a_proxy_is_used_for_other_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)

    def ask(site: str) -> Callable[[int], Awaitable[Answer]]:
        def work(port: int) -> Awaitable[Answer]:
            for scheme in ("http", "https"):
                monkeypatch.setenv(f"{scheme}_proxy", f"http://ada:se%20cret@127.0.0.1:{port}")
            return Client(site).ask("GET", "/x")

        return work

    _, asked = against(OK + b"Content-Length: 0\r\n\r\n", ask("http://chromino.example"))
    assert asked.startswith("GET http://chromino.example/x HTTP/1.1\r\nHost: chromino.example\r\n")
    assert "\r\nProxy-Authorization: Basic YWRhOnNlIGNyZXQ=\r\n" in asked
    with pytest.raises(Unreachable, match="the proxy refused the connection"):
        against(b"HTTP/1.1 403 Forbidden\r\n\r\n", ask("https://chromino.example"))
