"""Links that friends can open."""

from __future__ import annotations

import pytest
from starlette.datastructures import URL

from chromino.server.http.site_links import site_for
from chromino.server.settings import Settings

PLAIN = Settings("games.sqlite")
AT_HOME = Settings("games.sqlite", network_url="http://192.168.1.20:8075/")
PUBLIC = Settings("games.sqlite", public_url="https://chromino.example/", network_url="http://10.0.0.5/")


@pytest.mark.parametrize(
    ("opened_at", "reach"),
    [
        ("http://127.0.0.1:8075/", "device"),
        ("http://localhost:8075/", "device"),
        ("http://play.localhost/", "device"),
        ("http://[::1]:8075/", "device"),
        ("http://192.168.1.20:8075/", "network"),
        ("http://laptop:8075/", "network"),
        ("http://laptop.local:8075/", "network"),
        ("http://[fd00::1]/", "network"),
        ("https://chromino.example/", "anywhere"),
        ("https://8.8.8.8/", "anywhere"),
    ],
)
def test_a_link_says_who_can_open_it(opened_at: str, reach: str) -> None:
    assert site_for(PLAIN, URL(opened_at)) == (opened_at, reach)


@pytest.mark.parametrize("opened_at", ["http://127.0.0.1:8075/", "http://localhost:8075/"])
def test_links_from_a_host_on_localhost_use_the_network_address(opened_at: str) -> None:
    assert site_for(AT_HOME, URL(opened_at)) == ("http://192.168.1.20:8075/", "network")


def test_an_address_that_others_can_open_is_kept() -> None:
    assert site_for(AT_HOME, URL("http://laptop.local:8075/")) == ("http://laptop.local:8075/", "network")


def test_behind_a_proxy_links_start_with_the_public_url() -> None:
    assert site_for(PUBLIC, URL("http://127.0.0.1:8075/")) == ("https://chromino.example/", "anywhere")


@pytest.mark.parametrize(
    "url", ["chromino.example/", "ftp://chromino.example/", "https://a b/", "https://x.example/\n"]
)
def test_an_invalid_public_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="a public URL must look like"):
        Settings("games.sqlite", public_url=url)
