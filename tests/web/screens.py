"""Every screen of the page, reached as a person would; shared by the accessibility tests and `make screenshots`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from chromino import Game, Rules
from tests.server.sample_games import finished
from tests.server.sites.serving import Client, Json
from tests.web.person import ADA, SNAIL, TO_THE_END, Person

BOTS = [{"kind": "bot", "name": f"Bot {level}", "level": level} for level in (1, 2, 3, 4, 5)]
LONG = {"kind": "me", "name": "Wilhelmina-Alexandra von Hohenstein"}


def in_thread(work: Callable[[], None]) -> None:
    """Do something with blocking clients in another thread, since Playwright has an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(work).result()


def some_turns(rules: Rules, players: list[str], turns: int, *, seed: int = 7, to_act: int = 0) -> Game:
    """A game in progress, the same each time, in which this seat can place a tile."""
    game = Game.start(rules, players, seed, first=0)
    while len(game.log) < turns or game.seat != to_act or "@" not in str(game.actions()[0]):
        actions = game.actions()
        game = game.apply(actions[len(actions) // 2])
    return game


def playing(person: Person, game: Game) -> None:
    """Show a game in progress from the first seat; the others are bots with these names."""
    bots = {seat: name.lower() for seat, name in enumerate(game.players) if seat}
    person.go(f"game/{person.have(game, bots)}")
    person.fitting.first.wait_for()


def home(person: Person) -> None:
    person.go()
    person.page.get_by_role("button", name="Play", exact=True).wait_for()


def home_in_progress(person: Person) -> None:
    """The home page of someone who's in the middle of a game."""
    person.have(some_turns(Rules.classic(), ["Ada", "Fox", "Owl"], 10), {1: "fox", 2: "owl"})
    person.go()
    person.page.locator(".unfinished-card").wait_for()


def home_in_chinese(person: Person) -> None:
    person.prefer(language="zh-Hant")
    person.go()
    person.page.locator(".hero").wait_for()


def setup(person: Person) -> None:
    person.go("new")
    person.page.locator(".preset").first.wait_for()


def setup_more(person: Person) -> None:
    setup(person)
    person.page.get_by_text("More options").click()
    person.page.locator(".choices select").first.wait_for()


def my_games(person: Person) -> None:
    person.start(played=TO_THE_END)
    person.start(ADA, *BOTS[:3], rules={"scoring": "expert"}, played=4)
    person.go("games")
    person.page.locator(".game-list").first.wait_for()


def no_games(person: Person) -> None:
    person.go("games")
    person.page.get_by_text("No games yet").wait_for()


def table(person: Person) -> None:
    playing(person, some_turns(Rules.classic(), ["Ada", "Fox", "Owl"], 10))


def picked(person: Person) -> None:
    table(person)
    person.pick()
    person.lit_place()


def duel(person: Person) -> None:
    """A tile picked up in the middle of a two-player game."""
    playing(person, some_turns(Rules.classic(), ["Ada", "Fox"], 28, seed=1215))
    person.pick()
    person.lit_place()


def refused(person: Person) -> None:
    playing(person, Game.start(Rules.classic(), ["Ada", "Fox"], seed=4, first=0))
    person.fitting.first.click()
    person.tap_square(1, 0)
    person.page.locator(".refused").wait_for(state="attached")


def confirming(person: Person) -> None:
    person.prefer(ask="always")
    table(person)
    person.pick()
    person.page.mouse.click(*person.lit_place())
    person.page.locator(".confirming").wait_for()


def curtain(person: Person) -> None:
    game = some_turns(Rules.classic(), ["Ada", "Bob", "Snail"], 8, to_act=1)
    person.go(f"game/{person.have(game, {2: 'snail'})}")
    person.page.locator(".curtain button").wait_for()


def expert(person: Person) -> None:
    playing(person, some_turns(Rules.expert(), [str(LONG["name"]), "Snail", "Hedgehog", "Fox"], 8))


def junior(person: Person) -> None:
    playing(person, some_turns(Rules.preset("junior"), ["Ada", "Snail"], 6))


def eight_players(person: Person) -> None:
    names = ["Snail", "Hedgehog", "Fox", "Owl", "Dragon", "Owl", "Fox"]
    playing(person, some_turns(Rules.expert(), [str(LONG["name"]), *names], 10))


def full_table(person: Person) -> None:
    """A table with all 80 tiles."""
    game = Game.start(Rules.preset("classic", hand_size=79), ["Ada"], seed=0)
    while not game.over:
        actions = game.actions()
        game = game.apply(actions[len(actions) // 2])
    person.show(game)


def ending(person: Person) -> None:
    person.go(f"game/{person.have(finished(seed=3, rules=Rules.expert()), {1: 'fox'})}")
    person.page.get_by_role("button", name="Show the result").click()
    person.ending.wait_for()


def won(person: Person) -> None:
    game = Game.start(Rules.classic(), ["Ada", "Fox"], seed=210, first=0)
    while not game.over:
        actions = game.actions()
        game = game.apply(actions[len(actions) // 2])
    person.go(f"game/{person.have(game, {1: 'fox'})}")
    person.page.locator(".tray > .button").click()
    person.ending.wait_for()


def won_more(person: Person) -> None:
    """The result with everything you can do next."""
    won(person)
    person.ending.locator("[aria-controls='ending-more']").click()
    person.ending.locator(".ending-more .button").first.wait_for()


def log(person: Person) -> None:
    table(person)
    person.page.locator('[data-t-label="log.title"]').dispatch_event("click")
    person.page.locator(".log > li").first.wait_for()


def menu(person: Person) -> None:
    """Small screens have a menu; others always show its buttons."""
    table(person)
    opener = person.page.locator(".menu-opener")
    if opener.is_visible():
        opener.click()
    person.page.locator(".menu .icon-button").last.wait_for()


def watching(person: Person) -> None:
    person.show_with_others(some_turns(Rules.expert(), ["Ada", "Bob"], 8), turn_limit=600)
    person.context.clear_cookies()
    person.page.reload()
    person.page.locator("chromino-table .tile").first.wait_for(state="attached")


def settings(person: Person) -> None:
    person.begin()
    person.tool("Settings")


def help_dialog(person: Person) -> None:
    person.begin()
    person.tool("How to play")


def tracker(person: Person) -> None:
    table(person)
    person.page.get_by_role("button", name="All tiles").click()
    person.page.locator(".tracked-tiles").first.wait_for()


def no_such_game(person: Person) -> None:
    person.go("game/nothing-here")
    person.page.get_by_text("We can’t find this game. Check the link, or start a new game.").wait_for()


def gathering(person: Person, *bots: Json) -> None:
    person.prefer(name="Ada")
    chairs = [ADA, {"kind": "free"}, {"kind": "free"}, *bots]
    answer = person.context.request.post(
        person.url + "api/gatherings", data={"chairs": chairs, "turn_limit": 60, "public": True}
    )
    person.go(f"join/{answer.json()['game']}")
    person.page.locator(".chair").first.wait_for()
    person.page.locator(".qr[src]").evaluate("picture => picture.decode()")


def invited(person: Person) -> None:
    """The same table, as seen by someone with the link."""
    gathering(person, {**SNAIL, "level": 3})
    person.context.clear_cookies()
    person.page.reload()
    person.page.get_by_label("Your name").wait_for()


def table_options(person: Person) -> None:
    """What the host can choose at the table."""
    gathering(person)
    person.page.get_by_text("Options", exact=True).click()
    person.page.get_by_role("button", name="More options").click()
    person.page.locator(".preset input:checked").wait_for(state="attached")


def start_alone(person: Person) -> None:
    gathering(person)
    person.page.get_by_role("button", name="Start", exact=True).click()
    person.page.get_by_role("button", name="Keep waiting").wait_for()


def latecomer(person: Person) -> None:
    """A game that started without someone who has the link."""
    chairs = [ADA, SNAIL, {**SNAIL, "name": "Fox", "level": 3}]
    request = person.context.request
    table = request.post(person.url + "api/gatherings", data={"chairs": chairs, "first": 0}).json()["game"]
    request.post(person.url + f"api/gatherings/{table}/begin")
    person.context.clear_cookies()
    person.go(f"game/{table}")
    person.page.get_by_role("heading", name="The game started without you").wait_for()


def lobby(person: Person) -> None:
    gathering(person)
    person.go("lobby")
    person.page.locator(".game-list").wait_for()


def met(person: Person) -> None:
    """Be Ada, who has finished a game with three people; Bob invites her to a table."""
    names = ["Ada", "Bob", str(LONG["name"]), "Cy"]
    game = Game.start(Rules.preset("classic", hand_size=1), names, seed=4)
    while not game.over:
        game = game.apply(game.actions()[0])
    _, (_, bob, *_) = person.have_with_others(game)
    in_thread(lambda: _invite_ada(Client(person.url, bob)))


def _invite_ada(host: Client) -> None:
    [ada] = [known for known in host.get("/api/people").json["people"] if known["name"] == "Ada"]
    table = host.gather({"kind": "me", "name": "Bob"}, {"kind": "free"})
    host.post(f"/api/gatherings/{table}/invite", {"game": ada["game"], "seat": ada["seat"]})


def home_with_people(person: Person) -> None:
    met(person)
    person.go()
    person.page.locator(".known-person").nth(3).wait_for()


def gathering_with_people(person: Person) -> None:
    met(person)
    gathering(person, {**SNAIL, "level": 3})
    person.page.locator(".known-person").first.wait_for()
    person.page.get_by_role("button", name="Invite Bob").click()
    person.page.locator(".known-person", has_text="Invited").wait_for()


def person_choices(person: Person) -> None:
    gathering_with_people(person)
    person.page.get_by_role("button", name="Hide or forget Bob").click()
    person.page.get_by_role("button", name="Forget Bob", exact=True).wait_for()


def seeking(person: Person) -> None:
    """After twenty seconds, a bot is offered."""
    person.page.clock.install()
    person.prefer(name="Ada")
    person.go("play")
    person.page.get_by_role("button", name="Stop looking").wait_for()
    person.page.clock.fast_forward(20_000)
    person.page.get_by_role("button", name="Play Snail").wait_for()


def play_someone(person: Person) -> None:
    person.go("play")
    person.page.get_by_role("button", name="Find someone").wait_for()


def friends(person: Person, away_for: float = 0.0) -> None:
    """A game with someone who's away, and a running clock."""
    game = Game.start(Rules.classic(), ["Ada", "Bob"], seed=7, first=0)
    person.show_with_others(game, turn_limit=60, away_for=away_for)
    person.page.locator(".seat.away").wait_for()


def away(person: Person) -> None:
    """A bot plays for someone who has been away for a while, and the log is open."""
    friends(person, away_for=150)
    person.page.locator(".seat-stand-in .face").wait_for()
    person.page.locator('[data-t-label="log.title"]').dispatch_event("click")
    person.page.locator(".log-away li").wait_for()


def back(person: Person) -> None:
    """Someone who comes back sees what was played for them."""
    game = some_turns(Rules.classic(), ["Ada", "Bob"], 10)
    person.show_with_others(game, turn_limit=600, stood_in=6)
    person.page.locator(".played-tiles .tile-picture").first.wait_for()


def rematch_offer(person: Person) -> None:
    """On the home page, someone sees that a friend wants to play again."""
    game, friend = person.have_with_another(finished(seed=3))
    with ThreadPoolExecutor(1) as thread:  # Playwright has an event loop in this thread.
        thread.submit(friend.post, f"/api/games/{game}/rematch", None).result()
    person.go()
    person.page.locator(".rematch-banner:not([hidden])").wait_for()


def declined(person: Person) -> None:
    """A friend can't play right now."""
    game, friend = person.have_with_another(finished(seed=3))
    with ThreadPoolExecutor(1) as thread:
        table = thread.submit(person.client.post, f"/api/games/{game}/rematch", None).result().json["game"]
        person.go(f"join/{table}")
        person.page.get_by_text("Waiting for").wait_for()
        thread.submit(friend.at, table, "leave").result()
    person.page.locator(".declined", has_text="can’t play right now").wait_for()


def phrases(person: Person) -> None:
    friends(person)
    person.tool("Say something")


def replay(person: Person) -> None:
    game = person.have(finished(seed=3, rules=Rules.expert()), {1: "snail"})
    person.go(f"replay/{game}")
    person.page.locator(".viewer").wait_for()
    person.page.get_by_role("button", name="Last move").click()
    person.page.get_by_role("button", name="Previous move").click()


def replay_of_a_file(person: Person) -> None:
    person.go("replay")
    person.page.locator("input[type=file]").wait_for(state="attached")


def about(person: Person) -> None:
    person.go("about")
    person.page.get_by_role("heading", name="About").wait_for()


def conundrums(person: Person) -> None:
    person.go("conundrums")
    person.page.locator(".game-list").wait_for()


def conundrum(person: Person) -> None:
    person.go("conundrum/2026-11-15/3")
    person.page.locator(".hand-tile").first.wait_for()
    person.page.get_by_role("button", name="Hint").click()
    person.page.locator(".area").wait_for(state="attached")


def conundrum_solved(person: Person) -> None:
    person.go("conundrum?t=RRR@0,0%3E %3F RRB")
    person.page.locator(".hand-tile").first.wait_for()
    person.page.get_by_role("button", name="Show the solution").click()
    person.page.locator(".found").first.wait_for(state="attached")


def making(person: Person) -> None:
    person.go("conundrums/make")
    person.page.locator('[data-tile="RRR"]').click()
    person.page.locator(".drawing .tile").first.wait_for(state="attached")
    person.page.get_by_role("button", name="Find places for red-green-red").click()
    person.page.get_by_text("red-green-red:").first.wait_for()


def printing(person: Person) -> None:
    person.go("conundrums/print")
    person.page.locator(".sheet.solutions figure").nth(3).wait_for()


def ratings(person: Person) -> None:
    """Bots, a listed person with a long name, and me."""
    counts = {"rated": True, "aids": False, "turn_limit": 600}
    person.start(LONG, *BOTS, played=TO_THE_END, **counts)  # Whole hands: games with fewer tiles aren't rated.
    person.context.request.post(person.url + "api/me/listed", data={"name": LONG["name"]})
    person.context.clear_cookies()
    person.start(ADA, BOTS[2], played=TO_THE_END, **counts)
    person.be_rated()
    person.go("ratings")
    person.page.locator(".board .mine").wait_for()


def lesson(person: Person, name: str) -> None:
    person.go(f"learn#{name}")
    person.page.locator("#step-title").wait_for()


def lesson_wrong(person: Person) -> None:
    lesson(person, "clash")
    person.page.locator('[data-tile="RBG"]').click()
    person.tap_square(0, -2)
    person.page.locator(".refused").wait_for(state="attached")


def lesson_draw(person: Person) -> None:
    lesson(person, "drawing")
    person.bag.click()
    person.page.locator(".feedback", has_text="draw another tile").wait_for()


def lesson_right(person: Person) -> None:
    lesson(person, "scoring")
    person.page.locator('[data-tile="GPP"]').click()
    person.tap_square(3, 1)
    person.page.get_by_role("button", name="Next").wait_for()


def lesson_end(person: Person) -> None:
    lesson(person, "end")
    person.page.get_by_role("button", name="Play", exact=True).wait_for()


def rules(person: Person) -> None:
    person.go("rules")
    person.page.locator(".rule").last.wait_for()


def review(person: Person) -> None:
    game = person.have(finished(seed=3, rules=Rules.preset("expert", hand_size=5)), {1: "snail"})
    person.go(f"review/{game}?measure=points")
    person.page.locator(".chart-point").first.wait_for()


def practice(person: Person) -> None:
    person.have(finished(seed=3), {1: "snail"})
    person.go("practice")
    person.page.locator(".hand-tile").first.wait_for()
    person.page.locator(".rung").first.wait_for()


SCREENS: dict[str, Callable[[Person], None]] = {
    "home": home,
    "home-in-progress": home_in_progress,
    "home-in-chinese": home_in_chinese,
    "set-up": setup,
    "set-up-more": setup_more,
    "my-games": my_games,
    "no-games": no_games,
    "table": table,
    "picked": picked,
    "duel": duel,
    "refused": refused,
    "confirming": confirming,
    "curtain": curtain,
    "expert": expert,
    "junior": junior,
    "eight-players": eight_players,
    "full-table": full_table,
    "ending": ending,
    "won": won,
    "won-more": won_more,
    "log": log,
    "menu": menu,
    "watching": watching,
    "settings": settings,
    "help": help_dialog,
    "tracker": tracker,
    "no-such-game": no_such_game,
    "gathering": lambda person: gathering(person, {**SNAIL, "level": 3}),
    "invited": invited,
    "table-options": table_options,
    "start-alone": start_alone,
    "latecomer": latecomer,
    "lobby": lobby,
    "gathering-people": gathering_with_people,
    "person-choices": person_choices,
    "home-people": home_with_people,
    "play-someone": play_someone,
    "seeking": seeking,
    "friends": friends,
    "away": away,
    "back": back,
    "rematch-offer": rematch_offer,
    "declined": declined,
    "phrases": phrases,
    "replay": replay,
    "replay-of-a-file": replay_of_a_file,
    "ratings": ratings,
    "review": review,
    "practice": practice,
    "conundrums": conundrums,
    "conundrum": conundrum,
    "conundrum-solved": conundrum_solved,
    "making": making,
    "printing": printing,
    "lesson": lambda person: lesson(person, "contacts"),
    "lesson-wrong": lesson_wrong,
    "lesson-draw": lesson_draw,
    "lesson-right": lesson_right,
    "lesson-end": lesson_end,
    "about": about,
    "rules": rules,
}
