"""What goes over the wire, as types: bodies of calls and their answers, and the messages of the two WebSockets.

Standard library only, so that they also run in a browser. The server turns them into bytes, checks and OpenAPI
(`chromino.server.wire_types`); the page's types are written from them, too.
"""
