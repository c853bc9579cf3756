"""The same command on the same input answers from the cache folder, with the same bytes; with any difference the program runs again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

from tests.conftest import ROOT
from weighbridge.certs import atomicfile
from weighbridge.webhook.cache import program

MODEL: Final = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: m}\nspec: {source: hf://org/model}\n"
CONFIG: Final = "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n"
NODE: Final = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"

#: Runs the program as its script does; the last line of standard error says whether the program was needed.
_PROGRAM: Final = """\
import atexit, sys
atexit.register(lambda: print("weighbridge.webhook.cli.program" in sys.modules, file=sys.stderr))
sys.argv[1:] = {arguments!r}
from weighbridge.webhook.cli.main import main
sys.exit(main())
"""


class Place:
    """A folder with manifests, and its cache."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        self.cache = folder / "cache"
        self.runs = self.cache / "runs"
        self.file("m.yaml", MODEL)

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def run(
        self, *arguments: str, stdin: str = "", before: str = "", stdout: int = subprocess.PIPE, **environment: str
    ) -> tuple[int, str, bool]:
        """The exit code, standard output, and whether the program was needed."""
        done = subprocess.run(
            [sys.executable, "-c", before + _PROGRAM.format(arguments=list(arguments))],
            cwd=self.folder,
            env={**os.environ, "WEIGHBRIDGE_CACHE": str(self.cache), **environment},
            input=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
        )
        return done.returncode, done.stdout or "", done.stderr.splitlines()[-1] == "True"

    def kept(self) -> int:
        """The number of answers in the cache."""
        return len(list(self.runs.glob("*.run"))) if self.runs.is_dir() else 0


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.parametrize(
    "arguments",
    [
        ("lint", "m.yaml"),
        ("lint", "."),
        ("lint", "bad.yaml", "-o", "json"),
        ("dry-run", "m.yaml", "-o", "yaml"),
        ("lint", "m.yaml", "--config", "c.yaml", "--cluster", "n.yaml", "--crds", "crds"),
    ],
    ids=" ".join,
)
def test_the_same_again_is_answered_with_the_same_bytes(place: Place, arguments: tuple[str, ...]) -> None:
    place.file("bad.yaml", MODEL.replace("source", "sauce"))
    place.file("c.yaml", CONFIG)
    place.file("n.yaml", NODE)
    place.file("crds/model.yaml", (ROOT / "policies/families/llmkube/crds/v0.9.19/inference.llmkube.dev_models.yaml").read_text())
    first = place.run(*arguments)
    assert first[2]
    assert first[0] == (1 if "bad.yaml" in arguments or "." in arguments else 0)
    assert place.run(*arguments) == (*first[:2], False)
    assert place.run(*arguments, WEIGHBRIDGE_CACHE="off") == first


def _edit(name: str) -> Callable[[Place], object]:
    return lambda place: (place.folder / name).write_text((place.folder / name).read_text() + "# another\n")


def _replace_by_link(path: Path) -> None:
    path.rename(path.with_suffix(".moved"))
    path.symlink_to(path.with_suffix(".moved"))


CHANGES: dict[str, Callable[[Place], object]] = {
    "a manifest has changed": _edit("all/a.yaml"),
    "a manifest has gone": lambda place: (place.folder / "all/a.yaml").unlink(),
    "there is another manifest": lambda place: place.file("all/c.yaml", MODEL.replace("name: m", "name: c")),
    "there is another folder": lambda place: (place.folder / "all/more").mkdir(),
    "a manifest of a folder below has changed": _edit("all/below/b.yaml"),
    "a manifest has become a link": lambda place: _replace_by_link(place.folder / "all/a.yaml"),
    "an ignore file has come": lambda place: place.file("all/.gitignore", "b.yaml\n"),
    "an ignore file above has changed": _edit(".gitignore"),
    "an ignore file of ours has come above": lambda place: place.file(".weighbridgeignore", "a.yaml\n"),
    "a repository has begun": lambda place: (place.folder / "all/.git").mkdir(),
    "the configuration has changed": _edit("c.yaml"),
    "the snapshot has changed": _edit("n.yaml"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_of_what_was_read_asks_the_program(place: Place, change: Callable[[Place], object]) -> None:
    place.file("all/a.yaml", MODEL.replace("name: m", "name: a"))
    (place.folder / "all/below").mkdir()
    place.file("all/below/b.yaml", MODEL.replace("name: m", "name: b"))
    place.file(".gitignore", "*.none\n")
    place.file("c.yaml", CONFIG)
    place.file("n.yaml", NODE)
    arguments = ("lint", "all", "--config", "c.yaml", "--cluster", "n.yaml", "-o", "json")
    place.run(*arguments)
    assert not place.run(*arguments)[2]
    change(place)
    code, output, needed = place.run(*arguments)
    assert needed
    assert (code, output) == place.run(*arguments, WEIGHBRIDGE_CACHE="off")[:2]


SETTINGS: dict[str, Callable[[Place], object]] = {
    "there is a file of settings in the folder": lambda place: place.file("weighbridge.yaml", "fail-on: never\n"),
    "there is a file of settings above": lambda place: place.file("../weighbridge.yaml", "fail-on: never\n"),
    "the folder has become a repository": lambda place: (place.folder / ".git").mkdir(),
}


@pytest.mark.parametrize("change", SETTINGS.values(), ids=SETTINGS)
def test_settings_that_come_ask_the_program(place: Place, change: Callable[[Place], object]) -> None:
    place.run("lint", "m.yaml")
    assert not place.run("lint", "m.yaml")[2]
    change(place)
    assert place.run("lint", "m.yaml")[2]


def test_settings_that_change_or_go_ask_the_program(place: Place) -> None:
    place.file("m.yaml", MODEL.replace("hf://org/model", "pvc://é"))
    place.file("weighbridge.yaml", "fail-on: error\nbaseline: base.json\n")
    place.file("base.json", '{"version": 1, "findings": []}')
    assert place.run("lint", "m.yaml")[0] == 1
    assert not place.run("lint", "m.yaml")[2]
    assert place.run("lint", "m.yaml", WEIGHBRIDGE_FAIL_ON="never")[::2] == (0, True)
    place.file("weighbridge.yaml", "fail-on: never\nbaseline: base.json\n")
    assert place.run("lint", "m.yaml")[::2] == (0, True)
    place.run("lint", "m.yaml", "--write-baseline", "new.json")
    (place.folder / "new.json").rename(place.folder / "base.json")
    assert "of the baseline" in place.run("lint", "m.yaml")[1]
    assert not place.run("lint", "m.yaml")[2]
    (place.folder / "weighbridge.yaml").unlink()
    assert place.run("lint", "m.yaml")[::2] == (1, True)


def test_a_run_that_writes_a_baseline_is_not_kept(place: Place) -> None:
    for _ in range(2):
        assert place.run("lint", "m.yaml", "--write-baseline", "base.json")[2]
    assert place.kept() == 0


def test_an_answer_holds_until_the_next_ignore_ends(place: Place) -> None:
    end = (datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="seconds").replace("+00:00", "Z")
    place.file("m.yaml", MODEL.replace("hf://org/model", "pvc://é") + f"# weighbridge: ignore[LLMKUBE-009] x until {end}\n")
    place.file("m.yaml", f"# weighbridge: ignore[LLMKUBE-009] known until {end}\n" + MODEL.replace("hf://org/model", "pvc://é"))
    first = place.run("lint", "m.yaml")
    assert (place.kept(), first[0], "1 finding ignored" in first[1]) == (1, 0, True)
    assert place.run("lint", "m.yaml") == (*first[:2], False)
    later = "import time\nat = time.time\ntime.time = lambda: at() + 2 * 86400\n"
    assert place.run("lint", "m.yaml", before=later)[2]


def test_other_arguments_and_another_folder_ask_the_program(place: Place, tmp_path: Path) -> None:
    place.run("lint", "m.yaml")
    assert place.run("lint", "m.yaml", "-o", "json")[2]
    assert place.run("lint", "--verbose", "m.yaml")[2]
    assert place.run("dry-run", "m.yaml")[2]
    other = tmp_path / "other"
    other.mkdir()
    (other / "m.yaml").write_text(MODEL)
    before, place.folder = place.folder, other
    assert place.run("lint", "m.yaml")[2]
    place.folder = before
    assert not place.run("lint", "m.yaml")[2]


def _linked(place: Place) -> None:
    place.file("all/a.yaml", MODEL)
    (place.folder / "all/b.yaml").symlink_to(place.folder / "m.yaml")


def _with_chart(place: Place) -> None:
    place.file("all/Chart.yaml", "apiVersion: v2\nname: c\nversion: 0.1.0\n")


def _with_overlay(place: Place) -> None:
    place.file("all/kustomization.yaml", "resources: [m.yaml]\n")
    place.file("all/m.yaml", MODEL)


UNKEPT: dict[str, tuple[tuple[str, ...], Callable[[Place], object]]] = {
    "standard input": (("lint", "-"), lambda _: None),
    "a pattern": (("lint", "*.yaml"), lambda _: None),
    "a link": (("lint", "all"), _linked),
    "a chart": (("lint", "all"), _with_chart),
    "an overlay": (("dry-run", "all"), _with_overlay),
    "an overlay above": (("lint", "all/m.yaml"), _with_overlay),
    "a file that doesn't exist": (("lint", "m.yaml", "none.yaml"), lambda _: None),
    "a wrong option": (("lint", "m.yaml", "--nonsense"), lambda _: None),
    "recorded reviews": (("dry-run", "--reviews", "r.jsonl"), lambda place: place.file("r.jsonl", "")),
    "another command": (("rules",), lambda _: None),
}


@pytest.mark.parametrize(("arguments", "prepare"), UNKEPT.values(), ids=UNKEPT)
def test_runs_that_read_more_than_files_are_not_kept(place: Place, arguments: tuple[str, ...], prepare: Callable[[Place], object]) -> None:
    prepare(place)
    first = place.run(*arguments, stdin=MODEL)
    assert place.kept() == 0
    assert place.run(*arguments, stdin=MODEL) == first


def test_a_run_that_failed_inside_is_not_kept(place: Place) -> None:
    fails = "import weighbridge.policies.verdict.engine as engine\ndef walk(*_): raise MemoryError\nengine.walk = walk\n"
    assert "MemoryError in the engine" in place.run("lint", "m.yaml", before=fails)[1]
    assert place.kept() == 0


def test_a_run_that_failed_inside_another_process_is_not_kept(place: Place) -> None:
    for number in range(4):
        place.file(f"all/m{number}.yaml", MODEL.replace("name: m", f"name: m{number}"))
    fails = (
        "import os, weighbridge.policies.verdict.engine as engine\n"
        "this, walk = os.getpid(), engine.walk\n"
        "def walked(*given):\n"
        "    if os.getpid() != this: raise MemoryError\n"
        "    return walk(*given)\n"
        "engine.walk = walked\n"
    )
    assert "MemoryError in the engine" in place.run("lint", "all", "-j", "2", before=fails)[1]
    assert place.kept() == 0
    place.run("lint", "all", "-j", "2")
    assert place.kept() == 1


def test_an_answer_holds_until_the_next_exception_ends(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.file("m.yaml", MODEL.replace("hf://org/model", "pvc://é"))
    end = (datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="seconds").replace("+00:00", "Z")
    place.file("c.yaml", CONFIG + f"exceptions: [{{rules: ['*'], match: {{namespaces: [default]}}, reason: known, expires: '{end}'}}]\n")
    arguments = ("lint", "m.yaml", "--config", "c.yaml")
    first = place.run(*arguments)
    assert place.kept() == 1
    assert place.run(*arguments) == (*first[:2], False)
    later = "import time\nat = time.time\ntime.time = lambda: at() + 2 * 86400\n"
    assert place.run(*arguments, before=later) == first


@pytest.mark.parametrize("change", ["loaded.py", "deep/data.yaml", "added.py", "deep/added.yaml"])
def test_a_changed_program_asks_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, change: str) -> None:
    import weighbridge

    (tmp_path / "deep" / "__pycache__").mkdir(parents=True)
    for name in ("loaded.py", "not_loaded.py", "deep/data.yaml"):
        (tmp_path / name).write_text("a")
    monkeypatch.setattr(weighbridge, "__path__", [str(tmp_path)])
    monkeypatch.setitem(sys.modules, "weighbridge.loaded", _module(tmp_path / "loaded.py"))
    monkeypatch.delitem(sys.modules, "weighbridge.webhook.cli.processes.copies", raising=False)
    _settle(tmp_path)
    used = program.used()
    assert used is not None
    # The lists of the folders are kept at the second run.
    assert program.used() == used
    (tmp_path / "not_loaded.py").write_text("ab")
    (tmp_path / "deep" / "__pycache__" / "rule.pyc").write_text("c")
    assert program.are_unchanged(used)
    assert program.used() == used
    (tmp_path / change).write_text("ab")
    assert not program.are_unchanged(used)


def test_a_program_that_changes_while_it_runs_is_not_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import weighbridge

    monkeypatch.setattr(weighbridge, "__path__", [str(tmp_path)])
    (tmp_path / "data.yaml").write_text("a")
    _settle(tmp_path)
    assert program.used() is not None
    for changed in (tmp_path / "data.yaml", tmp_path):
        later = time.time() + 1
        os.utime(changed, (later, later))
        assert program.used() is None
        _settle(tmp_path)


def test_all_modules_count_if_other_processes_judged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import weighbridge

    monkeypatch.setattr(weighbridge, "__path__", [str(tmp_path)])
    (tmp_path / "rule.py").write_text("a")
    _settle(tmp_path)
    monkeypatch.delitem(sys.modules, "weighbridge.webhook.cli.processes.copies", raising=False)
    assert str(tmp_path / "rule.py") not in (program.used() or {})
    monkeypatch.setitem(sys.modules, "weighbridge.webhook.cli.processes.copies", _module(tmp_path / "rule.py"))
    assert str(tmp_path / "rule.py") in (program.used() or {})


def _module(path: Path) -> ModuleType:
    module = ModuleType(path.stem)
    module.__spec__ = ModuleSpec(path.stem, None, origin=str(path))
    return module


def _settle(folder: Path) -> None:
    """Give all files and folders a time in the past."""
    # In another folder for the program, nothing can be imported.
    assert callable(atomicfile.replace_in)
    for path in (folder, *folder.rglob("*")):
        os.utime(path, (1_000_000_000, 1_000_000_000))


def test_files_that_cannot_be_trusted_are_not_answered_from(place: Place) -> None:
    first = place.run("lint", "m.yaml")
    (file,) = place.runs.iterdir()
    data = file.read_bytes()
    for spoil in (data[:-1], b"", data[:40] + b"x" + data[41:], b"text"):
        file.write_bytes(spoil)
        assert place.run("lint", "m.yaml") == first
    assert place.run("lint", "m.yaml") == (*first[:2], False)
    file.chmod(0o666)
    assert place.run("lint", "m.yaml") == first


@pytest.mark.parametrize("command", [("lint", "m.yaml"), ("--version",)], ids=" ".join)
def test_output_that_cannot_be_written_is_the_same_error(place: Place, command: tuple[str, ...]) -> None:
    place.run(*command)
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        assert place.run(*command, stdout=full)[0] == 2
        assert place.run(*command, stdout=full, WEIGHBRIDGE_CACHE="off")[0] == 2
    finally:
        os.close(full)
    assert place.run(*command, before="import os, sys; os.close(1); sys.stdout = None\n")[0] == 2


def test_every_file_that_is_opened_is_among_the_inputs(place: Place) -> None:
    place.file("all/a.yaml", MODEL)
    place.file("c.yaml", CONFIG)
    place.file("n.yaml", NODE)
    look = (
        "import sys\n"
        "opened = set()\n"
        "def hook(event, given):\n"
        "    if event in ('open', 'os.scandir', 'os.listdir') and isinstance(given[0], str): opened.add(given[0])\n"
        "sys.addaudithook(hook)\n"
        "import atexit, json\n"
        "from weighbridge.webhook.cache import inputs\n"
        "def seen(): return [sorted(opened), [*inputs._recorded.files, *inputs._recorded.folders]]\n"
        "atexit.register(lambda: json.dump(seen(), open('seen.json', 'w')))\n"
    )
    place.run("lint", "all", "m.yaml", "--config", "c.yaml", "--cluster", "n.yaml", before=look)
    opened, recorded = json.loads((place.folder / "seen.json").read_text())
    ours = {os.path.normpath(place.folder / path) for path in opened} & {str(path) for path in place.folder.rglob("*")}
    assert ours - {str(place.folder / "seen.json")} == {str(place.folder / path) for path in recorded}


def test_a_changed_policy_asks_the_program_again(place: Place) -> None:
    spec = "matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}"
    of_group = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy"
    policy = f"{of_group}\nmetadata: {{name: p}}\nspec: {{{spec}, validations: [{{expression: 'true'}}]}}\n"
    bound = f"{of_group}Binding\nmetadata: {{name: b}}\nspec: {{policyName: p, validationActions: [Deny]}}\n"
    place.file("policies/p.yaml", f"{policy}---\n{bound}")
    arguments = ("lint", "--policies", "policies", "m.yaml")
    assert [place.run(*arguments)[::2] for _ in range(2)] == [(0, True), (0, False)]
    place.file("policies/p.yaml", f"{policy}---\n{bound}".replace("'true'", "'false'"))
    assert place.run(*arguments)[::2] == (1, True)
    place.file("policies/q.yaml", bound.replace("name: b}", "name: c}"))
    assert place.run(*arguments)[::2] == (1, True)
