"""The fixtures of the server's tests, because these tests need a server, too."""

from tests.server.conftest import client, server

__all__ = ["client", "server"]
