"""Renewal without a gap, in steps that can each wait until every client and replica has seen the previous one.

1. `add_authority`: a new authority is trusted together with the old one, while the old one's certificate is still served;
2. `renew_serving`: a certificate of the new authority is served, while both are trusted;
3. `retire_authorities`: authorities on which nothing depends any more are no longer trusted.

Swapping authority and certificate together fails the calls of every API server that hasn't seen the new caBundle yet. These are pure
functions: the clock is a parameter, and the caller keeps the set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from weighbridge.certs.authority import AUTHORITY_VALIDITY, create_authority
from weighbridge.certs.bundle import distinct, without_expired
from weighbridge.certs.certificate_set import CertificateSet, read_authorities, signing_pair
from weighbridge.certs.pair import is_valid_at
from weighbridge.certs.renewal import RENEWAL_FRACTION, needs_renewal
from weighbridge.certs.serving_certificate import SERVING_VALIDITY, is_covered, issue


class RotationStep(StrEnum):
    """A step that was or has to be taken for a set; `CREATE` if there was none."""

    CREATE = "create"
    ADD_AUTHORITY = "add authority"
    RENEW_SERVING = "renew serving certificate"
    RETIRE_AUTHORITIES = "retire old authorities"


@dataclass(frozen=True, slots=True)
class RotationPolicy:
    """How long certificates live, after which part of their life they are renewed, and how long the previous authority stays trusted."""

    serving_validity: timedelta = SERVING_VALIDITY
    authority_validity: timedelta = AUTHORITY_VALIDITY
    fraction: float = RENEWAL_FRACTION
    overlap: timedelta = timedelta(days=7)


def create(names: Sequence[str], now: datetime, policy: RotationPolicy) -> CertificateSet:
    """A new authority and a serving certificate of it."""
    authority = create_authority(now, validity=policy.authority_validity)
    serving = issue(authority, names, now, validity=policy.serving_validity)
    return CertificateSet((authority.certificate,), authority.key, serving)


def recover(
    data: Mapping[str, bytes], names: Sequence[str], now: datetime, policy: RotationPolicy
) -> tuple[CertificateSet, tuple[RotationStep, ...]]:
    """Keep the authorities of four texts whose serving certificate or key can't be used, and issue a new serving certificate.

    Raises `CertificateError` if the newest authority can't sign either.
    """
    authorities, key = read_authorities(data)
    serving = issue(signing_pair(authorities, key), names, now, validity=policy.serving_validity)
    return CertificateSet(authorities, key, serving), (RotationStep.RENEW_SERVING,)


def add_authority(current: CertificateSet, now: datetime, policy: RotationPolicy) -> CertificateSet:
    """The set with a new authority first; the serving certificate stays."""
    authority = create_authority(now, validity=policy.authority_validity)
    return replace(current, authorities=(authority.certificate, *current.authorities), authority_key=authority.key)


def renew_serving(current: CertificateSet, names: Sequence[str], now: datetime, policy: RotationPolicy) -> CertificateSet:
    """The set with a new serving certificate of its newest authority; raises `CertificateError` if that can't sign."""
    return replace(current, serving=issue(current.authority(), names, now, validity=policy.serving_validity))


def retire_authorities(current: CertificateSet, now: datetime) -> CertificateSet:
    """The set without authorities that have expired or whose certificates aren't served any more; the newest always stays."""
    issuer = current.issuer()
    living = without_expired(() if issuer is None else (issuer,), now)
    return replace(current, authorities=distinct((current.authorities[0], *living)))


def due(current: CertificateSet, names: Sequence[str], now: datetime, policy: RotationPolicy) -> tuple[RotationStep, ...]:
    """The steps to take, in their order; none if all is well for now.

    The serving certificate comes first, so that a new authority's caBundle has time to arrive, unless the old authority can't sign any
    more.
    """
    authority, issuer, serving = current.authorities[0], current.issuer(), current.serving.certificate
    steps = []
    if (
        needs_renewal(serving, now, policy.fraction)
        or issuer is None
        or not is_valid_at(issuer, now)
        or not all(is_covered(serving, name) for name in names)
    ):
        steps.append(RotationStep.RENEW_SERVING)
    if needs_renewal(authority, now, policy.fraction):
        steps.append(RotationStep.ADD_AUTHORITY)
    if not steps and len(current.authorities) > 1 and issuer == authority and now - serving.not_valid_before_utc > policy.overlap:
        # Clients have long had the bundle with both, and nothing that is served depends on the old ones.
        steps.append(RotationStep.RETIRE_AUTHORITIES)
    return tuple(steps if is_valid_at(authority, now) else reversed(steps))


def bring_up_to_date(
    current: CertificateSet | None, names: Sequence[str], now: datetime, policy: RotationPolicy
) -> tuple[CertificateSet, tuple[RotationStep, ...]]:
    """Take every step that is due. Returns the set and the steps; without steps the set is unchanged.

    Raises `CertificateError` if a step needs the authority's key and it is missing.
    """
    if current is None:
        return create(names, now, policy), (RotationStep.CREATE,)
    steps = due(current, names, now, policy)
    if steps and steps != (RotationStep.RETIRE_AUTHORITIES,):
        # Only the holder of the authority's key may choose its successor.
        current.authority()
    for step in steps:
        match step:
            case RotationStep.RENEW_SERVING:
                current = renew_serving(current, names, now, policy)
            case RotationStep.ADD_AUTHORITY:
                current = add_authority(current, now, policy)
            case _:
                current = retire_authorities(current, now)
    return current, steps
