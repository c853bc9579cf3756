"""The steps for the cluster's own policies: they are evaluated as by the API server, and checked when they are written.

Nothing of them is imported unless there are policies. kube-apiserver evaluates them itself before any webhook, so only offline doors have
these steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weighbridge.policies.apiserver.built_in import built_in_groups, is_built_in
from weighbridge.policies.apiserver.decode import read_stored
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONValue, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.embedded import EmbeddedResourceError
from weighbridge.policies.verdict.steps import take_decoded, take_validated
from weighbridge.policies.verdict.way import Body, Context, Found

if TYPE_CHECKING:
    from weighbridge.policies.admission_policies.acceptance import PolicyKind
    from weighbridge.policies.admission_policies.attributes import Attributes

#: The id of the finding that a policy of the cluster refuses an object.
POLICY_REFUSES: Final = "K8S-009"
#: The id of the finding that a policy of the cluster warns of an object.
POLICY_WARNS: Final = "K8S-010"
#: The id of the finding of a policy's type check.
TYPE_WARNING: Final = "K8S-011"
_GROUP: Final = "admissionregistration.k8s.io"
_BINDINGS: Final = (_GROUP, "ValidatingAdmissionPolicyBinding")
#: The kinds that `decode_policy` reads.
POLICY_KINDS: Final = frozenset({
    "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding",
})  # fmt: skip


def ask_policies(context: Context, found: Found, body: Body) -> None:
    """Ask the cluster's ValidatingAdmissionPolicies about an object as it would be stored."""
    if found.refusal is not None or not _has_policies(context):
        return
    from weighbridge.policies.admission_policies.attributes import attributes_of

    request = context.request
    _ask(context, found, attributes_of(request, body.object, old_as_read(context, request.old_object)))


def ask_policies_as_given(context: Context, found: Found, body: Body) -> None:
    """Ask the policies about an object of a built-in kind, as far as its stored form is known."""
    request = context.request
    if found.refusal is not None or not _has_policies(context) or not _is_built_in(request):
        return
    from weighbridge.policies.admission_policies.attributes import attributes_of
    from weighbridge.policies.admission_policies.validation import concerns

    if not concerns(attributes_of(request, body.object, request.old_object), context.facts):
        return
    from weighbridge.policies.admission_policies.built_in.known_parts import as_old, as_stored

    obj = as_stored(body.object, request.gvk, request.operation, request.namespace, context.facts)
    _ask(context, found, attributes_of(request, obj, as_old(request.old_object, request.gvk)))


def ask_policies_of_deletion(context: Context, found: Found) -> None:
    """Ask the policies about the deletion of an object."""
    request = context.request
    if not isinstance(request.old_object, dict) or not _has_policies(context):
        return
    from weighbridge.policies.admission_policies.attributes import attributes_of
    from weighbridge.policies.admission_policies.built_in.known_parts import as_old

    definition = context.facts.definitions.get(request.gvk)
    if definition is None and not _is_built_in(request):
        return
    old = old_as_read(context, request.old_object) if definition is not None else as_old(request.old_object, request.gvk)
    _ask(context, found, attributes_of(request, None, old))


def ask_policies_of_connection(context: Context, found: Found, body: Body) -> None:
    """Ask the policies about a connection, such as `kubectl exec`; its object has the options of the connection."""
    if found.refusal is not None or not isinstance(body.object, dict) or not _has_policies(context):
        return
    from weighbridge.policies.admission_policies.attributes import attributes_of

    _ask(context, found, attributes_of(context.request, body.object, None))


def _is_built_in(request: Request) -> bool:
    return is_built_in(request.gvk.group, request.gvk.version, request.gvk.kind)


def _has_policies(context: Context) -> bool:
    return next(iter(context.facts.objects.list(*_BINDINGS)), None) is not None


def old_as_read(context: Context, stored: JSONValue) -> JSONValue:
    """The stored object as the server reads it."""
    definition = context.facts.definitions.get(context.request.gvk)
    if not isinstance(stored, dict) or definition is None or context.request.subresource == "scale":
        return stored
    try:
        return read_stored(stored, definition)
    except EmbeddedResourceError:
        return stored


def _ask(context: Context, found: Found, attributes: Attributes) -> None:
    from weighbridge.policies.admission_policies.validation import judge

    context.check_deadline()
    judged = judge(attributes, context.facts)
    found.refusal = judged.refusal(attributes)
    found.findings += (Finding(POLICY_REFUSES, Severity.ERROR, (), denial.text) for denial in judged.denials)
    found.findings += (Finding(POLICY_WARNS, Severity.WARNING, (), text) for text in dict.fromkeys(judged.warnings))
    found.warnings += judged.warnings
    found.unchecked += judged.unchecked
    if judged.asked and found.refusal is None:
        # Weighbridge has no rules for the kind, but the cluster's policies may.
        found.skipped = ""


def decode_policy(context: Context, found: Found) -> Body | None:
    """Decode a policy or a binding as the API server does."""
    from weighbridge.policies.admission_policies import acceptance

    decoded = acceptance.decode_policy(context.request, _kind(context), context.duplicates)
    return Body(decoded.object) if take_decoded(context, found, decoded) else None


def validate_policy(context: Context, found: Found, body: Body) -> Body:
    """Check whether the API server would store the policy or the binding."""
    from weighbridge.policies.admission_policies.writes import validate_write

    return take_validated(found, body, validate_write(context.request, _kind(context), body.object))


def check_types(context: Context, found: Found, body: Body) -> None:
    """Check the expressions of a ValidatingAdmissionPolicy against the types of its kinds, as kube-controller-manager will."""
    if found.refusal is not None or context.request.gvk.kind != "ValidatingAdmissionPolicy":
        return
    from weighbridge.policies.admission_policies.declarations import read_policy
    from weighbridge.policies.admission_policies.type_checks import checks

    facts, policy = context.facts, read_policy(body.object)
    knows_all = facts.objects.knows_all("apiextensions.k8s.io", "CustomResourceDefinition")
    checked = checks.check_types(policy, facts.definitions, lambda group: knows_all or _is_complete(group))
    for warning in checked.warnings:
        text, advice = warning.text.rstrip("\n"), warning.advice
        found.findings.append(Finding(TYPE_WARNING, Severity.WARNING, warning.path, text, hint=advice.hint, nearest=advice.nearest))
    found.unchecked += (Unchecked(f"the types in ValidatingAdmissionPolicy {policy.head.name}", why) for why in checked.unchecked)


def _is_complete(group: str) -> bool:
    """Whether all kinds of a group are known."""
    family = family_of(group)
    return group in built_in_groups() or (family is not None and group in family.complete_groups)


def _kind(context: Context) -> PolicyKind:
    from weighbridge.policies.admission_policies.acceptance import KINDS

    return KINDS[context.request.gvk.kind]


def is_policy(request: Request) -> bool:
    """Whether a request writes a policy or a binding that is checked."""
    is_written = request.operation in {Operation.CREATE, Operation.UPDATE} and not request.subresource
    return is_written and (request.gvk.group, request.gvk.version) == (_GROUP, "v1") and request.gvk.kind in POLICY_KINDS
