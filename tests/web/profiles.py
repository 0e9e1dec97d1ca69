"""Browser profiles that are reused: an open page costs a third of a new one.

Its process runs, and has compiled our scripts. What a test changes for good (a route, a script, a listener that stays)
makes its page unfit for others; then it's closed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

_PATIENCE = 60_000  # Milliseconds: whatever takes longer is broken, even where both cores are busy.

# What an open page can still change; all other choices are those of a profile.
_OF_A_PAGE = ("color_scheme", "forced_colors", "reduced_motion", "viewport")

# What can't be undone.
_FOR_GOOD = (
    "add_init_script",
    "expose_binding",
    "expose_function",
    "grant_permissions",
    "once",
    "route",
    "route_from_har",
    "route_web_socket",
    "set_extra_http_headers",
)


def launch(playwright: Playwright) -> Browser:
    """Debian's Chromium without windows of its own, which cost more than our page; it asks nobody for anything."""
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    flags += [
        "--in-process-gpu",
        "--enable-features=NetworkServiceInProcess2",
        "--process-per-site",
    ]  # Fewer processes.
    return playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=flags)


class Changes:
    """Notices what a test permanently changes about a page or a profile."""

    def __init__(self, place: BrowserContext | Page) -> None:
        self._some = False
        self._listeners = 0
        for name in _FOR_GOOD:
            if hasattr(place, name):
                setattr(place, name, _after(self._note, getattr(place, name)))
        for name, number in (("on", 1), ("remove_listener", -1)):
            setattr(place, name, _after(partial(self._note, number), getattr(place, name)))

    def __bool__(self) -> bool:
        return self._some or self._listeners > 0

    def _note(self, listeners: int = 0) -> None:
        self._some |= not listeners
        self._listeners += listeners


def _after(first: Callable[[], None], then: Callable[..., Any]) -> Callable[..., Any]:
    def both(*words: Any, **named: Any) -> Any:
        first()
        return then(*words, **named)

    return both


class Profile:
    """A browser context and its page."""

    def __init__(self, browser: Browser, choices: dict[str, Any]) -> None:
        self.context = browser.new_context(**choices)
        self.context.set_default_timeout(_PATIENCE)
        expect.set_options(timeout=_PATIENCE)
        self._changes = Changes(self.context)
        self._open()

    def _open(self) -> None:
        self.page = self.context.new_page()
        self._page_changes = Changes(self.page)
        self._session = self.context.new_cdp_session(self.page)

    def prepare(self, choices: dict[str, Any], origin: str) -> None:
        """Reset it, for someone with these settings of the page."""
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
        if self._changes:
            self.context.close()
            return False
        for page in self.context.pages:
            if page is not self.page or self._page_changes:
                page.close()
        if not self.page.is_closed():
            self.page.mouse.move(0, 0)
            self.page.goto("about:blank")
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
        free = self._free.get(_lasting(choices))
        profile = free.pop() if free else Profile(self._browser, choices)
        profile.prepare(choices, origin)
        return profile

    def give_back(self, profile: Profile, choices: dict[str, Any]) -> None:
        if profile.leave():
            self._free.setdefault(_lasting(choices), []).append(profile)


def _lasting(choices: dict[str, Any]) -> str:
    return repr(sorted((name, value) for name, value in choices.items() if name not in _OF_A_PAGE))
