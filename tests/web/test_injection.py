"""Names, records, links and addresses that try to run a script: they're shown as text, and nothing runs.

Most tests run without the content security policy, so that a script would really run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Dialog, Request, expect

from chromino import Game, Pass, Rules
from tests.evil_names import NAMES
from tests.helpers import more
from tests.server.sites.serving import Client, Json, Server
from tests.web.person import Person

# Names that reverse or hide text, break the line, or can't be seen.
REFUSED = ("A\u202e<b>", "\u2066<script>", "A\u2028<img>", "A\0<svg>", "<br>\n<br>", "\u200b\u200b")
GROUPS = [NAMES[start : start + 8] for start in range(0, len(NAMES), 8)]

# What a page must never contain: elements or attributes that we never create.
FOREIGN = r"""() => {
  const never = ["iframe", "object", "embed", "base", "video", "audio", "math", "style", "image"];
  const picture = /^\/api\/gatherings\/[\w-]+\/link\.svg$/;
  const address = /^(\/(?!\/)|blob:|data:image|#)/;
  const found = [];
  for (const element of document.querySelectorAll("*")) {
    const { localName: name } = element;
    if (never.includes(name)) found.push(name);
    if (name === "script" && element.getAttribute("src") !== "/js/main.js") found.push(name);
    const isEmpty = element.matches("img.qr:not([src])");
    if (name === "img" && !isEmpty && !picture.test(element.getAttribute("src"))) found.push(name);
    for (const { name: key, value } of element.attributes) {
      if (key.startsWith("on") || ["srcdoc", "action", "formaction", "xlink:href"].includes(key)) found.push(key);
      if (["href", "src"].includes(key) && !address.test(value)) found.push(`${key}=${value}`);
    }
  }
  if (globalThis.ran !== undefined) found.push("a script ran");
  return [...found, ...globalThis.violations];
}"""


class Target(Person):
    """Someone whose page is watched: dialogs, requests to other sites, and policy violations."""

    def __init__(self, browser: Browser, server: Server, **choices: Any) -> None:
        super().__init__(browser, server, **choices)
        self.strays: list[str] = []
        self.page.on("dialog", self._on_dialog)
        self.context.on("request", self._on_request)
        self.page.add_init_script(
            """globalThis.violations = [];
            addEventListener("securitypolicyviolation", (event) =>
              globalThis.violations.push(`${event.violatedDirective} ${event.blockedURI}`));"""
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.context.remove_listener("request", self._on_request)
        super().__exit__(kind, error, trace)

    def _on_dialog(self, dialog: Dialog) -> None:
        self.strays.append(dialog.message)
        dialog.dismiss()

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((self.url, "data:image/", "blob:" + self.url)):
            self.strays.append(request.url)

    def assert_clean(self) -> None:
        """Check that nothing ran and nothing foreign is there, after two frames that give injected scripts time."""
        self.page.evaluate("async () => { for (const _ of [1, 2]) await new Promise(requestAnimationFrame); }")
        assert self.page.evaluate(FOREIGN) == []
        assert self.strays == []
        assert self.page.url.startswith(self.url)


@pytest.fixture
def bare(browser: Browser, server: Server) -> Iterator[Target]:
    """Someone without the policy, so that injected scripts would run."""
    with Target(browser, server, bypass_csp=True) as target:
        yield target


@pytest.fixture
def guarded(browser: Browser, server: Server) -> Iterator[Target]:
    """Someone with the policy, as in any browser."""
    with Target(browser, server) as target:
        yield target


def played(names: tuple[str, ...], events: int = 10_000) -> Game:
    """A game between these people after this many events, or to its end, including automatic actions."""
    game = Game.start(Rules.preset("expert", hand_size=3), names, seed=7, first=0)
    while not game.over and (len(game.log) < events or game.actions() == [Pass()]):
        game = game.apply(game.actions()[0])
    return game


def texts(target: Target, selector: str) -> list[str]:
    """The text of these elements, without the whitespace around it."""
    found: list[str] = target.page.locator(selector).evaluate_all("all => all.map((each) => each.textContent.trim())")
    return found


def see_a_table(target: Target, names: tuple[str, ...]) -> None:
    """A game in progress: seats, the log, and the curtain."""
    game = played(names, events=2 * len(names))  # Drawing before placing takes two events.
    target.show(game)
    assert texts(target, ".seat-name") == list(names)
    log = " ".join(texts(target, ".log > li"))
    assert all(name in log for name in names)
    assert len(names) == 1 or names[game.seat] in (target.page.locator(".curtain p").text_content() or "")
    target.assert_clean()


def see_the_end(target: Target, names: tuple[str, ...]) -> None:
    """A finished game: the result, its replay, and the list of games."""
    game = played(names)
    target.show(game)
    target.page.get_by_role("button", name="Show the result").click()
    assert sorted(texts(target, "dialog .final-name")) == sorted(names)
    assert all(names[seat] in (target.page.locator("dialog.ending").text_content() or "") for seat in game.winners)
    target.assert_clean()
    target.go("replay/" + target.page.url.rpartition("/")[2])
    target.page.locator(".viewer").wait_for()
    assert texts(target, ".final-name") == list(names)
    target.assert_clean()
    target.go("games")
    target.page.locator(".game-list").first.wait_for()
    assert all(name in "".join(texts(target, ".game-list strong")) for name in names)
    target.assert_clean()


def test_names_in_a_game_are_text(bare: Target) -> None:
    for names in GROUPS:
        see_a_table(bare, names)


@pytest.mark.parametrize("names", [NAMES[3:11], more(NAMES[30:38])], ids=["markup", "templates"])
def test_names_in_results_replays_and_lists_are_text(names: tuple[str, ...], bare: Target) -> None:
    see_the_end(bare, names)


@pytest.mark.long
def test_hostile_names_do_not_trigger_the_policy(guarded: Target) -> None:
    see_a_table(guarded, NAMES[3:11])
    see_the_end(guarded, NAMES[22:30])


def chairs_of(names: tuple[str, ...]) -> list[Json]:
    seats = [{"kind": "here" if number else "me", "name": name} for number, name in enumerate(names)]
    return [*seats[:7], {"kind": "free"}]


def open_table(target: Target, names: tuple[str, ...]) -> str:
    table = {"chairs": chairs_of(names), "public": True}
    answer = target.context.request.post(target.url + "api/gatherings", data=table)
    assert answer.status == 201, answer.text()
    opened: str = answer.json()["game"]
    return opened


def test_names_before_a_game_are_text(bare: Target, browser: Browser, server: Server) -> None:
    """They're seen by the host, who can remove anyone, by a guest, and in the lobby."""
    tables = {
        open_table(bare, names): names for names in (NAMES[start : start + 7] for start in range(0, len(NAMES), 7))
    }
    with Target(browser, server) as guest:
        for person, shown in ((bare, list(tables)), (guest, list(tables)[:2])):
            for table in shown:
                person.go(f"join/{table}")
                expect(person.page.locator(".chair")).to_have_count(len(tables[table]) + 1)
                assert texts(person, ".chair-name")[:-1] == list(tables[table])
                person.assert_clean()
    for names in tables.values():  # The lobby shows only a few tables per host.
        Client(server.url).gather(*chairs_of(names), public=True)
    bare.go("lobby")
    bare.page.locator(".game-list").wait_for()
    lines = " ".join(texts(bare, ".game-list strong"))
    assert all(name in lines for name in NAMES)
    bare.assert_clean()


def test_someone_with_a_hostile_name_is_announced_as_text(bare: Target, browser: Browser, server: Server) -> None:
    """The name is typed into the page, and the browser remembers it."""
    name = "<img src=x onerror=ran=1> {name} $&"
    table = open_table(bare, ("Ada",))
    with Target(browser, server, bypass_csp=True) as guest:
        bare.go(f"join/{table}")
        bare.page.locator(".chair").nth(1).wait_for()
        guest.go(f"join/{table}")
        guest.page.get_by_label("Your name").fill(name)
        guest.page.get_by_role("button", name="Join").click()
        expect(bare.page.locator(".chair-name").nth(1)).to_have_text(name)
        assert name in (bare.page.locator("#announcements").text_content() or "")
        guest.go("new")
        expect(guest.page.get_by_label("Name for seat 1")).to_have_value(name)
        guest.assert_clean()
        bare.assert_clean()


@pytest.mark.parametrize("name", REFUSED, ids=ascii)
def test_names_that_reverse_or_hide_text_are_refused(name: str, person: Person) -> None:
    for path, seats in (("games", "seats"), ("gatherings", "chairs")):
        answer = person.context.request.post(f"{person.url}api/{path}", data={seats: [{"kind": "me", "name": name}]})
        assert (answer.status, answer.json()["code"]) == (400, "bad-name")


# Records from a file.


def load(target: Target, text: str, folder: Path) -> None:
    path = folder / f"{sha256(text.encode()).hexdigest()}.jsonl"
    path.write_text(text, encoding="utf-8")
    target.page.locator("input[type=file]").set_input_files(path)


@pytest.mark.long
def test_names_in_a_record_from_a_file_are_text(bare: Target, tmp_path: Path) -> None:
    bare.go("replay")
    for names in (*GROUPS, ("<img src=x onerror=ran=1>" * 500, "W" * 5000)):  # A record can have longer names.
        load(bare, str(played(names).record), tmp_path)
        expect(bare.page.locator(".final-name").first).to_have_text(names[0])
        assert texts(bare, ".final-name") == list(names)
        bare.page.get_by_role("button", name="Check the deal").click()
        bare.assert_clean()


def test_a_refused_record_runs_nothing(bare: Target, tmp_path: Path) -> None:
    header, *events = [json.loads(line) for line in str(played(("Ada", "Bob")).record).splitlines()]
    attack = "<img src=x onerror=ran=1><svg onload=ran=1>"
    records: list[list[Any]] = [
        [{**header, "rules": {**header["rules"], attack: 1}}],
        [{**header, "rules": {**header["rules"], "joining": attack}}],
        [{**header, "players": ["A\u202e" + attack[:20], "Bob"]}],
        [{**header, "start": {**header["start"], "seed": attack}}],
        [{**header, "start": {**header["start"], "bag": attack}}],
        [header, {**events[0], "place": attack}],
        [header, {**events[0], attack: attack}],
        [attack],
    ]
    for record in records:
        bare.go("replay")
        load(bare, "\n".join(json.dumps(line) for line in record), tmp_path)
        expect(bare.page.get_by_role("alert").filter(has_text="We can’t replay this file")).to_be_visible()
        bare.assert_clean()
    bare.errors.clear()  # The browser logs each 400.


# Links and addresses.

ATTACK = """'"><img src=x onerror=ran=1><svg onload=ran=1></script><script>ran=1</script>"""
ADDRESSES = (
    "conundrum?t={}",
    "conundrum?t=Y*R@0,0> {} ? YBR",
    "conundrum?t=Y*R@0,0> ? YBR&{}#{}",
    "conundrum?t=javascript:ran=1#javascript:ran=1",
    "conundrum/2026-11-15/1?{}#{}",
    "conundrum/{}/1",
    "conundrums/make?{}#{}",
    "conundrums/print#{}",
    "replay?{}#{}",
    "replay/{}#{}",
    "new?{}#{}",
    "new?__proto__",
    "game/{}",
    "game/__proto__?{}#{}",
    "join/{}",
    "join/constructor#{}",
    "lobby?{}#{}",
    "?{}#{}",
    "{}",
    "/evil.test/{}",
)


def test_nothing_in_an_address_runs(bare: Target) -> None:
    for address in ADDRESSES:
        written = ATTACK if "?" in address or "#" in address else quote(ATTACK, safe="")
        bare.page.goto(bare.url + address.replace("{}", written))
        bare.page.locator("#app h1, #app .problem, #app .seat").first.wait_for()
        bare.assert_clean()
    bare.errors = [error for error in bare.errors if not re.search(r"status of 4\d\d|WebSocket", error)]


def test_stored_data_is_text_too(bare: Target) -> None:
    """Settings that another page at this address, or an earlier version, may have written."""
    attack = "<img src=x onerror=ran=1>"
    bare.go()
    seats = [{"kind": "me", "name": attack}, {"kind": "bot", "name": attack, "level": 1}]
    bare.prefer(name=attack, language=attack, theme=attack, setup={"seats": seats, "rules": {attack: attack}})
    for path in ("", "new", "new?together"):
        bare.go(path)
        bare.page.locator("#app h1").first.wait_for()
        bare.assert_clean()
    bare.errors = [error for error in bare.errors if not re.search(r"status of 4\d\d", error)]


# Would these tests notice an attack?


@pytest.mark.parametrize("attack", ["<img src=x onerror=ran=1>", "<svg onload=ran=1>", "<iframe srcdoc=x>"])
def test_a_script_would_be_noticed(attack: str, bare: Target) -> None:
    bare.go()
    bare.page.locator("h1").evaluate("(element, attack) => { element.innerHTML = attack; }", attack)
    with pytest.raises(AssertionError):
        bare.assert_clean()
    bare.page.goto("about:blank")  # By then, everything the browser logs about it has arrived.
    bare.errors.clear()
    bare.strays.clear()


def test_the_policy_would_stop_and_report_a_script(guarded: Target) -> None:
    guarded.go()
    guarded.page.locator("h1").evaluate("(element) => { element.innerHTML = '<img src=data:, onerror=ran=1>'; }")
    guarded.page.wait_for_function("() => globalThis.violations.length > 0")
    assert guarded.page.evaluate("() => globalThis.ran === undefined")
    guarded.errors.clear()
