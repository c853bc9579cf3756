"""The directory of certificates: complete at every moment, closed to other users, and with clear messages about its faults."""

from __future__ import annotations

import errno
import multiprocessing
import os
import shutil
import stat
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from tests.certs.conftest import NAMES
from weighbridge.certs import files
from weighbridge.certs.authority import create_authority
from weighbridge.certs.certificate_set import NAMES as FILE_NAMES
from weighbridge.certs.certificate_set import CertificateSet
from weighbridge.certs.errors import CertificateError
from weighbridge.certs.pair import Pair, certificates_pem
from weighbridge.certs.rotation import RotationPolicy, bring_up_to_date, create
from weighbridge.certs.serving_certificate import issue


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_set_is_read_as_it_was_written(certificates: CertificateSet, tmp_path: Path, now: datetime) -> None:
    directory = tmp_path / "deep" / "certs"
    umask = os.umask(0)
    try:
        files.write(directory, certificates)
    finally:
        os.umask(umask)
    assert files.read(directory).check(now, NAMES).as_data() == certificates.as_data()
    assert _mode(directory) == 0o700
    assert {name: _mode(directory / name) for name in FILE_NAMES} == {"ca.crt": 0o644, "ca.key": 0o600, "tls.crt": 0o644, "tls.key": 0o600}
    assert {path.name for path in directory.iterdir()} == {*FILE_NAMES, ".lock"}


def test_a_set_without_the_authoritys_key_takes_an_older_key_away(certificates: CertificateSet, tmp_path: Path) -> None:
    files.write(tmp_path, certificates)
    files.write(tmp_path, replace(certificates, authority_key=None))
    assert files.read(tmp_path).authority_key is None
    assert not (tmp_path / "ca.key").exists()
    with pytest.raises(CertificateError, match=r"ca\.key: is missing"):
        files.read(tmp_path).authority()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("ca.crt", None, "is missing; ca.crt, ca.key, tls.crt, tls.key belong together"),
        ("tls.key", None, "is missing; ca.crt, ca.key, tls.crt, tls.key belong together"),
        ("tls.crt", b"", "is empty; ca.crt, ca.key, tls.crt, tls.key belong together"),
        ("tls.crt", b"hello", "isn't a PEM certificate, or is cut short; it must hold -----BEGIN CERTIFICATE----- blocks"),
        ("tls.crt", "tls.key", "holds a private key; it must hold -----BEGIN CERTIFICATE----- blocks"),
        ("tls.key", "tls.crt", "holds a certificate; it must hold a -----BEGIN PRIVATE KEY----- block"),
        ("ca.key", b"hello", "isn't a PEM private key, or is cut short; it must hold a -----BEGIN PRIVATE KEY----- block"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(
    name: str, text: bytes | str | None, message: str, certificates: CertificateSet, tmp_path: Path
) -> None:
    files.write(tmp_path, certificates)
    if text is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_bytes((tmp_path / text).read_bytes() if isinstance(text, str) else text)
    with pytest.raises(CertificateError) as refused:
        files.read(tmp_path)
    assert str(refused.value) == f"{tmp_path / name}: {message}"


@pytest.mark.parametrize("name", FILE_NAMES)
def test_a_half_written_file_is_named(name: str, certificates: CertificateSet, tmp_path: Path) -> None:
    files.write(tmp_path, certificates)
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-40])
    with pytest.raises(CertificateError, match=f"{name}: isn't a PEM .*, or is cut short"):
        files.read(tmp_path)


Spoil = Callable[[CertificateSet, datetime], CertificateSet]


@pytest.mark.parametrize(
    ("spoil", "messages"),
    [
        (
            lambda own, now: replace(own, serving=Pair(own.serving.certificate, create_authority(now).key)),
            ["tls.key: isn't the key of D/tls.crt"],
        ),
        (lambda own, now: replace(own, authority_key=create_authority(now).key), ["ca.key: isn't the key of D/ca.crt"]),
        (
            lambda own, now: replace(own, serving=issue(create_authority(now), NAMES, now)),
            ["tls.crt: isn't signed by any certificate of ca.crt"],
        ),
        (lambda own, now: replace(own, serving=issue(own.authority(), ["localhost"], now)), ["tls.crt: doesn't hold weighbridge, "]),
        (
            lambda own, now: replace(own, serving=issue(own.authority(), NAMES, now, validity=timedelta(minutes=-1))),
            ["tls.crt: expired on "],
        ),
        (
            lambda _, now: create(NAMES, now + timedelta(days=2), RotationPolicy()),
            ["ca.crt: isn't valid before ", "tls.crt: isn't valid before "],
        ),
        (lambda _, now: create(NAMES, now - timedelta(days=4000), RotationPolicy()), ["ca.crt: expired on ", "tls.crt: expired on "]),
    ],
    ids=["foreign key", "foreign authority key", "foreign authority", "missing names", "expired", "not yet valid", "all expired"],
)
def test_a_set_that_does_not_fit_says_what_would_be_right(
    spoil: Spoil, messages: list[str], certificates: CertificateSet, now: datetime, tmp_path: Path
) -> None:
    files.write(tmp_path, spoil(certificates, now))
    faults = [str(fault).replace(str(tmp_path), "D") for fault in files.read(tmp_path).faults(now, NAMES)]
    assert len(faults) == len(messages)
    assert all(fault.startswith(f"D/{message}") and "; " in fault for fault, message in zip(faults, messages, strict=True)), faults
    with pytest.raises(CertificateError):
        files.read(tmp_path).check(now, NAMES)


def test_a_directory_in_place_of_a_file_is_refused_and_nothing_is_touched(certificates: CertificateSet, tmp_path: Path) -> None:
    files.write(tmp_path, certificates)
    (tmp_path / "tls.key").unlink()
    (tmp_path / "tls.key").mkdir()
    before = (tmp_path / "ca.crt").read_bytes()
    with pytest.raises(CertificateError, match=r"tls\.key: can't be read \(Is a directory\); a file must be there"):
        files.read(tmp_path)
    with pytest.raises(CertificateError, match=r"tls\.key: is a directory; a file must be there, or nothing"):
        files.write(tmp_path, create(NAMES, certificates.serving.certificate.not_valid_before_utc, RotationPolicy()))
    assert (tmp_path / "ca.crt").read_bytes() == before


def test_a_file_in_place_of_the_directory_is_refused(certificates: CertificateSet, tmp_path: Path) -> None:
    place = tmp_path / "certs"
    place.write_text("")
    with pytest.raises(CertificateError, match="certs: isn't a directory; name a directory with"):
        files.read(place)
    with pytest.raises(CertificateError, match=r"certs: can't be created \(File exists\)"):
        files.write(place, certificates)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_a_directory_without_permission_is_read_or_refused(certificates: CertificateSet, tmp_path: Path) -> None:
    files.write(tmp_path, certificates)
    (tmp_path / ".lock").unlink()
    tmp_path.chmod(0o500)
    try:
        assert files.read(tmp_path).as_data() == certificates.as_data()
        with pytest.raises(CertificateError, match=r"\.lock: can't be written \(Permission denied\)"):
            files.write(tmp_path, certificates)
        (tmp_path / "ca.key").chmod(0)
        with pytest.raises(CertificateError, match=r"ca\.key: can't be read \(Permission denied\)"):
            files.read(tmp_path)
    finally:
        tmp_path.chmod(0o700)


def test_files_keep_their_modes_and_keys_are_never_open_to_others(certificates: CertificateSet, tmp_path: Path) -> None:
    files.write(tmp_path, certificates)
    modes = {"ca.crt": 0o640, "tls.crt": 0o444, "ca.key": 0o640, "tls.key": 0o644}
    for name, mode in modes.items():
        (tmp_path / name).chmod(mode)
    files.write(tmp_path, certificates)
    assert {name: _mode(tmp_path / name) for name in FILE_NAMES} == modes | {"tls.key": 0o640}


def test_a_link_is_followed_to_the_file_that_it_means(certificates: CertificateSet, now: datetime, tmp_path: Path) -> None:
    files.write(tmp_path / "certs", certificates)
    (tmp_path / "secrets").mkdir()
    (tmp_path / "certs" / "tls.key").rename(tmp_path / "secrets" / "key.pem")
    (tmp_path / "certs" / "tls.key").symlink_to("../secrets/key.pem")
    new = create(NAMES, now, RotationPolicy())
    files.write(tmp_path / "certs", new)
    assert (tmp_path / "certs" / "tls.key").is_symlink()
    assert (tmp_path / "secrets" / "key.pem").read_bytes() == new.as_data()["tls.key"]
    assert _mode(tmp_path / "secrets" / "key.pem") == 0o600
    assert files.read(tmp_path / "certs").as_data() == new.as_data()
    assert {path.name for path in (tmp_path / "certs").iterdir()} == {*FILE_NAMES, ".lock"}


@pytest.mark.parametrize("name", [".staged", ".committed"])
def test_a_link_in_place_of_what_a_writer_makes_is_not_followed(certificates: CertificateSet, tmp_path: Path, name: str) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for file in FILE_NAMES:
        (other / file).write_text("theirs")
    files.write(tmp_path / "certs", certificates)
    (tmp_path / "certs" / name).symlink_to(other)
    with pytest.raises(CertificateError, match="can't be written"):
        files.write(tmp_path / "certs", certificates)
    assert {file.read_text() for file in other.iterdir()} == {"theirs"}
    assert files.read(tmp_path / "certs").as_data() == certificates.as_data()


class Killed(BaseException):
    """Simulates the end of the process: our code must not catch it."""


@pytest.mark.parametrize("step", range(1, 14))
def test_a_writer_that_dies_leaves_the_old_set_or_the_new_one(
    step: int, certificates: CertificateSet, now: datetime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the process dies before the n-th rename, removal or flush, of which a write has thirteen, the next reader finds one whole set."""
    old, new = certificates, create(NAMES, now, RotationPolicy())
    files.write(tmp_path, old)
    left = iter(range(1, step))

    def dying(real: Callable[..., object]) -> Callable[..., object]:
        def act(*arguments: object, **options: object) -> object:
            if next(left, None) is None:
                raise Killed
            return real(*arguments, **options)

        return act

    with monkeypatch.context() as patch:
        for owner, name in [(Path, "rename"), (Path, "replace"), (Path, "rmdir"), (os, "fsync")]:
            patch.setattr(owner, name, dying(getattr(owner, name)))
        with pytest.raises(Killed):
            files.write(tmp_path, new)
    found = files.read(tmp_path).check(now, NAMES).as_data()
    # Four files and their folder are flushed before the final rename.
    assert found == (old if step <= 6 else new).as_data()
    files.write(tmp_path, new)
    assert {path.name for path in tmp_path.iterdir()} == {*FILE_NAMES, ".lock"}


def _provision(directory: Path, now: datetime, start: Barrier, sink: Queue[tuple[list[str], bytes]]) -> None:
    start.wait(timeout=60)
    kept, steps = files.update(directory, lambda current: bring_up_to_date(current, NAMES, now, RotationPolicy()))
    sink.put(([str(step) for step in steps], certificates_pem(kept.authorities)))


def test_processes_at_once_end_with_one_set(now: datetime, tmp_path: Path) -> None:
    directory = tmp_path / "certs"
    spawning = multiprocessing.get_context("spawn")
    sink: Queue[tuple[list[str], bytes]] = spawning.Queue()
    start = spawning.Barrier(3)
    processes = [spawning.Process(target=_provision, args=(directory, now, start, sink)) for _ in range(3)]
    for process in processes:
        process.start()
    told = [sink.get(timeout=60) for _ in processes]
    for process in processes:
        process.join()
    assert sorted(steps for steps, _ in told) == [[], [], ["create"]]
    assert {authorities for _, authorities in told} == {(directory / "ca.crt").read_bytes()}
    files.read(directory).check(now, NAMES)


def test_an_update_waits_for_the_one_before_it(certificates: CertificateSet, now: datetime, tmp_path: Path) -> None:
    entered = threading.Event()
    seen: list[CertificateSet | None] = []

    def later(current: CertificateSet | None) -> tuple[CertificateSet, None]:
        entered.set()
        seen.append(current)
        return current or certificates, None

    second = threading.Thread(target=files.update, args=(tmp_path, later))

    def first(_: CertificateSet | None) -> tuple[CertificateSet, bool]:
        second.start()
        return certificates, entered.wait(timeout=0.3)

    _, overtaken = files.update(tmp_path, first)
    second.join()
    assert not overtaken
    assert [found.as_data() for found in seen if found] == [certificates.as_data()]


def test_a_copy_without_the_lock_is_read_too(certificates: CertificateSet, tmp_path: Path) -> None:
    files.write(tmp_path / "one", certificates)
    shutil.copytree(tmp_path / "one", tmp_path / "two", ignore=shutil.ignore_patterns(".lock"))
    assert files.read(tmp_path / "two").as_data() == certificates.as_data()


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.ENOSPC, "make room"),
        (errno.EROFS, "this user must be allowed to"),
        (errno.ENOTDIR, "name a directory, not a file"),
        (errno.EIO, "check the path and the disk"),
    ],
)
def test_a_directory_that_can_not_be_made_says_what_helps(
    certificates: CertificateSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, remedy: str
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "mkdir", fails)
    with pytest.raises(CertificateError, match=f"certs: can't be created .*; {remedy}"):
        files.write(tmp_path / "certs", certificates)
