"""Upstream's manifests of a system as a user applies them: together with the other documents of the file, in each of the sweep's clusters.

The manifests stay where they are, next to the checkout.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.conftest import SHARED
from tests.yaml_documents import read_all
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families import family_of
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Decision, Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, metadata_of, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import load_facts
from weighbridge.webhook.inputs.requests import request_of

CLUSTERS: Final = Path(__file__).parent / "clusters"
#: The situations in which a manifest is judged.
SITUATIONS: Final[dict[str, list[str]]] = {
    "nothing known": [],
    **{path.stem: [str(path)] for path in sorted(CLUSTERS.glob("*.yaml"))},
}
#: The folder of a family's manifests.
FOLDERS: Final = {"llmaz": "llmaz", "inference_extension": "gie", "aim": "aim"}
_RELEASE: Final = re.compile(r"v\d+\.\d+\.\d+")


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One document of a file."""

    file: Path
    place: int
    object: JSONObject

    @property
    def id(self) -> str:
        """The id of the test, which is also the document's name in lists of outcomes."""
        return f"{self.file.parent.name}/{self.file.name} {self.object['kind']} {name_of(self.object)}"

    @property
    def settings(self) -> dict[str, Any]:
        """The settings for the document: the release of the Inference Extension from which it comes."""
        release = next((part for part in self.file.parts if _RELEASE.fullmatch(part)), None)
        return {"inferenceExtension": {"version": release}} if release else {}

    @property
    def config(self) -> Configuration:
        """These settings as a configuration."""
        return parse(self.settings)

    @property
    def beside(self) -> tuple[JSONObject, ...]:
        """All documents of the file."""
        return documents(self.file)

    def facts(self, situation: str) -> Facts:
        """The facts of a situation."""
        return load_facts(SITUATIONS[situation], given=self.beside, config=self.config)

    def request(self, facts: Facts) -> Request:
        """The request to create it, as kubectl sends it."""
        return request_of(self.object, facts.definitions, uid="sample", namespace="default")


@cache
def documents(file: Path) -> tuple[JSONObject, ...]:
    """The objects of a file, in the namespace that kubectl puts them in."""
    return tuple(_settled(found) for found in read_all(file.read_text()) if isinstance(found, dict))


def samples(family: str) -> list[Sample]:
    """Every document of a family; none if the manifests aren't next to the checkout."""
    found = []
    for path in sorted((SHARED / "corpus" / FOLDERS[family] / "samples").rglob("*.yaml")):
        for place, obj in enumerate(documents(path)):
            gvk = GroupVersionKind.from_object(obj)
            owner = family_of(gvk.group) if gvk is not None else None
            if owner is not None and owner.name == family:
                found.append(Sample(path, place, obj))
    return found


def told(decision: Decision) -> dict[str, set[str]]:
    """The rules that refuse or warn."""
    by_weight = {weight: {f.rule for f in decision.findings if f.severity is weight} for weight in (Severity.ERROR, Severity.WARNING)}
    return {str(weight): rules for weight, rules in by_weight.items() if rules}


def _settled(obj: JSONObject) -> JSONObject:
    gvk = GroupVersionKind.from_object(obj)
    family = family_of(gvk.group) if gvk is not None else None
    kind = family.kind(gvk) if family is not None and gvk is not None else None
    if kind is not None and not kind.namespaced:
        return obj
    return {**obj, "metadata": {"namespace": "default", **metadata_of(obj)}}
