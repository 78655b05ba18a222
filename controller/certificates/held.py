"""A certificate in a file: for what names it is, how long it is good, how phones show it."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes

WARN_DAYS = 30
_EVERY_S = 60.0
_DAY = datetime.timedelta(days=1)


class CertificateError(ValueError):
    """A certificate can't be made or read; one line says why."""


def names_in(certificate: Path) -> tuple[str, ...]:
    """For what names and addresses it is. Raises CertificateError."""
    found = _held(certificate)
    try:
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    return tuple(str(each.value) for each in names)


def days_left(certificate: Path, now: datetime.datetime) -> float:
    """How many days it is still good; less than none where it is not. Raises CertificateError."""
    until = _held(certificate).not_valid_after_utc
    return (until - now) / _DAY


class Watched:
    """A certificate in use: `fault` is what is to be said of it, looked at once a minute."""

    def __init__(
        self,
        certificate: Path,
        now: Callable[[], datetime.datetime],
        ticks: Callable[[], float],
    ) -> None:
        self._certificate, self._now, self._ticks = certificate, now, ticks
        self._looked = -math.inf
        self._fault = ""

    @property
    def fault(self) -> str:
        """That it ends soon, or can't be read; else nothing."""
        if self._ticks() - self._looked >= _EVERY_S:
            self._looked = self._ticks()
            self._fault = self._look()
        return self._fault

    def _look(self) -> str:
        try:
            left = days_left(self._certificate, self._now())
        except CertificateError as error:
            return str(error)
        if left > WARN_DAYS:
            return ""
        how = "has ended" if left <= 0 else f"ends in {int(left)} days"
        return f"the certificate of the pages {how}: `cutcard certificate` makes a new one"


def fingerprint(certificate: Path) -> str:
    """Its SHA-256 as phones show it. Raises CertificateError."""
    return fingerprint_of(_held(certificate))


def fingerprint_of(certificate: x509.Certificate) -> str:
    """The same of one that has been read."""
    return certificate.fingerprint(hashes.SHA256()).hex(" ").upper()


def parsed(pem: bytes, where: str) -> x509.Certificate:
    """What is in a certificate's PEM, found at `where`. Raises CertificateError."""
    try:
        return x509.load_pem_x509_certificate(pem)
    except ValueError:
        raise CertificateError(f"{where}: this is not a certificate") from None


def _held(path: Path) -> x509.Certificate:
    try:
        return parsed(path.read_bytes(), str(path))
    except OSError as error:
        raise CertificateError(f"{path}: {error.strerror}") from None
