"""The cache of compiled units on disk: which it keeps, and which it refuses to run."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from weighbridge.webhook.cache.folder import VARIABLE
from weighbridge.webhook.inputs.compile_cache import STAMPED, CompileCache, compile_cache, engine_stamp

STAMP = b"this engine"
KEY = "schema/('valid', '', ())"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / "compiled"


def _saved(folder: Path, data: bytes = b"code", key: str = KEY) -> Path:
    cache = CompileCache(folder, STAMP)
    cache.put(key, data)
    cache.save()
    (file,) = folder.glob(f"{key.partition('/')[0]}*")
    return file


def _read(folder: Path, key: str = KEY) -> bytes | None:
    return CompileCache(folder, STAMP).get(key)


def test_what_one_process_puts_another_gets(folder: Path) -> None:
    _saved(folder)
    assert _read(folder) == b"code"
    assert _read(folder, "schema/other") is None
    assert _read(folder, "other/('valid', '', ())") is None


def test_folder_and_file_are_the_users_alone_whatever_the_umask(folder: Path) -> None:
    before = os.umask(0)
    try:
        file = _saved(folder)
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_nothing_is_written_where_nothing_was_put(folder: Path) -> None:
    cache = CompileCache(folder, STAMP)
    assert cache.get(KEY) is None
    cache.save()
    assert not folder.exists()


def _replace_first_byte_of_content(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[30] ^= 1
    file.write_bytes(data)


def _link_elsewhere(file: Path) -> None:
    file.rename(file.with_name("elsewhere"))
    file.symlink_to("elsewhere")


def _make_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _make_a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


SPOILS: dict[str, Callable[[Path], object]] = {
    "cut short": lambda file: file.write_bytes(file.read_bytes()[:-3]),
    "cut inside the head": lambda file: file.write_bytes(file.read_bytes()[:10]),
    "empty": lambda file: file.write_bytes(b""),
    "longer": lambda file: file.write_bytes(file.read_bytes() + b"x"),
    "one bit": _replace_first_byte_of_content,
    "of something else": lambda file: file.write_bytes(b"#!/bin/sh\nexit 1\n" * 9),
    "writable by the group": lambda file: file.chmod(0o660),
    "writable by all": lambda file: file.chmod(0o602),
    "a symbolic link": _link_elsewhere,
    "a pipe": _make_a_pipe,
    "in a folder that all may write to": lambda file: file.parent.chmod(0o777),
    "in a folder that the group may write to": lambda file: file.parent.chmod(0o770),
}


@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS)
def test_a_file_that_may_be_anothers_or_is_damaged_is_not_used(folder: Path, spoil: Callable[[Path], object]) -> None:
    file = _saved(folder)
    spoil(file)
    assert _read(folder) is None


@pytest.mark.parametrize("name", [name for name in SPOILS if "folder" not in name])
def test_a_file_that_is_not_used_is_replaced(folder: Path, name: str) -> None:
    SPOILS[name](_saved(folder))
    _saved(folder, b"new code")
    assert _read(folder) == b"new code"


def test_a_folder_in_the_files_place_is_no_error(folder: Path) -> None:
    _make_a_folder(_saved(folder))
    _saved(folder, b"new code")
    assert _read(folder) is None
    assert not [file for file in folder.iterdir() if file.name.startswith(".")]


def test_files_of_another_user_are_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _saved(folder)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert _read(folder) is None


def test_what_another_engine_or_interpreter_wrote_is_not_used(folder: Path) -> None:
    _saved(folder)
    assert CompileCache(folder, b"another engine").get(KEY) is None


def test_two_processes_at_once_keep_what_both_have_put(folder: Path) -> None:
    first, second = CompileCache(folder, STAMP), CompileCache(folder, STAMP)
    first.put("schema/a", b"1")
    second.put("schema/b", b"2")
    first.save()
    second.save()
    assert [_read(folder, key) for key in ("schema/a", "schema/b")] == [b"1", b"2"]


def test_a_place_that_can_not_be_used_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for place in (tmp_path / "file" / "compiled", Path("/proc/none/compiled"), Path("/dev/null")):
        cache = CompileCache(place, STAMP)
        assert cache.get(KEY) is None
        cache.put(KEY, b"code")
        assert cache.get(KEY) == b"code"
        cache.save()


def test_the_files_written_longest_ago_go_when_the_folder_is_full(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weighbridge.webhook.inputs.compile_cache._LARGEST_FOLDER", 25_000)
    for number, group in enumerate("abcd"):
        os.utime(_saved(folder, os.urandom(10_000), f"{group}/key"), ns=(number, number))
    assert sorted(file.name for file in folder.iterdir()) == ["c.units", "d.units"]


def test_a_group_that_has_grown_too_large_is_not_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _saved(folder)
    monkeypatch.setattr("weighbridge.webhook.inputs.compile_cache._LARGEST_GROUP", 500)
    cache = CompileCache(folder, STAMP)
    cache.put("schema/large", bytes(1000))
    cache.put("small/key", b"1")
    cache.save()
    assert _read(folder) == b"code"
    assert _read(folder, "schema/large") is None
    assert _read(folder, "small/key") == b"1"


@pytest.fixture
def fresh_start(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in (VARIABLE, "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("atexit.register", lambda function: function)
    compile_cache.cache_clear()
    monkeypatch.setattr("weighbridge.webhook.inputs.compile_cache.compile_cache", compile_cache)
    return monkeypatch


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({VARIABLE: "/named"}, "/named/compiled"),
        ({"XDG_CACHE_HOME": "/xdg"}, "/xdg/weighbridge/compiled"),
        ({"XDG_CACHE_HOME": "not/absolute", "HOME": "/home/me"}, "/home/me/.cache/weighbridge/compiled"),
        ({"HOME": "/home/me"}, "/home/me/.cache/weighbridge/compiled"),
        ({VARIABLE: "off", "HOME": "/home/me"}, None),
    ],
)
def test_the_environment_says_where_the_cache_is(fresh_start: pytest.MonkeyPatch, environment: dict[str, str], wanted: str | None) -> None:
    for name, value in environment.items():
        fresh_start.setenv(name, value)
    found = compile_cache()
    assert (found and found._folder._path) == wanted
    compile_cache.cache_clear()


@pytest.mark.parametrize("folder", ["", "codegen", "cel", "cel/rules"])
def test_the_stamp_changes_with_a_source_file_of_the_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str) -> None:
    for package in STAMPED:
        (tmp_path / package).mkdir()
    source = tmp_path / folder / "rules.py"
    source.parent.mkdir(exist_ok=True)
    source.write_text("a")
    monkeypatch.setattr("weighbridge.policies.__path__", [str(tmp_path)])
    before = engine_stamp()
    assert before == engine_stamp()
    source.write_text("ab")
    assert engine_stamp() != before
