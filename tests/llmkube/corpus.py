"""Upstream's own manifests, and the expected outcome of each: `corpus_outcomes.yaml`, by file and document.

They are judged as `kubectl apply -f` sends them, with the file's other documents: once without facts about the cluster, once in the small
one of `corpus_cluster.yaml`. The manifests themselves stay where they are, next to the checkout.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.conftest import SHARED
from tests.yaml_documents import read, read_all
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Decision, Severity
from weighbridge.policies.ground.objects import JSONObject, field, metadata_of, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import load_facts
from weighbridge.webhook.inputs.requests import request_of

SAMPLES: Final = SHARED / "corpus" / "llmkube" / "samples"
OUTCOMES: Final = Path(__file__).with_name("corpus_outcomes.yaml")
CLUSTER: Final = Path(__file__).with_name("corpus_cluster.yaml")
#: The facts with which a file is judged, by the name of the situation in the outcomes.
SITUATIONS: Final[dict[str, list[str]]] = {"nothing known": [], "small cluster": [str(CLUSTER)]}


@dataclass(frozen=True, slots=True)
class Sample:
    """One document of a file; `beside` are all documents of the file."""

    file: Path
    object: JSONObject
    beside: tuple[JSONObject, ...]

    @property
    def id(self) -> str:
        """The id of the test."""
        return f"{self.file.name}/{self.name}"

    @property
    def name(self) -> str:
        """The name of the document in the outcomes."""
        return f"{self.object['kind']} {name_of(self.object)}"

    def facts(self, situation: str) -> Facts:
        """The facts of a situation."""
        return load_facts(SITUATIONS[situation], given=self.beside)

    def request(self, facts: Facts) -> Request:
        """The request to create it, as kubectl sends it."""
        return request_of(self.object, facts.definitions, uid="sample", namespace="default")


def samples() -> list[Sample]:
    """Every document of the family's groups; none if the manifests aren't next to the checkout."""
    found = []
    for path in sorted(SAMPLES.glob("*.yaml")):
        documents = [_settled(doc) for doc in read_all(path.read_text()) if isinstance(doc, dict)]
        groups = ("inference.llmkube.dev", "federation.llmkube.dev")
        found += [Sample(path, obj, tuple(documents)) for obj in documents if obj["apiVersion"].partition("/")[0] in groups]
    return found


def _settled(obj: JSONObject) -> JSONObject:
    """The object in the namespace that kubectl puts it in."""
    return {**obj, "metadata": {"namespace": "default", **metadata_of(obj)}}


def outcomes() -> dict[str, list[dict[str, Any]]]:
    """The recorded outcomes by file."""
    recorded: dict[str, list[dict[str, Any]]] = read(OUTCOMES.read_text())
    return recorded


def expected(sample: Sample, situation: str) -> dict[str, Any]:
    """The recorded outcome of a document."""
    document = next(document for document in outcomes()[sample.file.name] if document["object"] == sample.name)
    found: dict[str, Any] = document[situation]
    return found


def is_judged(sample: Sample) -> bool:
    """Whether the kind of the document is judged at all."""
    return "not checked" not in next(document for document in outcomes()[sample.file.name] if document["object"] == sample.name)


def outcome(decision: Decision) -> dict[str, Any]:
    """A decision in the form of the outcomes; empty parts are left out."""
    told = {
        severity: sorted({finding.rule for finding in decision.findings if finding.severity is severity})
        for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE)
    }
    filled = {field(entry.path): entry.value for entry in decision.provenance if entry.source != "CRD"}
    found = {
        "errors": told[Severity.ERROR],
        "warnings": told[Severity.WARNING],
        "notes": told[Severity.NOTE],
        "unchecked": sorted({entry.subject.split()[0] for entry in decision.unchecked}),
        "filled in": filled,
    }
    return {"allowed": decision.allowed, **{key: value for key, value in found.items() if value}}
