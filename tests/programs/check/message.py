"""The form of a commit's message, as git's hook `commit-msg` checks it: a subject, a blank line, and a body that says why.

`.pre-commit-config.yaml` runs it; `.venv/bin/pre-commit install` sets the hooks up. Merges and fixups are let through.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

MOST: Final = 60
_LET_THROUGH: Final = re.compile(r"Merge |Revert |(?:fixup|squash|amend)! ")
#: Below this line git shows the difference, and `#` begins its comments.
_SCISSORS: Final = re.compile(r"^# -+ >8 -+$", re.MULTILINE)
_TRAILER: Final = re.compile(r"[A-Za-z-]+: \S")


def faults(message: str) -> Iterator[str]:
    """What is wrong with a message."""
    lines = [line.rstrip() for line in _SCISSORS.split(message)[0].splitlines() if not line.startswith("#")]
    subject, *rest = "\n".join(lines).strip().split("\n")
    if _LET_THROUGH.match(subject):
        return
    if len(subject) > MOST:
        yield f"the subject has {len(subject)} characters; write at most {MOST}"
    if subject.endswith("."):
        yield "the subject ends with a full stop; leave it out"
    if re.match(r"\w+(?:ed|ing)\b", subject):
        yield f'"{subject.split()[0]}" is no imperative; write what the commit does, as in "Add", "Read", "Say"'
    if rest and rest[0]:
        yield "there is no blank line after the subject"
    if not any(line and not _TRAILER.match(line) for line in rest):
        yield "there is no body; say why, after a blank line"


def main(path: str) -> int:
    """Check the message in a file; exit code 1 where something is wrong."""
    found = list(faults(Path(path).read_text(encoding="utf-8")))
    for fault in found:
        print(f"commit message: {fault}", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
