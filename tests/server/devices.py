"""One person on several devices."""

from __future__ import annotations

from chromino.client import Answer
from tests.server.blocking import Client


def claim(client: Client, code: str) -> Answer:
    """Become the person whose code this is."""
    return client.post("/api/me/claim", {"code": code})


def listed(client: Client) -> list[str]:
    """The games that this person sees as theirs."""
    return [game["game"] for game in client.get("/api/games").json["games"]]
