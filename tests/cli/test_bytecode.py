"""Byte code comes from the cache folder as long as nothing that Python checks has changed; anything else in the folder is ignored."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import ROOT

MODEL: Final = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: m}\nspec: {source: model.gguf}\n"
#: Imports a package of two modules, and prints their contents and which of them came from the cache folder.
_PROGRAM: Final = """\
import os, sys, weighbridge
weighbridge.__path__.append(os.environ["MODULES"])
from weighbridge.webhook.cache.bytecode import install
install()
from weighbridge.part import value
loaders = {name: getattr(module.__spec__, "loader", None) for name, module in sys.modules.items() if name.startswith("weighbridge.part")}
print(value.VALUE, *sorted(name.partition(".")[2] for name, loader in loaders.items() if getattr(loader, "state", 1) is None))
"""
_ALL: Final = "part part.value"


class Place:
    """A folder from which modules are imported, and its cache."""

    def __init__(self, folder: Path) -> None:
        self.cache = folder / "cache"
        self.modules = folder / "modules"
        (self.modules / "part").mkdir(parents=True)
        self.times = 0
        self.write("part/__init__.py", "")
        self.write("part/value.py", "VALUE = 1\n")

    @property
    def kept(self) -> Path:
        """The file with the package."""
        (found,) = (self.cache / "bytecode").glob("*-weighbridge.part.modules")
        return found

    def write(self, name: str, text: str) -> None:
        """Write a file with a unique time in the past, which is also its folder's last change."""
        path = self.modules / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        self.settle(path)

    def settle(self, *changed: Path) -> None:
        self.times += 1
        for path in (*changed, *(found.parent for found in changed)):
            os.utime(path, (1_000_000_000 + self.times,) * 2)

    def run(self, *options: str, program: str = _PROGRAM, **environment: str) -> str:
        """The contents of the modules, and the names of those from the cache folder."""
        done = subprocess.run(
            [sys.executable, *options, "-c", program],
            env={
                **{name: value for name, value in os.environ.items() if not name.startswith("COV")},
                "WEIGHBRIDGE_CACHE": str(self.cache),
                "MODULES": str(self.modules),
                "PYTHONPATH": str(ROOT / ".ci" / "package"),
                "PYTHONDONTWRITEBYTECODE": "1",
                **environment,
            },
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert done.stderr == ""
        return done.stdout.removesuffix("\n")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_second_run_takes_modules_from_the_cache_folder(place: Place) -> None:
    assert place.run() == "1"
    assert place.run() == f"1 {_ALL}"
    assert place.run(WEIGHBRIDGE_CACHE="off") == "1"


def test_modules_are_as_python_makes_them(place: Place) -> None:
    place.write("part/value.py", "# é\nVALUE = 1\n")
    look = (
        "import inspect\n"
        "VALUE = [\n"
        "    (module.__file__, module.__cached__, module.__package__, list(getattr(module, '__path__', [])), module.__spec__.origin,\n"
        "     module.__spec__.parent, module.__spec__.has_location, module.__loader__ is module.__spec__.loader,\n"
        "     module.__loader__.is_package(module.__name__), inspect.getsource(part.value), module.__loader__.get_data(module.__file__))\n"
        "    for module in (part, part.value)\n"
        "]\n"
    )
    place.write("look.py", f"from weighbridge import part\nimport weighbridge.part.value\n{look}")
    program = _PROGRAM.replace("from weighbridge.part import value", "from weighbridge import look as value")
    answers = [place.run(program=program, WEIGHBRIDGE_CACHE="off"), *(place.run(program=program) for _ in range(2))]
    assert answers == [answers[0], answers[0], f"{answers[0]} {_ALL}"]


def _shadow(place: Place) -> None:
    place.write("part/value/__init__.py", "VALUE = 2\n")
    place.settle(place.modules / "part" / "value")


def _shadow_package(place: Place) -> None:
    shutil.move(place.modules / "part", place.modules / "old")
    place.write("part.py", "import sys\nVALUE = 2\nvalue = sys.modules[__name__]\n")
    place.settle(place.modules / "part.py")


def _replace(place: Place) -> None:
    (place.modules / "part" / "value.py").unlink()
    _shadow(place)


CHANGES: Final[dict[str, Callable[[Place], None]]] = {
    "the source": lambda place: place.write("part/value.py", "VALUE = 2\n"),
    "a package in the module's place": _replace,
    "a package that comes before the module": _shadow,
    "a module in the package's place": _shadow_package,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_counts_at_once(place: Place, change: Callable[[Place], None]) -> None:
    place.run()
    assert place.run() == f"1 {_ALL}"
    change(place)
    assert place.run().split()[0] == "2"
    assert place.run().split()[0] == "2"
    assert place.run(WEIGHBRIDGE_CACHE="off") == "2"


def test_other_options_of_the_interpreter_have_other_files(place: Place) -> None:
    place.write("part/value.py", "VALUE = 1\nif __debug__:\n    VALUE = 3\n")
    assert (place.run(), place.run("-O")) == ("3", "1")
    assert (place.run(), place.run("-O")) == (f"3 {_ALL}", f"1 {_ALL}")


def test_a_module_that_is_asked_for_later_is_added(place: Place) -> None:
    place.run()
    place.write("part/more.py", "MORE = 1\n")
    place.write("part/value.py", "from weighbridge.part.more import MORE\nVALUE = MORE\n")
    assert place.run() == "1"
    assert place.run() == "1 part part.more part.value"


def _replace_by_link(file: Path) -> None:
    moved = file.rename(file.parent.parent / "moved")
    file.symlink_to(moved)


def _replace_by_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


SPOILT: Final[dict[str, Callable[[Path], object]]] = {
    "cut short": lambda file: file.write_bytes(file.read_bytes()[:-3]),
    "empty": lambda file: file.write_bytes(b""),
    "damaged": lambda file: file.write_bytes(file.read_bytes()[:-9] + b"x" + file.read_bytes()[-8:]),
    "of another version": lambda file: file.write_bytes(b"x" + file.read_bytes()[1:]),
    "others may write to it": lambda file: file.chmod(0o666),
    "a link": _replace_by_link,
    "a folder": _replace_by_folder,
    "no file": lambda file: file.unlink(),
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_file_that_cannot_be_trusted_is_ignored(place: Place, spoil: Callable[[Path], object]) -> None:
    place.run()
    assert place.run() == f"1 {_ALL}"
    spoil(place.kept)
    # The package itself has another file in the cache.
    assert place.run() == "1 part"


def test_a_folder_that_others_may_write_to_is_not_used(place: Place) -> None:
    place.run()
    (place.cache / "bytecode").chmod(0o777)
    assert place.run() == "1"


def test_what_changes_while_it_is_imported_is_not_kept(place: Place) -> None:
    now = time.time() + 1
    os.utime(place.modules / "part", (now, now))
    place.run()
    assert place.run() == "1"
    place.settle(place.modules / "part" / "value.py")
    place.write("part/value.py", "import os\nos.utime(__file__, (5, 5))\nVALUE = 1\n")
    place.run()
    assert place.run().split()[0] == "1"


def test_without_a_place_to_write_everything_works(place: Place, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for cache in (tmp_path / "file", tmp_path / "file" / "below"):
        assert place.run(WEIGHBRIDGE_CACHE=str(cache)) == "1"


def test_modules_of_others_are_left_alone(place: Place) -> None:
    program = _PROGRAM.replace("print(", "import yaml\nloaders.update(yaml=yaml.__loader__)\nprint(")
    assert place.run(program=program) == "1"
    assert place.run(program=program) == f"1 {_ALL}"
    assert {path.name.partition("-")[2].partition(".")[0] for path in (place.cache / "bytecode").iterdir()} == {"weighbridge"}


@pytest.mark.parametrize("command", [("lint", "m.yaml"), ("lint", "c.yaml"), ("dry-run", "m.yaml", "-o", "json")], ids=" ".join)
def test_a_command_says_the_same_from_the_cache_folder(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(MODEL)
    (tmp_path / "c.yaml").write_text("services: {web: {image: nginx}}\n")

    def run(cache: str) -> tuple[int, bytes, bytes]:
        program = ["-c", "from weighbridge.webhook.cli.main import main; main()", *command]
        environment = {**os.environ, "WEIGHBRIDGE_CACHE": cache, "PYTHONPATH": str(ROOT / ".ci" / "package")}
        done = subprocess.run([sys.executable, *program], cwd=tmp_path, env=environment, capture_output=True, check=False, timeout=120)
        return done.returncode, done.stdout, done.stderr

    answers = [run("off")]
    for _ in range(2):
        answers.append(run(str(tmp_path / "cache")))
        shutil.rmtree(tmp_path / "cache" / "runs", ignore_errors=True)
    assert answers[1:] == answers[:1] * 2
    assert list((tmp_path / "cache" / "bytecode").glob("*-weighbridge.webhook.cli.modules"))
