"""Small Go programs around packages of Kubernetes, built with the module versions of the control plane's programs and kept with them.

Runs before any virtual environment exists, so only the standard library is used.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.programs.control_plane.build import WRAPPER, cache_root, kubernetes_module


def _modules() -> Path:
    return WRAPPER / kubernetes_module()


def _place(name: str, source: Path) -> Path:
    key = hashlib.sha256(source.read_bytes() + (_modules() / "go.mod").read_bytes()).hexdigest()[:12]
    return cache_root() / f"{name}-{key}"


def find_program(name: str, source: Path) -> Path | None:
    """The program of a source file for the release that KUBE names; `None` if it hasn't been built."""
    program = _place(name, source)
    return program if program.exists() else None


def build_program(name: str, source: Path) -> Path:
    """The program, built if necessary. Raises FileNotFoundError without Go, CalledProcessError if the build fails."""
    program = _place(name, source)
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=program.parent) as folder:
            for path in (source, _modules() / "go.mod", _modules() / "go.sum"):
                shutil.copy(path, folder)
            command = ["go", "build", "-mod=mod", "-trimpath", "-o", name, source.name]
            environ = os.environ | {"CGO_ENABLED": "0", "GOWORK": "off"}
            subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr, env=environ)
            os.replace(Path(folder) / name, program)
    return program


def build_from_command_line(name: str, source: Path) -> int:
    """Build a program; prints its path and returns 0; returns 1 if the build fails, 2 without Go."""
    try:
        print(build_program(name, source))
    except FileNotFoundError:
        print(f"{name}: there is no go command on the PATH", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        print(f"{name}: go build failed with exit code {error.returncode}", file=sys.stderr)
        return 1
    return 0


def ask(program: Path, questions: Iterable[dict[str, Any]]) -> list[Any]:
    """The answers of a program to questions, each of which is a line of its input."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.split("\n") if line]
