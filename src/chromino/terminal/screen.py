"""Play in the terminal: people who share a keyboard, and bots.

A `Screen` shows the game and asks questions, either in color with letters or in plain sentences. `play` is the loop,
which leaves the rules to the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from rich.console import Console
from rich.text import Text

from chromino.bots import Bot
from chromino.draw import event_words, grid, place_words, result_words, tile_words
from chromino.errors import ParseError
from chromino.events import Action, Draw, Pass, Place
from chromino.game import Game
from chromino.refusal import Reason, Refusal
from chromino.table import Table
from chromino.terminal.saved_game import SavedGame
from chromino.tiles import WILD, Placement, Square, Tile
from chromino.view import View

# The letters carry the meaning; the colors are close to those of the real tiles.
_STYLES = {
    "R": "bold white on #AE352E",
    "G": "bold black on #1DD0A3",
    "B": "bold white on #3F5FA8",
    "Y": "bold black on #FFEE36",
    "P": "bold white on #53218A",
    WILD: "bold black on white",
}
_HELP = (
    "Type the number of a place, the letters of a tile to see only its places, a place like GRR@1,1> to try it, "
    "or q to stop (your game is saved)."
)


class Stopped(Exception):
    """The player wants to stop; the game is saved."""


class Screen:
    """Shows the game and asks questions. Plain means sentences only, for screen readers and pipes."""

    def __init__(self, console: Console, *, plain: bool) -> None:
        self._console = console
        self.plain = plain

    def say(self, text: str) -> None:
        """Print one line."""
        self._console.print(Text(text), soft_wrap=True)

    def ask(self, question: str) -> str:
        """Ask a question and return what the player types; end of input stops the game."""
        self._console.print(Text(question), end=" ", soft_wrap=True)
        try:
            return input().strip()
        except EOFError:
            self._console.print()
            raise Stopped from None

    def draw(self, table: Table, places: Sequence[tuple[int, Placement]] = ()) -> None:
        """Draw the table with numbered places. In plain mode, there's no drawing, because sentences name each place."""
        if not self.plain:
            self._console.print(styled(table, _numbers(places)), soft_wrap=True)

    def tile(self, colors: str) -> Text:
        """A tile inside a line of text."""
        if self.plain:
            return Text(tile_words(colors))
        return Text.assemble(*((f" {color} ", _STYLES[color]) for color in colors))

    def show_hand(self, view: View) -> None:
        """Show the player's own tiles."""
        tiles: list[Text] = [self.tile(str(tile)) for tile in view.hand]
        separator = Text(", " if self.plain else "  ")
        self._console.print(Text("Your hand: ") + separator.join(tiles), soft_wrap=True)

    def show_seats(self, view: View) -> None:
        """Show how many tiles each player has, and the tiles that can be seen."""
        for seat, name in enumerate(view.players):
            size, seen = view.hand_sizes[seat], view.hands[seat]
            line = Text(f"{name}: {size} tile{'' if size == 1 else 's'}")
            if view.rules.scoring:
                score = view.scores[seat]
                line.append(f", {score} point{'' if score == 1 else 's'}")
            if seen and seat != view.me:
                line.append(", showing: ")
                line.append_text(Text(", " if self.plain else "  ").join([self.tile(str(tile)) for tile in seen]))
            self._console.print(line, soft_wrap=True)
        self.say(f"Tiles in the bag: {view.bag_count}.")

    def list_places(self, places: Sequence[tuple[int, Placement]]) -> None:
        """List the places to choose from."""
        for number, placement in places:
            if self.plain:
                self.say(f"{number}: {place_words(placement)}.")
            else:
                line = Text(f"{number:>3}  ") + self.tile(placement.colors)
                line.append(f"  {'down' if placement.down else 'right'} from {placement.x},{placement.y}")
                self._console.print(line)

    def list_tiles(self, places: Sequence[Placement]) -> None:
        """List the tiles to choose from, for when there are too many places to number."""
        for tile, count in Counter(place.tile for place in places).items():
            line = Text("     ") + self.tile(str(tile))
            self._console.print(line.append(f"  {count} place{'' if count == 1 else 's'}"))

    def announce_turn(self, name: str, *, hidden: bool) -> None:
        """Say whose turn it is; if hands are hidden, clear the screen and wait for that player."""
        if not hidden:
            self.say(f"{name}, it's your turn.")
            return
        if not self.plain:
            self._console.clear()
        self.ask_or_stop(f"{name}, it's your turn. Press Enter when only you can see the screen.")

    def ask_or_stop(self, question: str) -> str:
        """Like `ask`, but the player can also type q, quit, or exit to stop."""
        answer = self.ask(question)
        if answer.lower() in ("q", "quit", "exit"):
            raise Stopped
        return answer


def styled(table: Table, marks: dict[Square, str] | None = None) -> Text:
    """The table in color with letters."""
    rows = []
    for row in grid(table, marks):
        line = Text()
        for cell in row:
            style = _STYLES[cell.color] if cell.color else ("bold reverse" if cell.is_mark else "dim")
            line.append(cell.text, style)
        rows.append(line)
    return Text("\n").join(rows)


def _numbers(places: Sequence[tuple[int, Placement]]) -> dict[Square, str]:
    """Find a separate square for each place's number, ideally the middle one. Some places may end up without one."""
    place_on: dict[Square, tuple[int, Placement]] = {}

    def find_square(place: tuple[int, Placement], tried: set[Square]) -> bool:
        first, middle, last = place[1].squares
        for square in (middle, first, last):
            if square not in tried:
                tried.add(square)
                if square not in place_on or find_square(place_on[square], tried):
                    place_on[square] = place
                    return True
        return False

    for place in places:
        find_square(place, set())
    return {square: str(number) for square, (number, _) in place_on.items()}


def play(game: Game, saved: SavedGame, screen: Screen, bot: Bot, rng: Random) -> Game:
    """Play to the end, saving after every action; `bot` plays every seat that has no person."""
    people = [seat for seat in range(len(game.players)) if seat not in saved.bots]
    # A single person sees their own view; several people see what everyone may see.
    viewer = people[0] if len(people) == 1 else None
    hides_hands = len(people) > 1 and not game.rules.open_hands
    seen = dict.fromkeys(people, len(game.log))  # How many events each person has seen.
    saved.write(game)
    while not game.over:
        seat, view = game.seat, game.view(game.seat)
        if seat not in people:
            action = bot.choose(view, rng)
        else:
            if len(people) > 1 and not view.draws:
                screen.announce_turn(game.players[seat], hidden=hides_hands)
                for event in game.view(viewer).log[seen[seat] :] if hides_hands else ():
                    screen.say(event_words(event, game.players))
            action = _decide(view, screen, wait=hides_hands)
        game = game.apply(action)
        saved.write(game)
        seen[seat] = len(game.log)
        if not (isinstance(action, Draw) and seat in people):
            screen.say(event_words(game.view(viewer).log[-1], game.players))
    screen.draw(game.table)
    screen.say(result_words(game))
    return game


def _decide(view: View, screen: Screen, *, wait: bool) -> Action:
    """Ask a person what to do, if there's a choice; `wait` lets them read a message before the screen is cleared."""
    if drawn := view.drawn:
        screen.say(f"You draw {tile_words(str(drawn))}.")
    if view.actions == (Pass(),):
        screen.say("You can't place a tile, so you pass.")
        if wait:
            screen.ask_or_stop("Press Enter to continue.")
        return Pass()
    places = [action.placement for action in view.actions if isinstance(action, Place)]
    numbered = list(enumerate(places, start=1))
    every_place_has_a_number = len(_numbers(numbered)) == len(places)
    screen.draw(view.table, numbered if every_place_has_a_number else ())
    if not view.drawn:
        screen.show_seats(view)
        screen.show_hand(view)
    if not places:
        is_lone_chameleon = len(view.hand) == 1 and view.hand[0].is_chameleon
        fits = is_lone_chameleon and view.table.fits(view.hand[0], view.rules)
        why = str(Refusal(Reason.LAST_CHAMELEON)).capitalize() if fits else "Nothing in your hand fits"
        screen.ask_or_stop(f"{why}. Press Enter to draw a tile.")
        return Draw()
    question = f"Which place, 1 to {len(places)}?" if len(places) > 1 else "Place it there? Enter for yes:"
    if every_place_has_a_number or screen.plain:
        screen.list_places(numbered)
    else:
        screen.list_tiles(places)
        question = "Which tile, or which place?"
    return Place(_choose(view, screen, places, question))


def _choose(view: View, screen: Screen, places: Sequence[Placement], question: str) -> Placement:
    while True:
        answer = screen.ask_or_stop(question)
        if len(places) == 1 and answer.lower() in ("", "y", "yes"):
            return places[0]
        number = whole_number(answer)
        if number is not None and 1 <= number <= len(places):
            return places[number - 1]
        if wanted := [(n, place) for n, place in enumerate(places, 1) if answer.upper() in place.tile.ways]:
            screen.draw(view.table, wanted)
            screen.list_places(wanted)
            question = "Which place?"
            continue
        placement = _typed_placement(answer)
        if placement is not None and placement in places:
            return placement
        screen.say(_why_not(view, answer, placement))


def _typed_placement(text: str) -> Placement | None:
    letters, at, rest = text.partition("@")
    try:
        return Placement.parse(letters.upper() + at + rest)
    except ParseError:
        return None


def _why_not(view: View, answer: str, placement: Placement | None) -> str:
    """Explain what's wrong with an answer that's neither a number nor a legal place."""
    if placement is not None:
        if placement.tile not in view.hand:
            return f"You don't have {tile_words(placement.colors)}."
        return f"{placement}: {view.table.refusal(placement, view.rules) or Refusal(Reason.ONLY_DRAWN_TILE)}."
    try:
        tile = Tile.parse(answer.upper())
    except ParseError:
        return _HELP
    words = tile_words(str(tile))
    return f"{words.capitalize()} doesn't fit anywhere." if tile in view.hand else f"You don't have {words}."


def whole_number(text: str) -> int | None:
    """The whole number that was typed; None for anything else, and for absurdly long numbers."""
    return int(text) if text.isdecimal() and len(text) < 10 else None
