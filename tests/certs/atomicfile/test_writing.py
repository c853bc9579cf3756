"""Files are written whole or not at all, at their path and nowhere else."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from weighbridge.certs import atomicfile
from weighbridge.certs.atomicfile import WriteError, write

NOBODY = 65534
#: A file that is larger than pipes and buffers.
LARGE = b"0123456789abcdef" * 65536


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _command(code: str, *arguments: object) -> list[str]:
    """A new process that has `write` and `arguments`."""
    return [
        sys.executable,
        "-c",
        f"import os, sys\nfrom weighbridge.certs.atomicfile import WriteError, write\narguments = sys.argv[1:]\n{code}",
        *map(str, arguments),
    ]


def _python(code: str, *arguments: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(_command(code, *arguments), capture_output=True, timeout=60)


def _as_user(code: str, *arguments: object) -> str:
    """The output of a process without root's permissions."""
    drop = f"os.setgroups([]), os.setgid({NOBODY}), os.setuid({NOBODY})" if os.geteuid() == 0 else ""
    return _python(f"{drop}\ntry:\n    {code}\nexcept WriteError as error:\n    print(error, end='')", *arguments).stdout.decode()


@pytest.fixture
def open_folder(tmp_path: Path) -> Path:
    """A folder that other users can reach."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == tmp_path.owner() and folder not in (Path("/"), Path("/tmp")):
            folder.chmod(folder.stat().st_mode | 0o055)
    return tmp_path


# --- contents and permissions ---


@pytest.mark.parametrize("data", [b"", b"short", LARGE])
def test_a_file_of_several_names_is_written_under_all_of_them(tmp_path: Path, data: bytes) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"something before")
    one.chmod(0o640)
    other.hardlink_to(one)
    write(one, data)
    assert (other.read_bytes(), one.samefile(other), _mode(other)) == (data, True, 0o640)
    assert sorted(tmp_path.iterdir()) == [one, other]


def test_a_secret_is_not_written_to_other_names(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"before")
    other.hardlink_to(one)
    write(one, b"key", secret=True)
    assert (one.read_bytes(), other.read_bytes()) == (b"key", b"before")


def test_a_file_of_several_names_stays_as_it_is_where_there_is_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int, _offset: int, length: int) -> None:
        os.ftruncate(descriptor, length)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    one = tmp_path / "one"
    one.write_bytes(b"before")
    (tmp_path / "other").hardlink_to(one)
    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(WriteError, match="make room"):
        write(one, LARGE)
    assert one.read_bytes() == b"before"


def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(tmp_path / "file", b"new")
        write(tmp_path / "key", b"new", secret=True)
    finally:
        os.umask(before)
    assert (_mode(tmp_path / "file"), _mode(tmp_path / "key")) == (0o640, 0o600)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_a_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(mode)
    write(path, b"new")
    assert (path.read_bytes(), _mode(path)) == (b"new", mode)
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_a_key_loses_what_its_mode_leaves_to_others(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("old")
    path.chmod(0o644)
    write(path, b"new", secret=True)
    assert _mode(path) == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    os.chown(path, NOBODY, NOBODY)
    write(path, b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (NOBODY, NOBODY)


# --- links ---


def test_a_link_is_followed_to_the_file_that_it_means(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").write_text("old")
    (tmp_path / "middle").symlink_to("there/file")
    (tmp_path / "link").symlink_to("middle")
    write(tmp_path / "link", b"new")
    assert (tmp_path / "there" / "file").read_bytes() == b"new"
    assert (tmp_path / "link").readlink() == Path("middle")
    assert sorted(file.name for file in (tmp_path / "there").iterdir()) == ["file"]


def test_a_dangling_link_says_where_the_new_file_is_to_be(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there/new")
    write(tmp_path / "link", b"new")
    assert (tmp_path / "there" / "new").read_bytes() == b"new"
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize(
    ("target", "said"), [("nowhere/new", "there is no directory .*nowhere"), ("link", "Too many levels of symbolic links")]
)
def test_a_link_to_nowhere_is_an_error_and_stays(tmp_path: Path, target: str, said: str) -> None:
    (tmp_path / "link").symlink_to(target)
    with pytest.raises(WriteError, match=said):
        write(tmp_path / "link", b"new")
    assert [file.name for file in tmp_path.iterdir()] == ["link"]
    assert (tmp_path / "link").is_symlink()


def test_a_link_laid_under_a_name_that_was_foreseen_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    foreseen = bytes(16)
    (tmp_path / f".weighbridge-{foreseen.hex()}").symlink_to(victim)
    (tmp_path / ".file.new").symlink_to(victim)
    write(tmp_path / "file", b"new")
    monkeypatch.setattr(os, "urandom", lambda _: foreseen)
    with pytest.raises(WriteError, match="File exists"):
        write(tmp_path / "file", b"newer")
    assert (victim.read_text(), (tmp_path / "file").read_bytes()) == ("mine", b"new")


# --- paths that are no file ---


def _reading(path: Path, into: list[bytes]) -> threading.Thread:
    reader = threading.Thread(target=lambda: into.append(path.read_bytes()))
    reader.start()
    return reader


def test_into_a_fifo_is_written_and_it_stays_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("fifo")
    for name in ("fifo", "link"):
        read: list[bytes] = []
        reader = _reading(tmp_path / "fifo", read)
        write(tmp_path / name, LARGE)
        reader.join()
        assert read == [LARGE]
    assert stat.S_ISFIFO((tmp_path / "fifo").stat().st_mode)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["fifo", "link"]


def test_a_fifo_whose_reader_goes_away_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)

    def read_a_little() -> None:
        with path.open("rb") as file:
            file.read(1)

    reader = threading.Thread(target=read_a_little)
    reader.start()
    with pytest.raises(WriteError, match="Broken pipe"):
        write(path, LARGE)
    reader.join()


def test_into_a_device_is_written_and_it_stays_one(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/dev/null")
    write("/dev/null", b"new")
    write(tmp_path / "link", b"new")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    with pytest.raises(WriteError, match=r"/dev/full: can't be written whole \(No space left on device\)"):
        write("/dev/full", b"new")


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_into_standard_output_is_written_where_it_stands(tmp_path: Path, name: str) -> None:
    (tmp_path / "link").symlink_to("/dev/stdout")
    code = "os.write(1, b'before '); write(arguments[0], b'new'); os.write(1, b' after')"
    assert _python(code, tmp_path / name).stdout == b"before new after"
    out = tmp_path / "out"
    for mode, expected in (("wb", b"before new after"), ("ab", b"before new after" * 2)):
        with out.open(mode) as file:
            assert subprocess.run(_command(code, tmp_path / name), stdout=file, timeout=60).returncode == 0
        assert out.read_bytes() == expected


def test_a_stream_that_is_closed_is_an_error() -> None:
    with pytest.raises(WriteError, match="Bad file descriptor"):
        write("/dev/fd/987", b"new")


# --- failures ---


def test_a_directory_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(WriteError, match="folder: is a directory; give the name of a file"):
        write(tmp_path / "folder", b"new")
    with pytest.raises(WriteError, match=r"new: there is no directory .*/missing; make it first"):
        write(tmp_path / "missing" / "new", b"new")
    (tmp_path / "file").write_text("old")
    with pytest.raises(WriteError, match=r"new: there is no directory .*/file; make it first"):
        write(tmp_path / "file" / "new", b"new")
    with pytest.raises(WriteError, match="File name too long"):
        write(tmp_path / ("n" * 256), b"new")
    write(tmp_path / ("n" * 255), b"new")


def test_a_directory_that_may_not_be_written_to_is_an_error_and_the_file_stays(open_folder: Path) -> None:
    folder = open_folder / "folder"
    folder.mkdir()
    path = folder / "file"
    path.write_text("old")
    if os.geteuid() == 0:
        os.chown(path, NOBODY, NOBODY)
        os.chown(folder, NOBODY, NOBODY)
    folder.chmod(0o555)
    told = _as_user("write(arguments[0], b'new')", path)
    folder.chmod(0o755)
    assert told.startswith(f"{path}: this user may not write to the directory {folder} (Permission denied); allow that")
    assert path.read_text() == "old"
    assert [file.name for file in folder.iterdir()] == ["file"]


def test_a_file_that_may_not_be_written_to_is_not_replaced_either(open_folder: Path) -> None:
    folder = open_folder / "folder"
    folder.mkdir()
    folder.chmod(0o777)
    path = folder / "file"
    path.write_text("old")
    path.chmod(0o444)
    if os.geteuid() == 0:
        os.chown(path, NOBODY, NOBODY)
    told = _as_user("write(arguments[0], b'new')", path)
    assert told == f"{path}: can't be written (Permission denied); choose another file, or let this user write to it"
    assert path.read_text() == "old"


def test_a_full_disk_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    code = (
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "try:\n    write(arguments[0], bytes(1_000_000))\n"
        "except WriteError as error:\n    print(error, end='')"
    )
    done = _python(code, path)
    assert done.stdout.decode() == f"{path}: can't be written whole (File too large); make room"
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("file", "old")]


class Killed(BaseException):
    """Simulates the end of the process."""


@pytest.mark.parametrize("step", ["write", "fchmod", "fsync", "rename"])
def test_what_breaks_off_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def die(*_: object, **__: object) -> object:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(os, step, die)
        with pytest.raises(Killed):
            write(path, b"new")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("file", "old")]


def test_a_killed_process_leaves_the_old_content(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    code = "real = os.write\nos.write = lambda *a: (real(*a), os.kill(os.getpid(), 9))\nwrite(arguments[0], b'new')"
    assert _python(code, path).returncode == -signal.SIGKILL
    assert path.read_text() == "old"
    write(path, b"newer")
    assert path.read_bytes() == b"newer"


def test_of_two_at_once_one_is_there_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    contents = [bytes([ord("a") + number]) * len(LARGE) for number in range(4)]
    start = threading.Barrier(len(contents))

    def work(content: bytes) -> None:
        start.wait()
        for _ in range(5):
            write(path, content)
            assert path.read_bytes() in contents

    failures: list[BaseException] = []

    def watched(content: bytes) -> None:
        try:
            work(content)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=watched, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert path.read_bytes() in contents
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_nothing_else_in_the_program_writes_files() -> None:
    root = Path(atomicfile.__file__).parent.parent.parent
    ways = (".write_text(", ".write_bytes(", "os.replace(", "os.rename(", "NamedTemporaryFile", "mkstemp", "O_CREAT")
    found = {
        str(path.relative_to(root))
        for package in ("policies", "webhook", "certs")
        for path in (root / package).rglob("*.py")
        if any(way in path.read_text() for way in ways)
    }
    assert found == {"certs/files.py", "certs/atomicfile/new_files.py"}
