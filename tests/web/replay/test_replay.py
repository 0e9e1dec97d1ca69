"""Replays match the game move by move, and have links to moves, downloads, and a check of the deal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from chromino import Game, Placed, Record, Rules
from tests.server.sites.serving import Server
from tests.web.person import SNAIL, TO_THE_END, Person

# What a replay shows after each press of its button, collected in the page with one call.
STEP_THROUGH = """moments => {
  const button = document.querySelector('[aria-label="Next move"]');
  const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
  return Array.from({ length: moments }, (_, number) => {
    if (number) button.click();
    return {
      table: all(".drawing > g:first-child > .tile", (tile) => tile.dataset.key),
      hands: all(".final > li", (line) =>
        [...line.querySelectorAll("[data-colors]")].map((tile) => tile.dataset.colors)),
      facts: all(".final-facts", (facts) => facts.textContent),
    };
  });
}"""


def finished(seed: int = 7) -> Game:
    game = Game.start(Rules.expert(), ["Ada", "Bob"], seed=seed)
    while not game.over:
        game = game.apply(game.actions()[0])
    return game


def load(person: Person, text: str, folder: Path) -> None:
    path = folder / "game.jsonl"
    path.write_text(text, encoding="utf-8")
    person.go("replay")
    person.page.locator("input[type=file]").set_input_files(path)


def test_every_move_of_a_replay_matches_the_game(person: Person) -> None:
    game = person.start(rules={"scoring": "expert"}, played=TO_THE_END)
    person.page.get_by_role("button", name="Show the result").click()
    person.ending.get_by_role("button", name="More").click()
    person.page.get_by_role("button", name="Replay").click()
    expect(person.page).to_have_url(re.compile(f"/replay/{game}"))
    record = person.context.request.get(f"{person.url}api/games/{game}/record").text()
    expect(person.page.locator(".viewer")).to_be_visible()
    replayed = Game.dealt(*(lambda r: (r.rules, r.players, r.deal))(Record.parse(record)))
    person.page.get_by_role("button", name="First move").click()
    events = [None, *Record.parse(record).events]
    for event, shown in zip(events, person.page.evaluate(STEP_THROUGH, len(events)), strict=True):
        if event is not None:
            replayed = replayed.apply(event.action)
        assert shown["table"] == str(replayed.table).split()
        for seat in range(2):
            assert sorted(shown["hands"][seat]) == sorted(map(str, replayed.hand(seat)))
            assert shown["facts"][seat].startswith(str(replayed.earned[seat]))
    person.page.get_by_role("button", name="Check the deal").click()
    status = person.page.locator(".extras [role=status]")
    expect(status).to_contain_text("The deal checks out")
    expect(status).to_contain_text(person.state(game)["seed_hash"])
    expect(person.page.locator(".deal-check")).to_have_text(
        "The server dealt this game on its own, so you have to trust that the deal was fair."
    )


def test_a_replay_of_your_game_talks_to_you(browser: Browser, server: Server) -> None:
    with Person(browser, server, locale="ca") as person:
        game = person.start({"kind": "me", "name": "Lloc 1"}, SNAIL, played=TO_THE_END)
        me = person.state(game)["view"]["me"]
        mine = next(number for number, event in enumerate(person.state(game)["view"]["log"], 1) if event["seat"] == me)
        person.go(f"replay/{game}#{mine}")
        expect(person.page.locator(".viewer .status")).to_have_text(re.compile("^Has (col·locat|agafat|passat)"))


def test_a_replay_starts_at_the_start_and_fits_the_final_table(person: Person, tmp_path: Path) -> None:
    load(person, str(finished().record), tmp_path)
    expect(person.page).to_have_url(re.compile("/replay#0$"))
    expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(1)
    camera = person.page.locator(".world").get_attribute("style")
    person.page.get_by_role("button", name="Last move").click()
    expect(person.page).not_to_have_url(re.compile("#0$"))
    assert person.page.locator(".world").get_attribute("style") == camera
    for tile in person.page.locator(".drawing > g:first-child > .tile").all()[::7]:
        expect(tile).to_be_in_viewport(ratio=0.99)


def test_a_file_can_be_dropped_and_its_field_matches_our_design(person: Person) -> None:
    person.go("replay")
    transfer = person.page.evaluate_handle(
        """text => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([text], "game.jsonl"));
          return transfer;
        }""",
        str(finished().record),
    )
    person.page.locator("h1").dispatch_event("dragover", {"dataTransfer": transfer})
    expect(person.page.locator(".dropping .drop")).to_be_visible()
    person.page.locator("h1").dispatch_event("drop", {"dataTransfer": transfer})
    expect(person.page.locator(".viewer")).to_be_visible()
    expect(person.page.locator(".dropping")).to_have_count(0)
    field = person.page.get_by_label("Open a game record")
    assert field.evaluate("field => field.offsetWidth") == 1  # What you see is the label.
    field.focus()
    person.page.keyboard.press("Tab")
    person.page.keyboard.press("Shift+Tab")
    expect(field).to_be_focused()
    assert person.page.locator(".drop").evaluate("label => getComputedStyle(label).outlineStyle") == "solid"


def test_a_link_leads_to_a_move_and_keys_step_through_the_game(person: Person, tmp_path: Path) -> None:
    game = finished()
    load(person, str(game.record), tmp_path)
    person.page.keyboard.press("Tab")
    person.page.locator("h1").click()
    last = len(game.log)
    expect(person.page).to_have_url(re.compile("#0$"))
    person.page.keyboard.press("End")
    expect(person.page).to_have_url(re.compile(f"#{last}$"))
    person.page.keyboard.press("ArrowLeft")
    expect(person.page).to_have_url(re.compile(f"#{last - 1}$"))
    person.page.keyboard.press("Home")
    expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(1)
    person.page.evaluate("location.hash = '#5'")
    placed = sum(isinstance(event, Placed) for event in game.log[:5])
    expect(person.page.locator(".drawing > g:first-child > .tile")).to_have_count(1 + placed)
    person.page.get_by_role("button", name="Play", exact=True).click()
    expect(person.page).to_have_url(re.compile("#6$"))
    person.page.get_by_role("button", name="Pause").click()


def test_the_table_and_the_record_can_be_saved(person: Person, tmp_path: Path) -> None:
    game = finished()
    load(person, str(game.record), tmp_path)
    kept = {"Table as SVG": b"<svg", "Table as PNG": b"\x89PNG", "Download": b'{"chromino"'}
    for name, beginning in kept.items():
        role = "link" if name == "Download" else "button"
        with person.page.expect_download() as download:
            person.page.get_by_role(role, name=name).click()  # type: ignore[arg-type]
        assert Path(download.value.path()).read_bytes().startswith(beginning)


@pytest.mark.parametrize("what", ["a swapped tile", "another seed", "an illegal move", "no record"])
def test_a_tampered_record_is_detected(person: Person, tmp_path: Path, what: str) -> None:
    header, *events = [json.loads(line) for line in str(finished().record).splitlines()]
    if what == "a swapped tile":
        hands = header["start"]["hands"]
        hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    elif what == "another seed":
        header["start"]["seed"] = "8"
    elif what == "an illegal move":
        events[0]["place"] = "RRR@90,90>"
    text = "".join(json.dumps(line) + "\n" for line in [header, *events]) if what != "no record" else "hello"
    load(person, text, tmp_path)
    expect(person.page.get_by_role("alert").filter(has_text="We can’t replay this file")).to_be_visible()
    person.errors.clear()  # The browser logs the 400.
