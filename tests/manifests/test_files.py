"""Which files are read for which arguments."""

from __future__ import annotations

import io
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from weighbridge.webhook.manifests import InputIssue, Source, sources

Read = Callable[..., list[str]]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Reads arguments in an empty directory: `name=content` for a file, `name: message` for an issue."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: bytes = b"", max_bytes: int = 100) -> list[str]:
        found = sources(arguments, stdin=io.BytesIO(stdin), max_bytes=max_bytes)
        return [str(item) if isinstance(item, InputIssue) else f"{item.name}={item.data.decode()}" for item in found]

    return run


def _write(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("x")


def test_named_file_is_read_whatever_its_name(read: Read) -> None:
    _write("manifest.txt", ".hidden")
    assert read("manifest.txt", "./.hidden") == ["manifest.txt=x", "./.hidden=x"]


def test_directory_is_read_to_its_depths_in_order(read: Read) -> None:
    _write("d/b.yml", "d/a.yaml", "d/c.json", "d/e/f/g.yaml", "d/readme.md", "d/.git/h.yaml")
    assert read("d") == ["d/a.yaml=x", "d/b.yml=x", "d/c.json=x", "d/e/f/g.yaml=x"]


def test_loop_of_links_ends(read: Read) -> None:
    _write("d/e/a.yaml")
    Path("d/e/loop").symlink_to("..", target_is_directory=True)
    Path("d/other").symlink_to("e", target_is_directory=True)
    assert read("d") == ["d/e/a.yaml=x"]


def _linked(folder: str, target: str) -> None:
    Path(folder).symlink_to(target, target_is_directory=True)


def test_what_lies_in_a_directory_is_found_by_its_own_path_whatever_links_lead_to_it(read: Read) -> None:
    _write("d/m/x.yaml", "d/m/y.yaml", "d/..data/z.yaml", "d/plain.txt")
    _linked("d/a", "m")
    _linked("d/m/b", "../a")
    Path("d/a.yaml").symlink_to("a/x.yaml")
    Path("d/p.yaml").symlink_to("plain.txt")
    # A mounted ConfigMap looks like this.
    Path("d/z.yaml").symlink_to("..data/z.yaml")
    assert read("d") == ["d/m/x.yaml=x", "d/m/y.yaml=x", "d/p.yaml=x", "d/z.yaml=x"]
    assert read("d/**/x.yaml") == ["d/m/x.yaml=x"]
    # A path that is named is read, whether it is a link or not.
    assert read("d/a") == ["d/a/x.yaml=x", "d/a/y.yaml=x"]
    assert read("d/a.yaml", "d/a") == ["d/a.yaml=x", "d/a/y.yaml=x"]


@pytest.mark.parametrize("argument", ["d", "d/**/*.yaml", "./d"])
def test_links_to_directories_elsewhere_are_told_and_not_followed(read: Read, argument: str) -> None:
    _write("d/a.yaml", "elsewhere/e/b.yaml", "named.yaml")
    _linked("d/v", "../elsewhere")
    _linked("d/again", "v")
    _linked("d/.hidden", "../elsewhere")
    told: list[str] = []
    found = list(sources([argument], stdin=io.BytesIO(), tell=told.append))
    assert [item.name if isinstance(item, Source) else str(item) for item in found] == ["d/a.yaml"]
    where = argument.removesuffix("/**/*.yaml")
    assert told == [
        f"{where}/{name}: a link out of {where}, which isn't followed; name it to read what it leads to" for name in ("again", "v")
    ]


@pytest.mark.parametrize(("argument", "of"), [("d", "d"), ("d/*.yaml", "d"), ("*/*.yaml", "."), ("d/l.yaml", "")])
def test_a_link_to_a_file_elsewhere_is_read_and_known_for_one(read: Read, argument: str, of: str) -> None:
    _write("../e.yaml", "d/a.yaml")
    Path("d/l.yaml").symlink_to("../../e.yaml")
    (found,) = (item for item in sources([argument], stdin=io.BytesIO()) if isinstance(item, Source) and item.name == "d/l.yaml")
    assert found.leads_out_of == of
    Path("../e.yaml").unlink()


def test_broken_link_is_an_issue(read: Read) -> None:
    Path("a.yaml").symlink_to("nowhere")
    assert read("a.yaml", ".") == ["a.yaml: no such file or directory"]


def test_link_to_itself_is_an_issue_and_the_rest_is_read(read: Read) -> None:
    _write("d/z.yaml")
    Path("d/loop").symlink_to("loop")
    Path("d/a.yaml").symlink_to("a.yaml")
    assert read("d") == [
        "d/a.yaml: too many levels of symbolic links",
        "d/loop: too many levels of symbolic links",
        "d/z.yaml=x",
    ]


@pytest.mark.parametrize("argument", ["d", "d/*.yaml"])
def test_only_regular_files_are_read_where_nobody_named_them(read: Read, argument: str) -> None:
    _write("d/z.yaml")
    os.mkfifo("d/pipe.yaml")
    Path("d/device.yaml").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("d/socket.yaml")
        assert read(argument) == [
            "d/device.yaml: not a regular file but a device, which is read only where it is named",
            "d/pipe.yaml: not a regular file but a named pipe, which is read only where it is named",
            "d/socket.yaml: not a regular file but a socket, which is read only where it is named",
            "d/z.yaml=x",
        ]


def test_named_pipe_is_read(read: Read) -> None:
    os.mkfifo("pipe.yaml")
    writer = threading.Thread(target=Path("pipe.yaml").write_text, args=("y",))
    writer.start()
    assert read("pipe.yaml") == ["pipe.yaml=y"]
    writer.join()


def test_device_without_end_is_an_issue(read: Read) -> None:
    assert read("/dev/zero") == ["/dev/zero: larger than 100 bytes, the most that is read"]


def test_name_that_is_not_text_is_shown_with_escapes(read: Read) -> None:
    name = os.fsdecode(b"d\xff/\xfea\xc3\xa9.yaml")
    _write(name)
    assert read(name) == [r"d\xff/\xfeaé.yaml=x"]
    assert read(os.fsdecode(b"d\xff/b.yaml")) == [r"d\xff/b.yaml: no such file or directory"]


def test_standard_input_that_cannot_be_read_is_an_issue(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as closed, open(closed.fileno(), "rb", closefd=False) as stdin:
        assert [str(item) for item in sources(["-"], stdin=stdin)] == ["-: standard input is closed"]


def test_file_named_twice_is_read_once(read: Read) -> None:
    _write("d/a.yaml")
    assert read("d/a.yaml", "./d", "d/*.yaml") == ["d/a.yaml=x"]


def test_pattern_stands_for_its_files_and_directories(read: Read) -> None:
    _write("a1.yaml", "a2.yaml", "d/e/a3.yaml", "d/e/b.yaml")
    assert read("a?.yaml", "**/a3.yaml", "d*") == ["a1.yaml=x", "a2.yaml=x", "d/e/a3.yaml=x", "d/e/b.yaml=x"]


def test_existing_file_with_a_patterns_name_is_that_file(read: Read) -> None:
    _write("a[1].yaml", "a1.yaml")
    assert read("a[1].yaml") == ["a[1].yaml=x"]


def test_standard_input_is_read_once(read: Read) -> None:
    assert read("-", "-", stdin=b"y") == ["-=y"]


def test_what_cannot_be_read_is_an_issue_and_the_rest_is_read(read: Read) -> None:
    _write("a.yaml", "e/readme.md")
    assert read("missing.yaml", "e", "*.nothing", "a.yaml") == [
        "missing.yaml: no such file or directory",
        "e: no manifests in this directory (*.yaml, *.yml, *.json)",
        "*.nothing: no file matches this pattern",
        "a.yaml=x",
    ]


def test_file_beyond_the_limit_is_an_issue(read: Read) -> None:
    Path("a.yaml").write_text("x" * 101)
    Path("b.yaml").write_text("x" * 100)
    assert read("a.yaml", "-", stdin=b"x" * 101) == [
        "a.yaml: larger than 100 bytes, the most that is read",
        "-: larger than 100 bytes, the most that is read",
    ]
    assert read("b.yaml") == [f"b.yaml={'x' * 100}"]


def test_unreadable_file_is_an_issue(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    _write("a.yaml")

    def refuse(*_arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    assert read("a.yaml") == ["a.yaml: permission denied"]


def test_files_are_read_when_their_turn_comes(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("x")
    found = sources([str(tmp_path / "a.yaml"), str(tmp_path / "b.yaml")], stdin=io.BytesIO())
    assert isinstance(next(found), Source)
    (tmp_path / "b.yaml").write_text("y")
    assert isinstance(next(found), Source)
