"""Building the control plane with a stub of the go command: everything but the compiler is tested."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.programs.control_plane import build

SCRIPT = Path(build.__file__)
PROGRAMS = {"etcd", "kube-apiserver", "kubectl", "kube-scheduler"}
WAIT_SECONDS = 30.0

# Records each build, then runs the test's commands in place of the compiler, with the output file in $out.
FAKE_GO = """#!/bin/sh
if [ "$1" = env ]; then echo {version}; exit 0; fi
while [ "$1" != -o ]; do shift; done
out=$2
echo "$3" >> {calls}
{compiler}
"""
COMPILES = 'echo program > "$out"; chmod +x "$out"'


class Workshop:
    """A folder with a fake go command and a cache, in which the script is run."""

    def __init__(self, folder: Path) -> None:
        self.calls = folder / "calls"
        self.root = folder / "cache" / "weighbridge" / "control-plane"
        self.bin = folder / "bin"
        self.bin.mkdir()
        # PATH also has sh's own tools, but no other go.
        self.environ = {"PATH": f"{self.bin}:/usr/bin:/bin", "XDG_CACHE_HOME": str(folder / "cache")}

    def have_go(self, compiler: str = COMPILES, *, version: str = "go99.0.0") -> None:
        go = self.bin / "go"
        go.write_text(FAKE_GO.format(version=version, calls=self.calls, compiler=compiler), encoding="utf-8")
        go.chmod(0o755)

    def start(self, *arguments: str, **environ: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(SCRIPT), *arguments]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=self.environ | environ, stdout=pipe, stderr=pipe, text=True)

    def run(self, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
        process = self.start(*arguments, **environ)
        output, errors = process.communicate(timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)

    def built(self) -> list[str]:
        return self.calls.read_text(encoding="utf-8").splitlines() if self.calls.exists() else []

    def folders(self) -> list[Path]:
        return [path for path in self.root.glob("*") if path.is_dir()]


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "the condition never held"
        time.sleep(0.02)


def without_system_go(*folders: str) -> None:
    if any((Path(folder) / "go").exists() for folder in folders):
        pytest.skip("a go command is among the system's own")


def test_build_compiles_every_program_once_and_prints_the_folder_last(workshop: Workshop) -> None:
    workshop.have_go()
    answer = workshop.run()
    assert answer.returncode == 0, answer.stderr
    folder = Path(answer.stdout.splitlines()[-1])
    assert folder.parent == workshop.root
    assert {path.name for path in folder.iterdir()} == PROGRAMS
    assert "built kube-apiserver in " in answer.stderr

    again = workshop.run()
    assert (again.returncode, again.stdout) == (0, answer.stdout)
    assert len(workshop.built()) == len(PROGRAMS)


def test_print_builds_nothing(workshop: Workshop) -> None:
    workshop.have_go()
    absent = workshop.run("--print")
    assert (absent.returncode, absent.stdout, workshop.built()) == (1, "", [])
    assert "make control-plane" in absent.stderr

    built = workshop.run()
    assert workshop.run("--print").stdout == built.stdout


def test_a_failing_compiler_leaves_nothing(workshop: Workshop) -> None:
    workshop.have_go('echo half > "$out"; chmod +x "$out"; echo "cannot find package" >&2; exit 3')
    answer = workshop.run()
    assert answer.returncode == 1
    assert "cannot find package" in answer.stderr
    assert "go build failed with exit code 3" in answer.stderr
    assert workshop.folders() == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "terminated"])
def test_what_an_ended_build_left_is_never_used(workshop: Workshop, number: signal.Signals) -> None:
    # Like the real command, it creates the folder only when it writes. A stopped process may take a while to end.
    seconds = 3 if number == signal.SIGKILL else 20
    late = f'sleep {seconds}; mkdir -p "${{out%/*}}"; {COMPILES}; echo late >> {workshop.calls}'
    workshop.have_go(f'case "$out" in */kubectl) {late};; *) {COMPILES};; esac')
    with workshop.start() as process:
        wait_for(lambda: "k8s.io/kubernetes/cmd/kubectl" in workshop.built())
        process.send_signal(number)
    assert workshop.run("--print").returncode == 1

    workshop.have_go()
    answer = workshop.run()
    assert answer.returncode == 0, answer.stderr
    assert [str(path) for path in workshop.folders()] == answer.stdout.splitlines()
    # The build waited for a compiler that couldn't be stopped.
    assert ("late" in workshop.built()) == (number == signal.SIGKILL)


def test_two_builds_at_once_compile_once(workshop: Workshop) -> None:
    workshop.have_go(f"sleep 0.3; {COMPILES}")
    processes = [workshop.start(), workshop.start()]
    answers = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert answers[0][0] == answers[1][0]
    assert len(workshop.built()) == len(PROGRAMS)


def test_an_incomplete_folder_is_built_anew(workshop: Workshop) -> None:
    workshop.have_go()
    folder = Path(workshop.run().stdout.strip())
    (folder / "etcd").unlink()
    assert workshop.run("--print").returncode == 1
    assert workshop.run().returncode == 0
    assert {path.name for path in folder.iterdir()} == PROGRAMS


def test_without_go_nothing_can_be_built(workshop: Workshop) -> None:
    without_system_go("/usr/bin", "/bin")
    answer = workshop.run()
    assert (answer.returncode, answer.stdout) == (2, "")
    advice = f"Kubernetes {build.kubernetes_version()} needs Go 1.26.0 or newer on the PATH"
    assert answer.stderr == f"control plane: there is no go command; {advice}\n"


def test_an_old_go_is_refused_before_it_compiles(workshop: Workshop) -> None:
    workshop.have_go(version="go1.25.9")
    answer = workshop.run()
    assert answer.returncode == 2
    assert "the go command is go1.25.9; Kubernetes" in answer.stderr
    assert workshop.built() == []


def test_chosen_assets_win_and_may_lack_the_scheduler(workshop: Workshop, tmp_path: Path) -> None:
    workshop.have_go()
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    for name in PROGRAMS - {"kube-scheduler"}:
        (chosen / name).touch(mode=0o755)
    answer = workshop.run(KUBEBUILDER_ASSETS=str(chosen))
    assert (answer.returncode, answer.stdout, workshop.built()) == (0, f"{chosen}\n", [])
    assets = build.find_assets({"KUBEBUILDER_ASSETS": str(chosen)})
    assert assets is not None
    assert not assets.has_scheduler


def test_chosen_assets_that_lack_a_program_are_refused(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "etcd").touch(mode=0o644)
    (tmp_path / "kubectl").touch(mode=0o755)
    answer = workshop.run(KUBEBUILDER_ASSETS=str(tmp_path))
    assert answer.returncode == 2
    assert f"KUBEBUILDER_ASSETS={tmp_path} has no etcd, kube-apiserver" in answer.stderr


def test_the_key_follows_the_requirements_and_the_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    key, go_mod = build.version_key(), build._go_mod
    assert key.startswith(f"kubernetes-{build.kubernetes_version()}-etcd-{build.etcd_version()}-")
    with monkeypatch.context() as patch:
        patch.setattr(build, "_go_mod", lambda module: go_mod(module) + "// changed\n")
        assert build.version_key() != key
    with monkeypatch.context() as patch:
        patch.setattr(build, "_build_flags", lambda _: ["-race"])
        assert build.version_key() != key
    assert build.version_key() == key
