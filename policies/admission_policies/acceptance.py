"""Checks offline whether kube-apiserver would store a policy or binding, with its messages.

Source: kubernetes pkg/registry/admissionregistration and pkg/apis/admissionregistration/validation/validation.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.admission_policies import acceptance_wordings as wordings
from weighbridge.policies.admission_policies.declarations import MUTATING_BINDING, MUTATING_POLICY, VALIDATING_BINDING, VALIDATING_POLICY
from weighbridge.policies.admission_policies.expression_checks import ExpressionChecks
from weighbridge.policies.admission_policies.matching_checks import (
    match_errors,
    param_ref_errors,
    shared_errors,
)
from weighbridge.policies.admission_policies.mutating import acceptance as mutating
from weighbridge.policies.admission_policies.policy_types import VALIDATING_BINDING_TYPE, VALIDATING_POLICY_TYPE
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.go_types import Struct
from weighbridge.policies.apiserver.acceptance.typed_decode import decode_typed, nests_too_deep
from weighbridge.policies.apiserver.decode import UNDECODABLE, Decoded, pass_gates
from weighbridge.policies.apiserver.prepare import drop_duplicate_owners
from weighbridge.policies.apiserver.refusal import bad_request, unfit
from weighbridge.policies.apiserver.unknown_fields import StrictErrors, duplicate_texts
from weighbridge.policies.apiserver.wordings import strict_errors, unknown_field_of_type
from weighbridge.policies.cel.values import types
from weighbridge.policies.ground.field_errors import OMITTED, ErrorType, FieldError
from weighbridge.policies.ground.fields import items, part, text, texts
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.go_text import json_text, trimmed
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, Operation, Path, field, metadata_of, name_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.names import dns1123_subdomain, qualified_name
from weighbridge.policies.schema.object_meta import (
    coerce_metadata,
    merged_errors,
    subdomain_name,
    validate_object_meta,
)

_REASONS: Final = ("Forbidden", "Invalid", "RequestEntityTooLarge")
_ACTIONS: Final = ("Audit", "Deny", "Warn")
_MAX_ANNOTATIONS: Final = 20
_MAX_ANNOTATION_BYTES: Final = 5 * 1024
#: The end of names that only policies in files of the server may have.
STATIC: Final = ".static.k8s.io"
_SPEC: Final = FieldPath("spec")
_DECLARED: Final = ("spec.policyName", "spec.validationActions")
#: The errors of a spec, with the name of its object and the spec that is stored.
SpecErrors = Callable[[str, JSONObject, JSONObject], Iterator[FieldError]]


@dataclass(frozen=True, slots=True)
class PolicyKind:
    """How objects of a kind are read and checked."""

    type: Struct
    errors: SpecErrors


def decode_policy(request: Request, kind: PolicyKind, duplicates: Sequence[Path] = ()) -> Decoded:
    """Decode the body of a request as the server does."""
    body, name, version = request.object, request.gvk.kind, request.gvk.version
    if not isinstance(body, dict) or nests_too_deep(body):
        return _refused(wordings.not_a_policy(name))
    typed = decode_typed(body, kind.type)
    if typed.error:
        return _unfit(name, version, typed.error)
    metadata = coerce_metadata(typed.value.get("metadata")).metadata
    obj = {"apiVersion": request.gvk.api_version, "kind": name, **typed.value, "metadata": metadata}
    strict = StrictErrors([path for path in duplicates if field(path) in typed.known], typed.unknown)
    words = [*duplicate_texts(strict.duplicates), *(unknown_field_of_type(path) for path in strict.unknown)]
    findings = strict.findings(None, request.field_validation)
    if words and request.field_validation is FieldValidation.STRICT:
        return Decoded(obj, [], unfit(name, version, name, strict_errors(words)), findings)
    warnings = words if request.field_validation is FieldValidation.WARN else []
    refusal = pass_gates(metadata, request)
    if refusal is not None:
        findings.append(Finding(UNDECODABLE, Severity.ERROR, (), refusal.message))
    return Decoded(obj, warnings + drop_duplicate_owners(metadata, after_mutation=False), refusal, findings)


def _refused(message: str) -> Decoded:
    return Decoded(None, [], bad_request(message), [Finding(UNDECODABLE, Severity.ERROR, (), message)])


def _unfit(name: str, version: str, why: str) -> Decoded:
    return _refused(unfit(name, version, name, why).message)


def policy_errors(request: Request, kind: PolicyKind, obj: JSONObject) -> list[FieldError]:
    """The errors for which the server wouldn't store a decoded policy or binding."""
    is_new = request.operation is Operation.CREATE
    # A new object has the generation 1, whatever the body says.
    metadata = {**metadata_of(obj), "generation": 1} if is_new else metadata_of(obj)
    errors = validate_object_meta(metadata, namespaced=False, path="metadata", name_rule=subdomain_name)
    errors = merged_errors(errors) if release().merges_metadata_errors else errors
    stored = {} if is_new else part(request.old_object, "spec")
    errors += kind.errors(name_of(obj), part(obj, "spec"), stored)
    if is_new and is_static_name(name_of(obj)):
        errors.append(FieldPath("metadata.name").invalid(name_of(obj), wordings.static_name(STATIC)))
    if release().declares_bindings and request.gvk.kind == VALIDATING_BINDING:
        # Declarative validation reports these errors, and it comes last.
        errors.sort(key=lambda error: error.type is ErrorType.REQUIRED and error.field in _DECLARED)
    return errors


def is_static_name(name: str) -> bool:
    """Whether a name is reserved for policies in files of the server."""
    return release().reserves_static_names and name.endswith(STATIC)


def problems_of(obj: JSONObject) -> list[FieldError]:
    """The messages for which the server wouldn't create a policy or a binding: those of the first stage that refuses it."""
    gvk = GroupVersionKind.from_object(obj)
    kind = KINDS.get(gvk.kind) if gvk is not None else None
    if gvk is None or kind is None:
        return []
    request = Request("", Operation.CREATE, gvk, obj, name=name_of(obj), field_validation=FieldValidation.STRICT)
    decoded = decode_policy(request, kind)
    if decoded.refusal is not None:
        return [FieldError(ErrorType.INVALID, "", OMITTED, decoded.refusal.message)]
    return policy_errors(request, kind, decoded.object)


def _policy_spec(name: str, spec: JSONObject, stored: JSONObject) -> Iterator[FieldError]:
    yield from shared_errors(spec, _SPEC)
    checks = ExpressionChecks(spec, _SPEC, _expressions(stored))
    yield from checks.conditions()
    yield from checks.variables()
    validations, annotations = items(spec, "validations"), items(spec, "auditAnnotations")
    if not validations and not annotations:
        for key in ("validations", "auditAnnotations"):
            yield (_SPEC / key).required(wordings.NOTHING_TO_VALIDATE)
        return
    for index, validation in enumerate(validations):
        yield from _validation_errors(validation, (_SPEC / "validations")[index], checks)
    yield from _annotation_errors(name, annotations, _SPEC / "auditAnnotations", checks)


def _expressions(spec: JSONObject) -> frozenset[str]:
    """The expressions that a stored policy has."""
    fields = (("validations", "expression"), ("validations", "messageExpression"), ("auditAnnotations", "valueExpression"))
    return frozenset(text(one, name) for key, name in fields for one in items(spec, key)) - {""}


def _validation_errors(validation: JSONObject, path: FieldPath, checks: ExpressionChecks) -> Iterator[FieldError]:
    written, message, of_message = (text(validation, key) for key in ("expression", "message", "messageExpression"))
    if not trimmed(written):
        yield (path / "expression").required(wordings.NO_EXPRESSION)
    else:
        yield from checks.compile(path / "expression", written, types.BOOL)
    if of_message and not trimmed(of_message):
        yield (path / "messageExpression").invalid(of_message, wordings.EMPTY)
    elif of_message:
        yield from checks.compile(path / "messageExpression", of_message, types.STRING, asks=False)
    if message and not trimmed(message):
        yield (path / "message").invalid(message, wordings.EMPTY)
    elif "\n" in trimmed(message) or "\r" in trimmed(message):
        yield (path / "message").invalid(message, wordings.LINE_BREAKS)
    reason = validation.get("reason")
    if isinstance(reason, str) and reason not in _REASONS:
        yield (path / "reason").not_supported(reason, _REASONS, as_json=True)


def _annotation_errors(name: str, found: Sequence[JSONObject], path: FieldPath, checks: ExpressionChecks) -> Iterator[FieldError]:
    if len(found) > _MAX_ANNOTATIONS:
        shown = [f'{{"Key":{json_text(text(one, "key"))},"ValueExpression":{json_text(text(one, "valueExpression"))}}}' for one in found]
        yield path.invalid_text(f"[{','.join(shown)}]", wordings.too_many_annotations(_MAX_ANNOTATIONS))
    keys: set[str] = set()
    for index, annotation in enumerate(found):
        key, written = text(annotation, "key"), text(annotation, "valueExpression")
        where = path[index]
        if name:
            yield from ((where / "key").invalid(f"{name}/{key}", problem) for problem in qualified_name(f"{name}/{key}"))
        else:
            yield (where / "key").invalid(key, wordings.ANNOTATION_WITHOUT_NAME)
        short = trimmed(written)
        if not short:
            yield (where / "valueExpression").required(wordings.NO_VALUE_EXPRESSION)
        elif len(short.encode()) > _MAX_ANNOTATION_BYTES:
            yield (where / "valueExpression").required(wordings.value_expression_too_long(_MAX_ANNOTATION_BYTES))
        else:
            compiled = checks.of(written).compile(short, types.STRING, types.NULL)
            if compiled.error and compiled.is_internal:
                yield FieldError(ErrorType.INTERNAL, str(where / "valueExpression"), detail=compiled.error)
            elif compiled.error:
                yield (where / "valueExpression").invalid(written, compiled.error)
        if key in keys:
            yield FieldError(ErrorType.DUPLICATE, str(where / "key"), key)
        keys.add(key)


def _binding_spec(_name: str, spec: JSONObject, _stored: JSONObject) -> Iterator[FieldError]:
    policy = text(spec, "policyName")
    if not policy:
        yield (_SPEC / "policyName").required()
    else:
        yield from ((_SPEC / "policyName").invalid(policy, problem) for problem in dns1123_subdomain(policy))
    yield from param_ref_errors(spec.get("paramRef"), _SPEC / "paramRef")
    yield from match_errors(spec.get("matchResources"), _SPEC / "matchResources")
    yield from _action_errors(texts(spec, "validationActions"), _SPEC / "validationActions")


def _action_errors(actions: Sequence[str], path: FieldPath) -> Iterator[FieldError]:
    seen: set[str] = set()
    for index, action in enumerate(actions):
        if action not in _ACTIONS:
            yield path[index].not_supported(action, _ACTIONS, as_json=True)
        if action in seen:
            yield FieldError(ErrorType.DUPLICATE, str(path[index]), action)
        seen.add(action)
    if {"Deny", "Warn"} <= seen:
        yield path.invalid(list(actions), wordings.DENY_AND_WARN)
    if not seen:
        yield path.required("" if release().declares_bindings else wordings.NO_ACTION)


#: The kinds that are checked.
KINDS: Final[Mapping[str, PolicyKind]] = {
    VALIDATING_POLICY: PolicyKind(VALIDATING_POLICY_TYPE, _policy_spec),
    VALIDATING_BINDING: PolicyKind(VALIDATING_BINDING_TYPE, _binding_spec),
    MUTATING_POLICY: PolicyKind(mutating.POLICY_TYPE, mutating.policy_spec_errors),
    MUTATING_BINDING: PolicyKind(mutating.BINDING_TYPE, mutating.binding_spec_errors),
}
