"""Messages about the lesson."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from chromino.lessons import Verdict
from chromino.messages.bounds import Bounds
from chromino.messages.views import WireContact, WireRefusal, WireView


@dataclass(frozen=True, slots=True)
class StepState:
    """One step as the learner first sees it."""

    name: str
    extra: bool
    """Is this step optional?"""
    view: WireView
    """The view of the learner's seat."""
    offers: list[str]
    """Places to choose from, right and wrong."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The steps of the lesson."""

    steps: list[StepState]


@dataclass(frozen=True, slots=True)
class TryStep:
    """Everything done in this step so far; the last action is judged."""

    actions: Annotated[list[Annotated[str, Bounds(max_length=40)]], Bounds(min_length=1, max_length=12)]


@dataclass(frozen=True, slots=True)
class StepTried:
    """The result of an attempt. `view` and `offers` show the step after it; an action that failed changes neither."""

    verdict: Verdict
    view: WireView
    offers: list[str]
    refusal: WireRefusal | None
    contacts: list[WireContact]
    """The contacts of the tile that was placed."""
    points: list[int]
    """What the placement earned or would have earned, as the parts of a sum."""
