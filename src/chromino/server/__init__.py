"""The online game: HTTP and WebSocket around the rules, and a database that keeps every event.

The server decides everything: it stores an event, then acknowledges it, then shows it. State is a replay of the
log; what is kept in memory is a cache. A browser gets views, built by `chromino.view` alone.
"""
