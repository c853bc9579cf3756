"""The scheduler's own allocator as a judge: a small Go program around k8s.io/dynamic-resource-allocation.

It is built with the module versions of the control plane's programs and kept beside them. Far quicker than a scheduler with a cluster, it
takes anything, also what the API server would refuse.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.programs.control_plane.build import WRAPPER, cache_root

_SOURCE = Path(__file__).parent / "allocator" / "main.go"


def find_judge() -> Path:
    """The program, built if need be. Raises FileNotFoundError without Go, CalledProcessError where it doesn't build."""
    modules = WRAPPER / "kubernetes"
    key = hashlib.sha256(_SOURCE.read_bytes() + (modules / "go.mod").read_bytes()).hexdigest()[:12]
    program = cache_root() / f"allocator-{key}"
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=program.parent) as folder:
            for path in (_SOURCE, modules / "go.mod", modules / "go.sum"):
                shutil.copy(path, folder)
            command = ["go", "build", "-mod=mod", "-trimpath", "-o", "allocator", "main.go"]
            subprocess.run(command, cwd=folder, check=True, capture_output=True, env=os.environ | {"CGO_ENABLED": "0"})
            os.replace(Path(folder) / "allocator", program)
    return program


def ask(judge: Path, questions: Iterable[dict[str, Any]]) -> list[Any]:
    """What becomes of clusters with claims, or of devices with selectors."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run([judge], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]
