"""Every stored object of the families' kinds, judged as the webhook would judge it: as an update without a change, and as a new object."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families import families
from weighbridge.policies.ground.fields import items, text, text_map
from weighbridge.policies.ground.findings import Decision, Finding, Severity
from weighbridge.policies.ground.objects import SERVERS_OWN, JSONObject, Operation, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.audit_mode import would_be
from weighbridge.webhook.inputs.requests import request_of

#: Annotations and labels by which tools mark what they have applied, with the name of the owner in texts.
_RELEASE: Final = "meta.helm.sh/release-name"
_TRACKING: Final = "argocd.argoproj.io/tracking-id"
_FLUX: Final = "kustomize.toolkit.fluxcd.io/name"


@dataclass(frozen=True, slots=True)
class JudgedObject:
    """One object and its verdicts in mode deny: `unchanged` as an update that changes nothing, `anew` as a creation."""

    object: JSONObject
    owner: str
    unchanged: Decision
    anew: Decision

    @property
    def label(self) -> str:
        """The object's kind and name."""
        return f"{self.object.get('kind')}/{name_of(self.object)}"

    @property
    def namespace(self) -> str:
        """Its namespace, empty if its kind has none."""
        return namespace_of(self.object)


def judged_objects(facts: Facts, config: Configuration) -> Iterator[JudgedObject]:
    """All stored objects with their verdicts, family by family."""
    for family in families():
        for kind in family.kinds:
            # Judging removes an object from the facts for a moment and puts it back.
            for obj in list(facts.objects.list(kind.gvk.group, kind.gvk.kind)):
                yield _judged(obj, facts, config)


def errors(decision: Decision) -> list[Finding]:
    """The findings that refuse."""
    return [finding for finding in decision.findings if finding.severity is Severity.ERROR]


def _judged(obj: JSONObject, facts: Facts, config: Configuration) -> JudgedObject:
    def decided(request: Request, phase: Phase) -> Decision:
        return decide(request, facts, config, phase)

    def verdict(judged: JSONObject, operation: Operation) -> Decision:
        request = request_of(judged, facts.definitions, uid="audit", namespace="", operation=operation, old=obj)
        # A webhook gets the object as it is stored, including its status.
        return would_be(decided, replace(request, object=judged), Phase.VALIDATE)

    unchanged = verdict(obj, Operation.UPDATE)
    with without(obj, facts):
        anew = verdict(as_written(obj), Operation.CREATE)
    return JudgedObject(obj, owner_of(obj), unchanged, anew)


@contextmanager
def without(obj: JSONObject, facts: Facts) -> Iterator[None]:
    """Remove an object from the facts within the block."""
    where = text(obj, "apiVersion").partition("/")[0], text(obj, "kind"), namespace_of(obj), name_of(obj)
    facts.objects.discard(*where)
    try:
        yield
    finally:
        facts.objects.put(obj)


def as_written(obj: JSONObject) -> JSONObject:
    """A stored object without the fields that only the server writes."""
    metadata = {key: value for key, value in metadata_of(obj).items() if key not in SERVERS_OWN}
    return {**{key: value for key, value in obj.items() if key != "status"}, "metadata": metadata}


def owner_of(obj: JSONObject) -> str:
    """The owner that would have to change it: its controller, or the tool that applied it; empty if it isn't known."""
    for reference in items(obj, "metadata", "ownerReferences"):
        if reference.get("controller") is True:
            return f"{text(reference, 'kind')}/{text(reference, 'name')}"
    annotations, labels = text_map(obj, "metadata", "annotations"), text_map(obj, "metadata", "labels")
    if _RELEASE in annotations:
        return f"helm/{annotations[_RELEASE]}"
    if _TRACKING in annotations:
        return f"argocd/{annotations[_TRACKING].partition(':')[0]}"
    if _FLUX in labels:
        return f"flux/{labels[_FLUX]}"
    return ""
