"""A caBundle: the authorities that a client trusts, as PEM blocks one after the other.

During a rotation it has the old and the new authority, so that a replica may serve a certificate of either.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes

from weighbridge.certs.pair import certificates_pem, read_certificates


def distinct(certificates: Iterable[x509.Certificate]) -> tuple[x509.Certificate, ...]:
    """The certificates in the order given, each once."""
    return tuple({certificate.fingerprint(hashes.SHA256()): certificate for certificate in certificates}.values())


def bundle(certificates: Iterable[x509.Certificate]) -> bytes:
    """The certificates as one PEM text, each once."""
    return certificates_pem(distinct(certificates))


def join(*bundles: bytes, subject: str = "caBundle") -> bytes:
    """Several PEM texts as one, each certificate once, comments dropped; empty texts add nothing.

    Raises `CertificateError` about `subject` if a text isn't PEM.
    """
    return bundle(certificate for pem in bundles if pem.strip() for certificate in read_certificates(pem, subject))


def without_expired(certificates: Iterable[x509.Certificate], now: datetime) -> tuple[x509.Certificate, ...]:
    """The certificates that haven't expired."""
    return tuple(certificate for certificate in certificates if now <= certificate.not_valid_after_utc)
