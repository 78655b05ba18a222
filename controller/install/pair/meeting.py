"""A table meets its room: over TLS, first without knowing by whom it is answered."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
from hmac import compare_digest

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from msgspec import Struct

from controller.certificates.held import CertificateError, fingerprint_of, parsed
from controller.pairing.proof import key_of, proof
from controller.pairing.words import AUTHORITY, PAIR, PORT, Asked, Granted

PATIENCE_S = 10.0
_LONGEST = 64 * 1024
_ADDRESS = re.compile(
    r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<host>[A-Za-z0-9._-]{1,253}))(?::(?P<port>\d{1,5}))?"
)


class MeetingError(Exception):
    """It did not come to a pairing and may another time; one line says why."""


class RefusedError(MeetingError):
    """What was given is wrong: the code, or the address."""


class Address(Struct, frozen=True):
    """Where a room is; `ip` is where else if its name is known to nobody."""

    host: str
    port: int = PORT
    ip: str = ""

    def __str__(self) -> str:
        return self.host if self.port == PORT else f"{self.host}:{self.port}"


class Authority(Struct, frozen=True):
    """By which a room is to be known: one certificate, whatever came with it."""

    pem: str
    fingerprint: str


def address_of(text: str) -> Address:
    """`HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`. Raises RefusedError."""
    found = _ADDRESS.fullmatch(text.strip())
    port = int(found["port"] or PORT) if found else 0
    if found is None or not 0 < port < 65_536:
        raise RefusedError(f"{text[:60]!r} is not a room's address: HOST or HOST:PORT")
    return Address(found["six"] or found["host"], port)


def reachable(address: Address) -> Address:
    """The same by its number where nobody knows its name. Raises MeetingError."""
    try:
        socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except OSError as error:
        if not address.ip:
            why = error.strerror or "unknown"
            raise MeetingError(f"there is no machine {address.host} here: {why}") from None
        return Address(address.ip, address.port)
    return address


def authority_at(address: Address) -> Authority:
    """The authority that a room says is its own: whether it is, only a person can tell. Raises
    MeetingError."""
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    status, body = _asked(address, anybody, "GET", AUTHORITY)
    if status != http.client.OK:
        raise MeetingError(f"{address} is no room where tables can pair")
    try:
        certificate = parsed(body, str(address))
    except CertificateError as error:
        raise MeetingError(str(error)) from None
    return Authority(_alone(certificate), fingerprint_of(certificate))


def paired(address: Address, authority: Authority, code: str) -> Granted:
    """What the room grants for a code. The room has to know it too: otherwise it is another one
    that was asked. Raises MeetingError."""
    key = key_of(code, authority.fingerprint)
    known = ssl.create_default_context(cadata=authority.pem)
    asked = msgspec.json.encode(Asked(proof(key, "table")))
    status, body = _asked(address, known, "POST", PAIR, asked)
    if status == http.client.FORBIDDEN:
        raise RefusedError("the room does not know this code, or knows it no more")
    if status != http.client.OK:
        raise MeetingError(f"{address} could not do it: {_why(body) or status}")
    try:
        granted = msgspec.json.decode(body, type=Granted)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise MeetingError(f"{address} answers what this version does not understand") from None
    if not compare_digest(granted.proof, proof(key, "room")):
        raise MeetingError(f"{address} does not know the code itself: it is not your room")
    return granted


def _asked(
    address: Address, context: ssl.SSLContext, method: str, path: str, body: bytes | None = None
) -> tuple[int, bytes]:
    """Status and body. Raises MeetingError."""
    connection = http.client.HTTPSConnection(
        address.host, address.port, timeout=PATIENCE_S, context=context
    )
    kind = {} if body is None else {"Content-Type": "application/json"}
    try:
        connection.request(method, path, body, kind)
        answer = connection.getresponse()
        said = answer.read(_LONGEST + 1)
    except ssl.SSLCertVerificationError as error:
        raise RefusedError(_untrusted(address, error)) from None
    except (OSError, http.client.HTTPException) as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise MeetingError(f"no room answers at {address} ({why})") from None
    finally:
        connection.close()
    if len(said) > _LONGEST:
        raise MeetingError(f"{address} says too much for a room")
    return answer.status, said


def _untrusted(address: Address, error: ssl.SSLCertVerificationError) -> str:
    if "mismatch" in error.verify_message:
        return f"the room's certificate is not for {address.host}; give its name, as room.local"
    if "not yet valid" in error.verify_message or "expired" in error.verify_message:
        return f"the room's certificate: {error.verify_message}; is this machine's time right?"
    return f"{address} has no certificate by that authority: {error.verify_message}"


def _alone(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(Encoding.PEM).decode("ascii")


def _why(body: bytes) -> str:
    try:
        return str(msgspec.json.decode(body, type=dict[str, object]).get("error", ""))[:200]
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""
