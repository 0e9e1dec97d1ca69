"""Tools for maintainers; they aren't installed."""
