"""Each failure to write a file has its words, and leaves no descriptor open."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from weighbridge.certs import atomicfile
from weighbridge.certs.atomicfile import WriteError
from weighbridge.certs.regular_file import NotRegularError, read_regular_file

OTHER = "choose another file, or let this user write to it"
BESIDE = "allow that: a file is written under another name first, and then takes the place of the old one"


def error_of(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@pytest.mark.parametrize(
    ("error", "wrong", "remedy"),
    [
        (error_of(errno.EISDIR), "is a directory", "give the name of a file"),
        (error_of(errno.ENOENT), "there is no directory /d", "make it first"),
        (error_of(errno.ENOTDIR), "there is no directory /d", "make it first"),
        (error_of(errno.ENOSPC), "can't be written whole (No space left on device)", "make room"),
        (error_of(errno.EDQUOT), "can't be written whole (Disk quota exceeded)", "make room"),
        (error_of(errno.EACCES), "can't be written (Permission denied)", OTHER),
        (error_of(errno.EIO), "can't be written (Input/output error)", OTHER),
        (OSError("odd"), "can't be written (odd)", OTHER),
    ],
)
def test_a_failure_is_told_by_what_would_do(error: OSError, wrong: str, remedy: str) -> None:
    found = WriteError.of("/d/f", error)
    assert (found.path, found.wrong, found.remedy) == ("/d/f", wrong, remedy)


@pytest.mark.parametrize(
    ("error", "wrong", "remedy"),
    [
        (error_of(errno.ENOENT), "there is no directory /e", "make it first"),
        (error_of(errno.EACCES), "this user may not write to the directory /e (Permission denied)", BESIDE),
        (error_of(errno.ENOSPC), "can't be written whole (No space left on device)", "make room"),
        (OSError("odd"), "can't be written (odd)", OTHER),
    ],
)
def test_a_failure_of_the_directory_is_told_of_it(error: OSError, wrong: str, remedy: str) -> None:
    found = WriteError.in_folder("/d/f", "/e", error)
    assert (found.path, found.wrong, found.remedy) == ("/d/f", wrong, remedy)


def open_descriptors() -> list[str]:
    return sorted(os.listdir("/proc/self/fd"))


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    file = tmp_path / "f"
    before = open_descriptors()
    atomicfile.write(file, b"one")
    atomicfile.write(file, b"two")
    assert read_regular_file(file, 10) == b"two"
    with pytest.raises(OSError, match="large"):
        read_regular_file(file, 2)
    with pytest.raises(NotRegularError, match="device"):
        read_regular_file("/dev/null", 10)
    with pytest.raises(IsADirectoryError):
        read_regular_file(tmp_path, 10)
    atomicfile.write("/dev/null", b"x")
    with pytest.raises(WriteError):
        atomicfile.write(tmp_path, b"x")
    assert open_descriptors() == before
