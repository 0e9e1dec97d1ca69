"""Friends with a link, each with a browser: sitting down, playing, going away and coming back, phrases."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import cast

import pytest
from playwright.sync_api import Browser, Response, Route, WebSocket, expect

from chromino import Drew, Game, Placed, Record, Rules
from chromino.rules import CHOICES
from tests.server.sample_games import finished
from tests.server.sites.in_process import CachedFiles, InProcessServer
from tests.server.sites.serving import Client, Server
from tests.web.friends import FREE, begin, gather, join, play_to_the_end
from tests.web.person import SHORT, SNAIL, Person


@pytest.fixture(scope="module")
def quick_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    """A server that doesn't wait long for people who are away."""
    database = tmp_path_factory.mktemp("quick") / "games.sqlite"
    with InProcessServer(database, grace=2.0, wrapped_in=CachedFiles) as server:
        yield server
        assert "Traceback" not in server.errors


def play_on(*people: Person, most: int = 10_000) -> None:
    """The people in the first seats play until the game is over, or for this many actions."""
    latest = people[0]  # The page of the last person to act knows best whose turn it is.
    done = 0
    while done < most:
        seat = latest.seat_to_act(len(people))
        if seat is None:
            return
        if people[seat].can_act(seat):
            latest = people[seat]
            latest.play("roles", most=1)
            done += 1


def test_two_friends_meet_through_a_link(browser: Browser, server: Server) -> None:
    with Person(browser, server) as ada, Person(browser, server, locale="fr") as bob:
        copy = ada.page.get_by_role("button", name="Copy link")
        could_copy_early: list[bool] = []

        def answer(route: Route) -> None:
            could_copy_early.append(copy.is_enabled())
            route.continue_()

        ada.page.route("**/link", answer, times=1)
        ada.go()
        ada.page.get_by_role("button", name="Play with friends").click()
        copy.click()  # Two taps from home to a link.
        expect(ada.page.get_by_text("Link copied.")).to_be_visible()
        expect(ada.page.get_by_role("img", name="QR code")).to_be_visible()
        link = ada.page.get_by_label("Link to this table").input_value()
        assert link.startswith("http")
        assert could_copy_early == [False]  # There was nothing to copy before the server's answer.
        ada.page.get_by_label("Your name").fill("Ada")
        ada.page.get_by_label("Your name").blur()  # The name is saved without a button.
        expect(ada.page.locator(".chair").first).to_contain_text("Ada")
        ada.page.get_by_text("Options", exact=True).click()
        ada.page.get_by_text("More options").click()
        ada.page.get_by_label("Hand size").select_option(index=0)
        ada.page.get_by_role("switch", name="Bots pause before they play").click()
        bob.page.goto(link)
        expect(bob.page.get_by_role("heading", name="Ada t’invite")).to_be_visible()
        chosen = bob.page.locator(".rules-summary")  # All choices, before he sits down.
        expect(chosen.locator("dd")).to_have_count(len(CHOICES) + 4)  # And time, spectators, latecomers, aids.
        expect(chosen.locator(".unusual")).to_have_text("4 chrominos par personne")
        bob.page.get_by_label("Ton nom").fill("Bob")
        bob.page.locator(".sit [type=submit]").click()
        expect(bob.page.get_by_text("On attend Ada pour commencer")).to_be_visible()
        expect(ada.page.locator(".chair", has_text="Bob")).to_be_visible()
        ada.page.get_by_role("button", name="Start", exact=True).click()
        expect(bob.page.locator("chromino-table .tile").first).to_be_attached()
        expect(ada.page.locator(".seat")).to_have_count(2)
        ada.page.get_by_role("button", name="Say something").click()
        ada.page.get_by_role("button", name="Good luck!").click()
        expect(bob.page.locator(".bubble")).to_contain_text("chance")
        expect(bob.page.locator("body > .bubble")).to_have_count(0)  # It goes when the page goes.
        bob.prefer(language="en")
        bob.page.reload()
        play_on(ada, bob, most=3)
        play_to_the_end(ada, bob)
        expect(ada.ending).to_be_visible()
        expect(bob.ending).to_be_visible()
        before = bob.page.url
        ada.page.get_by_role("button", name="Play again").click()
        bob.page.get_by_role("button", name="Accept the rematch").click()
        expect(bob.page).not_to_have_url(before)
        expect(bob.page).to_have_url(re.compile("/game/"))  # The game starts once both have contributed to the deal.
        expect(ada.page).to_have_url(bob.page.url)


def test_a_rematch_is_seen_on_any_page_and_declined_kindly(browser: Browser, server: Server) -> None:
    with Person(browser, server) as ada, Person(browser, server) as bob:
        game, other = ada.have_with_another(finished(seed=3))
        bob.be(other.secret or "")
        ada.go(f"game/{game}")
        ada.page.get_by_role("button", name="Show the result").click()
        ada.page.get_by_role("button", name="Play again").click()
        expect(ada.page.get_by_text("Waiting for Bob to accept.")).to_be_visible()
        bob.go(f"replay/{game}")
        offer = bob.page.get_by_role("region", name="Ada wants a rematch.")
        expect(offer).to_be_visible()
        bob.page.get_by_role("button", name="Home").click()
        expect(bob.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
        expect(bob.page.locator("#announcements")).to_contain_text("Ada wants a rematch.")
        offer.get_by_role("button", name="No, thanks").click()
        expect(offer).to_be_hidden()
        expect(ada.page.locator(".declined")).to_have_text("Bob can’t play right now.")
        expect(ada.page.locator(".gathering > .problem")).to_be_hidden()


@pytest.mark.long
def test_four_people_two_bots_and_a_spectator_play(browser: Browser, server: Server) -> None:
    with ExitStack() as stack:
        ada, bob, cy, dora, eve = (stack.enter_context(Person(browser, server)) for _ in range(5))
        game = gather(ada, "Ada", FREE, FREE, FREE, SNAIL, SNAIL, rules=SHORT)
        for friend, name in ((bob, "Bob"), (cy, "Cy"), (dora, "Dora")):
            join(friend, game, name)
        begin(ada, bob, cy, dora)
        eve.go(f"game/{game}")
        expect(eve.page.get_by_text("You’re watching.")).to_be_visible()
        expect(eve.page.locator(".hand-tile")).to_have_count(0)
        play_on(ada, bob, cy, dora)
        for person in (ada, bob, cy, dora, eve):
            expect(person.ending).to_be_visible()
        assert eve.log_length() == ada.log_length()


@pytest.mark.long
def test_if_the_host_leaves_the_next_person_can_start_the_game(browser: Browser, server: Server) -> None:
    with Person(browser, server) as ada, Person(browser, server) as bob, Person(browser, server) as cy:
        game = gather(ada, "Ada", FREE, FREE)
        join(bob, game, "Bob")
        join(cy, game, "Cy")
        ada.page.get_by_role("button", name="Remove Cy").click()
        expect(cy.page.get_by_role("button", name="Join")).to_be_visible()
        ada.page.get_by_role("button", name="Leave table").click()
        expect(bob.page.locator(".chair", has_text="Bob")).to_contain_text("host")
        bob.page.get_by_role("button", name="Add a bot").first.click()
        expect(bob.page.get_by_role("button", name="Add a bot")).to_have_count(1)
        begin(bob)


def test_a_stopped_deal_is_repeated_only_if_you_agree(person: Person) -> None:
    game = gather(person, "Ada", FREE)
    bob = Client(person.url)  # Bob promises a random number, but never reveals it.
    assert bob.at(game, "sit", {"name": "Bob", "commitment": "0" * 64}).status == 200
    page, waiting = person.page, "Waiting for Bob…"
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text(waiting)).to_be_visible()
    page.get_by_role("button", name="Don’t start yet").click()
    again = page.get_by_role("button", name="Deal again")
    expect(page.get_by_text("The deal was stopped after your device revealed its random number.")).to_be_visible()
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_hidden()
    assert [chair["deal"] for chair in bob.gathering(game)["chairs"]] == ["waiting", "waiting"]
    again.click()
    expect(page.get_by_text(waiting)).to_be_visible()
    page.get_by_role("button", name="Remove Bob").click()  # Nothing was revealed this time.
    expect(page.get_by_role("button", name="Remove Bob")).to_be_hidden()
    again.click()  # The page still asks, because of the earlier deal.
    expect(page.locator("chromino-table .tile").first).to_be_attached()


def test_if_you_cannot_leave_you_stay_at_the_table_and_see_why(person: Person) -> None:
    gather(person, "Ada", FREE)
    person.page.route("**/leave", lambda route: route.abort())
    person.page.get_by_role("button", name="Leave table").click()
    expect(person.page.locator(".gathering > .problem")).to_have_text(
        "We can’t reach the server. Check your connection and try again."
    )
    expect(person.page.get_by_role("heading", name="Invite friends")).to_be_visible()
    person.page.unroute("**/leave")
    person.page.get_by_role("button", name="Leave table").click()
    expect(person.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    person.forgive_network_errors()


@pytest.mark.long
def test_with_too_many_pages_open_the_table_says_so_and_reconnects_once_some_are_closed(
    browser: Browser, server: Server
) -> None:
    with Person(browser, server) as ada, Person(browser, server) as bob:
        game = gather(ada, "Ada", FREE)
        ada.go()
        others = ada.open_many_pages(f"api/gatherings/{game}/watch")
        ada.go(f"join/{game}")
        expect(ada.page.locator(".gathering > .problem")).to_have_text(
            "Chromino is open in too many tabs. Close some of them."
        )
        join(bob, game, "Bob")
        others.close()
        expect(ada.page.locator(".chair", has_text="Bob")).to_be_visible()
        expect(ada.page.locator(".gathering > .problem")).to_be_hidden()


def test_a_table_that_no_longer_exists_leads_to_its_game(person: Person) -> None:
    """As long as the server knows the table, it reports its end differently."""
    refusal = {"type": "refused", "id": None, "code": "no-such-gathering", "text": "", "refusal": None}
    game = gather(person, "Ada", FREE)
    person.page.route_web_socket("**/watch", lambda socket: socket.send(json.dumps(refusal)))
    person.page.reload()
    expect(person.page).to_have_url(f"{person.url}game/{game}")
    expect(person.page.get_by_text("We can’t find this game. Check the link, or start a new game.")).to_be_visible()


def test_a_bot_stands_in_for_someone_away_until_they_return(browser: Browser, quick_server: InProcessServer) -> None:
    with Person(browser, quick_server) as ada, Person(browser, quick_server) as bob:
        name, (_, secret) = ada.have_with_others(Game.start(Rules.classic(), ["Ada", "Bob"], seed=1, first=1))
        bob.be(secret)
        for person in (bob, ada):
            person.go(f"game/{name}")
        expect(ada.page.locator(".seat", has_text="Bob")).not_to_contain_text("away")
        bob.context.set_offline(True)
        expect(ada.page.locator(".seat", has_text="Bob")).to_contain_text("away")
        expect(ada.page.locator(".log")).to_contain_text("Fox played for Bob", timeout=20_000)
        bob.context.set_offline(False)
        expect(bob.page.locator(".banner")).to_be_hidden()
        expect(bob.page.locator(".played-for-me")).to_contain_text("Fox played for you.")
        expect(bob.page.locator(".played-tiles").get_by_role("img").first).to_be_visible()
        expect(ada.page.locator(".seat", has_text="Bob")).not_to_contain_text("away")
        play_on(ada, bob, most=4)
        bob.forgive_network_errors()


def test_leaving_on_purpose_is_announced_and_the_game_continues(browser: Browser, server: Server) -> None:
    with Person(browser, server) as ada, Person(browser, server) as bob:
        game = gather(ada, "Ada", FREE, rules=SHORT)
        join(bob, game, "Bob")
        begin(ada, bob)
        bob.page.get_by_role("button", name="Leave this game").click()
        bob.page.get_by_role("button", name="Leave", exact=True).click()
        expect(bob.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
        expect(ada.page.locator(".seat", has_text="Bob")).to_contain_text("has left · Fox is playing")
        expect(ada.page.locator("#announcements")).to_contain_text("Bob left. Fox is playing for them.")
        expect(ada.page.locator(".log-away")).to_contain_text("Bob left.")
        ada.play("roles", most=2)


def test_starting_alone_asks_first_and_a_latecomer_takes_over_a_bot(browser: Browser, server: Server) -> None:
    with Person(browser, server) as ada, Person(browser, server) as bob:
        game = gather(ada, "Ada", FREE, FREE, FREE)
        ada.page.get_by_role("button", name="Start", exact=True).click()
        ada.page.get_by_role("button", name="Keep waiting").click()
        expect(ada.page.locator(".chair.free")).to_have_count(3)
        ada.page.get_by_role("button", name="Start", exact=True).click()
        ada.page.get_by_role("button", name="Play with bots").click()
        expect(ada.page.locator(".seat")).to_have_count(4)
        bob.go(f"join/{game}")  # Bob got this link earlier.
        expect(bob.page.get_by_role("heading", name="The game started without you")).to_be_visible()
        bob.errors.clear()  # The browser logs that the table is gone.
        bob.page.get_by_label("Your name").fill("Bob")
        bob.page.get_by_role("button", name="Join the next game").click()
        expect(ada.page.locator(".seats-next")).to_have_text("Joining the next game: Bob")
        bob.page.get_by_role("button", name="Take over from Snail").first.click()
        expect(bob.page.locator(".seat.mine")).to_contain_text("Bob")
        expect(bob.page.locator("chromino-hand [role=option]").first).to_be_visible()
        expect(ada.page.locator(".seat", has_text="Bob")).to_be_visible()
        expect(ada.page.locator(".seats-next")).to_be_hidden()
        play_on(ada, bob, most=2)


@pytest.mark.long
def test_people_on_one_device_mix_with_friends_and_bots(browser: Browser, server: Server) -> None:
    with Person(browser, server) as ada, Person(browser, server) as bob:
        game = gather(ada, "Ada", {"kind": "here", "name": "Anna"}, FREE, SNAIL, first=0)
        join(bob, game, "Bob")
        begin(ada, bob)
        expect(ada.page.get_by_text("Pass the device to Ada")).to_be_visible()
        ada.play("roles", most=2)
        expect(ada.page.locator(".curtain")).to_contain_text(re.compile("Anna|Ada"))
        expect(bob.page.locator(".curtain")).to_be_hidden()
        expect(bob.page.locator(".hand-tile")).to_have_count(8)


def test_when_time_runs_out_a_bot_plays_the_turn(person: Person) -> None:
    """The server refuses a limit as short as this one, so the game is put directly into its database."""
    person.show_with_others(Game.start(Rules.classic(), ["Ada", "Bob"], seed=1, first=0), turn_limit=2)
    expect(person.page.locator(".seat", has_text="Ada").locator(".seat-clock")).to_have_text(re.compile("0:0[0-2]"))
    expect(person.page.locator(".log > li").nth(1)).to_contain_text("Ada")


@pytest.mark.long
def test_muted_people_are_not_heard(browser: Browser, server: Server) -> None:
    with Person(browser, server) as ada, Person(browser, server) as bob:
        game = gather(ada, "Ada", FREE)
        join(bob, game, "Bob")
        begin(ada, bob)
        bob.page.get_by_role("button", name="Say something").click()
        bob.page.get_by_role("switch", name="Mute Ada").click()
        bob.page.keyboard.press("Escape")
        ada.page.get_by_role("button", name="Say something").click()
        ada.page.get_by_role("button", name="Hello!").click()
        expect(ada.page.locator(".bubble")).to_be_visible()
        expect(bob.page.locator(".bubble")).to_have_count(0)


def test_the_lobby_lists_open_tables(browser: Browser, server: Server) -> None:
    with Person(browser, server) as ada, Person(browser, server) as bob:
        gather(ada, "Ada from the lobby", FREE, public=True)
        bob.go("lobby")
        bob.page.get_by_role("link", name=re.compile("Ada from the lobby")).click()
        bob.page.get_by_label("Your name").fill("Bob")
        bob.page.get_by_role("button", name="Join").click()
        expect(ada.page.locator(".chair", has_text="Bob")).to_be_visible()


def test_people_can_link_another_device(browser: Browser, server: Server) -> None:
    with Person(browser, server) as laptop, Person(browser, server) as phone:
        laptop.start()
        laptop.go("games")
        laptop.page.get_by_role("button", name="Get a code for another device").click()
        code = laptop.page.locator(".code")
        expect(code).to_have_text(re.compile(r"\w{5}-\w{5}"))
        phone.go("games")
        phone.page.get_by_label("Have a code? Enter it here:").fill(code.inner_text().lower())
        phone.page.get_by_role("button", name="Link this device").click()
        expect(phone.page.get_by_role("heading", name="In progress")).to_be_visible()
        phone.page.get_by_label("Have a code? Enter it here:").fill("WRONG-CODES")
        phone.page.get_by_role("button", name="Link this device").click()
        expect(phone.page.get_by_text("That code is wrong")).to_be_visible()
        phone.errors.clear()  # The browser logs the 403.


@pytest.mark.long
def test_people_can_erase_themselves(browser: Browser, server: Server) -> None:
    with Person(browser, server) as ada, Person(browser, server) as bob:
        game = gather(ada, "Ada", FREE, rules=SHORT)
        join(bob, game, "Bob the forgotten")
        begin(ada, bob)
        bob.go("games")
        bob.page.get_by_role("button", name="Delete my data").click()
        bob.page.get_by_role("button", name="Delete my data for good").click()
        expect(bob.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
        expect(ada.page.locator(".seat").nth(1)).not_to_contain_text("Bob")
        ada.play("roles")
        expect(ada.ending).to_be_visible()
        bob.go("games")
        expect(bob.page.get_by_text("No games yet")).to_be_visible()


def test_the_browser_forgets_erased_people_too(person: Person) -> None:
    person.start()
    person.prefer(name="Ada the forgotten", level=3)
    person.go("games")
    other = person.context.new_page()
    other.goto(person.url)
    expect(other.get_by_role("button", name="Play", exact=True)).to_be_visible()
    person.page.get_by_role("button", name="Delete my data").click()
    person.page.get_by_role("button", name="Delete my data for good").click()
    expect(person.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    for page in (other, person.page):
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("switch", name="Sound").click()
        kept = page.evaluate("JSON.parse(localStorage.getItem('chromino'))")
        assert (kept["sound"], kept["name"], kept["level"]) == (False, "", 1)


@pytest.mark.long
def test_an_eavesdropper_finds_no_hidden_tile(browser: Browser, server: Server) -> None:
    """Compares every byte that Bob's and a spectator's browsers receive with the tiles that they may know."""
    with Person(browser, server) as ada, Person(browser, server) as bob, Person(browser, server) as eve:
        heard: dict[str, list[str]] = {"bob": [], "eve": []}
        for person, name in ((bob, "bob"), (eve, "eve")):
            listen(person, heard[name])
        game = gather(ada, "Ada", FREE, SNAIL, rules={"hand_size": 5})
        join(bob, game, "Bob")
        begin(ada, bob)
        eve.go(f"game/{game}")
        play_on(ada, bob)
        record = Record.parse(ada.context.request.get(f"{ada.url}api/games/{game}/record").text())
        shown = {str(event.shows) for event in record.events if isinstance(event, Placed) and event.shows}
        bobs = {*map(str, record.deal.hands[1])}
        bobs |= {str(event.tile) for event in record.events if isinstance(event, Drew) and event.seat == 1}
        for name, known in (("bob", shown | bobs), ("eve", shown)):
            texts = [text for text in heard[name] if '"over":true' not in text and not text.startswith('{"chromino"')]
            assert any('"type":"state"' in text for text in texts)
            for text in texts:
                assert record.deal.seed not in text  # type: ignore[operator]
                assert set(re.findall(r'"([RGBYP][RGBYP*][RGBYP])"', text)) <= known


def listen(person: Person, heard: list[str]) -> None:
    """Keep everything a browser receives about games, over sockets and calls."""

    def on_socket(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(str(frame)))

    def on_response(response: Response) -> None:
        if "/api/games" in response.url or "/api/gatherings" in response.url:
            heard.append(response.text())

    person.page.on("websocket", on_socket)
    person.page.on("requestfinished", lambda request: on_response(cast(Response, request.response())))


def test_the_next_person_becomes_host_when_the_host_stays_away(browser: Browser, quick_server: InProcessServer) -> None:
    with Person(browser, quick_server) as ada, Person(browser, quick_server) as bob:
        game = gather(ada, "Ada", FREE)
        join(bob, game, "Bob")
        expect(bob.page.get_by_role("button", name="Start", exact=True)).to_be_hidden()
        ada.page.close()
        expect(bob.page.get_by_role("button", name="Start", exact=True)).to_be_visible()
        bob.page.get_by_role("button", name="Start", exact=True).click()
        expect(bob.page.get_by_text("Waiting for Ada…")).to_be_visible()
        bob.page.get_by_role("button", name="Remove Ada").click()
        bob.page.get_by_role("button", name="Deal again").click()
        expect(bob.page.locator("chromino-table .tile").first).to_be_attached()
