"""Debian's nginx with the configuration in deploy/, on free ports, in front of servers."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from types import TracebackType
from typing import Self

from tests.server.serving import PATIENCE, Server, patiently

SITE = Path(__file__).parents[2] / "deploy" / "nginx.conf"
BEHIND_IT = ("--proxies", "127.0.0.1")
"""Options of a server behind it."""

_PROGRAM = "/usr/sbin/nginx"  # Not everyone has this folder in their path.
_MAIN = """\
pid {home}/pid;
error_log {home}/errors;
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
class Landed:
    """A request, and where it went."""

    path: str
    ports: tuple[int, ...]
    """Of the processes that were tried; the last one answered."""
    status: int
    bytes: int
    """That were sent."""


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
        text = re.sub(r"access_log off;", f"access_log {self._home}/log where;", text)
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
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"{self._scheme}://localhost:{self.port}/"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def landed(self) -> list[Landed]:
        """All requests that have been answered; a socket's when it's closed."""
        lines = (self._home / "log").read_text(encoding="utf-8").splitlines()
        found = (re.fullmatch(r"(\S+) (.*) (\d+) (\d+)", line) for line in lines)
        return [
            Landed(line[1], tuple(map(int, re.findall(r"127\.0\.0\.1:(\d+)", line[2]))), int(line[3]), int(line[4]))
            for line in found
            if line is not None
        ]

    def start(self) -> None:
        self._process = subprocess.Popen([_PROGRAM, "-p", self._home, "-c", self._home / "nginx.conf"])
        patiently(self._answers)

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(PATIENCE)
        shutil.rmtree(self._home)

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self._home / "errors").read_text(encoding="utf-8")
        with socket.socket() as attempt:
            return attempt.connect_ex(("127.0.0.1", self.port)) == 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class Homes:
    """Several servers behind nginx, used like one `Server`."""

    def __init__(
        self, database: str, grace: float | None = None, *, processes: int, options: Sequence[str] = ()
    ) -> None:
        self.servers = [Server(database, grace, options=[*BEHIND_IT, *options]) for _ in range(processes)]
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
    def landed(self) -> list[Landed]:
        assert self.nginx is not None
        return self.nginx.landed

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
