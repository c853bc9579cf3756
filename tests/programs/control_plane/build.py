"""Builds etcd, kube-apiserver, kube-scheduler and kubectl for the tests, and prints their folder.

They are ordinary Go programs, so the Go toolchain fetches and compiles them as tools of two small modules of ours (wrapper/), each with its
go.sum. etcd has a module of its own because Kubernetes pins an older etcd client. The programs are kept outside of the checkout, in a
folder named after the versions and the build flags, so only the first run builds them. KUBEBUILDER_ASSETS, the variable of setup-envtest
and controller tests, wins if it is set. KUBE names another release of Kubernetes than the usual one, such as 1.35; each has a module of its
own.

Run as a script before any virtual environment exists, so only the standard library is used.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final

ASSETS_VARIABLE = "KUBEBUILDER_ASSETS"
RELEASE_VARIABLE = "KUBE"
USUAL_RELEASE = "1.37"
WRAPPER = Path(__file__).resolve().parent / "wrapper"


@dataclass(frozen=True, slots=True)
class Binary:
    """One program: its file name, the wrapper module that requires it (without the release) and its Go package."""

    name: str
    module: str
    package: str
    required: bool = True


BINARIES = (
    Binary("etcd", "etcd", "go.etcd.io/etcd/server/v3"),
    Binary("kube-apiserver", "kubernetes", "k8s.io/kubernetes/cmd/kube-apiserver"),
    Binary("kubectl", "kubernetes", "k8s.io/kubernetes/cmd/kubectl"),
    # setup-envtest doesn't install it, so the user's folder may lack it.
    Binary("kube-scheduler", "kubernetes", "k8s.io/kubernetes/cmd/kube-scheduler", required=False),
)


class AssetsError(Exception):
    """KUBEBUILDER_ASSETS names a folder that can't be used, or KUBE a release that can't be built."""


class ToolchainError(Exception):
    """There is no Go, or it isn't new enough."""


@dataclass(frozen=True, slots=True)
class Assets:
    """A folder with the programs in it."""

    folder: Path

    def __getitem__(self, name: str) -> Path:
        return self.folder / name

    @property
    def has_scheduler(self) -> bool:
        return _is_program(self.folder / "kube-scheduler")


def find_assets(environ: Mapping[str, str] = os.environ) -> Assets | None:
    """The programs for the tests, `None` if they aren't built yet.

    Raises AssetsError when KUBEBUILDER_ASSETS is set and a required program isn't in its folder, or KUBE names no release.
    """
    chosen = environ.get(ASSETS_VARIABLE)
    if chosen:
        return _chosen_assets(Path(chosen))
    folder = cache_root(environ) / version_key(environ)
    return Assets(folder) if _is_complete(folder) else None


def _chosen_assets(folder: Path) -> Assets:
    missing = [b.name for b in BINARIES if b.required and not _is_program(folder / b.name)]
    if missing:
        raise AssetsError(f"{ASSETS_VARIABLE}={folder} has no {', '.join(missing)}")
    return Assets(folder.absolute())


def cache_root(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of built programs, with a folder for each version key."""
    cache = Path(environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    return cache / "weighbridge" / "control-plane"


def required_version(module: str, dependency: str) -> str:
    """The version of a dependency, without its v, as the go.mod of the wrapper module has it."""
    found = re.search(rf"\b{re.escape(dependency)} v(\S+)", _go_mod(module))
    if found is None:
        raise LookupError(f"{module}/go.mod does not require {dependency}")
    return found[1]


def releases() -> list[str]:
    """The releases of Kubernetes that can be built, the oldest first."""
    found = (folder.name.removeprefix("kubernetes-") for folder in WRAPPER.glob("kubernetes-*"))
    return sorted(found, key=_version_tuple)


def kubernetes_module(environ: Mapping[str, str] = os.environ) -> str:
    """The wrapper module of the release that KUBE names. Raises AssetsError."""
    release = environ.get(RELEASE_VARIABLE) or USUAL_RELEASE
    if release not in releases():
        raise AssetsError(f"{RELEASE_VARIABLE}={release} can't be built; give one of {', '.join(releases())}")
    return f"kubernetes-{release}"


def kubernetes_version(environ: Mapping[str, str] = os.environ) -> str:
    """The Kubernetes version that is built, such as 1.36.3."""
    return required_version(kubernetes_module(environ), "k8s.io/kubernetes")


def etcd_version() -> str:
    """The etcd version that is built, such as 3.7.3."""
    return required_version("etcd", "go.etcd.io/etcd/server/v3")


def _module(binary: Binary, environ: Mapping[str, str] = os.environ) -> str:
    return kubernetes_module(environ) if binary.module == "kubernetes" else binary.module


def version_key(environ: Mapping[str, str] = os.environ) -> str:
    """Changes with the versions, the pinned dependencies, the build flags and the platform."""
    digest = hashlib.sha256()
    for binary in BINARIES:
        digest.update("\0".join([binary.package, *_build_flags(environ), _go_mod(_module(binary, environ))]).encode())
    host = f"{platform.system()}-{platform.machine()}".lower()
    return f"kubernetes-{kubernetes_version(environ)}-etcd-{etcd_version()}-{host}-{digest.hexdigest()[:12]}"


def build(root: Path) -> Assets:
    """Builds what isn't there yet. Raises ToolchainError, or CalledProcessError when a build fails."""
    folder = root / version_key()
    _check_go()
    with locked(root / f"{folder.name}.lock") as lock:
        # The process that held the lock before may have built the same.
        if _is_complete(folder):
            return Assets(folder)
        _remove_leftovers(root, folder)
        partial = Path(tempfile.mkdtemp(prefix=f"{folder.name}.partial-", dir=root))
        try:
            for binary in BINARIES:
                _compile(binary, partial, lock)
            partial.chmod(0o755)
            # Only the rename makes the folder visible, so a killed build leaves just a folder that no run reads.
            partial.rename(folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return Assets(folder)


def _remove_leftovers(root: Path, folder: Path) -> None:
    for leftover in [folder, *root.glob(f"{folder.name}.partial-*")]:
        if leftover.exists():
            _say(f"removing the incomplete {leftover.name}")
            shutil.rmtree(leftover)


def _compile(binary: Binary, folder: Path, lock: int) -> None:
    _say(f"building {binary.name} ({binary.package})")
    start = time.monotonic()
    command = ["go", "build", *_build_flags(), "-o", str(folder / binary.name), binary.package]
    # A go command that outlives a killed build would create the folder again after the next build removed it. It inherits the lock, so the
    # next build waits for it.
    _run(command, WRAPPER / _module(binary), lock)
    size = (folder / binary.name).stat().st_size / 1e6
    _say(f"built {binary.name} in {time.monotonic() - start:.0f} s, {size:.0f} MB")


def _run(command: list[str], folder: Path, lock: int) -> None:
    """Runs the compiler to its end, and kills it when a signal ends this process, even one that comes while the compiler starts."""
    _ending.is_held = True
    with subprocess.Popen(command, cwd=folder, env=_go_environment(), stdout=sys.stderr, pass_fds=(lock,)) as process:
        try:
            _ending.release()
            code = process.wait()
        except BaseException:
            process.kill()
            raise
    if code != 0:
        raise subprocess.CalledProcessError(code, command)


def _build_flags(environ: Mapping[str, str] = os.environ) -> list[str]:
    version = kubernetes_version(environ)
    major, minor, _ = version.split(".", 2)
    stamps = {"gitVersion": f"v{version}", "gitMajor": major, "gitMinor": minor}
    # Without these flags the programs report v0.0.0-master as their version, with which kubectl and the OpenAPI routes fail.
    link = [
        f"-X {package}.{name}={value}"
        for package in ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")
        for name, value in stamps.items()
    ]
    return ["-mod=readonly", "-trimpath", "-buildvcs=false", f"-ldflags=-s -w {' '.join(link)}"]


def _go_environment() -> dict[str, str]:
    environ = {name: value for name, value in os.environ.items() if name not in {"GOOS", "GOARCH"}}
    return environ | {"CGO_ENABLED": "0", "GOWORK": "off"}


def _check_go() -> None:
    needed = re.search(r"^go (\S+)", _go_mod(kubernetes_module()), re.MULTILINE)
    assert needed is not None
    advice = f"Kubernetes {kubernetes_version()} needs Go {needed[1]} or newer on the PATH"
    if shutil.which("go") is None:
        raise ToolchainError(f"there is no go command; {advice}")
    # In the folder of the module, a go command that may fetch newer toolchains answers with the version that it would use.
    command = ["go", "env", "GOVERSION"]
    answer = subprocess.run(command, cwd=WRAPPER / kubernetes_module(), env=_go_environment(), capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        raise ToolchainError(f"{answer.stderr.strip()}; {advice}")
    if _version_tuple(answer.stdout) < _version_tuple(needed[1]):
        raise ToolchainError(f"the go command is {answer.stdout.strip()}; {advice}")


def _version_tuple(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


@contextmanager
def locked(path: Path) -> Iterator[int]:
    """Holds the lock of a file, which it creates; yields the file's descriptor."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say(f"waiting for another process, which holds {path}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        # The file stays. If it were removed, a third build could lock a new file while a second one waits on the old one.
        yield lock.fileno()


def _go_mod(module: str) -> str:
    return (WRAPPER / module / "go.mod").read_text(encoding="utf-8")


def _is_complete(folder: Path) -> bool:
    return all(_is_program(folder / binary.name) for binary in BINARIES)


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _say(text: str) -> None:
    print(f"control plane: {text}", file=sys.stderr, flush=True)


class _Ending:
    """Turns a signal into an exception, so that the compiler is stopped and the partial folder removed. While `is_held`, the signal
    waits.
    """

    def __init__(self) -> None:
        self.is_held = False
        self._number = 0

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self._number = number
        if not self.is_held:
            self.release()

    def release(self) -> None:
        """Stops holding signals back. Raises SystemExit if one has come."""
        self.is_held = False
        if self._number:
            raise SystemExit(128 + self._number)


_ending: Final = _Ending()


def main(arguments: list[str] | None = None) -> int:
    """Returns 0 and prints the folder, 1 if it doesn't exist or a build fails, 2 if nothing can be built."""
    parser = argparse.ArgumentParser(description="Build the control plane that the tests run against.")
    parser.add_argument("--print", action="store_true", help="only print the folder; exit 1 when it isn't built")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, _ending)
    try:
        assets = find_assets()
        if assets is None and not options.print:
            start = time.monotonic()
            assets = build(cache_root())
            _say(f"ready after {time.monotonic() - start:.0f} s")
    except (AssetsError, ToolchainError) as error:
        _say(str(error))
        return 1 if options.print else 2
    except subprocess.CalledProcessError as error:
        _say(f"go build failed with exit code {error.returncode}")
        return 1
    if assets is None:
        _say("not built yet; build it with: make control-plane")
        return 1
    print(assets.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
