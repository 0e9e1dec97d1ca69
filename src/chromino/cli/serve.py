"""`chromino` and `chromino serve`: the game in the browser."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import tempfile
import webbrowser
from dataclasses import replace
from enum import StrEnum
from http.client import HTTPException
from threading import Thread
from typing import Annotated, Any
from urllib.request import ProxyHandler, build_opener

import segno
import typer

from chromino.cli.app import UserError, app, default_database, say
from chromino.cli.own_addresses import network_addresses
from chromino.review.reviewing import PLAYOUTS
from chromino.seated.automatic import GRACE
from chromino.server.app import make_app
from chromino.server.database.database_urls import is_address
from chromino.server.database.store import Store
from chromino.server.http.connections import TrustedProxies, raise_file_limit
from chromino.server.http.protocols import Config
from chromino.server.operating import logs, metrics
from chromino.server.push.delivery import PushServices
from chromino.server.running.supervisor import SILENT_SECONDS, Server, Workers
from chromino.server.settings import Settings

_HOST, _PORT = "127.0.0.1", 8075  # The port ends in 75, the number of classic tiles.
_ALL = "0.0.0.0"  # noqa: S104
_EVERYWHERE = (_ALL, "::", "")
_FIRST_INHERITED = 3  # The file descriptor of the first socket that systemd passes to us.
_MAX_SLOW_SECONDS = 3600
_LAST_PORT = 65535


class LogFormat(StrEnum):
    """How logs are written to stderr."""

    text = "text"
    json = "json"


class Switch(StrEnum):
    """An option that's either on or off."""

    on = "on"
    off = "off"


class RateLimits(StrEnum):
    """Which rate limits apply."""

    all = "all"
    identity = "identity"
    none = "none"


def option(name: str, about: str) -> Any:
    """An option that can also be set in the environment."""
    return typer.Option(envvar=f"CHROMINO_{name.upper()}", help=about, show_envvar=False)


Database = Annotated[str | None, option("database", "The file with all games, or a postgresql:// address.")]


@app.command()
def serve(
    host: Annotated[str, option("host", "The address to listen on; 0.0.0.0 for all.")] = _HOST,
    port: Annotated[
        int | None, option("port", f"The port; by default {_PORT}, or any free port if that one is taken.")
    ] = None,
    database: Database = None,
    workers: Annotated[int, option("workers", "How many processes to use; more than one requires PostgreSQL.")] = 1,
    grace: Annotated[float, option("grace", "Seconds until a bot stands in for someone who's away.")] = GRACE,
    keep_days: Annotated[int, option("keep_days", "Delete finished games after this many days; 0 means never.")] = 0,
    unfinished_days: Annotated[
        int,
        option(
            "unfinished_days",
            "After this many days, delete abandoned games, and the data of people who have nothing else here, such as "
            "games or ratings; 0 means never.",
        ),
    ] = 0,
    proxies: Annotated[str, option("proxies", "Addresses of trusted proxies, separated by commas.")] = "",
    limits: Annotated[
        RateLimits, option("limits", "Which rate limits apply: all, identity (all except per-address limits), or none.")
    ] = RateLimits.all,
    slow_seconds: Annotated[
        int,
        option(
            "slow_seconds",
            "Disconnect clients that read nothing for this many seconds, or take longer to send a request.",
        ),
    ] = 30,
    metrics_at: Annotated[
        str,
        option("metrics_at", "Serve metrics here, e.g. 127.0.0.1:9075. Use an address that only Prometheus can reach."),
    ] = "",
    contact: Annotated[
        str, option("contact", "Where to report security issues: mailto:… or https://…; shown in security.txt.")
    ] = "",
    review_playouts: Annotated[
        int,
        option("review_playouts", "How many games to play out for a review: more are slower, but more precise."),
    ] = PLAYOUTS,
    log: Annotated[LogFormat, option("log", "How to write logs: text or json.")] = LogFormat.text,
    public_url: Annotated[
        str, option("public_url", "This server's public address, like https://chromino.example/; used in links.")
    ] = "",
    push: Annotated[Switch, option("push", "Send notifications to people who asked for them: on or off.")] = Switch.on,
    push_hosts: Annotated[str, option("push_hosts", "More push services to trust, separated by commas.")] = "",
    lan: Annotated[
        bool, typer.Option("--lan", help="Let others on your network join, and show a link and a QR code for them.")
    ] = False,
    no_open: Annotated[bool, typer.Option("--no-open", help="Don't open the browser.")] = False,
) -> None:
    """Serve the game to browsers. Every action is saved, so you can stop with Ctrl-C and start again at any time."""
    if lan:
        if host != _HOST:
            raise UserError("--lan listens on all addresses, so you can't combine it with --host")
        host = _ALL
    if port is None and host == _HOST and database is None and (address := _running_address()):
        say(f"Chromino is already running at {address}")
        if not no_open:
            webbrowser.open(address)
        return
    try:
        settings = Settings(
            database or default_database(),
            grace=grace,
            keep_days=keep_days,
            unfinished_days=unfinished_days,
            limits=limits.value,
            contact=contact,
            review_playouts=review_playouts,
            push=push.value,
            push_hosts=push_hosts,
            public_url=public_url and public_url.rstrip("/") + "/",
        )
        trusted = TrustedProxies(proxies)
        PushServices(push_hosts)  # Raises an error if a host isn't valid.
    except ValueError as error:
        raise UserError(str(error)) from None
    if workers < 1:
        raise UserError(f"--workers must be 1 or more, not {workers}")
    if not 1 <= slow_seconds <= _MAX_SLOW_SECONDS:
        raise UserError(f"--slow-seconds must be a number from 1 to {_MAX_SLOW_SECONDS}, not {slow_seconds}")
    if workers > 1 and not is_address(settings.database):
        raise UserError("more than one worker requires PostgreSQL: --database postgresql://…")
    asyncio.run(_check_database(settings.database))
    listening = _listen(host, port)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Lets the operating system drop clients that stop reading.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, slow_seconds * 1000)
    own_port = listening.getsockname()[1]
    address = f"http://{_url_host(host)}:{own_port}/"
    network_links = [f"http://{own}:{own_port}/" for own in network_addresses()] if host in _EVERYWHERE else []
    if network_links:
        settings = replace(settings, network_url=network_links[0])
    os.environ[logs.VARIABLE] = log.value
    logs.set_up(as_json=log is LogFormat.json)

    metrics_url: str | None = None

    def announce() -> None:
        say(f"Chromino is running at {settings.public_url or address} (press Ctrl-C to stop)")
        if metrics_url:
            say(f"Metrics are at {metrics_url}")
        if not settings.public_url and not trusted:
            _say_who_can_join(host, network_links)
        _tell_systemd()
        if not no_open:
            # In a thread, because `open` may wait for the browser, which gets no answer until the server runs.
            Thread(target=webbrowser.open, args=[address], daemon=True).start()

    connection_limits: dict[str, Any] = {"files": raise_file_limit(), "by_address": limits is RateLimits.all}
    if workers == 1:
        metrics_url = _serve_metrics(metrics_at)
        site = make_app(settings, on_ready=lambda _parts: announce())
        Server(Config(site, trusted, slow_seconds, **connection_limits)).run(sockets=[listening])
        return
    with tempfile.TemporaryDirectory(prefix="chromino-metrics-") as directory:
        os.environ.update(settings.to_environment(), **{metrics.DIRECTORY_VARIABLE: directory})
        metrics_url = _serve_metrics(metrics_at, directory)
        config = Config(
            "chromino.server.app:app_from_environment",
            trusted,
            slow_seconds,
            **connection_limits,
            factory=True,
            workers=workers,
            timeout_worker_healthcheck=SILENT_SECONDS,
        )
        Workers(config, [listening], announce).run()


def _tell_systemd() -> None:
    """Tell systemd that the server is ready, if systemd is waiting for that (`Type=notify`)."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
            notify.sendto(b"READY=1", f"\0{address[1:]}" if address.startswith("@") else address)


def _say_who_can_join(host: str, network_links: list[str]) -> None:
    """Say who can open this server's links, since friends on other networks may not be able to."""
    if network_links:
        say("Others on your network can join at " + " or ".join(network_links))
        if sys.stdout.isatty():
            segno.make(network_links[0], micro=False).terminal(compact=True)
    elif host in _EVERYWHERE:
        say("This machine isn't on a network, so links only work on this device.")
        say("Connect to a network, then start Chromino again.")
    elif host == _HOST:
        say("Links only work on this device. To play with others on your network: chromino serve --lan")


def _serve_metrics(address: str, directory: str | None = None) -> str | None:
    """Serve metrics if an address is set, and return the URL."""
    if not address:
        return None
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    if not host or not port.isdecimal() or int(port) > _LAST_PORT:
        raise UserError(f"--metrics-at must be an address with a port, like 127.0.0.1:9075, not {address!r}")
    try:
        return f"http://{_url_host(host)}:{metrics.serve(host, int(port), directory)}/metrics"
    except OSError as error:
        raise UserError(f"can't listen on {host}, port {port}, for metrics: {error.strerror}") from None


async def _check_database(database: str) -> None:
    """Open and close the database, to report problems in one line before anything is served."""
    await (await Store.open(database)).close()


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket from systemd, or a new one on this port: by default the usual port or, if that's taken, any free one."""
    if os.environ.get("LISTEN_PID") == str(os.getpid()) and os.environ.get("LISTEN_FDS") == "1":
        return socket.socket(fileno=_FIRST_INHERITED)
    if port is not None and not 0 <= port <= _LAST_PORT:
        raise UserError(f"--port must be a number from 0 to {_LAST_PORT}, not {port}")
    for wanted in (_PORT, 0) if port is None else (port,):
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            return socket.create_server((host, wanted), family=family, backlog=2048)
        except OSError as error:
            if port is not None or wanted == 0:
                raise UserError(
                    f"can't listen on {host}, port {wanted}: {error.strerror}; try another --host or --port"
                ) from None
    raise AssertionError("the last attempt either returns a socket or raises an error")


def _running_address() -> str | None:
    """The address of the Chromino server that's already running on the usual port, if there is one."""
    address = f"http://{_HOST}:{_PORT}/"
    opener = build_opener(ProxyHandler({}))  # A proxy couldn't reach this machine's own address.
    try:
        with opener.open(f"{address}healthz", timeout=1) as answer:
            return address if json.load(answer).get("chromino") == "healthy" else None
    except (OSError, HTTPException, ValueError, AttributeError):  # Nothing is listening there, or another program is.
        return None


def _url_host(host: str) -> str:
    if host in _EVERYWHERE:
        return "localhost"
    return f"[{host}]" if ":" in host else host
