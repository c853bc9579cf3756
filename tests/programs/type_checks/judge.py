"""kube-controller-manager's type checker as a judge: a small Go program around k8s.io/apiserver.

It is built with the module versions of the control plane's programs and kept with them: `python -m tests.programs.type_checks.judge`.

Runs before any virtual environment exists, so only the standard library is used.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.programs.control_plane.small_programs import ask, build_from_command_line, build_program, find_program

__all__ = ["ask", "build_judge", "find_judge", "main"]

_SOURCE = Path(__file__).parent / "checker" / "main.go"


def find_judge() -> Path | None:
    """The program for the release that KUBE names; `None` if it hasn't been built."""
    return find_program("type-checker", _SOURCE)


def build_judge() -> Path:
    """The program, built if necessary. Raises FileNotFoundError without Go, CalledProcessError if the build fails."""
    return build_program("type-checker", _SOURCE)


def main() -> int:
    """Build it from the command line."""
    return build_from_command_line("type-checker", _SOURCE)


if __name__ == "__main__":
    sys.exit(main())
