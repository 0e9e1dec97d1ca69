"""Alembic's migrations, run from inside the package when a database is opened."""
