"""Replicas agree on one authority through a Secret, whatever happens to it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from weighbridge.certs.authority import AUTHORITY_VALIDITY, create_authority
from weighbridge.certs.bundle import bundle
from weighbridge.certs.certificate_set import CertificateSet
from weighbridge.certs.errors import CertificateError
from weighbridge.certs.pair import read_certificates
from weighbridge.webhook.server.ca_bundle import Overlap
from weighbridge.webhook.server.certificate_secret import bring_up_to_date

_NAMES = ["weighbridge.weighbridge-system.svc"]
_NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Stored:
    """The Secret on the API server: a write succeeds only if the writer has read the state that it replaces."""

    def __init__(self) -> None:
        self.data: dict[str, bytes] = {}
        self.version = 0


class Replica:
    """One replica's access to it, slow enough for another replica to write in between."""

    def __init__(self, stored: Stored) -> None:
        self._stored = stored
        self._version = -1

    async def read(self) -> dict[str, bytes]:
        await asyncio.sleep(0)
        self._version = self._stored.version
        return dict(self._stored.data)

    async def write(self, data: dict[str, bytes]) -> bool:
        await asyncio.sleep(0)
        if self._version != self._stored.version:
            return False
        self._stored.data, self._stored.version = dict(data), self._stored.version + 1
        return True


def agreed(stored: Stored, held: CertificateSet | None = None, moment: datetime = _NOW) -> CertificateSet:
    """The certificates that one replica takes from the Secret, or writes there."""
    return asyncio.run(bring_up_to_date(Replica(stored), _NAMES, held, moment))


def test_two_that_start_at_once_make_one_authority() -> None:
    stored = Stored()

    async def both() -> list[CertificateSet]:
        return await asyncio.gather(*(bring_up_to_date(Replica(stored), _NAMES, None, _NOW) for _ in range(2)))

    one, other = asyncio.run(both())
    assert one.as_data() == other.as_data() == stored.data
    assert stored.version == 1


def test_what_is_good_is_left_alone() -> None:
    stored = Stored()
    first = agreed(stored)
    assert agreed(stored, moment=_NOW + timedelta(days=30)).as_data() == first.as_data()
    assert stored.version == 1


def test_a_certificate_that_is_due_is_renewed_under_the_same_authority() -> None:
    stored = Stored()
    first = agreed(stored)
    later = agreed(stored, first, _NOW + timedelta(days=300))
    assert later.serving.certificate != first.serving.certificate
    assert later.authorities == first.authorities
    assert not later.faults(_NOW + timedelta(days=300), _NAMES)


def test_an_authority_that_is_due_is_joined_by_its_successor() -> None:
    stored = Stored()
    first = agreed(stored)
    later = agreed(stored, first, _NOW + timedelta(days=2500))
    assert later.authorities[1] == first.authorities[0]
    assert later.issuer() == first.authorities[0], "the new one signs nothing yet"


@pytest.mark.parametrize("left", [{}, {"ca.crt": b"broken"}, {"tls.crt": b""}], ids=["nothing", "broken", "no authority"])
def test_a_secret_that_was_lost_is_put_back(left: dict[str, bytes]) -> None:
    stored = Stored()
    held = agreed(stored)
    stored.data = left
    assert agreed(stored, held).as_data() == held.as_data() == stored.data


@pytest.mark.parametrize("broken", [{"tls.crt": b"broken"}, {"tls.key": b""}, {"tls.crt": b"", "tls.key": b"broken"}])
def test_an_authority_that_is_whole_is_kept_where_what_it_issued_is_broken(broken: dict[str, bytes]) -> None:
    stored = Stored()
    before = agreed(stored)
    stored.data |= broken
    after = agreed(stored)
    assert after.authorities == before.authorities
    assert after.serving.certificate != before.serving.certificate
    assert after.as_data() == stored.data
    assert not after.faults(_NOW, _NAMES)


def test_a_serving_key_of_another_certificate_is_replaced_under_the_same_authority() -> None:
    stored = Stored()
    before = agreed(stored)
    stored.data["tls.key"] = agreed(Stored()).as_data()["tls.key"]
    after = agreed(stored)
    assert after.authorities == before.authorities
    assert not after.faults(_NOW, _NAMES)


@pytest.mark.parametrize("name", ["ca.crt", "ca.key"])
@pytest.mark.parametrize("what", ["broken", "missing", "of another"])
def test_without_a_replica_that_serves_a_new_authority_is_made(name: str, what: str) -> None:
    stored = Stored()
    before = agreed(stored)
    other = agreed(Stored()).as_data()[name]
    stored.data |= {"tls.crt": b"broken", name: {"broken": b"broken", "missing": b"", "of another": other}[what]}
    after = agreed(stored)
    assert after.authorities[0] != before.authorities[0]
    assert not after.faults(_NOW, _NAMES)


@pytest.mark.parametrize("skew", [timedelta(hours=-1), timedelta(hours=1)])
def test_a_clock_that_is_an_hour_off_renews_nothing(skew: timedelta) -> None:
    stored = Stored()
    first = agreed(stored)
    assert agreed(stored, moment=_NOW + skew).as_data() == first.as_data()
    assert not first.faults(_NOW + skew, _NAMES)


def test_an_authority_that_has_ended_signs_nothing_again() -> None:
    stored = Stored()
    before = agreed(stored)
    stored.data["tls.crt"] = b"broken"
    later = _NOW + AUTHORITY_VALIDITY + timedelta(days=1)
    after = agreed(stored, moment=later)
    assert before.authorities[0] not in after.authorities
    assert not after.faults(later, _NAMES)


def test_a_secret_that_others_keep_changing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weighbridge.webhook.server.certificate_secret._PAUSE_SECONDS", 0)

    class Contested(Replica):
        async def write(self, data: dict[str, bytes]) -> bool:
            return False

    with pytest.raises(CertificateError, match="changed by others"):
        asyncio.run(bring_up_to_date(Contested(Stored()), _NAMES, None, _NOW))


def test_the_authority_of_before_stays_published_for_a_while() -> None:
    old, new = (bundle([create_authority(_NOW).certificate]) for _ in range(2))
    seconds = count(0, 400)
    overlap = Overlap(600, lambda: float(next(seconds)))
    first = overlap.wanted(new, old, _NOW)
    assert read_certificates(first, "") == (*read_certificates(new, ""), *read_certificates(old, ""))
    assert overlap.wanted(new, first, _NOW) == first
    assert overlap.wanted(new, first, _NOW) == new


def test_an_authority_that_has_ended_is_not_kept() -> None:
    ended = bundle([create_authority(_NOW - timedelta(days=10), validity=timedelta(days=5)).certificate])
    new = bundle([create_authority(_NOW).certificate])
    assert Overlap().wanted(new, ended, _NOW) == new


def test_a_rotation_keeps_serving_what_is_trusted() -> None:
    """In ten years of weekly checks the served certificate is always signed by a published authority."""
    stored, moment = Stored(), _NOW
    current = agreed(stored)
    while moment < _NOW + AUTHORITY_VALIDITY:
        moment += timedelta(days=28)
        trusted, current = current.authorities, agreed(stored, current, moment)
        assert current.issuer() in trusted
        assert not current.faults(moment, _NAMES)
