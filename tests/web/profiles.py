"""Browser profiles that are reused: reusing an open page takes a third of the time of opening a new one.

An open page's process is running and has compiled our scripts. A test's routes, scripts and listeners are undone. If a
test changed something that can't be undone, its page is closed (for WebSocket routes) or its whole profile (for
permissions).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

_PATIENCE = 60_000  # In milliseconds. Anything that takes longer is broken, even if both cores are busy.

# Choices that can still be changed in an open page; all others belong to a profile.
_PAGE_CHOICES = ("color_scheme", "forced_colors", "reduced_motion", "viewport")

# These are undone by closing what they return.
_CLOSED = ("add_init_script", "route")

# What can't be undone.
_IRREVERSIBLE = (
    "expose_binding",
    "expose_function",
    "grant_permissions",
    "once",
    "route_from_har",
    "route_web_socket",
    "set_extra_http_headers",
)


def launch(playwright: Playwright) -> Browser:
    """Launch Debian's Chromium without windows, which would cost more than our page, and without its own requests."""
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    flags += [
        "--in-process-gpu",
        "--enable-features=NetworkServiceInProcess2",
        "--process-per-site",
    ]  # Fewer processes.
    return playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=flags)


class Changes:
    """Notices what a test changes about a page or a profile, and undoes it."""

    def __init__(self, place: BrowserContext | Page) -> None:
        self._is_irreversible = False
        self._to_close: list[Any] = []
        self._listeners: list[tuple[Any, ...]] = []
        self._remove_listener = place.remove_listener
        for name in _CLOSED:
            setattr(place, name, _then(getattr(place, name), self._close_later))
        for name in _IRREVERSIBLE:
            if hasattr(place, name):
                setattr(place, name, _then(getattr(place, name), self.mark_irreversible))
        for name, note in (("on", self._listeners.append), ("remove_listener", self._listeners.remove)):
            setattr(place, name, _then(getattr(place, name), lambda _result, *arguments, note=note: note(arguments)))

    def _close_later(self, result: Any, *_arguments: Any) -> None:
        self._to_close.append(result)

    def mark_irreversible(self, *_arguments: Any) -> None:
        self._is_irreversible = True

    def undo(self) -> bool:
        """Undo everything; returns whether that was possible."""
        for arguments in self._listeners:
            self._remove_listener(*arguments)
        self._listeners.clear()
        while self._to_close:
            self._to_close.pop().close()
        return not self._is_irreversible


def _then(first: Callable[..., Any], then: Callable[..., None]) -> Callable[..., Any]:
    def both(*arguments: Any, **named: Any) -> Any:
        result = first(*arguments, **named)
        then(result, *arguments)
        return result

    return both


class Profile:
    """A browser context and its page."""

    def __init__(self, browser: Browser, choices: dict[str, Any]) -> None:
        self.context = browser.new_context(**choices)
        self.context.set_default_timeout(_PATIENCE)
        expect.set_options(timeout=_PATIENCE)
        self._changes = Changes(self.context)
        self.context.clock.install = _then(self.context.clock.install, self._changes.mark_irreversible)  # type: ignore[method-assign]
        self._open()

    def _open(self) -> None:
        self.page = self.context.new_page()
        self._page_changes = Changes(self.page)
        self._session = self.context.new_cdp_session(self.page)

    def prepare(self, choices: dict[str, Any], origin: str) -> None:
        """Reset the profile for someone with these page settings."""
        if self.page.is_closed():
            self._open()
        self.page.set_viewport_size(choices["viewport"])
        self.page.emulate_media(
            media="null",
            color_scheme=choices.get("color_scheme", "light"),
            forced_colors=choices.get("forced_colors", "none"),
            reduced_motion=choices.get("reduced_motion", "no-preference"),
        )
        self._session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})

    def leave(self) -> bool:
        """Remove what a test left behind; returns whether the page can be reused."""
        if not self._changes.undo():
            self.context.close()
            return False
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        if not self.page.is_closed():
            self.page.mouse.move(0, 0)
            self.page.goto("about:blank")
            if not self._page_changes.undo():
                self.page.close()
        self.context.clear_cookies()
        self.context.set_offline(False)
        return True


class Profiles:
    """The profiles of one browser that aren't in use right now."""

    _all: ClassVar[WeakKeyDictionary[Browser, Profiles]] = WeakKeyDictionary()

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Profile]] = {}

    @classmethod
    def of(cls, browser: Browser) -> Profiles:
        return cls._all.setdefault(browser, cls(browser))

    def take(self, choices: dict[str, Any], origin: str) -> Profile:
        free = self._free.get(_key(choices))
        profile = free.pop() if free else Profile(self._browser, choices)
        profile.prepare(choices, origin)
        return profile

    def give_back(self, profile: Profile, choices: dict[str, Any]) -> None:
        if profile.leave():
            self._free.setdefault(_key(choices), []).append(profile)


def _key(choices: dict[str, Any]) -> str:
    """The choices that belong to a profile, as text. Profiles with the same key are interchangeable."""
    return repr(sorted((name, value) for name, value in choices.items() if name not in _PAGE_CHOICES))
