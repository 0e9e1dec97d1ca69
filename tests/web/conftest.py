"""One server and one Chromium per test process; each test has its own browser profile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.server.sites.in_process import CachedFiles, InProcessServer
from tests.server.sites.serving import Server
from tests.web.person import Person, launch


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a browser, in one place."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("web")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    with InProcessServer(tmp_path_factory.mktemp("web") / "games.sqlite", wrapped_in=CachedFiles) as server:
        yield server
        assert "Traceback" not in server.errors


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A browser that's closed before other tests run in this process: Playwright leaves an event loop in its thread."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def person(browser: Browser, server: InProcessServer) -> Iterator[Person]:
    """Someone at a desktop computer."""
    with Person(browser, server) as person:
        yield person


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[InProcessServer]:
    """A server on which nobody has played yet."""
    with InProcessServer(tmp_path / "games.sqlite", wrapped_in=CachedFiles) as server:
        yield server
        assert "Traceback" not in server.errors


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may stop and start."""
    with Server(tmp_path / "games.sqlite") as server:
        yield server
