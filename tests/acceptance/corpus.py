"""The definitions of upstream's projects."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from weighbridge.policies.ground.objects import JSONObject


@cache
def corpus_definitions(shared: Path, *, largest: int = 1 << 30) -> list[tuple[str, JSONObject]]:
    """The definitions in files up to a number of characters, each with the name of its file."""
    found = []
    for path in sorted((shared / "corpus").rglob("*.yaml")):
        text = path.read_text("utf-8")
        if "kind: CustomResourceDefinition" in text and len(text) <= largest:
            documents = yaml.load_all(text, yaml.CSafeLoader)
            found += [(path.name, crd) for crd in documents if crd and crd.get("kind") == "CustomResourceDefinition"]
    return found
