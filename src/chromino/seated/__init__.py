"""Seated play: people and bots around a game, from the moment someone sits down until the rematch.

A table is a value, like a game: first a `Gathering`, then a `SeatedGame`. Requests (`game_requests.py`, `gathering.py`,
`dealing.py`) produce events or raise `Declined`; `automatic.py` says which actions are automatic, and when;
`shown.py` says what each person may see; `replaying.py` rebuilds a table from its events. Time and chance are
arguments, so the server and the tests, which use virtual time, share the same core.

>>> from chromino import Game, Rules
>>> from chromino.seated import Seat, SeatedGame, act, next_automatic_action
>>> game = Game.start(Rules.classic(), ["Ada", "Snail"], seed=7, first=0)
>>> table = SeatedGame.begin("a-game", game, (Seat("ada", None), Seat(None, "snail")), now=100.0)
>>> table, events = act(table, "ada", 0, str(game.actions()[0]), version=0, action_id="my-first", now=105.0)
>>> [type(event).__name__ for event in events], table.version
(['Moved'], 1)
>>> snail = next_automatic_action(table)
>>> snail.bot.name, snail.at
('snail', 105.9)
"""

from chromino.seated.automatic import GRACE, AutomaticAction, next_automatic_action
from chromino.seated.declined import Declined
from chromino.seated.game import SeatedGame
from chromino.seated.game_requests import (
    Step,
    act,
    ask_for_hint,
    check_may_watch,
    check_seat,
    gather_rematch,
    leave,
    move,
    say,
    set_pace,
    share,
    take_back,
)
from chromino.seated.gathering import Gathering
from chromino.seated.latecomers import stop_waiting, take_seat, wait
from chromino.seated.replaying import replay
from chromino.seated.seats import Chair, Seat
from chromino.seated.shown import gathering_state, state_for

__all__ = [
    "GRACE",
    "AutomaticAction",
    "Chair",
    "Declined",
    "Gathering",
    "Seat",
    "SeatedGame",
    "Step",
    "act",
    "ask_for_hint",
    "check_may_watch",
    "check_seat",
    "gather_rematch",
    "gathering_state",
    "leave",
    "move",
    "next_automatic_action",
    "replay",
    "say",
    "set_pace",
    "share",
    "state_for",
    "stop_waiting",
    "take_back",
    "take_seat",
    "wait",
]
