"""Where others reach this server: the start of every link that people send to each other."""

from __future__ import annotations

from ipaddress import ip_address
from typing import NamedTuple

from starlette.datastructures import URL

from chromino.messages.gatherings import Reach
from chromino.server.settings import Settings


class Site(NamedTuple):
    """Where links lead, and who can open them."""

    url: str
    """Ends with a slash."""
    reach: Reach


def site_for(settings: Settings, visited: URL) -> Site:
    """The site to use in links: the public URL if there is one, or else the address that the visitor used.

    If that address works only on the visitor's own device, links use this server's address on the network.
    """
    if settings.public_url:
        return Site(settings.public_url, "anywhere")
    reach = _reach_of(visited.hostname)
    if reach == "device" and settings.network_url:
        return Site(settings.network_url, "network")
    return Site(str(visited), reach)


def _reach_of(host: str | None) -> Reach:
    if not host or host == "localhost" or host.endswith(".localhost"):
        return "device"
    try:
        address = ip_address(host)
    except ValueError:
        return "anywhere" if "." in host and not host.endswith(".local") else "network"
    return "device" if address.is_loopback else "anywhere" if address.is_global else "network"
