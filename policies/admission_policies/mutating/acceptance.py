"""Checks whether the server would store the spec of a mutating policy or of its binding, with its messages.

Source: k8s.io/api/admissionregistration/v1/types.go, kubernetes pkg/apis/admissionregistration/validation/validation.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.admission_policies import acceptance_wordings
from weighbridge.policies.admission_policies.environment import PolicyEnvironment, new_version
from weighbridge.policies.admission_policies.expression_checks import ExpressionChecks, expression_errors
from weighbridge.policies.admission_policies.matching_checks import (
    match_errors,
    param_ref_errors,
    shared_errors,
)
from weighbridge.policies.admission_policies.mutating.compiled import compile_mutation, patching_environment
from weighbridge.policies.admission_policies.mutating.declarations import PolicyMutation
from weighbridge.policies.admission_policies.policy_types import (
    CONDITIONS,
    FAILURE_POLICY,
    MATCH_RESOURCES,
    PARAM_KIND,
    PARAM_REF,
    TEXT,
    VARIABLES,
    whole,
)
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.go_types import Field, ListOf, Struct, Text
from weighbridge.policies.cel.versions import Version, stored_rules_version
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.fields import items, part, text, texts
from weighbridge.policies.ground.go_text import trimmed
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.names import dns1123_subdomain

_MUTATION: Final = Struct(
    "Mutation",
    {
        "patchType": Field(Text("v1.PatchType")),
        "applyConfiguration": Field(Struct("ApplyConfiguration", {"expression": TEXT}), pointer=True),
        "jsonPatch": Field(Struct("JSONPatch", {"expression": TEXT}), pointer=True),
    },
)
_POLICY_SPEC: Final = Struct(
    "MutatingAdmissionPolicySpec",
    {
        "paramKind": PARAM_KIND,
        "matchConstraints": MATCH_RESOURCES,
        "variables": VARIABLES,
        "mutations": Field(ListOf(_MUTATION)),
        "failurePolicy": FAILURE_POLICY,
        "matchConditions": CONDITIONS,
        "reinvocationPolicy": Field(Text("v1.ReinvocationPolicyType")),
    },
)
_BINDING_SPEC: Final = Struct(
    "MutatingAdmissionPolicyBindingSpec", {"policyName": TEXT, "paramRef": PARAM_REF, "matchResources": MATCH_RESOURCES}
)
POLICY_TYPE: Final = whole("MutatingAdmissionPolicy", {"spec": Field(_POLICY_SPEC)})
BINDING_TYPE: Final = whole("MutatingAdmissionPolicyBinding", {"spec": Field(_BINDING_SPEC)})

_SPEC: Final = FieldPath("spec")
_OPERATIONS: Final = ("*", "CONNECT", "CREATE", "UPDATE")
_REINVOCATIONS: Final = ("IfNeeded", "Never")
_CONFIGURATION, _PATCH = "ApplyConfiguration", "JSONPatch"
#: For each patchType the field that has its expression.
_FIELDS: Final = {_CONFIGURATION: "applyConfiguration", _PATCH: "jsonPatch"}


def policy_spec_errors(_name: str, spec: JSONObject, stored: JSONObject) -> Iterator[FieldError]:
    """The errors of a policy's spec; `stored` is the spec that it replaces."""
    yield from shared_errors(spec, _SPEC)
    yield from _operation_errors(part(spec, "matchConstraints"), _SPEC / "matchConstraints")
    checks = ExpressionChecks(spec, _SPEC, _expressions(stored))
    yield from checks.conditions()
    yield from checks.variables()
    mutations = items(spec, "mutations")
    if not mutations:
        yield (_SPEC / "mutations").required(acceptance_wordings.NO_MUTATIONS)
    for index, mutation in enumerate(mutations):
        yield from _mutation_errors(mutation, (_SPEC / "mutations")[index], spec, stored)
    reinvocation = text(spec, "reinvocationPolicy")
    if not reinvocation:
        yield (_SPEC / "reinvocationPolicy").required()
    elif reinvocation not in _REINVOCATIONS:
        yield (_SPEC / "reinvocationPolicy").not_supported(reinvocation, _REINVOCATIONS, as_json=True)


def _operation_errors(match: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    """The error of a deletion, which can't be mutated."""
    for rule in items(match, "resourceRules"):
        for operation in texts(rule, "operations"):
            if operation not in _OPERATIONS:
                yield (path / "resourceRules" / "operations").not_supported(operation, _OPERATIONS, as_json=True)


def _expressions(spec: JSONObject) -> frozenset[str]:
    """The expressions of apply configurations that a stored policy has; those of JSON patches aren't considered."""
    return frozenset(text(part(one, "applyConfiguration"), "expression") for one in items(spec, "mutations")) - {""}


def _mutation_errors(mutation: JSONObject, path: FieldPath, spec: JSONObject, stored: JSONObject) -> Iterator[FieldError]:
    kind = text(mutation, "patchType")
    if not kind:
        yield (path / "patchType").required()
        return
    if kind not in _FIELDS:
        yield (path / "patchType").not_supported(kind, tuple(_FIELDS), as_json=True)
        return
    wanted = _FIELDS[kind]
    (other,) = (name for name in _FIELDS.values() if name != wanted)
    if not isinstance(mutation.get(wanted), dict):
        yield (path / wanted).required(acceptance_wordings.no_patch(kind))
    else:
        yield from _expression_errors(mutation[wanted], path / wanted / "expression", spec, stored, is_patch=kind == _PATCH)
    if isinstance(mutation.get(other), dict):
        yield (path / other).invalid(f"{{{other}}}", acceptance_wordings.other_patch(kind))


def _expression_errors(found: JSONObject, path: FieldPath, spec: JSONObject, stored: JSONObject, *, is_patch: bool) -> Iterator[FieldError]:
    written = text(found, "expression")
    short = trimmed(written)
    if not short:
        yield path.required()
        return
    version = stored_rules_version() if written in _expressions(stored) else new_version()
    compiled = compile_mutation(PolicyMutation(is_patch, short), _environment(spec, version))
    yield from expression_errors(path, short, compiled)


def _environment(spec: JSONObject, version: Version) -> PolicyEnvironment:
    variables = items(spec, "variables")
    has_params = isinstance(spec.get("paramKind"), dict)
    plain = PolicyEnvironment(has_params=has_params, is_new=True)
    found = PolicyEnvironment(has_params=has_params, base=patching_environment(version))
    for variable in variables:
        found.declare(text(variable, "name"), plain.add_variable(text(variable, "name"), text(variable, "expression")).type)
    return found


def binding_spec_errors(_name: str, spec: JSONObject, _stored: JSONObject) -> Iterator[FieldError]:
    """The errors of a binding's spec."""
    policy = text(spec, "policyName")
    if not policy:
        yield (_SPEC / "policyName").required()
    else:
        yield from ((_SPEC / "policyName").invalid(policy, problem) for problem in dns1123_subdomain(policy))
    yield from param_ref_errors(spec.get("paramRef"), _SPEC / "paramRef")
    match = spec.get("matchResources")
    yield from match_errors(match, _SPEC / "matchResources")
    if isinstance(match, dict):
        yield from _operation_errors(match, _SPEC / "matchResources")
