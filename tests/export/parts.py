"""The configuration and the requests of the tests, and the verdicts of both: Weighbridge, and the exported policies offline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.yaml_documents import read
from weighbridge.policies.admission_policies.attributes import attributes_of
from weighbridge.policies.admission_policies.validation import judge
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.cli.exporting.exports import Exports, exports
from weighbridge.webhook.inputs.facts import bundled_definitions

#: The user of a control plane's client.
ADMIN: JSONObject = {"username": "admin", "groups": ["system:masters", "system:authenticated"]}
NAMESPACES: dict[str, dict[str, str]] = {
    "team-a": {"stage": "production"}, "team-b": {"stage": "lab", "open": ""}, "lab": {"stage": "lab", "open": "yes"},
    "canary": {"stage": "canary"}, "plain": {},
}  # fmt: skip
DEFINITIONS = bundled_definitions()
MOMENT = datetime(2027, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Verdict:
    """The texts of refusals, warnings and audit annotations."""

    refusals: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def configuration(document: Any = None) -> Configuration:
    """The configuration of the tests, or of a document, in force."""
    return parse(document or read((Path(__file__).parent / "config.yaml").read_text(encoding="utf-8"))).at(MOMENT)


def exported(config: Configuration, *ids: str) -> Exports:
    """The exported objects."""
    return exports(ids or ("POLICY-*",), DEFINITIONS, config)


def namespace(name: str) -> JSONObject:
    """A namespace as the server stores it."""
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": name, "labels": {"kubernetes.io/metadata.name": name, **NAMESPACES[name]}},
    }


def facts(*more: JSONObject) -> Facts:
    """A cluster with the namespaces."""
    complete = Extent(complete=frozenset({("", "Namespace")}))
    return from_objects([*map(namespace, NAMESPACES), *more], DEFINITIONS, extent=complete)


def model(name: str, place: str = "plain", spec: JSONObject | None = None, **labels: str) -> JSONObject:
    """A Model of LLMKube."""
    metadata: JSONObject = {"name": name, "namespace": place} | ({"labels": labels} if labels else {})
    stored = {"source": "https://huggingface.co/llama.gguf", "format": "gguf", **(spec or {})}
    return {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": "Model", "metadata": metadata, "spec": stored}


def request(obj: JSONObject, old: JSONObject | None = None) -> Request:
    """The admin's request for an object."""
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    operation = Operation.CREATE if old is None else Operation.UPDATE
    return Request("export", operation, gvk, obj, old, namespace=namespace_of(obj), name=name_of(obj), user_info=ADMIN)


def ours(config: Configuration, asked: Request, only: str | tuple[str, ...] = "POLICY-", phase: Phase = Phase.VALIDATE) -> Verdict:
    """Weighbridge's verdict. If an update leaves a fault as it was, the server accepts it without a message."""
    found = [one for one in decide(asked, facts(), config, phase).findings if one.rule.startswith(only) and not one.exempted]
    findings = [one for one in found if "this update doesn't change it" not in one.hint]
    of = {severity: [f"{one} ({one.rule})" for one in findings if one.severity is severity] for severity in Severity}
    return Verdict(sorted(of[Severity.ERROR]), sorted(of[Severity.WARNING]), sorted(of[Severity.NOTE]))


def theirs(objects: Sequence[JSONObject], asked: Request) -> Verdict:
    """The verdict of the exported policies, evaluated as on the server."""
    found = judge(attributes_of(asked, asked.object, asked.old_object), facts(*objects))
    assert found.unchecked == []
    warnings = [text.partition("': ")[2].partition("': ")[2] or text.partition("': ")[2] for text in found.warnings]
    notes = [read(text)["message"] for text in found.failures]
    return Verdict([denial.message for denial in found.denials], sorted(warnings), sorted(notes))


_BAD = {"source": "https://evil.example.com/a.gguf"}
_MANY = {"hardware": {"gpu": {"count": 6}}}
#: Each request: an object, and the object that it replaces.
REQUESTS: list[tuple[JSONObject, JSONObject | None]] = [
    (model("fine"), None),
    (model("bad", spec=_BAD), None),
    (model("bad", spec=_BAD), model("bad", spec=_BAD)),
    (model("bad", spec={"source": "https://worse.example.com/a.gguf"}), model("bad", spec=_BAD)),
    (model("bad", spec=_BAD), model("bad")),
    (model("dots", spec={"source": "pvc://claim/../a.gguf"}), None),
    (model("dots", spec={"source": "pvc://claim/../a.gguf"}), model("dots", spec={"source": "pvc://claim/../b.gguf"})),
    (model("torch", spec={"format": "pytorch"}), None),
    (model("torch", spec={"format": "pytorch"}), model("torch", spec={"format": "pytorch"})),
    (model("label", forbidden=""), None),
    (model("label", forbidden=""), model("label")),
    (model("label", forbidden=""), model("label", forbidden="no")),
    (model("file", "team-a", {"source": "https://huggingface.co/release.bin"}, team="a"), None),
    (model("file", "team-a", {"source": "https://huggingface.co/release.bin"}, team="a"), model("file", "team-a", team="a")),
    (model("file", "lab", {"source": "https://huggingface.co/release.bin"}), None),
    (model("teams", "team-b"), None),
    (model("teams", "team-b", team="b"), None),
    (model("teams", "canary"), None),
    (model("prod", "team-a", team="a"), None),
    (model("prod", "canary"), None),
    (model("best.x"), None),
    (model("bestex"), None),
    (model("best.x", skip="yes"), None),
    (model("best.x"), model("best.x", skip="yes")),
    (model("best.x"), model("best.x")),
    (model("grows", spec={"hardware": {"gpu": {"count": 1}}}), model("grows", spec={"hardware": {"gpu": {"count": 2}}})),
    (model("grows", spec={"hardware": {"gpu": {"count": 3}}}), model("grows", spec={"hardware": {"gpu": {"count": 2}}})),
    (model("mine"), None),
    (model("many", spec=_MANY), None),
    (model("many", spec=_MANY), model("many", spec=_MANY)),
    (model("placed", "plain"), None),
    (model("placed", "team-a", {"source": "https://huggingface.co/release"}, team="a"), None),
    (model("placed", "team-b", team="b"), None),
    (model("placed", "lab"), None),
    (model("placed", "canary"), None),
    (model("kind", "plain"), None),
    (model("kind", "lab"), None),
    (model("kind", "canary"), None),
    (model("old-one", "team-a", {"source": "https://huggingface.co/release"}, team="a"), None),
    (model("one", "team-a", {"source": "https://huggingface.co/release"}, team="a"), None),
    (model("one", tier="free"), None),
    (model("one", tier="other"), None),
    (model("one", by="admin"), None),
    (model("gone"), None),
    (model("said", checked=""), None),
    (model("said", checked="yes"), None),
    (model("said", spec={"quantization": "Q4_K_M"}, checked=""), None),
    (model("said", checked=""), model("said", checked="")),
    (model("said", checked=""), model("said", spec={"source": "https://huggingface.co/llama.bin"}, checked="")),
    (model("strict", "plain"), None),
    (model("strict", "lab"), None),
]  # fmt: skip
