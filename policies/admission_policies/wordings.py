"""What kube-apiserver says when it asks an admission policy, and how facts are named that a policy asks for: every wording.

What it says against a policy that it wouldn't store is in `acceptance_wordings`. Source: k8s.io/apiserver
pkg/admission/plugin/policy/{generic,validating} and pkg/admission/plugin/cel, 1.37.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import GroupVersionKind


def printed_kind(gvk: GroupVersionKind) -> str:
    """A kind as Go prints it."""
    return f"{gvk.group}/{gvk.version}, Kind={gvk.kind}"


# --- the refusal ---


def by_policy(kind: str, policy: str) -> str:
    """The policy that refuses a request."""
    return f"{kind} '{policy}'"


def by_binding(kind: str, policy: str, binding: str) -> str:
    """The policy that refuses a request, with its binding."""
    return f"{by_policy(kind, policy)} with binding '{binding}'"


def denied(by: str, why: str) -> str:
    """A policy refuses a request."""
    return f"{by} denied request: {why}"


def forbidden(resource: str, name: str, why: str) -> str:
    """The whole refusal; `why` names the policy."""
    return f"{resource} {quote(name or 'Unknown')} is forbidden: {why}"


def warned(by: str, why: str) -> str:
    """A policy warns about a request."""
    return f"Validation failed for {by}: {why}"


# --- the parameters ---

PARAMETERS_WITHOUT_NAMESPACE: Final = "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources"
PARAMETERS_WITH_NAMESPACE: Final = "paramRef.namespace must not be provided for a cluster-scoped `paramKind`"
NO_PARAMETERS: Final = "no params found for policy binding with `Deny` parameterNotFoundAction"


def no_param_kind(gvk: GroupVersionKind) -> str:
    """The cluster doesn't have the kind of a policy's parameters."""
    return f"failed to find resource referenced by paramKind: '{printed_kind(gvk)}'"


def misconfigured_policy(why: object) -> str:
    """A policy can't be asked."""
    return f"failed to configure policy: {why}"


def misconfigured_binding(why: object) -> str:
    """A policy can't be asked with a binding."""
    return f"failed to configure binding: {why}"


# --- the expressions ---


def compilation_failed(why: str) -> str:
    """An expression doesn't compile."""
    return f"compilation failed: {why}"


def no_program(why: object) -> str:
    """An expression compiles, and yet has no program."""
    return f"program instantiation failed: {why}"


def wrong_result_type(wanted: Iterable[str], found: str) -> str:
    """An expression has none of the types that it may have."""
    names = list(wanted)
    allowed = names[0] if len(names) == 1 else f"one of [{' '.join(names)}]"
    return f"must evaluate to {allowed} but got {found}"


def not_compiled(why: str) -> str:
    """The result of an expression of a stored policy that doesn't compile."""
    return f"compilation error: {why}"


def evaluation_failed(expression: str, why: str) -> str:
    """An expression has an error instead of a result."""
    return f"expression '{expression}' resulted in error: {why}"


def variable_not_compiled(name: str, why: str) -> str:
    """An expression reads a variable that doesn't compile."""
    return f'composited variable "{name}" fails to compile: {why}'


def variable_failed(name: str, why: str) -> str:
    """An expression reads a variable that has an error instead of a value."""
    return f'composited variable "{name}" fails to evaluate: {why}'


def false_expression(expression: str) -> str:
    """A validation is false and has no message."""
    return f"failed expression: {expression}"


def message_failed(why: str) -> str:
    """The messages of the validations cost too much."""
    return f"failed messageExpression: {why}"


def wrong_annotation_type(expression: str, found: str) -> str:
    """The value of an audit annotation is neither a string nor null."""
    wanted = "Return type must be either string or null."
    return f"valueExpression '{expression}' resulted in unsupported return type: {found}. {wanted}"


# --- what isn't known: our words, each after "it asks for" ---

AUTHORIZATION: Final = "what the cluster's authorizer says"
GENERATED_NAME: Final = "the name that the server generates"
USER: Final = "who sends the request"
OPTIONS: Final = "the options of the request"
CHANGED_MANAGED_FIELDS: Final = "metadata.managedFields of a changed object"
HIDDEN_PARAMETERS: Final = "its parameters, which are secret"


def with_binding(kind: str, policy: str, binding: str) -> str:
    """A policy and its binding, as reports name them."""
    return f"{kind} {policy} with binding {binding}"


def asks_for(what: object) -> str:
    """Why a policy can't be asked."""
    return f"it asks for {what}"


def metadata_of_new(key: str) -> str:
    """A field of a new object that the server writes."""
    return f"metadata.{key} of a new object"


def metadata_of_stored(key: str) -> str:
    """A field of a stored object that the server has written."""
    return f"metadata.{key} of the stored object"


def converted_object(api_version: str) -> str:
    """An object in another version, to which only the server can convert it."""
    return f"the object in {api_version}: the server converts it"


def self_reference(variable: str) -> str:
    """A variable of a policy that the server wouldn't store."""
    return f"the variable {variable}, which refers to itself"


def namespace(name: str) -> str:
    """A namespace that isn't among the facts."""
    return f"the namespace {name}"


def part_of_namespace(key: str, name: str) -> str:
    """A part of a namespace of which only other parts are known."""
    return f"{key} of {namespace(name)}"


def labels_of_namespace(name: str) -> str:
    """The labels by which a policy chooses namespaces."""
    return f"the labels of {namespace(name)}"


def param_crd(gvk: GroupVersionKind) -> str:
    """The definition of the kind of a policy's parameters."""
    return f"the CRD of its parameters, {gvk}"


def parameter(kind: str, place: str) -> str:
    """The parameter that a binding names; `place` has the namespace too."""
    return f"its parameters, the {kind} {quote(place)}"


def more_parameters(kind: str) -> str:
    """A binding selects its parameters, and not all objects of their kind are known."""
    return f"whether there are more parameters, {kind}s that its binding selects"


def parameters_of_other_version(api_version: str) -> str:
    """Parameters of a built-in kind that are known in another version."""
    return f"its parameters in {api_version}: they are known in another version"


def parameters_by_webhook(api_version: str) -> str:
    """Parameters of a custom kind that a webhook of the cluster converts."""
    return f"its parameters in {api_version}: a webhook converts them"


def unreadable_parameters(why: object) -> str:
    """Parameters that the server can't read."""
    return f"its parameters: {why}"
