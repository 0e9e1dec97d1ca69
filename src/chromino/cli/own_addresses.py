"""The addresses of this machine that other devices on its network can reach."""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import IPv4Address, ip_address

_REMOTE = ("192.0.2.1", "198.51.100.1")  # These are reserved for documentation; we never send anything to them.


def network_addresses() -> list[str]:
    """This machine's IPv4 addresses, the most likely to work first. IPv6 addresses are too long to type."""
    useful: list[str] = []
    for address in (*_route_addresses(), *_host_addresses()):
        if address not in useful and _is_useful(address):
            useful.append(address)
    return useful


def _route_addresses() -> list[str]:
    """The addresses that packets to other networks would be sent from. Connecting a UDP socket doesn't send any."""
    addresses = []
    for remote in _REMOTE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
            probe.connect((remote, 9))
            addresses.append(str(probe.getsockname()[0]))
    return addresses


def _host_addresses() -> list[str]:
    """The addresses that this machine's name resolves to, in case there's no route to other networks."""
    with suppress(OSError):
        return [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return []


def _is_useful(address: str) -> bool:
    parsed = ip_address(address)
    return isinstance(parsed, IPv4Address) and not (parsed.is_loopback or parsed.is_unspecified or parsed.is_link_local)
