"""What goes over the wire about the lesson, as types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from chromino.lessons import Verdict
from chromino.messages.bounds import Bounds


@dataclass(frozen=True, slots=True)
class LessonState:
    """One step as the learner finds it."""

    name: str
    extra: bool
    """Is it beside the steps, for those who want it?"""
    view: dict[str, Any]
    """See `chromino.view`; seen from the learner's seat."""
    offers: list[str]
    """Places to choose among, right and wrong."""


@dataclass(frozen=True, slots=True)
class Lessons:
    lessons: list[LessonState]


@dataclass(frozen=True, slots=True)
class TryLesson:
    """All that was done in this step so far; the last is to be judged."""

    actions: Annotated[list[Annotated[str, Bounds(max_length=40)]], Bounds(min_length=1, max_length=12)]


@dataclass(frozen=True, slots=True)
class LessonTried:
    """What became of it; `view` and `offers` are as they are now, or still are."""

    verdict: Verdict
    view: dict[str, Any]
    offers: list[str]
    refusal: dict[str, Any] | None
    contacts: list[dict[str, Any]]
    """Of the tile that was placed, each as in a refusal."""
    points: list[int]
    """What the placement earned, or would have, as the parts of a sum."""
