"""The scheduler's own allocator as a judge: a small Go program around k8s.io/dynamic-resource-allocation.

It is built with the module versions of the control plane's programs and kept with them: `python -m tests.programs.devices.judge`. Far
quicker than a scheduler with a cluster, it takes anything, also what the API server would refuse.

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

_SOURCE = Path(__file__).parent / "allocator" / "main.go"


def find_judge() -> Path | None:
    """The program; None where it hasn't been built."""
    program = _place()
    return program if program.exists() else None


def _modules() -> Path:
    return WRAPPER / kubernetes_module()


def _place() -> Path:
    key = hashlib.sha256(_SOURCE.read_bytes() + (_modules() / "go.mod").read_bytes()).hexdigest()[:12]
    return cache_root() / f"allocator-{key}"


def build_judge() -> Path:
    """The program, built if need be. Raises FileNotFoundError without Go, CalledProcessError where it doesn't build."""
    program = _place()
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=program.parent) as folder:
            for path in (_SOURCE, _modules() / "go.mod", _modules() / "go.sum"):
                shutil.copy(path, folder)
            command = ["go", "build", "-mod=mod", "-trimpath", "-o", "allocator", "main.go"]
            subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr, env=os.environ | {"CGO_ENABLED": "0"})
            os.replace(Path(folder) / "allocator", program)
    return program


def ask(judge: Path, questions: Iterable[dict[str, Any]]) -> list[Any]:
    """What becomes of clusters with claims, or of devices with selectors."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run([judge], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> int:
    """Build; 0 with the program's path on standard output, 1 where it doesn't build, 2 without Go."""
    try:
        print(build_judge())
    except FileNotFoundError:
        print("allocator: there is no go command on the PATH", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        print(f"allocator: go build failed with exit code {error.returncode}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
