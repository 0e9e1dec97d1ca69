"""Debian's nginx with the configuration in deploy/, on free ports, in front of servers."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from threading import Thread
from types import TracebackType
from typing import IO, Self

from tests.server.sites.changes import News
from tests.server.sites.serving import PATIENCE, Server

SITE = Path(__file__).parents[3] / "deploy" / "nginx.conf"
BEHIND_NGINX = ("--proxies", "127.0.0.1")
"""Options for a server behind nginx."""

_PROGRAM = "/usr/sbin/nginx"  # Not everyone has this folder in their path.
_MAIN = """\
pid {home}/pid;
error_log stderr notice;
daemon off;
{user}
worker_rlimit_nofile 20000;
events {{ worker_connections 16384; }}
http {{
    {places}
    log_format where '$uri $upstream_addr $status $bytes_sent';
    include {home}/site;
}}
"""
_PLACES = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@dataclass(frozen=True)
class RoutedRequest:
    """A request, and where it went."""

    path: str
    ports: tuple[int, ...]
    """The ports of the processes that were tried; the last one answered."""
    status: int
    bytes: int
    """How many bytes were sent."""


class Nginx:
    """`with Nginx([server.port, …]) as nginx: nginx.url`. With a certificate (two files) it speaks TLS."""

    def __init__(
        self, ports: Sequence[int], certificate: tuple[Path, Path] | None = None, site: str | None = None
    ) -> None:
        self._home = Path(mkdtemp(prefix="chromino-nginx-"))
        self._home.chmod(0o755)
        self.port, self.plain_port = _free(), _free()
        self._scheme = "http" if certificate is None else "https"
        text = SITE.read_text(encoding="utf-8") if site is None else site
        servers = "".join(f"    server 127.0.0.1:{port} fail_timeout=2s;\n" for port in ports)
        text = re.sub(r"(?m)^( *server 127\.0\.0\.1:.*\n)+", servers, text)
        text = re.sub(r"(?m)^ *listen \[.*\n", "", text)
        text = text.replace("listen 80;", f"listen 127.0.0.1:{self.plain_port};")
        text = re.sub(r"access_log off;", "access_log /dev/stderr where;", text)
        if certificate is None:
            text = text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{self.port};")
            text = re.sub(r"(?m)^ *ssl_.*\n", "", text)
        else:
            text = text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{self.port} ssl http2;")
            text = re.sub(r"(ssl_certificate) .*;", rf"\1 {certificate[0]};", text)
            text = re.sub(r"(ssl_certificate_key) .*;", rf"\1 {certificate[1]};", text)
        (self._home / "site").write_text(text, encoding="utf-8")
        places = "\n    ".join(f"{place}_temp_path {self._home}/{place};" for place in _PLACES)
        user = "user root;" if os.geteuid() == 0 else ""
        main = _MAIN.format(home=self._home, places=places, user=user)
        (self._home / "nginx.conf").write_text(main, encoding="utf-8")
        self._process: subprocess.Popen[str] | None = None
        self._lines: list[str] = []
        self._news = News()

    @property
    def url(self) -> str:
        return f"{self._scheme}://localhost:{self.port}/"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def routed_requests(self) -> list[RoutedRequest]:
        """All requests that have been answered; a socket counts once it's closed."""
        found = (re.fullmatch(r"(/\S*) (.*) (\d+) (\d+)\n", line) for line in self._lines.copy())
        return [
            RoutedRequest(
                line[1], tuple(map(int, re.findall(r"127\.0\.0\.1:(\d+)", line[2]))), int(line[3]), int(line[4])
            )
            for line in found
            if line is not None
        ]

    def start(self) -> None:
        words = [_PROGRAM, "-p", str(self._home), "-c", str(self._home / "nginx.conf")]
        self._process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        assert self._process.stderr is not None
        self._reader = Thread(target=self._read, args=[self._process.stderr], daemon=True)
        self._reader.start()
        self.until(self._has_started)

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until this is true; it's checked again after each line that nginx logs."""
        self._news.until(holds)

    def forget_failures(self) -> None:
        """Replace nginx's workers, which remember for two seconds which servers have failed."""
        assert self._process is not None
        exited = self._count("exited with code 0")
        workers = self._count("start worker process ")
        self._process.send_signal(signal.SIGHUP)
        self.until(
            lambda: self._count("start worker process ") > workers and self._count("exited with code 0") > exited
        )

    def _count(self, words: str) -> int:
        return sum(words in line for line in self._lines.copy())

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        shutil.rmtree(self._home)

    def _read(self, stderr: IO[str]) -> None:
        with stderr:
            for line in stderr:
                self._lines.append(line)
                self._news.tell()
        self._news.tell()

    def _has_started(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, "".join(self._lines)
        return any("start worker process" in line for line in self._lines)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class ServersBehindNginx:
    """Several servers behind nginx, used like one `Server`."""

    def __init__(
        self, database: str, grace: float | None = None, *, processes: int, options: Sequence[str] = ()
    ) -> None:
        self.servers = [Server(database, grace, options=[*BEHIND_NGINX, *options]) for _ in range(processes)]
        self.nginx: Nginx | None = None

    @property
    def is_running(self) -> bool:
        return self.nginx is not None

    @property
    def port(self) -> int:
        assert self.nginx is not None
        return self.nginx.port

    @property
    def url(self) -> str:
        assert self.nginx is not None
        return self.nginx.url

    @property
    def pids(self) -> list[int]:
        return [pid for server in self.servers if server.is_running for pid in server.pids]

    @property
    def routed_requests(self) -> list[RoutedRequest]:
        assert self.nginx is not None
        return self.nginx.routed_requests

    @property
    def errors(self) -> str:
        return "".join(server.errors for server in self.servers)

    def start(self) -> None:
        with ThreadPoolExecutor() as threads:
            list(threads.map(Server.start, self.servers))
        self.nginx = Nginx([server.port for server in self.servers])
        self.nginx.start()

    def stop(self) -> None:
        if self.nginx is not None:
            self.nginx.stop()
            self.nginx = None
        for server in self.servers:
            if server.is_running:
                server.stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _free() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port
