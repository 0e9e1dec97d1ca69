"""The online game: HTTP and WebSockets around the rules, and a database that stores every event.

The server decides everything: it stores an event, then acknowledges it, then shows it. State is a replay of the log,
and anything in memory is a cache. Browsers get views, which only `chromino.view` builds.
"""
