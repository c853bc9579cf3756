"""When a certificate is valid, in messages and as clients see it: to the second."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from weighbridge.certs.authority import create_authority
from weighbridge.certs.inspection import describe
from weighbridge.certs.pair import is_valid_at
from weighbridge.certs.renewal import needs_renewal, renewal_time
from weighbridge.certs.serving_certificate import issue
from weighbridge.certs.serving_faults import CertificateFault, serving_faults, validity_faults

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
CERTIFICATE = issue(create_authority(NOW), ("a.example.org", "10.0.0.1"), NOW).certificate
BEGIN, END = CERTIFICATE.not_valid_before_utc, CERTIFICATE.not_valid_after_utc
SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize(
    ("moment", "skew", "faults"),
    [
        (BEGIN, timedelta(), []),
        (BEGIN - SECOND, timedelta(), [CertificateFault.NOT_YET_VALID]),
        (BEGIN - HOUR, HOUR, []),
        (BEGIN - HOUR - SECOND, HOUR, [CertificateFault.NOT_YET_VALID]),
        (BEGIN + HOUR / 2, HOUR, []),
        (END, HOUR, []),
        (END + SECOND, HOUR, [CertificateFault.EXPIRED]),
    ],
)
def test_clocks_that_are_ahead_excuse_a_late_beginning_and_no_end(
    moment: datetime, skew: timedelta, faults: list[CertificateFault]
) -> None:
    assert [fault for fault, _ in validity_faults(CERTIFICATE, moment, "it", "renew it", skew)] == faults
    assert list(serving_faults(CERTIFICATE, moment, ["a.example.org", "10.0.0.1"], "it", skew)) == faults


def test_a_fault_says_when_and_what_would_do() -> None:
    (late,) = validity_faults(CERTIFICATE, BEGIN - DAY, "it", "renew it")
    assert f"isn't valid before {BEGIN:%Y-%m-%d %H:%M} UTC" in str(late[1])
    assert "check this machine's clock, or issue a new certificate" in str(late[1])
    (ended,) = validity_faults(CERTIFICATE, END + DAY, "it", "renew it")
    assert f"expired on {END:%Y-%m-%d %H:%M} UTC" in str(ended[1])
    assert "renew it" in str(ended[1])


def test_names_that_are_lacking_come_after_what_is_worse() -> None:
    found = serving_faults(CERTIFICATE, END + DAY, ["a.example.org", "b.example.org", "10.0.0.2"], "it")
    assert list(found) == [CertificateFault.EXPIRED, CertificateFault.WRONG_NAME]
    assert "doesn't hold b.example.org, 10.0.0.2 among its subject alternative names" in str(found[CertificateFault.WRONG_NAME])


@pytest.mark.parametrize(
    ("moment", "days"),
    [(END - DAY, 1), (END - DAY + SECOND, 0), (END, 0), (END + SECOND, -1), (END + DAY, -1), (END + DAY + SECOND, -2), (END - 9 * DAY, 9)],
)
def test_whole_days_are_left(moment: datetime, days: int) -> None:
    assert describe(CERTIFICATE, moment).days_left == days


@pytest.mark.parametrize("fraction", [0.25, 0.5, 1.0])
def test_a_certificate_is_due_at_a_fraction_of_its_life(fraction: float) -> None:
    due = BEGIN + (END - BEGIN) * fraction
    assert renewal_time(CERTIFICATE, fraction) == due
    assert needs_renewal(CERTIFICATE, due, fraction)
    assert not needs_renewal(CERTIFICATE, due - SECOND, fraction)
    assert needs_renewal(CERTIFICATE, BEGIN - SECOND, fraction)


def test_both_ends_of_its_life_belong_to_it() -> None:
    assert [is_valid_at(CERTIFICATE, moment) for moment in (BEGIN - SECOND, BEGIN, END, END + SECOND)] == [False, True, True, False]
