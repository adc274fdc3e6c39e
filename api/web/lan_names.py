"""The names and addresses by which this machine is reached in its network."""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from collections.abc import Callable, Iterable

from api.web.web_settings import LOCAL_NAMES

__all__ = ["LanNames", "host_of", "lan_addresses"]

_LOOK_AGAIN_S = 10.0


def lan_addresses() -> list[str]:
    """Addresses of this machine that others in its network can use, the likeliest first."""
    import psutil

    found: set[str] = set()
    for addresses in psutil.net_if_addrs().values():
        for entry in addresses:
            if entry.family in (socket.AF_INET, socket.AF_INET6):
                found.add(entry.address.partition("%")[0])
    usable = [ip for ip in map(ipaddress.ip_address, found) if _is_usable(ip)]
    usable.sort(key=lambda ip: (ip.version, not ip.is_private, _is_inner_bridge(ip), int(ip)))
    return [str(ip) for ip in usable]


def _is_usable(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return not (ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast)


def _is_inner_bridge(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return ip.version == 4 and ip in ipaddress.ip_network("172.16.0.0/12")


def host_of(header: str) -> str:
    """The host of a ``Host`` header, without port and brackets, in small letters."""
    text = header.strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0].rstrip(".")


class LanNames:
    """Which hosts a request may name. Looks again when an address is asked for that it does not
    know, for addresses change while a server runs. ``lan``: not only this machine's own names."""

    def __init__(
        self,
        *,
        lan: bool,
        more: Iterable[str] = (),
        addresses: Callable[[], list[str]] = lan_addresses,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lan, self._find, self._clock = lan, addresses, clock
        self._more = frozenset(name.lower() for name in more)
        self._lock = threading.Lock()
        self._addresses: list[str] = addresses() if lan else []
        self._looked_at = clock()
        name = socket.gethostname().partition(".")[0].lower()
        self._own = [f"{name}.local", name] if lan and name else []

    @property
    def addresses(self) -> list[str]:
        """The addresses in the network, the likeliest first; none when not in a LAN."""
        return list(self._addresses)

    @property
    def names(self) -> list[str]:
        """Every name that a certificate has to carry."""
        return [*self._addresses, *self._own, *sorted(self._more), *sorted(LOCAL_NAMES)]

    def knows(self, host: str) -> bool:
        """Whether a request may name this host."""
        if host in LOCAL_NAMES or host in self._more or host in self._own:
            return True
        if host in self._addresses:
            return True
        if not self._lan or not _is_address(host):
            return False
        with self._lock:
            if self._clock() - self._looked_at > _LOOK_AGAIN_S:
                self._addresses, self._looked_at = self._find(), self._clock()
        return host in self._addresses


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
