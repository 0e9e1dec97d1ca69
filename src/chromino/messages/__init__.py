"""Messages, as types: the bodies of calls and answers, and the messages of the two WebSockets.

They use the standard library only, so they also run in a browser. The server derives its checks and OpenAPI from them
(`chromino.server.wire_types`), and `make types` generates the page's types.
"""
