"""The way to the room's broker: name, port, and whose certificate answers."""

from __future__ import annotations

import errno
import socket
import ssl
import time
from ipaddress import AddressValueError, IPv4Address
from typing import Literal

from msgspec import Struct, structs

from controller.install.doctor.check import Check, Status, fail, ok, skipped, warn
from controller.install.doctor.system import System
from controller.table.config import Broker

CONNECT_S = 4.0
SOON_DAYS = 14.0
ISOLATION = (
    "the Wi-Fi keeps its devices apart, as guest Wi-Fi often does: turn off “client isolation” "
    "(or “AP isolation”, “guest network”) at the access point, or use a cable"
)

SERVICE = "cutcard-broker (mosquitto, where it was set up by hand)"
"""What the broker is called on its machine."""

_EXPIRED, _NOT_YET = 10, 9
_UNKNOWN_SIGNERS = (18, 19, 20, 21)
_OTHER_NAME = (62, 64)
"""OpenSSL's X509_V_ERR codes (openssl-verification-options(1))."""

Trouble = Literal["", "no such name", "refused", "no answer", "no route", "other"]


class Reached(Struct, frozen=True):
    """How far a connection came. `wireless` is the interface if the way there leads over Wi-Fi.

    `is_near`: no router is between. `answers` is to what that machine answered all the same.
    """

    trouble: Trouble
    address: str = ""
    words: str = ""
    wireless: str = ""
    is_near: bool = False
    answers: Literal["", "ARP", "ping"] = ""


class Way(Struct, frozen=True):
    """The interface that leads somewhere, empty if none does, and whether directly."""

    interface: str = ""
    is_direct: bool = False


class Certificate(Struct, frozen=True):
    """What the broker showed: why it is not trusted (OpenSSL's code), or until when it is valid,
    in seconds since 1970. `is_readable`: our own `ca_file` holds certificates."""

    is_readable: bool = True
    code: int = 0
    words: str = ""
    until: float | None = None


def reach(system: System, host: str, port: int) -> Reached:
    """Connects, and lets go again."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        return Reached("no such name", words=str(error.strerror or error))
    last = Reached("other")
    for family, kind, protocol, _, where in found:
        address = str(where[0])
        try:
            with socket.socket(family, kind, protocol) as probe:
                probe.settimeout(CONNECT_S)
                probe.connect(where)
            return Reached("", address)
        except OSError as error:
            last = Reached(_trouble(error), address, str(error.strerror or error))
    if last.trouble == "refused":
        return last
    way = way_to(last.address, system.text("/proc/net/route") or "")
    over_wifi = way.interface and system.node(f"/sys/class/net/{way.interface}/wireless")
    return structs.replace(
        last,
        wireless=way.interface if over_wifi else "",
        is_near=way.is_direct,
        answers=_answers(system, last.address),
    )


def certificate(host: str, port: int, ca_file: str) -> Certificate:
    """What the broker shows, as our `ca_file` sees it. Raises OSError where none is shown."""
    try:
        context = ssl.create_default_context(cafile=ca_file)
    except (ssl.SSLError, OSError) as error:
        return Certificate(is_readable=False, words=str(getattr(error, "strerror", error)))
    try:
        with (
            socket.create_connection((host, port), CONNECT_S) as plain,
            context.wrap_socket(plain, server_hostname=host) as shown,
        ):
            given = shown.getpeercert() or {}
    except ssl.SSLCertVerificationError as error:
        return Certificate(code=error.verify_code, words=error.verify_message)
    return Certificate(until=ssl.cert_time_to_seconds(str(given["notAfter"])))


def way_to(address: str, routes: str) -> Way:
    """The way to an IPv4 address, from /proc/net/route."""
    try:
        wanted = int(IPv4Address(address))
    except AddressValueError:
        return Way()
    best, longest = Way(), -1
    for line in routes.splitlines()[1:]:
        words = line.split()
        if len(words) < 8:
            continue
        target, mask = (int.from_bytes(bytes.fromhex(words[column]), "little") for column in (1, 7))
        if wanted & mask == target and mask > longest:
            best, longest = Way(words[0], words[2] == "00000000"), mask
    return best


def in_arp(address: str, table: str) -> bool:
    """Whether /proc/net/arp has the hardware's address of an IPv4 address (ATF_COM, arp(7))."""
    entries = [line.split() for line in table.splitlines()[1:]]
    return any(
        len(words) > 3 and words[0] == address and int(words[2], 16) & 2 for words in entries
    )


def judge_reach(broker: Broker, seen: Reached) -> Check:
    """Whether somebody answers there."""
    where = f"{broker.host}, port {broker.port}"
    match seen.trouble:
        case "":
            return ok("broker", f"{where}: something answers")
        case "no such name":
            todo = "Give [broker] host its address, or fix the name: getent hosts " + broker.host
            if broker.host.endswith(".local"):
                todo = "sudo apt-get install -y avahi-daemon libnss-mdns, there and here"
            return fail("broker", f"{broker.host}: {seen.words}", todo)
        case "refused":
            return fail(
                "broker",
                f"{where}: nothing is listening there",
                f"Start it on that machine: sudo systemctl start {SERVICE}, "
                f"and check that it has a listener {broker.port}",
            )
        case _:
            return judge_silence("broker", "fail", where, seen)


def judge_silence(name: str, status: Status, where: str, seen: Reached) -> Check:
    """What is to be made of `where` when no connection comes about, and nobody refuses it."""
    found = f"{where}: {seen.words or seen.trouble}"
    by_wifi = f"; the connection is Wi-Fi ({seen.wireless})" if seen.wireless else ""
    ping = f"ping -c 3 {seen.address or where}"
    if seen.answers:
        return Check(
            name,
            status,
            f"{found}; that machine is there (it answers {seen.answers}) "
            "but lets nobody in" + by_wifi,
            f"Open the port there, if it has a firewall; else {ISOLATION}: sudo nft list ruleset",
        )
    if seen.is_near:
        return Check(
            name,
            status,
            f"{found}; it is on this machine's own network but can't be seen there{by_wifi}",
            f"If it is on and that is its address, {ISOLATION}: {ping}",
        )
    if seen.wireless:
        return Check(
            name,
            status,
            f"{found}{by_wifi} and a router",
            "If it is on, this may be the guest Wi-Fi, which only reaches "
            f"the internet: use the room's own or a cable; else {ISOLATION}: {ping}",
        )
    todo = f"Check that the machine is on and its port open: {ping}"
    return Check(name, status, found, todo)


def judge_certificate(broker: Broker, seen: Certificate | None, now: float) -> Check:
    """Whether what is said stays private, and for how long; `seen` is None without `ca_file`."""
    name, ca = "certificate", broker.ca_file
    if seen is None:
        if broker.host in ("localhost", "127.0.0.1", "::1"):
            return skipped(name, "no TLS, and the broker is on this machine")
        return warn(
            name, "no TLS: everybody on the network can read along", "Set ca_file in [broker]."
        )
    if not seen.is_readable:
        return fail(
            name, f"{ca} holds no certificate", f"Copy the room's CA there: openssl x509 -in {ca}"
        )
    look = f"openssl s_client -connect {broker.host}:{broker.port} </dev/null"
    today = time.strftime("%Y-%m-%d", time.gmtime(now))
    if seen.code == _EXPIRED:
        return fail(
            name,
            f"the broker's has expired (today is {today})",
            f"Make a new one on the broker's machine, or set this clock right; see: {look}",
        )
    if seen.code == _NOT_YET:
        return fail(
            name,
            f"the broker's is not valid yet: this clock says {today}",
            "Set the clock: sudo timedatectl set-ntp true",
        )
    if seen.code in _OTHER_NAME:
        return fail(
            name,
            f"the broker's is for a name other than {broker.host}",
            f"Give [broker] host the name in it: {look}",
        )
    if seen.code in _UNKNOWN_SIGNERS:
        return fail(
            name,
            f"the broker's is not signed by {ca}",
            f"Copy the CA that signed it from the broker's machine to {ca}; see: {look}",
        )
    if seen.code or seen.until is None:
        return fail(name, seen.words or "the broker shows none", f"Look at it: {look}")
    days = (seen.until - now) / 86400
    until = time.strftime("%Y-%m-%d", time.gmtime(seen.until))
    if days < SOON_DAYS:
        return warn(
            name, f"valid until {until}: {days:.0f} days", "Make a new one on the broker's machine."
        )
    return ok(name, f"valid until {until}, signed by {ca}")


def _answers(system: System, address: str) -> Literal["", "ARP", "ping"]:
    if in_arp(address, system.text("/proc/net/arp") or ""):
        return "ARP"
    alive = system.output("ping", "-c", "1", "-W", "1", address) is not None
    return "ping" if alive else ""


def _trouble(error: OSError) -> Trouble:
    if isinstance(error, TimeoutError):
        return "no answer"
    match error.errno:
        case errno.ECONNREFUSED:
            return "refused"
        case errno.ETIMEDOUT:
            return "no answer"
        case errno.EHOSTUNREACH | errno.ENETUNREACH:
            return "no route"
        case _:
            return "other"
