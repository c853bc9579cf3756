"""helm, for the tests of the chart: built from its Go module and kept beside the control plane's programs.

`python -m tests.programs.control_plane.helm` builds it. Runs before any virtual environment exists, so only the standard library is used.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.programs.control_plane.build import WRAPPER, cache_root

_MODULE = WRAPPER / "helm"
_PACKAGE = "helm.sh/helm/v4/cmd/helm"


def find_helm() -> Path | None:
    """The program; None where it hasn't been built."""
    program = _place()
    return program if program.exists() else None


def build_helm() -> Path:
    """The program, built if need be. Raises FileNotFoundError without Go, CalledProcessError where it doesn't build."""
    program = _place()
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=program.parent) as folder:
            built = Path(folder) / "helm"
            command = ["go", "build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", str(built), _PACKAGE]
            environ = os.environ | {"CGO_ENABLED": "0", "GOWORK": "off"}
            subprocess.run(command, cwd=_MODULE, check=True, stdout=sys.stderr, env=environ)
            built.replace(program)
    return program


def _place() -> Path:
    key = hashlib.sha256((_MODULE / "go.mod").read_bytes()).hexdigest()[:12]
    return cache_root() / f"helm-{key}"


def main() -> int:
    """Build; 0 with the program's path on standard output, 1 where it doesn't build, 2 without Go."""
    try:
        print(build_helm())
    except FileNotFoundError:
        print("helm: there is no go command on the PATH", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        print(f"helm: go build failed with exit code {error.returncode}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
