"""`chromino bot connect`: let your own program play on a server."""

from __future__ import annotations

import asyncio
import math
import sys
from pathlib import Path
from typing import Annotated

import typer

from chromino.bot_programs import ProgramFailed, play
from chromino.cli.app import UserError, app, fail, say
from chromino.client import ClientError, Link

bot = typer.Typer(help="Connect your own bots, written in any programming language.", rich_markup_mode=None)
app.add_typer(bot, name="bot")


@bot.command()
def connect(
    game: Annotated[str, typer.Option(help="The link that the host shared, or a link to a game.", metavar="LINK")],
    command: Annotated[str, typer.Option(help='The program that plays, such as "python3 mybot.py".')],
    name: Annotated[str, typer.Option(help="The bot's name at the table.")] = "Bot",
    seconds: Annotated[float, typer.Option(help="How long one decision may take.")] = 5.0,
    identity: Annotated[
        Path | None, typer.Option(help="The file with the bot's identity; by default one per server and name.")
    ] = None,
    code: Annotated[
        str | None,
        typer.Option(
            help="A code from another device. The bot plays as the person who got that code, and from then on everyone "
            "sees that person as a bot."
        ),
    ] = None,
    stay: Annotated[bool, typer.Option("--stay", help="Keep playing in rematches.")] = False,
) -> None:
    """Let a program play: it reads views and writes actions, as lines of JSON (see docs/bots.md).

    If you start the bot again with the same link and name, it gets its seat back.
    """
    if not 0 < seconds < math.inf:
        raise UserError(f"--seconds must be a finite number greater than 0, not {seconds:g}")
    try:
        link = Link.parse(game)
        asyncio.run(play(link, command, name, seconds=seconds, identity=identity, code=code, stay=stay, tell=_tell))
    except ClientError as error:
        raise UserError(str(error)) from None
    except ProgramFailed as error:
        fail(str(error), 1)
    except KeyboardInterrupt:
        raise typer.Abort from None


def _tell(text: str) -> None:
    """Print the text without buffering, in case someone is following a log file."""
    say(text)
    sys.stdout.flush()
