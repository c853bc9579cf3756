"""The certificate of the webhook's server: its names, and how an authority issues it.

The API server calls ``<service>.<namespace>.svc`` and checks the subject alternative names only (Go ignores the common name); the shorter
and longer forms of the service's name are there for people and probes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from weighbridge.certs.authority import is_authority
from weighbridge.certs.errors import CertificateError
from weighbridge.certs.pair import Pair, is_matching, is_valid_at, sign, start_certificate

SERVING_VALIDITY = timedelta(days=365)

_LABEL = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?"
# Most verifiers would read a name whose last label is a number as an address.
_DNS_NAME = re.compile(rf"(?:\*\.)?(?:{_LABEL}\.)*(?![0-9]+\Z){_LABEL}")
_DNS_NAME_LENGTH = 253

_KEY_USAGE = x509.KeyUsage(
    digital_signature=True,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=False,
    crl_sign=False,
    encipher_only=False,
    decipher_only=False,
)


def service_names(service: str, namespace: str, *, cluster_domain: str = "cluster.local") -> tuple[str, ...]:
    """The names under which a Service is called inside a cluster, shortest first."""
    return service, f"{service}.{namespace}", f"{service}.{namespace}.svc", f"{service}.{namespace}.svc.{cluster_domain}"


def issue(authority: Pair, names: Sequence[str], now: datetime, *, validity: timedelta = SERVING_VALIDITY) -> Pair:
    """A new key with a certificate for DNS names and IP addresses, signed by the authority.

    It expires with the authority if that expires first. Raises `CertificateError` for a name that is neither, if there are no names, and if
    the authority may not sign or isn't valid now.
    """
    _check_authority(authority, now)
    issuer = authority.certificate
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "weighbridge serving certificate")])
    builder = (
        start_certificate(subject, key, now, min(now + validity, issuer.not_valid_after_utc))
        .issuer_name(issuer.subject)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_KEY_USAGE, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(alternative_names(names)), critical=False)
        .add_extension(_authority_key_identifier(issuer), critical=False)
    )
    return Pair(sign(builder, authority.key), key)


def alternative_names(names: Sequence[str]) -> list[x509.GeneralName]:
    """The names as a certificate has them, each once; raises `CertificateError` for a text that isn't a name."""
    if not names:
        raise CertificateError("serving certificate", "there is no name to issue it for", "name a service, a host or an IP address")
    return list(dict.fromkeys(map(_alternative_name, names)))


def is_covered(certificate: x509.Certificate, name: str) -> bool:
    """Whether a verifier accepts the certificate for this DNS name or IP address; `False` for a text that isn't a name."""
    try:
        wanted = _alternative_name(name)
        held = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (CertificateError, x509.ExtensionNotFound):
        return False
    if isinstance(wanted, x509.IPAddress):
        return wanted.value in held.get_values_for_type(x509.IPAddress)
    own = {text.lower() for text in held.get_values_for_type(x509.DNSName)}
    _, _, parent = wanted.value.partition(".")
    return wanted.value in own or (bool(parent) and f"*.{parent}" in own)


def _alternative_name(name: str) -> x509.DNSName | x509.IPAddress:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        lowered = name.lower()
    if len(lowered) > _DNS_NAME_LENGTH or _DNS_NAME.fullmatch(lowered) is None:
        raise CertificateError(repr(name), "is neither a DNS name nor an IP address", "give it without scheme, port or brackets")
    return x509.DNSName(lowered)


def _check_authority(authority: Pair, now: datetime) -> None:
    subject = authority.certificate.subject.rfc4514_string()
    if not is_authority(authority.certificate):
        raise CertificateError(subject, "may not sign certificates", "a certificate with CA:TRUE and keyCertSign is needed")
    if not is_matching(authority.certificate, authority.key):
        raise CertificateError(subject, "the authority's key belongs to another certificate", "its own key is needed to sign")
    if not is_valid_at(authority.certificate, now):
        until = authority.certificate.not_valid_after_utc
        raise CertificateError(subject, f"isn't valid now (until {until:%Y-%m-%d %H:%M} UTC)", "create a new authority")


def _authority_key_identifier(issuer: x509.Certificate) -> x509.AuthorityKeyIdentifier:
    try:
        own = issuer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    except x509.ExtensionNotFound:
        return x509.AuthorityKeyIdentifier(x509.SubjectKeyIdentifier.from_public_key(issuer.public_key()).digest, None, None)
    return x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(own)
