"""`deploy/site` sets up a public site with one command.

Scripts replace the machine's own programs, since there's no systemd here, and the certificate is from our own CA.
PostgreSQL, nginx, the servers and their settings are real.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.server.sites.nginx import Nginx
from tests.server.sites.postgres import Postgres
from tests.server.sites.serving import PATIENCE, Client, Server

DEPLOY = Path(__file__).parents[3] / "deploy"
DOMAIN = "chromino.test"
FAKE_PROGRAMS = {
    "apt-get": "",
    "systemctl": 'echo "$@" >> "$DESTDIR/systemctl"',
    "python3": 'mkdir -p "$3/bin" && ln -sf /bin/true "$3/bin/pip"',
    "runuser": 'shift 3 && exec "$@"',
    "certbot": 'live="$DESTDIR/etc/letsencrypt/live"; mkdir -p "$live" && cp -r "$DESTDIR/ca" "$live/chromino.test"',
}
"""The scripts that replace these programs."""


def make_certificate(folder: Path) -> Path:
    """Make a CA in `folder`, and a certificate it has signed, named as by certbot; returns the CA's own certificate."""
    folder.mkdir()
    names = f"subjectAltName=DNS:{DOMAIN},DNS:localhost"
    new = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj"
    for more in (
        "/CN=CA -keyout ca.key -out ca.pem",
        f"/CN={DOMAIN} -addext {names} -addext basicConstraints=critical,CA:FALSE -CA ca.pem -CAkey ca.key "
        "-keyout privkey.pem -out fullchain.pem",
    ):
        subprocess.run([*new.split(), *more.split()], cwd=folder, check=True, capture_output=True)
    return folder / "ca.pem"


@pytest.fixture
def machine(tmp_path: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a machine with nginx and PostgreSQL."""
    root = tmp_path / "root"
    for folder in ("bin", "etc/systemd/system", "etc/nginx/modules-enabled", "etc/nginx/sites-enabled"):
        (root / folder).mkdir(parents=True)
    shutil.copy("/etc/nginx/nginx.conf", root / "etc/nginx/nginx.conf")
    for name, script in FAKE_PROGRAMS.items():
        (root / "bin" / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (root / "bin" / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{root / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("DESTDIR", str(root))
    monkeypatch.setenv("PROCESSES", "2")
    for name, value in {
        "HOST": "127.0.0.1",
        "PORT": str(postgres.port),
        "USER": "chromino",
        "DATABASE": "postgres",
    }.items():
        monkeypatch.setenv(f"PG{name}", value)
    monkeypatch.setenv("SSL_CERT_FILE", str(make_certificate(root / "ca")))
    return root


@pytest.mark.long
def test_one_command_sets_up_a_public_site(machine: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):  # The second run updates the site.
        result = subprocess.run([DEPLOY / "site", DOMAIN], check=True, capture_output=True, text=True, timeout=PATIENCE)
        assert result.stdout == f"Chromino is at https://{DOMAIN}/\n"
    actions = (machine / "systemctl").read_text(encoding="utf-8").splitlines()
    assert actions[-6:] == [
        "daemon-reload",
        *(f"{action} chromino@{port}" for port in (8075, 8076) for action in ("enable --quiet", "restart")),
        "reload-or-restart nginx",
    ]

    settings = machine / "etc" / "chromino.env"
    assert settings.stat().st_mode & 0o777 == 0o600
    chosen = dict(line.split("=", 1) for line in settings.read_text(encoding="utf-8").splitlines())
    unit = (machine / "etc/systemd/system/chromino@.service").read_text(encoding="utf-8")
    chosen = dict(re.findall(r"^Environment=(\w+)=(.*)", unit, re.MULTILINE)) | chosen
    assert re.search(r"^ExecStart=\S+/chromino serve --no-open --port %i$", unit, re.MULTILINE)
    for name in ("CHROMINO_PROXIES", "CHROMINO_LOG"):
        monkeypatch.setenv(name, chosen[name])

    with ExitStack() as stack:
        ready = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        ready.bind(str(machine / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(machine / "notify"))
        database = chosen["CHROMINO_DATABASE"].replace("@127.0.0.1/", f"@127.0.0.1:{postgres.port}/")
        servers = [stack.enter_context(Server(database)) for _ in range(2)]
        assert [ready.recv(100) for _ in servers] == [b"READY=1"] * 2

        live = machine / "etc" / "letsencrypt" / "live" / DOMAIN
        site = (machine / "etc/nginx/sites-enabled/chromino").read_text(encoding="utf-8")
        assert site.count(DOMAIN) == 4
        assert re.findall(r"server 127\.0\.0\.1:(\d+)", site) == ["8075", "8076"]
        ports = [server.port for server in servers]
        nginx = stack.enter_context(Nginx(ports, (live / "fullchain.pem", live / "privkey.pem"), site))
        ada = Client(nginx.url)
        assert ada.get("/").headers["Strict-Transport-Security"]
        with ada.open(ada.new_game()) as socket_of_ada:
            assert socket_of_ada.play_on()["view"]["over"]
        cookie = Client(nginx.url).post("/api/games", {"seats": [{"kind": "me", "name": "Bob"}]}).headers["Set-Cookie"]
        assert "Secure" in cookie  # The server knows from the proxy that it's behind TLS.
        plain = Client(f"http://localhost:{nginx.plain_port}/").get("/learn?step=2")
        assert (plain.status, plain.headers["Location"]) == (301, "https://localhost/learn?step=2")


@pytest.mark.long
def test_a_site_needs_a_domain(machine: Path) -> None:
    result = subprocess.run([DEPLOY / "site"], check=False, capture_output=True, text=True)
    assert (result.returncode, list(machine.glob("etc/chromino.env"))) == (2, [])
    assert "Usage" in result.stderr
