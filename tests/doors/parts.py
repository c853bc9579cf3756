"""The parts of a case as they are written in its folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

#: What separates the first document of a file from the others.
_NEXT_DOCUMENT: Final = re.compile(r"^---[ \t]*\n", re.MULTILINE)


class CaseError(Exception):
    """A case folder that can't be read: the file, what is wrong with it and what would be right."""


def texts(folder: Path) -> dict[str, str]:
    """The parts of a case as they are written: `object`, `old`, `cluster` and `config`. Raises CaseError if two files have a cluster."""
    found = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml")) if path.name != "expect.yaml"}
    own, *others = _NEXT_DOCUMENT.split(found.get("object", ""), maxsplit=1)
    if others:
        if "cluster" in found:
            raise CaseError(f"{folder}/object.yaml: more than one document; the cluster's objects are here or in cluster.yaml, not in both")
        found |= {"object": own, "cluster": others[0]}
    return found
