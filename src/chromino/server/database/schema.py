"""The tables of the database. `events` is the source of truth: the first process to claim an event's number wins."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

people = Table(
    "people",
    metadata,
    Column("id", String(22), primary_key=True),
    Column("created", String(32), nullable=False),
    Column("listed_as", String(40), nullable=True),  # Their name on the leaderboards, if they want to be listed.
    Column("hidden", Boolean, nullable=False, server_default=false()),  # An operator took them off public lists.
    Column("banned", Boolean, nullable=False, server_default=false()),  # An operator banned them from playing.
    Column("recovery_hash", String(64), nullable=True),  # SHA-256 of the code that signs them in on any device.
    Column("recovery_made", String(32), nullable=True),
    Column("is_program", Boolean, nullable=False, server_default=false()),  # They declared a program plays for them.
    Column("face", String(20), nullable=True),  # The face they chose last; a seat keeps its own.
    Index("ix_people_created", "created"),
    Index("ix_people_recovery_hash", "recovery_hash", unique=True),
)

devices = Table(
    "devices",
    metadata,
    Column("secret_hash", String(64), primary_key=True),  # SHA-256: only the cookie has the secret itself.
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("created", String(32), nullable=False),
    Index("ix_devices_person", "person"),
)

codes = Table(
    "codes",
    metadata,
    Column("code_hash", String(64), primary_key=True),  # SHA-256 of a code that links another device, once.
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("expires", String(32), nullable=False),
    Index("ix_codes_person", "person"),
    Index("ix_codes_expires", "expires"),
)

solved = Table(
    "solved",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("grade", Integer, primary_key=True),
    Column("seconds", Integer, nullable=False),
)

gatherings = Table(
    "gatherings",
    metadata,
    Column("id", String(22), primary_key=True),  # The game will have the same id.
    Column("version", Integer, nullable=False),
    Column("host", ForeignKey("people.id"), nullable=False),
    Column("rules", Text, nullable=False),  # JSON.
    Column("first", Integer, nullable=True),
    Column("aids", Boolean, nullable=False),
    Column("pace", Boolean, nullable=False),
    Column("watch", Boolean, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("turn_limit", Integer, nullable=True),  # Seconds.
    Column("rated", Boolean, nullable=False, server_default=false()),
    Column("in_lobby", Boolean, nullable=False),  # Public, not being dealt, and with a free chair.
    # How the tiles will be dealt: see `seated/dealing.py`.
    Column("entropy", String(32), nullable=False, server_default="0"),  # The server's parts are derived from it.
    Column("round", Integer, nullable=False, server_default="0"),
    Column("dealing", Boolean, nullable=False, server_default=false()),
    Column("offer_ends", Double, nullable=True),  # The deadline for accepting a rematch.
    Column("latecomers", Boolean, nullable=False, server_default=false()),  # Can latecomers take over a bot's seat?
    Column("visited", Boolean, nullable=False, server_default=false()),  # Is anyone there now? See `presence.py`.
    Column("updated", String(32), nullable=False),
    Column("origin", Integer, nullable=False, server_default="0"),  # The network it was opened from: see `origin_of`.
    Index("ix_gatherings_host", "host"),
    Index("ix_gatherings_offer_ends", "offer_ends"),
    Index("ix_gatherings_origin", "origin"),
    Index("ix_gatherings_updated", "updated"),
    Index("ix_gatherings_in_lobby_visited_updated", "in_lobby", "visited", "updated"),
)

chairs = Table(
    "chairs",
    metadata,
    Column("gathering", ForeignKey("gatherings.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(6), nullable=False),  # person, bot or free.
    Column("name", String(40), nullable=False),
    Column("person", ForeignKey("people.id"), nullable=True),
    Column("level", Integer, nullable=True),  # A bot's level.
    Column("away_since", Double, nullable=True),  # None: this person has a page open.
    Column("commitment", String(64), nullable=True),  # The commitment to this person's part of the deal.
    Column("part", String(32), nullable=True),  # This person's part, once it's revealed.
    Column("face", String(20), nullable=True),
    Index("ix_chairs_person", "person"),
)

games = Table(
    "games",
    metadata,
    Column("id", String(22), primary_key=True),
    Column("header", Text, nullable=False),  # The first line of the game's record.
    Column("aids", Boolean, nullable=False),
    Column("pace", Boolean, nullable=False),
    Column("watch", Boolean, nullable=False),  # Are spectators allowed?
    Column("turn_limit", Integer, nullable=True),  # Seconds.
    Column("rated", Boolean, nullable=False, server_default=false()),  # False for games older than this option.
    Column("latecomers", Boolean, nullable=False, server_default=false()),  # Can latecomers take over a bot's seat?
    Column("next_game", String(22), nullable=True),  # The rematch, or the gathering for it.
    Column("deal", String(6), nullable=False, server_default="server"),  # Who picked the deal: joint, server or fixed.
    Column("created", String(32), nullable=False),
    Column("updated", String(32), nullable=False),
    # A digest of the log for lists of games, written together with each event.
    Column("over", Boolean, nullable=False),
    Column("digest", Text, nullable=False),
    # Clocks, in seconds since 1970.
    Column("turn_ends", Double, nullable=True),  # Only if turns are limited.
    Column("due", Double, nullable=True),  # When the next automatic action is due.
    Column("process", String(22), nullable=True),  # The process that recorded `due`, and will perform the action.
    Index("ix_games_due", "due"),
    Index("ix_games_next_game", "next_game"),
    Index("ix_games_turn_ends", "turn_ends"),
    Index("ix_games_updated", "updated"),
)

seats = Table(
    "seats",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=True),
    Column("bot", String(20), nullable=True),
    Column("has_left", Boolean, nullable=False),  # A bot plays for this person.
    Column("away_since", Double, nullable=True),  # None: this person has a page open.
    # When the game ended. It's repeated for each seat, so that listing someone's games takes only one search.
    Column("ended", String(32), nullable=True),
    Column("face", String(20), nullable=True),
    Column("taken_at", Integer, nullable=False, server_default="0"),  # The number of events when a latecomer took it.
    Index("ix_seats_person_ended_game", "person", "ended", "game"),
)

waiting = Table(
    "waiting",  # People who came late and want to join the rematch.
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("face", String(20), nullable=True),
    Column("since", Double, nullable=False),
    Index("ix_waiting_person_since", "person", "since"),
)

events = Table(
    "events",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),  # From 0, without gaps.
    Column("event", Text, nullable=False),  # A line of the game's record, or a turn taken back: see `rows.py`.
    Column("action_id", String(64), nullable=True),  # From the client; None for bots and automatic actions.
    Column("at", String(32), nullable=False),
    UniqueConstraint("game", "action_id"),
)

clock = Table(
    "clock",  # One row: see `shared_clock.py`.
    metadata,
    Column("id", Integer, primary_key=True),
    Column("ahead", Double, nullable=False),  # For PostgreSQL: seconds to add to its clock, which may have jumped.
    Column("ran", Double, nullable=True),  # When a process was last running.
)

presence = Table(
    "presence",  # Who has a page connected to which process, for games and gatherings.
    metadata,
    Column("game", String(22), primary_key=True),
    Column("person", String(22), primary_key=True),
    Column("process", String(22), primary_key=True),
)

results = Table(
    "results",  # The log of rated games: each player's rank, in the order in which the games were rated.
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True),
    Column("game", String(22), nullable=False),  # The game may have been deleted since.
    Column("family", String(20), nullable=False),
    Column("player", String(40), nullable=False),
    Column("place", Integer, nullable=False),  # 1 is the best; ties share a rank.
    UniqueConstraint("game", "seat"),
    Index("ix_results_player_number", "player", "number"),
)

ratings = Table(
    "ratings",  # Computed from the results.
    metadata,
    Column("family", String(20), primary_key=True),
    Column("player", String(40), primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
    # For searching a leaderboard: see `ratings.py`.
    Column("is_bot", Boolean, nullable=False, server_default=false()),  # Built in, or someone's program.
    Column("certain", Double, nullable=False, server_default="0"),
    Column("listed", Boolean, nullable=False, server_default=false()),
    Index("ix_ratings_player", "player"),
    Index("ix_ratings_family_is_bot_listed_certain", "family", "is_bot", "listed", "certain"),
)

tallies = Table(
    "tallies",  # How many games a person has finished and won, by preset; updated when a game ends.
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("preset", String(20), primary_key=True),  # Empty for custom rules.
    Column("played", Integer, nullable=False),
    Column("won", Integer, nullable=False),
)

acquaintances = Table(
    "acquaintances",  # What someone has decided about a person they've played with; see `played_with.py`.
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("other", ForeignKey("people.id"), primary_key=True),
    Column("hidden", Boolean, nullable=False, server_default=false()),
    Column("forgotten", String(32), nullable=True),  # When they forgot the other: earlier games don't count.
    Index("ix_acquaintances_other", "other"),
)

invitations = Table(
    "invitations",  # Kept for a day, even if the gathering is gone, since there's a limit per hour.
    metadata,
    Column("gathering", String(22), primary_key=True),
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("host", ForeignKey("people.id"), nullable=False),
    Column("at", Double, nullable=False),
    Column("declined", Boolean, nullable=False, server_default=false()),
    Index("ix_invitations_person_at", "person", "at"),
    Index("ix_invitations_host_at", "host", "at"),
    Index("ix_invitations_at", "at"),
)

seekers = Table(
    "seekers",  # People looking for someone to play with, one row each; see `seekers.py`.
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("wants", String(64), nullable=False),  # A hash, equal for people who want the same game.
    Column("name", String(40), nullable=False),
    Column("face", String(20), nullable=True),
    Column("rating", Double, nullable=True),
    Column("since", Double, nullable=False),
    Column("seen", Double, nullable=False),  # When their page last asked; if it hasn't for a few seconds, it's gone.
    Column("game", String(22), nullable=True),  # The game they were given, once they have an opponent.
    Column("paired", Double, nullable=True),
    Index("ix_seekers_wants_seen", "wants", "seen"),
    Index("ix_seekers_seen", "seen"),
)

push_browsers = Table(
    "push_browsers",  # The browsers in which people want notifications.
    metadata,
    Column("id", String(64), primary_key=True),  # SHA-256 of the endpoint.
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("language", String(10), nullable=False),
    Column("timezone", String(64), nullable=False),
    Column("quiet_from", Integer, nullable=False),  # Minutes after local midnight.
    Column("quiet_to", Integer, nullable=False),
    Column("created", String(32), nullable=False),
    Index("ix_push_browsers_person", "person"),
)

notices = Table(
    "notices",  # Notifications that are to be sent, or have been: see `notices.py`.
    metadata,
    Column("browser", ForeignKey("push_browsers.id"), primary_key=True),
    Column("game", String(22), primary_key=True),  # Or a gathering.
    Column("kind", String(10), nullable=False),
    Column("version", Integer, nullable=False),
    Column("about", Text, nullable=False),
    Column("due", Double, nullable=True),  # None: it has been sent.
    Column("expires", Double, nullable=False),
    Column("tries", Integer, nullable=False),
    Index("ix_notices_game", "game"),
    Index("ix_notices_due", "due"),
    Index("ix_notices_expires", "expires"),
)

site_keys = Table(
    "site_keys",  # Secrets of this site, the same for all its processes.
    metadata,
    Column("name", String(20), primary_key=True),
    Column("value", Text, nullable=False),
)

audit = Table(
    "audit",  # What operators have done.
    metadata,
    Column("at", String(32), primary_key=True),
    Column("id", String(22), primary_key=True),
    Column("operator", String(64), nullable=False),
    Column("action", String(20), nullable=False),
    Column("person", String(22), nullable=True),  # They may have been erased since.
    Column("note", Text, nullable=False),
)
