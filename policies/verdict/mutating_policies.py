"""The offline steps for the cluster's MutatingAdmissionPolicies; for a webhook the API server has already applied them.

They run before mutating webhooks, and once more after these if anything has changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from weighbridge.policies.apiserver import admission as apiserver
from weighbridge.policies.apiserver import wordings
from weighbridge.policies.apiserver.built_in import is_built_in, plural_of, storage_key
from weighbridge.policies.apiserver.decode import as_stored, why_not_converted
from weighbridge.policies.apiserver.refusal import Refusal, bad_request, conflict, invalid, unversioned
from weighbridge.policies.ground.field_errors import ErrorType, FieldError
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation, Path, metadata_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_copy, deep_equal
from weighbridge.policies.verdict.cluster_policies import POLICY_REFUSES, old_as_read
from weighbridge.policies.verdict.judgement import refusal_finding
from weighbridge.policies.verdict.way import Body, Changed, Context, Found

if TYPE_CHECKING:
    from weighbridge.policies.admission_policies.attributes import Attributes
    from weighbridge.policies.admission_policies.mutating.dispatch import Mutated

_KINDS: Final = (
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicy"),
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"),
)


def change_by_policies(context: Context, found: Found, body: Body) -> Changed | None:
    """Apply the mutating policies to the object, if there are any."""
    if not all(context.facts.objects.number_of(*kind) for kind in _KINDS) or _is_for_another(context):
        return None
    from weighbridge.policies.admission_policies.mutating.dispatch import mutate

    context.check_deadline()
    mutated = mutate(_attributes(context, body.object), context.facts)
    _take(found, mutated)
    return Changed(mutated)


def _is_for_another(context: Context) -> bool:
    """Whether an update was made for another object than the stored one, which the server refuses before it asks policies."""
    request = context.request
    if request.operation is not Operation.UPDATE:
        return False
    sent, stored = (text(metadata_of(obj), "uid") for obj in (request.object, request.old_object))
    return bool(sent and stored) and sent != stored


def _refusal_of_another(context: Context) -> Refusal | None:
    """The refusal of an update of a built-in kind that was made for another object than the stored one."""
    request, gvk = context.request, context.request.gvk
    if not is_built_in(gvk.group, gvk.version, gvk.kind) or not _is_for_another(context):
        return None
    sent, stored = metadata_of(request.object), metadata_of(request.old_object)
    name, plural = text(stored, "name"), plural_of(gvk.kind) if request.resource is None else request.resource.resource
    key = storage_key(plural, text(stored, "namespace"), name)
    resource = f"{plural}.{gvk.group}" if gvk.group else plural
    return conflict(resource, name, wordings.wrong_uid(key, sent["uid"], stored["uid"], dry_run=request.dry_run))


def change_by_policies_as_given(context: Context, found: Found) -> Body:
    """Apply the mutating policies to an object of a built-in kind, which no webhook changes between the two rounds."""
    body = Body(context.request.object)
    refusal = _refusal_of_another(context)
    if refusal is not None:
        found.refusal = found.refusal or refusal
        found.findings.append(refusal_finding(refusal))
        return body
    changed = change_by_policies(context, found, body)
    if changed is None:
        return body
    mutated, body = changed.mutated, _changed(body, changed.mutated)
    if mutated.refusal is None and mutated.is_due:
        from weighbridge.policies.admission_policies.mutating.dispatch import mutate_again

        mutate_again(mutated, _attributes(context, body.object), context.facts)
        _take(found, mutated)
        body = _changed(body, mutated)
    if body.provenance and found.refusal is None:
        found.refusal = _moved(context.request, body)
    return body


def _moved(request: Request, body: Body) -> Refusal | None:
    """The refusal of an object that a policy has put into another namespace, or that has another name than the stored one."""
    metadata = metadata_of(body.object)
    name, namespace = text(metadata, "name"), text(metadata, "namespace")
    is_elsewhere = request.namespace and namespace not in ("", request.namespace)
    if not is_elsewhere and (request.operation is not Operation.UPDATE or name == request.name):
        return None
    if _lacks_version(request, metadata):
        return unversioned(plural_of(request.gvk.kind), request.gvk.group, request.name)
    if is_elsewhere:
        return bad_request("the namespace of the provided object does not match the namespace sent on the request")
    error = FieldError(ErrorType.INVALID, "metadata.name", name, "field is immutable")
    return invalid(request.gvk.kind, request.gvk.group, name, [error])


#: Built-in kinds whose updates must say which version they change. Source: `AllowUnconditionalUpdate` in kubernetes/pkg/registry.
_VERSIONED: Final = frozenset({
    ("coordination.k8s.io", "Lease"), ("node.k8s.io", "RuntimeClass"), ("policy", "PodDisruptionBudget"), ("storage.k8s.io", "CSIDriver"),
})  # fmt: skip


def _lacks_version(request: Request, metadata: JSONObject) -> bool:
    """Whether the server refuses an update since it names no version; an old object without one comes from a manifest."""
    stored = text(metadata_of(request.old_object), "resourceVersion")
    return bool(stored) and (request.gvk.group, request.gvk.kind) in _VERSIONED and text(metadata, "resourceVersion") in ("", "0")


def take_changes(_: Context, __: Found, body: Body, earlier: Changed) -> Body:
    """Continue with the object as the policies have left it."""
    return _changed(body, earlier.mutated)


def change_by_policies_again(context: Context, found: Found, body: Body, earlier: Changed) -> Body | None:
    """Apply those policies once more that ask for it, to the object as webhooks have changed it since."""
    from weighbridge.policies.admission_policies.mutating.dispatch import mutate_again

    mutated = earlier.mutated
    if context.request.subresource == "scale":
        return body
    if mutated.refusal is None and (mutated.is_due or not deep_equal(mutated.object, body.object)):
        context.check_deadline()
        mutate_again(mutated, _attributes(context, body.object), context.facts)
        _take(found, mutated)
    return _settled(context, found, _changed(body, mutated), earlier) if mutated.provenance else body


def read_back(context: Context, found: Found, body: Body, earlier: Changed) -> Body:
    """Read the object back as the server does after it is stored: an empty list that a policy wrote may become null."""
    if earlier.mutated.unstorable and found.refusal is None:
        found.refusal = Refusal(500, earlier.mutated.unstorable)
        found.findings.append(refusal_finding(found.refusal))
    if not earlier.mutated.nil or context.definition is None:
        return body
    from weighbridge.policies.admission_policies.mutating import nil_lists

    obj = nil_lists.read_back(body.object, earlier.mutated.nil)
    return body._replace(object=as_stored(obj, context.definition))


def _settled(context: Context, found: Found, body: Body, earlier: Changed) -> Body | None:
    """The changed object after the server's first checks; `None` if it can't be checked further."""
    if not isinstance(body.object, dict) or context.definition is None:
        return body
    obj: JSONObject = deep_copy(body.object)
    earlier.mutated.unstorable = why_not_converted(obj, context.definition)
    refusal = apiserver.refusal_of_changed(obj, context.request, context.definition)
    if refusal is None:
        return body._replace(object=obj)
    found.refusal = found.refusal or refusal
    found.findings.append(refusal_finding(refusal))
    return None


def _attributes(context: Context, obj: JSONValue) -> Attributes:
    """The request with the present object. The server names an object, and writes into it, after these policies."""
    from weighbridge.policies.admission_policies.attributes import attributes_of

    if context.request.subresource == "scale":
        # The policies see the Scale, and the later steps the object that it scales.
        obj = context.request.object
    found = attributes_of(context.request, obj, old_as_read(context, context.request.old_object))
    if context.request.operation is not Operation.CREATE:
        return replace(found, object=obj)
    name = found.name if found.is_named else ""
    return replace(found, object=obj, name=name, is_named=True)


def _take(found: Found, mutated: Mutated) -> None:
    found.unchecked += (entry for entry in mutated.unchecked if entry not in found.unchecked)
    if mutated.refusal is not None:
        found.refusal = found.refusal or mutated.refusal
        found.findings += (Finding(POLICY_REFUSES, Severity.ERROR, (), text) for text in mutated.denials)


def _changed(body: Body, mutated: Mutated) -> Body:
    if not mutated.provenance:
        return body
    changed = {entry.path for entry in mutated.provenance}
    kept = [entry for entry in body.provenance if entry.path not in changed]
    return body._replace(object=mutated.object, provenance=[*kept, *mutated.provenance])


def with_origins(findings: Sequence[Finding], changed: Changed | None) -> Sequence[Finding]:
    """The findings. Those about a value that a policy has set say so, since the author didn't write it."""
    if changed is None or not changed.mutated.provenance:
        return findings
    origins = {entry.path: entry.source for entry in changed.mutated.provenance}
    return [_with_origin(finding, origins) for finding in findings]


def _with_origin(finding: Finding, origins: Mapping[Path, str]) -> Finding:
    found = next((origins[finding.path[:length]] for length in range(len(finding.path), 0, -1) if finding.path[:length] in origins), "")
    return replace(finding, hint="; ".join(filter(None, (finding.hint, f"the value is from {found}")))) if found else finding
