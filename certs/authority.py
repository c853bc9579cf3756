"""The certificate authority that a webhook's caBundle names: one P-256 key that signs serving certificates and nothing else.

Its profile is what Go's crypto/x509 and OpenSSL's strict mode (Python 3.13's default) require: BasicConstraints with path length 0, key
usage, subject key identifier (RFC 5280, sections 4.2.1 and 6.1).
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from weighbridge.certs.pair import Pair, sign, start_certificate

#: Long on purpose: when an authority expires, every webhook call fails, and nothing else watches it.
AUTHORITY_VALIDITY = timedelta(days=3652)

_KEY_USAGE = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=True,
    encipher_only=False,
    decipher_only=False,
)


def create_authority(now: datetime, *, name: str = "weighbridge CA", validity: timedelta = AUTHORITY_VALIDITY) -> Pair:
    """A new authority, valid from an hour before `now` until `validity` after it.

    Its common name ends in random digits: during a rotation two authorities are trusted, and verifiers look issuers up by name.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"{name} {secrets.token_hex(4)}")])
    builder = (
        start_certificate(subject, key, now, now + validity)
        .issuer_name(subject)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_KEY_USAGE, critical=True)
    )
    return Pair(sign(builder, key), key)


def is_authority(certificate: x509.Certificate) -> bool:
    """Whether the certificate may sign others: BasicConstraints say CA, and a key usage, if there is one, allows it."""
    extensions = certificate.extensions
    try:
        if not extensions.get_extension_for_class(x509.BasicConstraints).value.ca:
            return False
    except x509.ExtensionNotFound:
        return False
    try:
        return extensions.get_extension_for_class(x509.KeyUsage).value.key_cert_sign
    except x509.ExtensionNotFound:
        return True
