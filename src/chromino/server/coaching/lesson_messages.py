"""What goes over the wire about the lesson, as types."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from chromino.lessons import Verdict


class LessonState(Struct):
    """One step as the learner finds it."""

    name: str
    extra: bool
    """Is it beside the steps, for those who want it?"""
    view: dict[str, Any]
    """See `chromino.view`; seen from the learner's seat."""
    offers: list[str]
    """Places to choose among, right and wrong."""


class Lessons(Struct):
    lessons: list[LessonState]


class TryLesson(Struct, forbid_unknown_fields=True):
    """All that was done in this step so far; the last is to be judged."""

    actions: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(min_length=1, max_length=12)]


class LessonTried(Struct):
    """What became of it; `view` and `offers` are as they are now, or still are."""

    verdict: Verdict
    view: dict[str, Any]
    offers: list[str]
    refusal: dict[str, Any] | None
    contacts: list[dict[str, Any]]
    """Of the tile that was placed, each as in a refusal."""
    points: list[int]
    """What the placement earned, or would have, as the parts of a sum."""
