"""The types of all messages: the bodies of calls and answers, and the messages of the two WebSockets.

They need only the standard library, so a client doesn't need msgspec. The server derives its checks and OpenAPI from
them (`chromino.server.message_structs`), and `make types` generates the page's types.
"""
