"""The addresses of this machine that other devices on its network can reach."""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import IPv4Address, ip_address

_ELSEWHERE = ("192.0.2.1", "198.51.100.1")  # These are reserved for documentation; we never send anything.


def network_addresses() -> list[str]:
    """This machine's IPv4 addresses, since people can type those. The one that's most likely to work comes first."""
    found: list[str] = []
    for address in (*_route_addresses(), *_host_addresses()):
        if address not in found and _is_useful(address):
            found.append(address)
    return found


def _route_addresses() -> list[str]:
    """The addresses that packets to other networks would be sent from. Connecting a UDP socket sends nothing."""
    found = []
    for elsewhere in _ELSEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
            probe.connect((elsewhere, 9))
            found.append(str(probe.getsockname()[0]))
    return found


def _host_addresses() -> list[str]:
    """The addresses that this machine's name resolves to, in case there's no route to other networks."""
    with suppress(OSError):
        return [str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return []


def _is_useful(address: str) -> bool:
    found = ip_address(address)
    return isinstance(found, IPv4Address) and not (found.is_loopback or found.is_unspecified or found.is_link_local)
