"""Generated histories of tables in virtual time: no matter what people do, we keep our promises."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from chromino import Pass, Rules
from chromino.fair_deal import commitment_of, derived_part
from chromino.seated import (
    Declined,
    Gathering,
    SeatedGame,
    Step,
    act,
    dealing,
    gather_rematch,
    gathering,
    leave,
    say,
    set_pace,
    share,
    stop_waiting,
    take_back,
    take_seat,
    wait,
)
from chromino.seated.automatic import STAND_IN, answer_delay
from chromino.seated.events import (
    Arranged,
    Arrived,
    TimeGivenBack,
    WentAway,
)
from tests.seated.histories.opening import NAMES, OPENINGS, SCENES, Opening, opened_game, opened_gathering
from tests.seated.histories.promises import check_game, check_gathering
from tests.seated.histories.starting import part_of
from tests.seated.histories.timekeeper import DAY, people_at
from tests.seated.histories.virtual_table import AWAY, GONE, HOST_AWAY, OFFER_OVER, SLOW, VirtualTable
from tests.seated.tables import to_the_end

pytestmark = pytest.mark.rules

PEOPLE = st.sampled_from([f"id-of-{name}" for name in NAMES])
ANYONE = st.just(None) | PEOPLE
"""None means the person it's up to: the host of a gathering, or the person whose turn it is."""
NUMBERS = st.integers(0, 3)


OPENING = st.builds(Opening, **{name: st.sampled_from(values) for name, values in OPENINGS.items()})


class History(VirtualTable, RuleBasedStateMachine):
    """One table, from the first person to sit down to the rematch."""

    actions = 0
    checked: Gathering | SeatedGame | None = None

    @initialize(how=OPENING)
    def open(self, how: Opening) -> None:
        self.rng = Random(how.seed)
        if how.start == "gathering":
            self.set_up(opened_gathering(how, self.now))
        else:
            table = opened_game(how, self.now)
            self.set_up(table if how.start == "game" else to_the_end(table))
            if how.start == "rematch":
                self.go_on_to_a_rematch("id-of-ada", True)
        for name, is_here in zip(NAMES, how.here, strict=True):
            if is_here:
                self.come_or_go(f"id-of-{name}", True)
        for scene in how.scenes:
            self.play(scene)

    # What people do.

    @property
    def decider(self) -> str:
        """The host, or the person whose turn it is; Ada if it's a bot's turn."""
        if isinstance(self.table, Gathering):
            return self.table.host
        return (self.table and self.keeper.awaited(self.table)) or "id-of-ada"

    @precondition(lambda self: self.table is None)
    @rule(how=OPENING)
    def open_another_table(self, how: Opening) -> None:
        """The last one has closed, because everyone stood up."""
        self.set_up(opened_gathering(how, self.now))

    @precondition(lambda self: isinstance(self.table, Gathering))
    @rule(
        person=PEOPLE,
        name=st.sampled_from(["Ada", "Bob", "", "x" * 41]),
        number=st.integers(0, 1),
        is_here=st.booleans(),
    )
    def sit(self, person: str, name: str, number: int, is_here: bool) -> None:
        commitment = commitment_of(derived_part(person, number)) if number else None
        self.gathering_step(lambda table: gathering.sit(table, person, name, self.now, commitment, is_here=is_here))

    @precondition(lambda self: isinstance(self.table, Gathering))
    @rule(person=PEOPLE)
    def stand_up(self, person: str) -> None:
        """Declining a rematch doesn't stop the deal, unless nobody else is left."""
        before = self.table
        assert isinstance(before, Gathering)
        declines = person in self.keeper.invited
        self.gathering_step(lambda table: gathering.stand_up(table, person))
        if declines and isinstance(self.table, Gathering) and not self.table.dealing:
            others = [chair for chair in self.table.chairs if chair.kind != "free"]
            assert len(others) < 2 or all(chair.commitment is None for chair in others)

    @precondition(lambda self: isinstance(self.table, Gathering))
    @rule(anyone=ANYONE, chair=NUMBERS, fill=st.booleans())
    def host_changes_a_chair(self, anyone: str | None, chair: int, fill: bool) -> None:
        person = anyone or self.decider
        if fill:
            self.gathering_step(lambda table: gathering.fill(table, person, chair, 1, "Snail"))
        else:
            self.gathering_step(lambda table: gathering.remove(table, person, chair))

    @precondition(lambda self: isinstance(self.table, Gathering))
    @rule(anyone=ANYONE, chairs=st.integers(1, 8), flags=st.tuples(*[st.booleans()] * 4), size=st.integers(1, 12))
    def arrange(self, anyone: str | None, chairs: int, flags: tuple[bool, bool, bool, bool], size: int) -> None:
        """Changing the arrangement never costs anyone their chair, and does nothing once the deal has begun."""
        person = anyone or self.decider
        before = self.table
        assert isinstance(before, Gathering)
        aids, public, rated, latecomers = flags
        rules = Rules.preset("classic", hand_size=size)
        asked = Arranged(chairs, rules, aids, before.pace, before.watch, public, 60, rated, latecomers)
        self.gathering_step(lambda table: gathering.arrange(table, person, asked))
        assert isinstance(self.table, Gathering)
        taken = [[chair for chair in table.chairs if chair.kind != "free"] for table in (before, self.table)]
        assert taken[0] == taken[1]
        assert self.table == before or not before.dealing

    @precondition(lambda self: isinstance(self.table, Gathering))
    @rule(anyone=ANYONE, stop=st.sampled_from([False, False, True]))
    def begin_or_stop(self, anyone: str | None, stop: bool) -> None:
        person = anyone or self.decider
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
    @rule(but_one=st.booleans())
    def everyone_takes_part(self, but_one: bool) -> None:
        """Everyone commits and reveals, as pages do automatically, but one of them may reveal nothing."""
        table = self.table
        assert isinstance(table, Gathering)
        givers = [chair.person for chair in table.chairs if chair.person and chair.commitment is not None]
        for person in givers:
            self.commit_or_reveal(person, 2, False)
        silent = {self.rng.choice(givers)} if but_one else set()
        for person in givers:
            if person not in silent and isinstance(self.table, Gathering):
                self.reveal(person, part_of(self.table, person))
        assert isinstance(self.table, SeatedGame) or silent

    @precondition(lambda self: self.table is not None)
    @rule(person=PEOPLE, here=st.booleans())
    def come_or_go(self, person: str, here: bool) -> None:
        """Someone opens a page, or closes their last one. Going twice changes nothing: the absence keeps its start."""
        if person not in people_at(self.table):
            return
        event = Arrived(person, self.now) if here else WentAway(person, self.keeper.away.get(person, self.now))
        if isinstance(self.table, Gathering):
            self.gathering_step(lambda _: event)
        else:
            self.game_step(lambda table: Step.of(table, event))

    @rule(scene=st.sampled_from(SCENES))
    def play(self, scene: str) -> None:
        """What this module is about. Hypothesis leaves out some rules in each history, so by themselves, the rules
        rarely lead to this."""
        if scene == "odd" and isinstance(self.table, Gathering):
            self.gather_oddly(self.table)
        elif scene == "odd" and isinstance(self.table, SeatedGame):
            self.play_oddly(self.table)
        self.we_keep_our_promises()
        for _ in range(4):
            if isinstance(self.table, SeatedGame) and not self.is_up_to_someone:
                self.something_is_due(0.0)  # Bots play first.
        match scene:
            case "away" if self.is_up_to_someone:
                self.keep_others_waiting()
            case "slow":
                self.come_or_go(self.decider, True)
            case "gone" if isinstance(self.table, SeatedGame):
                self.ask(None, "leave")
        self.we_keep_our_promises()
        self.something_is_due(0.0)

    def gather_oddly(self, table: Gathering) -> None:
        """Someone reveals nothing, or declines a rematch, or the host leaves, or stops the deal."""
        match self.rng.randrange(3):
            case 0:
                self.get_stuck(table)
            case 1 if self.keeper.invited:
                self.stand_up(self.rng.choice(sorted(self.keeper.invited)))
            case 1:
                self.sit("id-of-bob", "Bob", 0, False)
                self.sit("id-of-cleo", "Cleo", 0, True)
                self.stand_up(table.host)
            case _:
                self.begin_or_stop(None, table.dealing)

    def play_oddly(self, table: SeatedGame) -> None:
        """Someone takes back a turn, or takes over a bot's turn, or no server was running for a while."""
        if len(people_at(table)) == 1 and self.rng.random() < 0.5:
            self.someone_acts()
            self.wait_until(self.now + 5.0)
            self.take_back(None, 0)
        elif any(who.bot for who in table.seats) and self.rng.random() < 0.5:
            for _ in range(6):
                if self.is_up_to_someone:
                    self.someone_acts()
            self.wait_until(self.now + 0.3)  # The bot is still thinking.
            self.come_late("id-of-dee", None, "take")
        else:
            self.ask(None, "back")

    def get_stuck(self, table: Gathering) -> None:
        """The deal begins, but someone doesn't reveal their part."""
        for person in (table.host, "id-of-bob", "id-of-cleo"):
            self.sit(person, "Someone", 1, True)
        self.begin_or_stop(None, False)
        if isinstance(self.table, Gathering) and self.table.dealing:
            self.everyone_takes_part(True)

    def keep_others_waiting(self) -> None:
        """The person it's up to closes their page, and someone else has one open."""
        person = self.decider
        others = people_at(self.table) - {person} - self.keeper.left
        if isinstance(self.table, Gathering) and not others:
            self.sit("id-of-bob" if person == "id-of-ada" else "id-of-ada", "Bob", 1, True)
        elif others:
            self.come_or_go(self.rng.choice(sorted(others)), True)
        self.come_or_go(person, False)

    @property
    def is_up_to_someone(self) -> bool:
        if isinstance(self.table, SeatedGame):
            return self.keeper.awaited(self.table) is not None
        return self.table is not None

    @precondition(lambda self: isinstance(self.table, SeatedGame))
    @rule(anyone=ANYONE, behind=st.sampled_from([0, 0, 1]))
    def take_back(self, anyone: str | None, behind: int) -> None:
        person = anyone or self.decider
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
    @rule(person=PEOPLE, seat=st.none() | NUMBERS, what=st.sampled_from(["take", "take", "wait", "stop"]))
    def come_late(self, person: str, seat: int | None, what: str) -> None:
        """Someone takes a seat (if it's None, the one whose turn it is), or waits for the rematch."""
        match what:
            case "take":
                self.game_step(
                    lambda table: take_seat(table, person, table.game.seat if seat is None else seat, "Late", self.now)
                )
            case "wait":
                self.game_step(lambda table: wait(table, person, "Late"))
            case _:
                self.game_step(lambda table: stop_waiting(table, person))

    @precondition(lambda self: isinstance(self.table, SeatedGame))
    @rule(anyone=ANYONE, what=st.sampled_from(["pace", "say", "leave", "share", "rematch", "back"]))
    def ask(self, anyone: str | None, what: str) -> None:
        person = anyone or self.decider
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
                self.go_on_to_a_rematch(person, self.rng.random() < 0.8)
            case _:
                self.game_step(lambda table: Step.of(table, TimeGivenBack(5.0)))

    def go_on_to_a_rematch(self, person: str, gives: bool) -> None:
        """Everything that happens from now on is part of the next table's history."""
        table = self.table
        assert isinstance(table, SeatedGame)
        commitment = commitment_of(derived_part(person, 0)) if gives else None
        try:
            step, rematch = gather_rematch(table, person, "next", commitment, "e", set(), self.now)
        except Declined:
            return
        self.game_step(lambda _: step)
        self.check_replay()
        self.set_up(rematch, offers_rematch=True)
        if not gives:
            self.contribute_nothing(person)

    # Automatic actions.

    @rule(seconds=st.sampled_from([0.3, 1.0, 5.0, 30.0, 61.0, 600.0, DAY]))
    def time_passes(self, seconds: float) -> None:
        self.wait_until(self.now + seconds)

    @precondition(lambda self: self.table is not None)
    @rule(later=st.sampled_from([-0.1, 0.0, 0.1]))
    def something_is_due(self, later: float) -> None:
        """Time passes until just before something is due, until exactly then, or until just after."""
        if (due := self.keeper.due(self.table)) is not None:
            self.wait_until(max(self.now, due.latest + later))

    @invariant()
    def we_keep_our_promises(self) -> None:
        """A promise can only be broken when the table changes, so it's checked once for each change."""
        if self.table is not self.checked:
            self.checked = self.table
            if isinstance(self.table, Gathering):
                check_gathering(self.table, self.keeper, self.now, self.rng)
            elif self.table is not None:
                check_game(self.table, self.keeper, self.now, self.rng)

    def teardown(self) -> None:
        if hasattr(self, "keeper"):
            self.check_replay()


class LongHistory(History):
    """More of the same."""


TestHistory = pytest.mark.heavy(History.TestCase)
TestHistory.settings = settings(
    max_examples=150,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],  # The machine may be busy.
)
TestLongHistory = pytest.mark.long(pytest.mark.heavy(LongHistory.TestCase))
TestLongHistory.settings = settings(TestHistory.settings, max_examples=3000)


@pytest.mark.heavy
def test_many_histories_open_with_what_this_module_is_about() -> None:
    """These histories are always the same: what Hypothesis chooses depends on its version and on which modules have
    been imported."""
    reached: Counter[str] = Counter()
    for seed in range(300):
        rng = Random(seed)
        history = History()
        history.open(Opening(**{name: rng.choice(values) for name, values in OPENINGS.items()}))
        history.teardown()
        reached.update(history.reached.keys())
    assert all(reached[situation] >= 20 for situation in (AWAY, SLOW, GONE, HOST_AWAY, OFFER_OVER))


def test_a_stand_in_answers_no_sooner_than_its_tick() -> None:
    assert answer_delay(STAND_IN, 0.0, 0.001) == STAND_IN.tick
    assert answer_delay(STAND_IN, 0.9, 0.001) == 0.9
