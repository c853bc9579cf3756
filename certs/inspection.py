"""What a certificate says, for people and for metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from weighbridge.certs.authority import is_authority
from weighbridge.certs.certificate_set import is_signed_by
from weighbridge.certs.pair import PrivateKey, is_matching


@dataclass(frozen=True, slots=True)
class Description:
    """One certificate. `signed_by_authority` and `key_matches` are `None` if there was no authority or key to compare with."""

    subject: str
    issuer: str
    serial: str
    dns_names: tuple[str, ...]
    ip_addresses: tuple[str, ...]
    not_before: datetime
    not_after: datetime
    days_left: int
    key_type: str
    is_authority: bool
    sha256: str
    signed_by_authority: bool | None
    key_matches: bool | None

    def as_json(self) -> dict[str, Any]:
        """The description as JSON values: times in RFC 3339, names in camel case."""
        times = {"not_before": _rfc3339(self.not_before), "not_after": _rfc3339(self.not_after)}
        names = {"dns_names": list(self.dns_names), "ip_addresses": list(self.ip_addresses)}
        return {_camel(name): value for name, value in (asdict(self) | times | names).items()}


def describe(
    certificate: x509.Certificate,
    now: datetime,
    *,
    authorities: Sequence[x509.Certificate] = (),
    key: PrivateKey | None = None,
) -> Description:
    """Describe a certificate as of `now`; `days_left` counts whole days and is negative after it has expired.

    With authorities, `signed_by_authority` says whether one of them signed it; with a key, `key_matches` says whether the key is the
    certificate's own.
    """
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        names = x509.SubjectAlternativeName([])
    return Description(
        subject=certificate.subject.rfc4514_string(),
        issuer=certificate.issuer.rfc4514_string(),
        serial=f"{certificate.serial_number:x}",
        dns_names=tuple(names.get_values_for_type(x509.DNSName)),
        ip_addresses=tuple(map(str, names.get_values_for_type(x509.IPAddress))),
        not_before=certificate.not_valid_before_utc,
        not_after=certificate.not_valid_after_utc,
        days_left=(certificate.not_valid_after_utc - now) // timedelta(days=1),
        key_type=_key_type(certificate),
        is_authority=is_authority(certificate),
        sha256=certificate.fingerprint(hashes.SHA256()).hex(":").upper(),
        signed_by_authority=any(is_signed_by(certificate, authority) for authority in authorities) if authorities else None,
        key_matches=is_matching(certificate, key) if key is not None else None,
    )


def _key_type(certificate: x509.Certificate) -> str:
    key = certificate.public_key()
    if isinstance(key, ec.EllipticCurvePublicKey):
        return f"ECDSA {key.curve.name}"
    if isinstance(key, rsa.RSAPublicKey):
        return f"RSA {key.key_size}"
    return type(key).__name__.removeprefix("_").removesuffix("PublicKey")


def _rfc3339(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
