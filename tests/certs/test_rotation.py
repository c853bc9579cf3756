"""Renewal by the clock, and a rotation that no client notices."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.certs.conftest import NAMES
from tests.certs.loopback import client_context, shown_certificate, tls_server
from weighbridge.certs import files
from weighbridge.certs.bundle import bundle, join
from weighbridge.certs.certificate_set import CertificateSet
from weighbridge.certs.errors import CertificateError
from weighbridge.certs.pair import Pair
from weighbridge.certs.renewal import needs_renewal, renewal_time
from weighbridge.certs.rotation import (
    RotationPolicy,
    RotationStep,
    add_authority,
    bring_up_to_date,
    create,
    renew_serving,
    retire_authorities,
)
from weighbridge.certs.serving_certificate import issue
from weighbridge.certs.tls import ReloadingContext

POLICY = RotationPolicy()
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("age", "is_due"),
    [(-0.1, True), (0, False), (0.6, False), (0.66, False), (0.67, True), (0.99, True), (1.01, True)],
    ids=["not yet valid", "new", "0.6", "0.66", "0.67", "0.99", "expired"],
)
def test_a_certificate_is_due_after_two_thirds_of_its_life(age: float, *, is_due: bool, serving: Pair) -> None:
    begin, end = serving.certificate.not_valid_before_utc, serving.certificate.not_valid_after_utc
    assert needs_renewal(serving.certificate, begin + (end - begin) * age) is is_due


def test_the_fraction_of_life_can_be_chosen(serving: Pair, now: datetime) -> None:
    assert needs_renewal(serving.certificate, now + 40 * DAY, fraction=0.1)
    assert renewal_time(serving.certificate, fraction=1) == serving.certificate.not_valid_after_utc
    for wrong in (0, -1, 1.5):
        with pytest.raises(ValueError, match="between 0 and 1"):
            needs_renewal(serving.certificate, now, fraction=wrong)


@pytest.mark.parametrize(
    ("days", "names", "steps"),
    [
        (1, NAMES, ()),
        (1, (*NAMES, "new.example.org"), (RotationStep.RENEW_SERVING,)),
        (300, NAMES, (RotationStep.RENEW_SERVING,)),
        (2500, NAMES, (RotationStep.RENEW_SERVING, RotationStep.ADD_AUTHORITY)),
        (4000, NAMES, (RotationStep.ADD_AUTHORITY, RotationStep.RENEW_SERVING)),
    ],
    ids=["nothing", "a new name", "two thirds of the certificate", "two thirds of the authority", "everything expired"],
)
def test_what_is_due_is_done_and_then_nothing_is(
    days: int, names: tuple[str, ...], steps: tuple[RotationStep, ...], certificates: CertificateSet
) -> None:
    then = certificates.serving.certificate.not_valid_before_utc + days * DAY
    renewed, taken = bring_up_to_date(certificates, names, then, POLICY)
    assert taken == steps
    assert renewed.faults(then, names) == []
    assert bring_up_to_date(renewed, names, then, POLICY) == (renewed, ())


def test_a_certificate_never_outlives_its_authority(authority: Pair) -> None:
    late = authority.certificate.not_valid_after_utc - 10 * DAY
    assert issue(authority, NAMES, late).certificate.not_valid_after_utc == authority.certificate.not_valid_after_utc


def test_a_life_too_short_to_be_renewed_in_time_is_renewed_each_time(now: datetime) -> None:
    """With an hour's allowance for clocks and a minute of life, two thirds of the life are over at once."""
    brief = RotationPolicy(serving_validity=timedelta(minutes=1), authority_validity=timedelta(minutes=2))
    created, steps = bring_up_to_date(None, NAMES, now, brief)
    assert steps == (RotationStep.CREATE,)
    again, steps = bring_up_to_date(created, NAMES, now, brief)
    assert steps == (RotationStep.RENEW_SERVING, RotationStep.ADD_AUTHORITY)
    assert again.faults(now, NAMES) == []


def test_without_the_authoritys_key_nothing_can_be_renewed(certificates: CertificateSet, now: datetime) -> None:
    foreign = CertificateSet(certificates.authorities, None, certificates.serving, "admission/weighbridge-tls")
    assert bring_up_to_date(foreign, NAMES, now, POLICY) == (foreign, ())
    for days in (300, 4000):
        with pytest.raises(CertificateError, match=r"admission/weighbridge-tls/ca\.key: is missing"):
            bring_up_to_date(foreign, NAMES, now + days * DAY, POLICY)


def test_a_rotation_in_three_steps_never_fails_a_client(now: datetime, tmp_path: Path) -> None:
    """Before each step clients have the bundle of the previous step, like API servers that get a new one late."""
    first = create(NAMES, now, POLICY)
    steps = [first, add_authority(first, now, POLICY)]
    steps.append(renew_serving(steps[1], NAMES, now, POLICY))
    steps.append(retire_authorities(steps[2], now))
    assert [len(step.authorities) for step in steps] == [1, 2, 2, 1]
    assert steps[1].serving == first.serving != steps[2].serving == steps[3].serving
    assert steps[3].authorities[0] not in first.authorities
    directories = [tmp_path / str(number) for number in range(4)]
    for directory, step in zip(directories, steps, strict=True):
        files.write(directory, step)
        files.read(directory).check(now, NAMES)
    reloading = ReloadingContext(directories[0] / "tls.crt", directories[0] / "tls.key")
    with tls_server(reloading.context) as port:
        for before, step, directory in zip(steps, steps[1:], directories[1:], strict=False):
            reloading.replace(directory / "tls.crt", directory / "tls.key")
            for trusting in (before, step):
                assert shown_certificate(port, client_context(*trusting.authorities), NAMES[2]) == step.serving.certificate


def test_retiring_keeps_the_authority_of_what_is_served(certificates: CertificateSet, now: datetime) -> None:
    both = add_authority(certificates, now, POLICY)
    assert retire_authorities(both, now) == both
    assert retire_authorities(both, now + 4000 * DAY).authorities == both.authorities[:1]


def test_old_authorities_are_retired_once_all_have_had_time_to_hear_of_the_new_one(certificates: CertificateSet, now: datetime) -> None:
    both = renew_serving(add_authority(certificates, now, POLICY), NAMES, now, POLICY)
    assert bring_up_to_date(both, NAMES, now + 6 * DAY, POLICY) == (both, ())
    retired, steps = bring_up_to_date(both, NAMES, now + 8 * DAY, POLICY)
    assert (steps, retired.authorities) == ((RotationStep.RETIRE_AUTHORITIES,), both.authorities[:1])
    assert retired.faults(now + 8 * DAY, NAMES) == []
    assert bring_up_to_date(retired, NAMES, now + 8 * DAY, POLICY) == (retired, ())


def test_an_authority_that_has_signed_what_is_served_is_not_retired(certificates: CertificateSet, now: datetime) -> None:
    both = add_authority(certificates, now, POLICY)
    assert bring_up_to_date(both, NAMES, now + 30 * DAY, POLICY) == (both, ())


def test_a_bundle_holds_each_authority_once(authority: Pair, expired: tuple[Pair, Pair]) -> None:
    old, new = expired[0].certificate, authority.certificate
    both = bundle([old, new, old])
    assert both.count(b"BEGIN CERTIFICATE") == 2
    assert join(bundle([old]), b"\n", b"# the new one\n" + bundle([new]), both) == both
    with pytest.raises(CertificateError, match=r"^webhooks/a: isn't a PEM certificate"):
        join(both, b"hello", subject="webhooks/a")
