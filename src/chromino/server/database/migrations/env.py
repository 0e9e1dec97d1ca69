"""Called by Alembic with the connection that `migrating.py` was given."""

from __future__ import annotations

from alembic import context

from chromino.server.database.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
context.run_migrations()  # The transaction is the caller's.
