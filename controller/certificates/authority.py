"""HTTPS for a room without the Internet: an authority of its own and what it vouches for.

The authority may only vouch for names and addresses of a local network and for those that it was
made for (RFC 5280, 4.2.1.10), so that phones that trust it trust it with nothing else.
"""

from __future__ import annotations

import datetime
import ipaddress
import re
from collections.abc import Iterable

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from msgspec import Struct

from controller.certificates.held import CertificateError, parsed

AUTHORITY_DAYS = 3_650
SERVER_DAYS = 397
"""No browser takes more."""
LOCAL_NAMES = ("local", "lan", "home.arpa", "internal", "localhost")
LOCAL_NETS = (
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "::1/128",
    "fc00::/7",
    "fe80::/10",
)
_LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_NAME = re.compile(rf"(?=.{{1,253}}$){_LABEL}(\.{_LABEL})*")
_DAY = datetime.timedelta(days=1)

Key = ec.EllipticCurvePrivateKey


class Issued(Struct, frozen=True):
    """A certificate and its key, as PEM."""

    certificate: bytes
    key: bytes


def general_name(name: str) -> x509.GeneralName:
    """A host name or an address, as certificates have it. Raises CertificateError."""
    try:
        return x509.IPAddress(ipaddress.ip_address(name.strip("[]")))
    except ValueError:
        lower = name.lower().rstrip(".")
        if _NAME.fullmatch(lower) is None or re.fullmatch(r"[\d.]+", lower):
            raise CertificateError(f"{name[:60]!r} is neither a name nor an address") from None
        return x509.DNSName(lower)


def make_authority(title: str, names: Iterable[str], now: datetime.datetime) -> Issued:
    """An authority for `names` and for what is local. Raises CertificateError."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, title[:64])])
    own = [each for each in map(general_name, names) if not _allowed(each, _local())]
    constraints = x509.NameConstraints([*_local(), *map(_as_constraint, own)], None)
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _DAY)
        .not_valid_after(now + AUTHORITY_DAYS * _DAY)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(identifier, critical=False)
        .add_extension(constraints, critical=True)
        .sign(key, hashes.SHA256())
    )
    return _issued(certificate, key)


def make_server(authority: Issued, names: Iterable[str], now: datetime.datetime) -> Issued:
    """What the room shows under `names`. Raises CertificateError, also for a name that the
    authority may not vouch for."""
    ca = parsed(authority.certificate, "the authority")
    signer = serialization.load_pem_private_key(authority.key, None)
    if not isinstance(signer, Key) or signer.public_key() != ca.public_key():
        raise CertificateError("the authority's key is not that of its certificate")
    wanted = [general_name(each) for each in dict.fromkeys(names)]
    if not wanted:
        raise CertificateError("a certificate needs a name")
    allowed = _vouched(ca)
    for each in wanted:
        if not _allowed(each, allowed):
            raise CertificateError(
                f"the authority does not vouch for {each.value}; "
                "--new-authority makes one that does, and phones then have to "
                "trust that one"
            )
    until = min(now + (SERVER_DAYS - 1) * _DAY, ca.not_valid_after_utc)
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = (
        x509.CertificateBuilder()
        .subject_name(
            x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, _common_name(wanted)[:64])])
        )
        .issuer_name(ca.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _DAY)
        .not_valid_after(until)
        .add_extension(x509.SubjectAlternativeName(wanted), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(signer, hashes.SHA256())
    )
    return _issued(certificate, key)


def _common_name(names: Iterable[x509.GeneralName]) -> str:
    """A host's name, or none: OpenSSL would hold an address to what is allowed for names."""
    return next((each.value for each in names if isinstance(each, x509.DNSName)), "cutcard room")


def vouches_for(authority: Issued, name: str) -> bool:
    """Whether it may vouch for a name or address. Raises CertificateError."""
    ca = parsed(authority.certificate, "the authority")
    return _allowed(general_name(name), _vouched(ca))


def _local() -> list[x509.GeneralName]:
    nets = [x509.IPAddress(ipaddress.ip_network(each)) for each in LOCAL_NETS]
    return [*map(x509.DNSName, LOCAL_NAMES), *nets]


def _as_constraint(name: x509.GeneralName) -> x509.GeneralName:
    if isinstance(name, x509.IPAddress):
        return x509.IPAddress(ipaddress.ip_network(str(name.value)))
    return name


def _vouched(ca: x509.Certificate) -> list[x509.GeneralName]:
    try:
        found = ca.extensions.get_extension_for_class(x509.NameConstraints).value
    except x509.ExtensionNotFound:
        return []
    return list(found.permitted_subtrees or ())


def _allowed(name: x509.GeneralName, permitted: Iterable[x509.GeneralName]) -> bool:
    return any(_is_within(name, each) for each in permitted)


def _is_within(name: x509.GeneralName, permitted: x509.GeneralName) -> bool:
    if isinstance(name, x509.IPAddress) and isinstance(permitted, x509.IPAddress):
        net = ipaddress.ip_network(str(permitted.value))
        return net.version == name.value.version and name.value in net
    if isinstance(name, x509.DNSName) and isinstance(permitted, x509.DNSName):
        return name.value == permitted.value or name.value.endswith(f".{permitted.value}")
    return False


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _issued(certificate: x509.Certificate, key: Key) -> Issued:
    return Issued(
        certificate.public_bytes(serialization.Encoding.PEM),
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ),
    )
