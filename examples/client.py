"""Plays a whole game against a server's bot: `python examples/client.py http://localhost:8075`."""

import asyncio
import sys

from chromino.client import Client
from chromino.messages.games import NewGame, SeatChoice


async def main(site: str) -> None:
    async with Client(site) as ada:
        seats = [SeatChoice("me", "Ada"), SeatChoice("bot", "Snail", level=1)]
        game = await ada.start(NewGame(seats, rules={"hand_size": 4}, pace=False))  # Bots play without pausing.
        async with ada.play(game) as table:
            state = await table.my_turn()
            while not state.view.over:
                version = await table.act(state, state.view.actions[0])
                state = await table.my_turn(since=version)
        print("Winners:", *(state.view.players[seat] for seat in state.view.winners))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
