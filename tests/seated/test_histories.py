"""Generated histories of tables in virtual time: no matter what people do, we keep our promises."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from chromino import Game, Pass, Rules
from chromino.fair_deal import commitment_of, derived_part
from chromino.seated import (
    Chair,
    Declined,
    Gathering,
    Seat,
    SeatedGame,
    Step,
    act,
    dealing,
    gather_rematch,
    gathering,
    gathering_state,
    leave,
    move,
    next_automatic_action,
    replay,
    say,
    set_pace,
    share,
    state_for,
    stop_waiting,
    take_back,
    take_seat,
    wait,
)
from chromino.seated.automatic import STAND_IN, answer_delay, stand_in_at
from chromino.seated.events import Arranged, Arrived, GameEvent, GatheringEvent, Rated, TimeGivenBack, WentAway
from chromino.seated.game import apply
from tests.helpers import unseen, with_swapped_tiles
from tests.seated.tables import to_the_end

pytestmark = pytest.mark.rules

GRACE = 60.0
DAY = 24 * 3600
PEOPLE = st.sampled_from(["id-of-ada", "id-of-bob", "id-of-cleo", "id-of-dee"])
NUMBERS = st.integers(0, 3)


class History(RuleBasedStateMachine):
    """One table, from the first person to sit down to the rematch."""

    @initialize(
        chairs=st.integers(1, 4),
        bots=st.integers(0, 1),
        start=st.sampled_from(["gathering", "game", "rematch"]),
        hand_size=st.integers(1, 3),
        limit=st.sampled_from([None, None, 10, 90, 2 * DAY]),
        flags=st.tuples(*[st.booleans()] * 3),  # Aids, pace and watch.
        rated=st.booleans(),
        seed=st.integers(0, 10**6),
    )
    def open(
        self,
        chairs: int,
        bots: int,
        start: str,
        hand_size: int,
        limit: int | None,
        flags: tuple[bool, bool, bool],
        rated: bool,
        seed: int,
    ) -> None:
        rules = Rules.preset("classic", hand_size=hand_size)  # Hands are small, so that games end.
        self.initial_table: Gathering | SeatedGame
        if start == "gathering":
            host = Chair("person", "Ada", "id-of-ada", away_since=1000.0)
            free = [Chair("free")] * (chairs - 1)
            self.initial_table = Gathering(
                "a-game", "id-of-ada", (host, *free), rules.to_json(), None, *flags, turn_limit=limit, entropy=f"{seed}"
            )
        else:
            seats = [Seat(f"id-of-{name}", None, away_since=1000.0) for name in ("ada", "bob", "cleo", "dee")[:chairs]]
            seats += [Seat(None, "snail")] * bots
            game = Game.start(rules, [f"Player {number}" for number in range(len(seats))], seed)
            table = SeatedGame.begin("a-game", game, tuple(seats), 1000.0, *flags, turn_limit=limit)
            self.initial_table = table = replace(table, rated=rated and start == "game", latecomers=flags[0])
            if start == "rematch":
                part = commitment_of(derived_part("id-of-ada", 0))
                ended = to_the_end(table)
                self.initial_table = gather_rematch(ended, "id-of-ada", "a-game", part, f"{seed}", set(), 1000.0)[1]
        self.table: Gathering | SeatedGame | None = self.initial_table
        self.events: list[GatheringEvent | GameEvent] = []
        self.now = self.changed = 1000.0
        self.rng = Random(seed)
        self.actions = 0

    # What people do.

    def gathering_step(self, decide: Callable[[Gathering], GatheringEvent | None]) -> None:
        assert isinstance(self.table, Gathering)
        before = self.table
        try:
            event = decide(before)
        except Declined:
            return
        if event is not None:
            self.events.append(event)
            self.table = gathering.apply(before, event)
            self.changed = self.now

    def game_step(self, decide: Callable[[SeatedGame], Step]) -> None:
        assert isinstance(self.table, SeatedGame)
        try:
            step = decide(self.table)
        except Declined:
            return
        after = self.table
        for event in step.events:
            after = apply(after, event)
        assert after == step.table
        self.take(step)

    def take(self, step: Step) -> None:
        self.events += step.events
        self.table = step.table
        self.changed = self.now

    @precondition(lambda self: isinstance(self.table, Gathering))
    @rule(person=PEOPLE, name=st.sampled_from(["Ada", "Bob", "", "x" * 41]), number=st.integers(0, 1))
    def sit(self, person: str, name: str, number: int) -> None:
        commitment = commitment_of(derived_part(person, number)) if number else None
        self.gathering_step(lambda table: gathering.sit(table, person, name, self.now, commitment))

    @precondition(lambda self: isinstance(self.table, Gathering))
    @rule(person=PEOPLE)
    def stand_up(self, person: str) -> None:
        self.gathering_step(lambda table: gathering.stand_up(table, person))

    @precondition(lambda self: isinstance(self.table, Gathering))
    @rule(person=PEOPLE, chair=NUMBERS, fill=st.booleans())
    def host_changes_a_chair(self, person: str, chair: int, fill: bool) -> None:
        if fill:
            self.gathering_step(lambda table: gathering.fill(table, person, chair, 1, "Snail"))
        else:
            self.gathering_step(lambda table: gathering.remove(table, person, chair))

    @precondition(lambda self: isinstance(self.table, Gathering))
    @rule(person=PEOPLE, chairs=st.integers(1, 8), flags=st.tuples(*[st.booleans()] * 4), size=st.integers(1, 12))
    def arrange(self, person: str, chairs: int, flags: tuple[bool, bool, bool, bool], size: int) -> None:
        """Changing the arrangement never costs anyone their chair, and does nothing once the deal has begun."""
        before = self.table
        assert isinstance(before, Gathering)
        aids, public, rated, latecomers = flags
        rules = Rules.preset("classic", hand_size=size).to_json()
        asked = Arranged(chairs, rules, aids, before.pace, before.watch, public, 60, rated, latecomers)
        self.gathering_step(lambda table: gathering.arrange(table, person, asked))
        assert isinstance(self.table, Gathering)
        taken = [[chair for chair in table.chairs if chair.kind != "free"] for table in (before, self.table)]
        assert taken[0] == taken[1]
        assert self.table == before or not before.dealing

    @precondition(lambda self: isinstance(self.table, Gathering))
    @rule(person=PEOPLE, stop=st.sampled_from([False, False, True]))
    def begin_or_stop(self, person: str, stop: bool) -> None:
        if stop:
            self.gathering_step(lambda table: dealing.stop(table, person))
        else:
            self.gathering_step(lambda table: dealing.begin(table, person, self.now))

    @precondition(lambda self: isinstance(self.table, Gathering))
    @rule(person=PEOPLE, number=st.integers(0, 2), reveals=st.booleans())
    def commit_or_reveal(self, person: str, number: int, reveals: bool) -> None:
        part = derived_part(person, number)
        if reveals:
            self.reveal(person, part)
        else:
            self.gathering_step(lambda table: dealing.commit(table, person, commitment_of(part)))

    @precondition(lambda self: isinstance(self.table, Gathering))
    @rule(person=PEOPLE)
    def contribute_nothing(self, person: str) -> None:
        self.gathering_step(lambda table: dealing.contribute_nothing(table, person, self.now))

    def reveal(self, person: str, part: str) -> None:
        """The deal matches the commitments that everyone was shown before the first part was revealed."""
        assert isinstance(self.table, Gathering)
        before = self.table
        if not any(chair.part for chair in before.chairs):
            self.shown_first = dealing.terms(before, None).commitments
        self.gathering_step(lambda table: dealing.reveal(table, person, part, self.now))
        if isinstance(self.table, SeatedGame):
            parts = (self.table.game.deal.seed or "").split("-")
            assert [commitment_of(one) for one in parts] == self.shown_first
            assert self.table.deal == "joint"
            assert part in parts

    @precondition(lambda self: isinstance(self.table, Gathering) and self.table.dealing)
    @rule()
    def everyone_takes_part(self) -> None:
        """Everyone commits and reveals, as pages do automatically."""
        table = self.table
        assert isinstance(table, Gathering)
        givers = [chair.person for chair in table.chairs if chair.person and chair.commitment is not None]
        for person in givers:
            self.commit_or_reveal(person, 7, False)
        for person in givers:
            for number in (0, 1, 2, 7):  # Whichever of their parts they committed to last.
                if isinstance(self.table, Gathering):
                    self.reveal(person, derived_part(person, number))
        assert isinstance(self.table, SeatedGame)

    @precondition(lambda self: self.table is not None)
    @rule(person=PEOPLE, here=st.booleans())
    def come_or_go(self, person: str, here: bool) -> None:
        event = Arrived(person, self.now) if here else WentAway(person, self.now)
        if isinstance(self.table, Gathering):
            self.gathering_step(lambda _: event)
        else:
            self.game_step(lambda table: Step(apply(table, event), (event,)))

    @precondition(lambda self: isinstance(self.table, SeatedGame))
    @rule(person=PEOPLE, behind=st.sampled_from([0, 0, 1]))
    def take_back(self, person: str, behind: int) -> None:
        self.actions += 1
        self.game_step(lambda table: take_back(table, person, table.version - behind, f"a-{self.actions}", self.now))

    @precondition(lambda self: isinstance(self.table, SeatedGame))
    @rule(person=PEOPLE, seat=NUMBERS, behind=st.sampled_from([0, 0, 0, 1]), again=st.booleans())
    def act(self, person: str, seat: int, behind: int, again: bool) -> None:
        table = self.table
        assert isinstance(table, SeatedGame)
        choices = table.game.actions() or [Pass()]
        text = str(self.rng.choice(choices))
        self.actions += 0 if again else 1
        self.game_step(
            lambda table: act(table, person, seat, text, table.version - behind, f"a-{self.actions}", self.now)
        )

    @precondition(lambda self: isinstance(self.table, SeatedGame))
    @rule()
    def someone_acts(self) -> None:
        table = self.table
        assert isinstance(table, SeatedGame)
        if not table.game.over and (person := table.seats[table.game.seat].person):
            self.act(person, table.game.seat, 0, False)

    @precondition(lambda self: isinstance(self.table, SeatedGame))
    @rule(person=PEOPLE, seat=NUMBERS, what=st.sampled_from(["take", "take", "wait", "stop"]))
    def come_late(self, person: str, seat: int, what: str) -> None:
        match what:
            case "take":
                self.game_step(lambda table: take_seat(table, person, seat, "Late", self.now))
            case "wait":
                self.game_step(lambda table: wait(table, person, "Late"))
            case _:
                self.game_step(lambda table: stop_waiting(table, person))

    @precondition(lambda self: isinstance(self.table, SeatedGame))
    @rule(person=PEOPLE, what=st.sampled_from(["pace", "say", "leave", "share", "rematch", "back"]))
    def ask(self, person: str, what: str) -> None:
        match what:
            case "pace":
                self.game_step(lambda table: set_pace(table, person, not table.pace))
            case "say":
                self.game_step(lambda table: say(table, person, "hello", self.now))
            case "leave":
                self.game_step(lambda table: leave(table, person, self.now))
            case "share":
                self.game_step(lambda table: share(table, person))
            case "rematch":
                self.game_step(lambda table: gather_rematch(table, person, "next", "", "", set(), self.now)[0])
            case _:
                event = TimeGivenBack(5.0)
                self.game_step(lambda table: Step(apply(table, event), (event,)))

    # Automatic actions.

    @rule(seconds=st.sampled_from([0.3, 1.0, 5.0, 30.0, 61.0, 600.0]))
    def time_passes(self, seconds: float) -> None:
        until = self.now + seconds
        for _ in range(1000):
            if isinstance(self.table, Gathering):
                at = gathering.next_change_at(self.table, GRACE)
                if at is None or at > until:
                    break
                self.now = max(self.now, at)
                self.gathering_step(lambda table: gathering.due_change(table, GRACE, self.now))
            elif self.table is None or not self.automatic_step(self.table, until):
                break
        else:
            raise AssertionError("automatic actions never stop")
        self.now = until

    def automatic_step(self, table: SeatedGame, until: float) -> bool:
        due = next_automatic_action(table, GRACE)
        if due is None or due.at > until:
            return False
        self.now = max(self.now, due.at)
        if due.is_rating:
            self.take(Step(apply(table, Rated()), (Rated(),)))
            return True
        if due.by_clock:
            self.check_stand_in(table)
        action = due.bot.choose(table.game.view(table.game.seat), self.rng) if due.bot else Pass()
        self.take(move(table, action, self.now))
        return True

    def check_stand_in(self, table: SeatedGame) -> None:
        """Stand-ins act exactly on time: when a turn limit or grace period ends, or once someone is waiting."""
        seat = table.game.seat
        ends, away = table.turn_ends, stand_in_at(table, seat, GRACE)
        times = [time for time in (ends, away) if time is not None]
        assert self.now == max(min(times), self.changed)
        who = table.seats[seat]
        assert who.person is not None
        assert not who.has_left
        assert table.game.actions() != [Pass()]  # No clock runs against someone who can't act.
        if ends is None or ends > self.now:
            assert who.away_since is not None
            assert self.now >= who.away_since + GRACE

    # What we promise.

    @invariant()
    def nobody_waits_forever(self) -> None:
        table = getattr(self, "table", None)
        if not isinstance(table, SeatedGame) or table.game.over or next_automatic_action(table, GRACE) is not None:
            return
        who = table.seats[table.game.seat]
        assert who.person is not None, "nobody can act"
        assert not who.has_left
        assert table.game.actions() != [Pass()]
        others_are_waiting = any(table.is_present(person) for person in table.people - {who.person})
        over_days = table.turn_limit is not None and table.turn_limit >= DAY
        assert who.away_since is None or not others_are_waiting or over_days

    @invariant()
    def a_gathering_has_a_seated_host(self) -> None:
        table = getattr(self, "table", None)
        if isinstance(table, Gathering):
            assert table.host in table.people
            chairs = [chair.person for chair in table.chairs if chair.person]
            assert len(set(chairs)) == len(chairs)
            assert table.dealing or not any(chair.part for chair in table.chairs)

    @invariant()
    def everyone_plays_or_waits_once(self) -> None:
        table = getattr(self, "table", None)
        if isinstance(table, SeatedGame):
            people = [who.person for who in table.seats if who.person] + [who.person for who in table.waiting]
            assert len(set(people)) == len(people)
            assert len(table.seats) + len(table.waiting) <= 8

    @invariant()
    def nobody_is_shown_what_is_hidden_from_them(self) -> None:
        table = getattr(self, "table", None)
        for person in ("id-of-ada", "id-of-bob", None):
            if isinstance(table, Gathering):
                shown = json.dumps(msgspec.to_builtins(gathering_state(table, person)))
                assert not any(chair.part and chair.part in shown for chair in table.chairs)
            elif isinstance(table, SeatedGame) and (table.watch or table.seats_of(person)):
                shown = self.shown(table, person)
                mine = table.seats_of(person)
                view = state_for(table, person, self.now, GRACE).view
                hidden = unseen(table.game, view.me if mine else None)
                other = with_swapped_tiles(
                    table.game, dict(zip(hidden, self.rng.sample(hidden, len(hidden)), strict=True))
                )
                assert self.shown(replace(table, game=other), person) == shown
            else:
                continue
            assert "id-of-" not in shown

    def shown(self, table: SeatedGame, person: str | None) -> str:
        state = msgspec.to_builtins(state_for(table, person, self.now, GRACE))
        # The hash doesn't reveal the deal, and the seed is shown only when the game is over.
        del state["seed_hash"], state["seed"]
        return json.dumps(state)

    def teardown(self) -> None:
        if getattr(self, "events", None) is not None:
            assert replay(self.initial_table, self.events) == self.table


TestHistory = pytest.mark.heavy(History.TestCase)
TestHistory.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)


def test_a_stand_in_answers_no_sooner_than_its_tick() -> None:
    assert answer_delay(STAND_IN, 0.0, 0.001) == STAND_IN.tick
    assert answer_delay(STAND_IN, 0.9, 0.001) == 0.9
