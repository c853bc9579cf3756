"""Why clients would refuse a serving certificate, as far as the certificate shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from enum import StrEnum

from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from weighbridge.certs.errors import CertificateError
from weighbridge.certs.serving_certificate import is_covered


class CertificateFault(StrEnum):
    """The kinds of faults of a certificate, by a word."""

    EXPIRED = "expired"
    NOT_YET_VALID = "not_yet_valid"
    WRONG_USE = "wrong_use"
    WRONG_NAME = "wrong_name"


def validity_faults(
    certificate: x509.Certificate, now: datetime, subject: str, remedy: str, skew: timedelta = timedelta()
) -> Iterator[tuple[CertificateFault, CertificateError]]:
    """The fault if the certificate has expired, or begins later than `skew` after `now`; `remedy` is the advice for an expired one."""
    begin, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if now > end:
        yield CertificateFault.EXPIRED, CertificateError(subject, f"expired on {end:%Y-%m-%d %H:%M} UTC", remedy)
    elif now + skew < begin:
        wrong = f"isn't valid before {begin:%Y-%m-%d %H:%M} UTC"
        yield CertificateFault.NOT_YET_VALID, CertificateError(subject, wrong, "check this machine's clock, or issue a new certificate")


def serving_faults(
    certificate: x509.Certificate, now: datetime, names: Iterable[str], subject: str, skew: timedelta = timedelta()
) -> dict[CertificateFault, CertificateError]:
    """Every reason to refuse the certificate, worst first.

    `names` are the DNS names and addresses that clients use, and `skew` is how far their clocks may be ahead of ours.
    """
    faults = dict(validity_faults(certificate, now, subject, "issue a new one", skew))
    if not _serves(certificate):
        faults[CertificateFault.WRONG_USE] = CertificateError(
            subject, "isn't meant for servers", "its extended key usage must hold serverAuth"
        )
    missing = [name for name in names if not is_covered(certificate, name)]
    if missing:
        wrong = f"doesn't hold {', '.join(missing)} among its subject alternative names"
        faults[CertificateFault.WRONG_NAME] = CertificateError(subject, wrong, "issue one for every name that clients use")
    return faults


def _serves(certificate: x509.Certificate) -> bool:
    try:
        usages = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    except x509.ExtensionNotFound:
        return True
    return ExtendedKeyUsageOID.SERVER_AUTH in usages or ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE in usages
