"""The parts of a case as they are written in its folder."""

from __future__ import annotations

from pathlib import Path

from weighbridge.webhook.inputs.rule_examples import parts_of


class CaseError(Exception):
    """A case folder that can't be read: the file, what is wrong with it and what would be right."""


def texts(folder: Path) -> dict[str, str]:
    """The parts of a case as they are written: `object`, `old`, `cluster` and `config`. Raises CaseError if two files have a cluster."""
    found = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml")) if path.name != "expect.yaml"}
    parts = parts_of(found)
    if "cluster" in found and parts["cluster"] != found["cluster"]:
        raise CaseError(f"{folder}/object.yaml: more than one document; the cluster's objects are here or in cluster.yaml, not in both")
    return parts
