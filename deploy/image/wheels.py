"""The locked wheels and the project itself, where the image's interpreter looks for them."""

from __future__ import annotations

import compileall
import os
import py_compile
import re
import shutil
import subprocess
import sys
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final

from deploy.image.debian import ImageError

#: Where Debian's interpreter looks, below the root.
SITE: Final = Path("usr/lib/python3/dist-packages")
#: The program, with the interpreter that the image has.
PROGRAM: Final = Path("usr/bin/weighbridge")
_SCRIPT: Final = "#!/usr/bin/python3.11\nimport sys\nfrom weighbridge.webhook.cli.main import main\nsys.exit(main())\n"
_PYTHON: Final = "3.11"
#: The one package in which the project is installed.
OWN: Final = "weighbridge"
_ROOMS: Final = ("policies", "webhook", "certs")
#: A requirement at the beginning of a line, and the indented lines of its hashes.
_ENTRY: Final = re.compile(r"^([^\s;#]+==[^\s;\\]+).*\n(?:[ \t].*\n?)*", re.MULTILINE)


def install(root: Path, project: Path) -> list[Distribution]:
    """Install the wheels of the lock file that the server and its traces need, and the project, into `root`. Raises ImageError."""
    site = root / SITE
    _install_locked(site, project)
    _install_project(site, project)
    program = root / PROGRAM
    program.write_text(_SCRIPT)
    program.chmod(0o755)
    _compile(root)
    return sorted(distributions(path=[str(site)]), key=lambda distribution: distribution.name.lower())


def _install_locked(site: Path, project: Path) -> None:
    """What the extras need, in the locked versions and with their hashes, as wheels alone: nothing of theirs is run."""
    options = ("--target", str(site), "--python-version", _PYTHON, "--only-binary", ":all:", "--no-deps", "--require-hashes", "--no-cache")
    _uv("pip", "install", *options, "--requirement", str(_lock(site.parent, project)))


def _lock(folder: Path, project: Path) -> Path:
    """The part of the lock file that the server needs, as a file next to the wheels while they are installed.

    Which packages these are is resolved anew; versions and hashes are the lock file's own, since an index would vouch for what it serves.
    """
    where = folder / "server.lock"
    extras = ("--extra", "server", "--extra", "tracing")
    options = ("--python-version", _PYTHON, "--no-header", "--no-annotate", "--quiet", "--constraints", str(project / "requirements.lock"))
    _uv("pip", "compile", str(project / "pyproject.toml"), *extras, *options, "--output-file", str(where))
    locked = _locked((project / "requirements.lock").read_text())
    wanted = [line.split(";")[0].strip() for line in where.read_text().splitlines() if "==" in line]
    if lacking := [requirement for requirement in wanted if requirement not in locked]:
        raise ImageError(f"requirements.lock lacks {', '.join(lacking)}; write it anew with make lock")
    where.write_text("".join(map(locked.__getitem__, wanted)))
    return where


def _locked(lock: str) -> dict[str, str]:
    """The entries of a lock file with their hashes, by name and version as ``click==8.2.0``."""
    return {found[1]: found[0] for found in _ENTRY.finditer(lock)}


def _install_project(site: Path, project: Path) -> None:
    _uv(
        "pip",
        "install",
        "--target",
        str(site),
        "--python-version",
        _PYTHON,
        "--no-deps",
        "--no-build-isolation",
        "--no-cache",
        str(project),
    )
    (site.parent / "server.lock").unlink()
    for name in (".lock", "bin"):
        _remove(site / name)
    if lacking := [name for name in _ROOMS if not (site / OWN / name).is_dir()]:
        raise ImageError(f"the project's wheel lacks {', '.join(lacking)}; look at tool.hatch in pyproject.toml")
    for record in site.glob("*.dist-info"):
        # What differs from one build to the next, and says nothing about what is installed.
        for name in ("direct_url.json", "uv_cache.json", "REQUESTED", "INSTALLER", "RECORD"):
            _remove(record / name)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _compile(root: Path) -> None:
    """Bytecode that holds no times, since the root is read-only where it runs and builds should be alike."""
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    for folder in (root / SITE, root / "usr/lib/python3.11"):
        for stale in folder.rglob("__pycache__"):
            shutil.rmtree(stale)
        compileall.compile_dir(folder, quiet=2, stripdir=str(root), prependdir="/", invalidation_mode=mode, workers=os.cpu_count() or 1)


def _uv(*arguments: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    command = [sys.executable, "-m", "uv", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()] or [f"exit code {done.returncode}"]
        # pip reports a wrong hash in six lines: the wheel, the hashes wanted, the one found.
        raise ImageError(f"uv {arguments[1]} failed: {' '.join(lines[-6:])}")
