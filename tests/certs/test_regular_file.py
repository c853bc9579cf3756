"""Only regular files are read, and reading them never waits."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from weighbridge.certs.regular_file import NotRegularError, read_regular_file


@contextmanager
def _socket(path: Path) -> Iterator[None]:
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.getcwd()
        os.chdir(path.parent)
        try:
            listener.bind(path.name)
        finally:
            os.chdir(here)
        yield


@pytest.mark.parametrize("size", [0, 1, 100])
def test_a_file_is_read_through_a_link(tmp_path: Path, size: int) -> None:
    (tmp_path / "file").write_bytes(b"x" * size)
    (tmp_path / "link").symlink_to("file")
    assert read_regular_file(tmp_path / "link", 100) == b"x" * size


@pytest.mark.parametrize(
    ("make", "what"),
    [(os.mkfifo, "a named pipe"), (lambda path: os.symlink("/dev/zero", path), "a device")],
    ids=["pipe", "endless"],
)
def test_what_has_no_end_is_not_even_opened(tmp_path: Path, make: Callable[[Path], None], what: str) -> None:
    make(tmp_path / "file")
    with pytest.raises(NotRegularError, match=f"not a regular file but {what}"):
        read_regular_file(tmp_path / "file", 100)


def test_a_socket_and_a_directory_are_named(tmp_path: Path) -> None:
    with _socket(tmp_path / "socket"), pytest.raises(NotRegularError, match="not a regular file but a socket"):
        read_regular_file(tmp_path / "socket", 100)
    with pytest.raises(IsADirectoryError):
        read_regular_file(tmp_path, 100)


def test_a_pipe_that_takes_the_place_of_a_file_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, looked_at = tmp_path / "file", os.stat
    path.write_text("x")

    def look(named: Path) -> os.stat_result:
        status = looked_at(named)
        path.unlink()
        os.mkfifo(path)
        return status

    monkeypatch.setattr(os, "stat", look)
    with pytest.raises(NotRegularError, match="a named pipe"):
        read_regular_file(path, 100)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(NotRegularError, match="larger than 100 bytes"):
        read_regular_file(tmp_path / "file", 100)


def test_a_file_that_grows_while_it_is_read_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, read = tmp_path / "file", os.read
    path.write_bytes(b"x" * 60)

    def read_and_grow(descriptor: int, most: int) -> bytes:
        with path.open("ab") as file:
            file.write(b"x" * 60)
        return read(descriptor, 50)

    monkeypatch.setattr(os, "read", read_and_grow)
    with pytest.raises(NotRegularError) as caught:
        read_regular_file(path, 100)
    assert caught.value.errno == errno.EFBIG
