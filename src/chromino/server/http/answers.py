"""Answers over HTTP."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from starlette.responses import Response

from chromino.server.problems import Problem


def answer(message: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A message as JSON."""
    return Response(msgspec.json.encode(message), status, headers, media_type="application/json")


def problem_answer(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """A problem as JSON, with its status."""
    return answer(problem.body, problem.status, headers)
