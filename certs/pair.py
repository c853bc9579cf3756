"""A certificate and its private key, and how both are written as PEM (RFC 7468; keys as PKCS#8)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat, load_pem_private_key

from weighbridge.certs.errors import CertificateError

Certificate: TypeAlias = x509.Certificate
PrivateKey: TypeAlias = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey

#: The largest PEM file: a Secret has at most a MiB, and a bundle of all public authorities a quarter of that.
MOST_BYTES = 4 << 20

#: How long before its creation a certificate is already valid, since the clocks of a cluster differ.
CLOCK_SKEW = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Pair:
    """A certificate with its key; `chain` holds the certificates between it and its authority, nearest first."""

    certificate: x509.Certificate
    key: PrivateKey
    chain: tuple[x509.Certificate, ...] = ()

    def certificate_pem(self) -> bytes:
        """The certificate and its chain, in the order in which a server sends them."""
        return certificates_pem((self.certificate, *self.chain))

    def key_pem(self) -> bytes:
        """The key, not encrypted."""
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def certificates_pem(certificates: tuple[x509.Certificate, ...]) -> bytes:
    """The certificates as PEM blocks, in the order given."""
    return b"".join(certificate.public_bytes(Encoding.PEM) for certificate in certificates)


def read_certificates(pem: bytes, subject: str) -> tuple[x509.Certificate, ...]:
    """The certificates of a PEM text, at least one; raises `CertificateError` about `subject`."""
    try:
        return tuple(x509.load_pem_x509_certificates(pem))
    except ValueError:
        found = "holds a private key" if b"PRIVATE KEY-----" in pem else "isn't a PEM certificate, or is cut short"
        raise CertificateError(subject, found, "it must hold -----BEGIN CERTIFICATE----- blocks") from None


def read_key(pem: bytes, subject: str) -> PrivateKey:
    """The private key of a PEM text; raises `CertificateError` about `subject`."""
    try:
        key = load_pem_private_key(pem, None)
    except TypeError:
        raise CertificateError(subject, "the private key is encrypted", "it must be stored without a passphrase") from None
    except (ValueError, UnsupportedAlgorithm):
        found = "holds a certificate" if b"BEGIN CERTIFICATE" in pem else "isn't a PEM private key, or is cut short"
        raise CertificateError(subject, found, "it must hold a -----BEGIN PRIVATE KEY----- block") from None
    if not isinstance(key, PrivateKey):
        raise CertificateError(subject, f"is a key of an unsuitable kind ({type(key).__name__})", "it must be ECDSA, RSA or Ed25519")
    return key


def is_matching(certificate: x509.Certificate, key: PrivateKey) -> bool:
    """Whether the key is the certificate's own."""
    encodings = Encoding.DER, PublicFormat.SubjectPublicKeyInfo
    return certificate.public_key().public_bytes(*encodings) == key.public_key().public_bytes(*encodings)


def is_valid_at(certificate: x509.Certificate, now: datetime) -> bool:
    """Whether the certificate is valid at `now`."""
    return certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc


def start_certificate(subject: x509.Name, key: PrivateKey, now: datetime, until: datetime) -> x509.CertificateBuilder:
    """Begin a certificate with what all have in common: a random serial, a validity in UTC, the subject key identifier.

    `now` must know its time zone: `ValueError` otherwise.
    """
    if now.tzinfo is None:
        raise ValueError("the time of issue has no time zone")
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCK_SKEW)
        .not_valid_after(until)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def sign(builder: x509.CertificateBuilder, key: PrivateKey) -> x509.Certificate:
    """Sign with the digest for the key's type."""
    return builder.sign(key, None if isinstance(key, ed25519.Ed25519PrivateKey) else hashes.SHA256())
