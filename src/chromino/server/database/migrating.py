"""Creates the schema, and migrates older ones.

A new database gets its tables from `schema.py`, and one that's up to date needs nothing. So Alembic, which takes a
while to load, is needed only for old databases. New and migrated databases have the same schema
(`test_migrations.py`).
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    insert,
    inspect,
    select,
    text,
)

from chromino.server.database import schema
from chromino.server.database.database_urls import StoreError

_SCRIPTS = Path(__file__).parent / "migrations"
_LATEST = max(path.stem for path in (_SCRIPTS / "versions").glob("v*.py"))[1:5]
_FIRST_TABLES = {"people", "devices", "codes", "solved", "gatherings", "games", "seats", "events"}
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(75)")  # Processes that start together migrate one after another.
_versions = Table(  # Just as Alembic would create it.
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def migrate(connection: Connection, revision: str | None = "head") -> None:
    """Create the schema, or migrate it to this revision. None leaves it alone, but checks that we know its revision."""
    if connection.dialect.name == "postgresql" and revision is not None:
        connection.execute(_ONE_AT_A_TIME)
    current = revision_of(connection)
    if current is not None and not set(inspect(connection).get_table_names()) >= _FIRST_TABLES:
        raise StoreError("this database is from before version 1.0 and can't be read: start with a new one")
    if current is None and revision in ("head", _LATEST):
        _create(connection)
    elif current != _LATEST or revision not in ("head", _LATEST, None):
        _run_scripts(connection, current, revision)


def revision_of(connection: Connection) -> str | None:
    """The schema's revision, or None if the schema isn't ours."""
    if not inspect(connection).has_table(_versions.name):
        return None
    return connection.scalar(select(_versions.c.version_num))


def _create(connection: Connection) -> None:
    schema.metadata.create_all(connection, checkfirst=False)
    connection.execute(insert(schema.clock), {"id": 1, "ahead": 0.0})
    _versions.create(connection)
    connection.execute(insert(_versions), {"version_num": _LATEST})


def _run_scripts(connection: Connection, current: str | None, revision: str | None) -> None:
    """Let Alembic migrate to this revision. With None, just check that Alembic knows the current one."""
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    script = ScriptDirectory.from_config(config)
    if current is not None:
        script.get_revision(current)  # Raises an error if the schema is from a later version.
    if revision is None:
        return
    if current is not None and current not in {step.revision for step in script.iterate_revisions(revision, "base")}:
        command.downgrade(config, revision)
    else:
        command.upgrade(config, revision)
