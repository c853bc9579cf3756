"""Mode audit: every call is judged as in mode deny, counted and warned of, but nothing is refused or changed.

The mutating webhook doesn't fill in anything then, so the validating one judges the object as it would have been filled in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from weighbridge.policies.apiserver.prepare import is_drawn
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject, Operation, metadata_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.policies.verdict.engine import Phase

Decided = Callable[[Request, Phase], Decision]
#: Fields that the API server sets in a new object between the two webhooks.
_WRITTEN_BETWEEN: Final = frozenset({"uid", "creationTimestamp", "generation"})


def would_be(decided: Decided, request: Request, phase: Phase) -> Decision:
    """The decision of mode deny, in which the mutating webhook comes before the validating one."""
    if phase is Phase.VALIDATE and isinstance(request.object, dict):
        written = _written_between(request, request.object)
        # Filling in changes the given object, which is the caller's.
        filled = decided(_before(request, deep_copy(request.object), written), Phase.MUTATE)
        if filled.allowed and filled.patch and isinstance(filled.object, dict):
            request = replace(request, object={**filled.object, "metadata": {**metadata_of(filled.object), **written}})
    return decided(request, phase)


def _written_between(request: Request, obj: JSONObject) -> JSONObject:
    """The metadata of a new object that the mutating webhook doesn't get: among others a name that the server draws.

    Source: k8s.io/apiserver v0.36, pkg/registry/rest/create.go (BeforeCreate, AdmissionToValidateObjectFunc).
    """
    if request.operation is not Operation.CREATE:
        return {}
    metadata = metadata_of(obj)
    written = {key: metadata[key] for key in _WRITTEN_BETWEEN if key in metadata}
    if is_drawn(text(metadata, "name"), text(metadata, "generateName")):
        written["name"] = metadata["name"]
    return written


def _before(request: Request, obj: JSONObject, written: JSONObject) -> Request:
    """The request in the form that the mutating webhook gets."""
    if not written:
        return replace(request, object=obj)
    metadata = {key: value for key, value in metadata_of(obj).items() if key not in written}
    return replace(request, object={**obj, "metadata": metadata}, name="" if "name" in written else request.name)


def let_in(decision: Decision, phase: Phase) -> Decision:
    """The answer in mode audit: the object is accepted as it is.

    A warning says what mode deny would do, unless it would only fill in values.
    """
    if phase is Phase.MUTATE:
        return Decision(allowed=True, code=200)
    refused = () if decision.allowed else (f"Weighbridge is in mode audit; in mode deny it would refuse this: {decision.message}",)
    annotations = {**decision.audit_annotations, **({} if decision.allowed else {"would-refuse": decision.message})}
    return replace(
        decision, allowed=True, code=200, message="", causes=(), warnings=(*refused, *decision.warnings), audit_annotations=annotations
    )
