"""`chromino` and `chromino serve`: the game in the browser."""

from __future__ import annotations

import asyncio
import json
import socket
import webbrowser
from http.client import HTTPException
from pathlib import Path
from threading import Thread
from typing import Annotated
from urllib.request import ProxyHandler, build_opener

import typer
import uvicorn
from platformdirs import user_data_path

from chromino.cli.app import UserError, app, say
from chromino.server.app import make_app
from chromino.server.store import Store

_HOST, _PORT = "127.0.0.1", 8075  # 75 tiles.
_LONGEST_MESSAGE = 16 * 1024


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all.")] = _HOST,
    port: Annotated[int | None, typer.Option(help=f"The port; without it {_PORT}, or any that is free.")] = None,
    database: Annotated[Path | None, typer.Option(help="The file that keeps all games.")] = None,
    grace: Annotated[float, typer.Option(help="Seconds to wait for someone away before a bot stands in.")] = 60.0,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the browser.")] = False,
) -> None:
    """Serve the game to browsers. Every action is kept; stop with Ctrl-C and start again at any time."""
    if port is None and host == _HOST and database is None and (address := _running()):
        say(f"Chromino is already running at {address}")
        if not no_open:
            webbrowser.open(address)
        return
    database = database or user_data_path("chromino") / "chromino.sqlite"
    asyncio.run(_check(database))
    listening = _listen(host, port)
    address = f"http://{_shown(host)}:{listening.getsockname()[1]}/"

    def tell() -> None:
        say(f"Chromino is at {address} (stop with Ctrl-C)")
        if not no_open:  # The browser may ask before this returns, and is answered after it.
            Thread(target=webbrowser.open, args=[address], daemon=True).start()

    config = uvicorn.Config(
        make_app(database, grace=grace, on_ready=tell),
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=_LONGEST_MESSAGE,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[listening])


async def _check(database: Path) -> None:
    """Open the database and close it: what is wrong with it is told in one line, before anything is served."""
    await (await Store.open(database)).close()


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket on this port; without one, on the usual port or any that is free."""
    for wanted in (_PORT, 0) if port is None else (port,):
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            return socket.create_server((host, wanted), family=family, backlog=2048)
        except OSError as error:
            if port is not None or wanted == 0:
                raise UserError(f"cannot listen on {host}, port {wanted}: {error.strerror}") from None
        except OverflowError:
            raise UserError(f"--port is a number from 0 to 65535, not {port}") from None
    raise AssertionError("the last port tried either is free or raises an error")


def _running() -> str | None:
    """The address of a server of ours on the usual port."""
    address = f"http://{_HOST}:{_PORT}/"
    ask = build_opener(ProxyHandler({}))  # No proxy stands between us and ourselves.
    try:
        with ask.open(f"{address}healthz", timeout=1) as answer:
            return address if json.load(answer).get("chromino") == "healthy" else None
    except (OSError, HTTPException, ValueError, AttributeError):  # Nobody there, or something else.
        return None


def _shown(host: str) -> str:
    if host in ("0.0.0.0", "::", ""):  # noqa: S104
        return "localhost"
    return f"[{host}]" if ":" in host else host
