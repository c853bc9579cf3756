"""A directory with `ca.crt`, `ca.key`, `tls.crt` and `tls.key`, which is always consistent when it is read through this module.

A writer holds the lock, writes the new files into a folder next to the old ones, and renames that folder; from then on they count. Then
each file is moved into place. If the process dies in between, the renamed folder remains, and the next reader or writer moves the rest.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from weighbridge.certs import atomicfile
from weighbridge.certs.certificate_set import AUTHORITY_KEY, NAMES, SERVING_KEY, CertificateSet
from weighbridge.certs.errors import CertificateError
from weighbridge.certs.pair import MOST_BYTES
from weighbridge.certs.regular_file import NotRegularError, read_regular_file

_KEYS = frozenset({AUTHORITY_KEY, SERVING_KEY})
_DIRECTORY_MODE, _KEY_MODE, _CERTIFICATE_MODE = 0o700, 0o600, 0o644
_LOCK = ".lock"
_STAGED = ".staged"
_COMMITTED = ".committed"
_REMOVED = ".removed"
_READ_ONLY = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_REMEDIES = {
    **dict.fromkeys(_READ_ONLY, "this user must be allowed to"),
    **dict.fromkeys((errno.EEXIST, errno.ENOTDIR), "name a directory, not a file"),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "make room"),
}

T = TypeVar("T")


def read(directory: Path) -> CertificateSet:
    """The set that the directory holds; raises `CertificateError` naming the file that is missing or can't be read.

    `CertificateSet.check` checks whether it fits together and is valid now. A directory that can't be written to (a mounted Secret) is read
    without the lock.
    """
    with _told(directory, "can't be read"):
        is_directory = directory.is_dir()
    if not is_directory:
        wrong = "isn't a directory" if directory.exists() else "no such directory"
        raise CertificateError(str(directory), wrong, f"name a directory with {', '.join(NAMES)}")
    with _locked(directory, needed=False):
        return CertificateSet.from_data(_contents(directory), str(directory))


def write(directory: Path, certificates: CertificateSet) -> None:
    """Replace what the directory holds, all of it or nothing. The directory is created if it is missing.

    An existing directory and existing files keep their modes, but keys lose the permissions of other users; a new key gets mode 0600. A
    link is followed to its file. Raises `CertificateError` naming the file that can't be written.
    """
    with _locked(directory, needed=True):
        _replace(directory, certificates.as_data())


def update(directory: Path, change: Callable[[CertificateSet | None], tuple[CertificateSet, T]]) -> tuple[CertificateSet, T]:
    """Read, decide and write as one step, so that each of several processes sees what the previous one left.

    `change` gets the set, or `None` if the directory has none of the files. It returns the set to keep (if it is the same, nothing is
    written) and any other result for the caller. Raises `CertificateError` as `read` and `write` do.
    """
    with _locked(directory, needed=True):
        contents = _contents(directory)
        current = CertificateSet.from_data(contents, str(directory)) if contents else None
        wanted, told = change(current)
        if wanted is not current:
            _replace(directory, wanted.as_data())
    return wanted, told


@contextmanager
def _locked(directory: Path, *, needed: bool) -> Iterator[None]:
    """Hold the directory's lock, and complete what a dead writer had begun."""
    if needed:
        with _told(directory, "can't be created"):
            directory.mkdir(mode=_DIRECTORY_MODE, parents=True, exist_ok=True)
    lock = directory / _LOCK
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, _KEY_MODE)
    except OSError as error:
        if not needed and error.errno in _READ_ONLY:
            yield
            return
        raise _refused(lock, "can't be written", error) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        _finish(directory)
        yield
    finally:
        os.close(descriptor)


def _replace(directory: Path, data: Mapping[str, bytes]) -> None:
    staged = directory / _STAGED
    with _told(staged, "can't be written"):
        shutil.rmtree(staged, ignore_errors=True)
        staged.mkdir(mode=_DIRECTORY_MODE)
    for name in NAMES:
        if (directory / name).is_dir():
            raise CertificateError(str(directory / name), "is a directory", "a file must be there, or nothing")
        if (directory / name).is_symlink() and not os.access((directory / name).resolve().parent, os.W_OK):
            raise CertificateError(str(directory / name), "is a link into a directory that can't be written to", "replace it by a file")
        with _told(directory / name, "can't be written"):
            if name in data:
                _stage(staged / name, data[name], directory / name)
            else:
                atomicfile.create(staged / (name + _REMOVED), b"", _CERTIFICATE_MODE)
    _flush(staged)
    with _told(directory, "can't be written"):
        staged.rename(directory / _COMMITTED)
    _flush(directory)
    _finish(directory)


def _stage(path: Path, data: bytes, target: Path) -> None:
    """Write a new file that will replace `target`."""
    is_key = target.name in _KEYS
    standing = target.stat() if target.exists() else None
    mode = _KEY_MODE if is_key else _CERTIFICATE_MODE
    atomicfile.create(path, data, mode if standing is None else atomicfile.mode_of(standing, secret=is_key), owner=standing)


def _finish(directory: Path) -> None:
    """Move what a writer has committed into place; can be interrupted and repeated at any point."""
    committed = directory / _COMMITTED
    if committed.is_symlink() or not committed.is_dir():
        return
    for name in NAMES:
        with _told(directory / name, "can't be replaced"), suppress(FileNotFoundError):
            _move(committed / name, directory / name)
        removal = committed / (name + _REMOVED)
        with _told(directory / name, "can't be removed"):
            if removal.exists():
                (directory / name).unlink(missing_ok=True)
                removal.unlink()
    _flush(directory)
    with _told(committed, "can't be removed"):
        committed.rmdir()


def _move(path: Path, target: Path) -> None:
    """Move a file into place; if that is a link, to the place to which it leads."""
    if not target.is_symlink():
        path.replace(target)
        return
    atomicfile.write(target, path.read_bytes(), secret=target.name in _KEYS)
    path.unlink()


def _contents(directory: Path) -> dict[str, bytes]:
    contents = {}
    for name in NAMES:
        with _told(directory / name, "can't be read"), suppress(FileNotFoundError):
            contents[name] = read_regular_file(directory / name, MOST_BYTES)
    return contents


def _flush(directory: Path) -> None:
    """Make renames in the directory last."""
    with atomicfile.opened_folder(directory) as descriptor:
        os.fsync(descriptor)


@contextmanager
def _told(path: Path, wrong: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _refused(path, wrong, error) from None
    except atomicfile.WriteError as error:
        raise CertificateError(error.path, error.wrong, error.remedy) from None


def _refused(path: Path, wrong: str, error: OSError) -> CertificateError:
    reason = error.strerror or str(error)
    if error.errno == errno.EISDIR or isinstance(error, NotRegularError):
        remedy = "a file must be there"
    else:
        remedy = _REMEDIES.get(error.errno or 0, "check the path and the disk")
    return CertificateError(str(path), f"{wrong} ({reason})", remedy)
