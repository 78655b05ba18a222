"""Whose an address is, where somebody may have many of them."""

from __future__ import annotations

import ipaddress


def net_of(address: str) -> str:
    """What is counted as one: the address itself, with IPv6 its /64, since a house has more
    addresses there than can be counted. What is no address is returned as it is."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
