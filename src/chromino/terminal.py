"""Playing in the terminal: people at one keyboard, and simple bots.

A `Screen` shows and asks, in color with letters, or in plain sentences only; `play` is the loop. Rules are
asked of the game, never known here.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rich.console import Console
from rich.text import Text

from chromino.bots import simple
from chromino.draw import event_words, grid, place_words, result_words, tile_words
from chromino.events import Action, Draw, Pass, Place
from chromino.game import Game
from chromino.saved import SavedGame
from chromino.table import Table
from chromino.tiles import WILD, Placement, Square
from chromino.view import View

# Letters carry the meaning; terminals have few colors, these are the nearest to the box.
_STYLES = {
    "R": "bold white on #AE352E",
    "G": "bold black on #1DD0A3",
    "B": "bold white on #3F5FA8",
    "Y": "bold black on #FFEE36",
    "P": "bold white on #53218A",
    WILD: "bold black on white",
}
_HELP = "Type the number of a place, the letters of a tile to see its places only, q to stop (the game is kept)."


class Stopped(Exception):
    """The player wants to stop; the game is kept."""


class Screen:
    """Shows and asks. Plain: sentences only, for screen readers and pipes."""

    def __init__(self, console: Console, *, plain: bool) -> None:
        self._console = console
        self._plain = plain

    def say(self, text: str) -> None:
        """One line."""
        self._console.print(Text(text), soft_wrap=True)

    def ask(self, question: str) -> str:
        """What the player types; the end of the input stops the game."""
        self._console.print(Text(question), end=" ", soft_wrap=True)
        try:
            return input().strip()
        except EOFError:
            self._console.print()
            raise Stopped from None

    def draw(self, table: Table, places: Sequence[tuple[int, Placement]] = ()) -> None:
        """The table, with the numbers of places; nothing in plain sentences, which name each place."""
        if not self._plain:
            self._console.print(styled(table, _numbers(places)), soft_wrap=True)

    def tile(self, colors: str) -> Text:
        """A tile in a line of text."""
        if self._plain:
            return Text(tile_words(colors))
        return Text.assemble(*((f" {color} ", _STYLES[color]) for color in colors))

    def hand(self, view: View) -> None:
        """My tiles."""
        tiles: list[Text] = [self.tile(str(tile)) for tile in view.hand]
        separator = Text(", " if self._plain else "  ")
        self._console.print(Text("Your hand: ") + separator.join(tiles), soft_wrap=True)

    def seats(self, view: View) -> None:
        """Who has how many tiles, and which of them can be seen."""
        for seat, name in enumerate(view.players):
            size, seen = view.hand_sizes[seat], view.hands[seat]
            line = Text(f"{name}: {size} tile{'' if size == 1 else 's'}")
            if view.rules.scoring:
                line.append(f", {view.scores[seat]} points")
            if seen and seat != view.me:
                line.append(", seen: ")
                line.append_text(Text(", " if self._plain else "  ").join([self.tile(str(tile)) for tile in seen]))
            self._console.print(line, soft_wrap=True)
        self.say(f"Tiles in the bag: {view.bag_count}.")

    def places(self, places: Sequence[tuple[int, Placement]]) -> None:
        """The places to choose from."""
        for number, placement in places:
            if self._plain:
                self.say(f"{number}: {place_words(placement)}.")
            else:
                line = Text(f"{number:>3}  ") + self.tile(placement.colors)
                line.append(f"  {'down' if placement.down else 'right'} from {placement.x},{placement.y}")
                self._console.print(line)

    def curtain(self, name: str) -> None:
        """Hide what the last player saw until the next one is there."""
        if not self._plain:
            self._console.clear()
        self.ask(f"{name}, it is your turn. Press Enter when only you can see the screen.")


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
    """A square for the number of each place: its middle, or else an end that has no number yet."""
    marks: dict[Square, str] = {}
    for number, placement in places:
        first, middle, last = placement.squares
        if free := [square for square in (middle, first, last) if square not in marks]:
            marks[free[0]] = str(number)
    return marks


def play(game: Game, saved: SavedGame, screen: Screen, rng: Random) -> Game:
    """Play to the end, keeping the game after every action."""
    people = [seat for seat in range(len(game.players)) if seat not in saved.bots]
    # One person at the screen may see what is theirs; several see what everyone may.
    onlooker = people[0] if len(people) == 1 else None
    seen: int | None = onlooker
    saved.write(game)
    while not game.over:
        view = game.view(game.seat)
        if game.seat in people:
            if game.seat != seen and not game.rules.open_hands:
                screen.curtain(game.players[game.seat])
            seen = game.seat
            action = _decide(view, screen)
        else:
            action = simple(view, rng)
        game = game.apply(action)
        saved.write(game)
        if not (isinstance(action, Draw) and view.me in people):
            screen.say(event_words(game.view(onlooker).log[-1], game.players))
    screen.draw(game.table)
    screen.say(result_words(game))
    return game


def _decide(view: View, screen: Screen) -> Action:
    """Ask a person, unless there is nothing to choose."""
    if drawn := view.drawn:
        screen.say(f"You draw {tile_words(str(drawn))}.")
    if view.actions == (Pass(),):
        screen.say("You cannot place a tile: you pass.")
        return Pass()
    places = [action.placement for action in view.actions if isinstance(action, Place)]
    numbered = list(enumerate(places, start=1))
    screen.draw(view.table, numbered)
    if not view.drawn:
        screen.seats(view)
        screen.hand(view)
    if not places:
        _command(screen, "Nothing in your hand fits. Press Enter to draw a tile.")
        return Draw()
    screen.places(numbered)
    while True:
        answer = _command(screen, f"Which place, 1 to {len(places)}?" if len(places) > 1 else "Place 1?").upper()
        if answer.isdecimal() and 1 <= int(answer) <= len(places):
            return Place(places[int(answer) - 1])
        if not answer and len(places) == 1:
            return Place(places[0])
        if wanted := [(number, place) for number, place in numbered if answer in place.tile.ways]:
            screen.draw(view.table, wanted)
            screen.places(wanted)
        else:
            screen.say(_HELP)


def _command(screen: Screen, question: str) -> str:
    answer = screen.ask(question)
    if answer.lower() in ("q", "quit", "exit"):
        raise Stopped
    return answer
