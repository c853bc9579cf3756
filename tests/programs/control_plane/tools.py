"""Programs that single tests need, built from Go modules and kept with the control plane's: helm, and the engine of PromQL.

`python -m tests.programs.control_plane.tools` builds them. It runs before any virtual environment exists, so it uses only the standard
library.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.programs.control_plane.build import WRAPPER, cache_root


@dataclass(frozen=True, slots=True)
class Tool:
    """One program: its name, which is the name of its folder below wrapper/, and its Go package."""

    name: str
    package: str

    def find(self) -> Path | None:
        """The program; `None` if it hasn't been built."""
        program = self._place()
        return program if program.exists() else None

    def build(self) -> Path:
        """The program, built if necessary. Raises FileNotFoundError without Go, CalledProcessError if the build fails."""
        program = self._place()
        if not program.exists():
            program.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=program.parent) as folder:
                built = Path(folder) / self.name
                command = ["go", "build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", str(built), self.package]
                environ = os.environ | {"CGO_ENABLED": "0", "GOWORK": "off"}
                subprocess.run(command, cwd=WRAPPER / self.name, check=True, stdout=sys.stderr, env=environ)
                built.replace(program)
        return program

    def _place(self) -> Path:
        key = hashlib.sha256()
        for path in sorted((WRAPPER / self.name).iterdir()):
            key.update(path.read_bytes())
        return cache_root() / f"{self.name}-{key.hexdigest()[:12]}"


HELM = Tool("helm", "helm.sh/helm/v4/cmd/helm")
PROMQL = Tool("promql", ".")


def main() -> int:
    """Build them; prints their paths and returns 0, or returns 1 if a build fails, 2 without Go."""
    for tool in (HELM, PROMQL):
        try:
            print(tool.build())
        except FileNotFoundError:
            print(f"{tool.name}: there is no go command on the PATH", file=sys.stderr)
            return 2
        except subprocess.CalledProcessError as error:
            print(f"{tool.name}: go build failed with exit code {error.returncode}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
