"""The addresses of this machine that other devices on its network can reach."""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import IPv4Address, ip_address

_ELSEWHERE = ("192.0.2.1", "198.51.100.1")  # Reserved for documentation: nothing is ever sent there.


def network_addresses() -> list[str]:
    """IPv4 addresses, because people type them; the one that most likely works for other machines comes first."""
    found: list[str] = []
    for address in (*_route_addresses(), *_host_addresses()):
        if address not in found and _is_useful(address):
            found.append(address)
    return found


def _route_addresses() -> list[str]:
    """The addresses packets to other networks would leave from. Connecting a UDP socket sends nothing."""
    found = []
    for elsewhere in _ELSEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
            probe.connect((elsewhere, 9))
            found.append(str(probe.getsockname()[0]))
    return found


def _host_addresses() -> list[str]:
    """The addresses of the machine's own name, in case there's no route to other networks."""
    with suppress(OSError):
        return [str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return []


def _is_useful(address: str) -> bool:
    found = ip_address(address)
    return isinstance(found, IPv4Address) and not (found.is_loopback or found.is_unspecified or found.is_link_local)
