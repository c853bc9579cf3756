"""The parameters of a binding: one by name, or all that a selector chooses.

Source: k8s.io/apiserver pkg/admission/plugin/policy/generic/policy_dispatcher.go, `CollectParams`, and policy_source.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.admission_policies import wordings
from weighbridge.policies.admission_policies.attributes import as_stored
from weighbridge.policies.admission_policies.declarations import ParamRef, PolicyHead
from weighbridge.policies.apiserver.built_in import is_built_in, is_cluster_scoped
from weighbridge.policies.apiserver.decode import read_stored
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.cel.values.values import NotKnownError
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.selectors import selects
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of
from weighbridge.policies.schema.embedded import EmbeddedResourceError

_CRDS: Final = ("apiextensions.k8s.io", "CustomResourceDefinition")
_ALONE: Final[Sequence[JSONObject | None]] = (None,)


class PolicyError(Exception):
    """The policy is misconfigured; the text is the server's."""


class BindingError(Exception):
    """The binding is misconfigured for this request; the text is the server's."""


def check_param_kind(policy: PolicyHead, facts: Facts) -> None:
    """Raise PolicyError if the cluster has no such kind of parameters, NotKnownError if that isn't known."""
    kind = policy.param_kind
    if kind is None or facts.definitions.get(kind) is not None or is_built_in(kind.group, kind.version, kind.kind):
        return
    if not facts.objects.knows_all(*_CRDS):
        raise NotKnownError(wordings.param_crd(kind))
    raise PolicyError(wordings.no_param_kind(kind))


def parameters_of(policy: PolicyHead, reference: ParamRef | None, namespace: str, facts: Facts) -> Sequence[JSONObject | None]:
    """The parameters with which a policy is evaluated, each once; `None` means an evaluation without parameters.

    `namespace` is the request's. The result is empty if the binding is skipped. Raises BindingError and NotKnownError.
    """
    kind = policy.param_kind
    if kind is None or reference is None:
        return _ALONE
    definition = facts.definitions.get(kind)
    is_namespaced = definition.namespaced if definition is not None else not is_cluster_scoped(kind)
    where = ""
    if is_namespaced:
        where = reference.namespace or namespace
        if not where:
            raise BindingError(wordings.PARAMETERS_WITHOUT_NAMESPACE)
    elif reference.namespace:
        raise BindingError(wordings.PARAMETERS_WITH_NAMESPACE)
    found = _named(kind, where, reference, facts) if reference.name else _selected(kind, where, reference, facts)
    if not found and reference.denies:
        raise BindingError(wordings.NO_PARAMETERS)
    return [_as_read(obj, kind, definition) for obj in found]


def _named(kind: GroupVersionKind, namespace: str, reference: ParamRef, facts: Facts) -> list[JSONObject]:
    found = facts.objects.get(kind.group, kind.kind, namespace, reference.name)
    if isinstance(found, dict):
        return [found]
    if not facts.objects.knows_all(kind.group, f"{kind.kind}/{reference.name}"):
        raise NotKnownError(wordings.parameter(kind.kind, _place(namespace, reference.name)))
    return []


def _place(namespace: str, name: str) -> str:
    return f"{namespace}/{name}" if namespace else name


def _selected(kind: GroupVersionKind, namespace: str, reference: ParamRef, facts: Facts) -> list[JSONObject]:
    if not facts.objects.knows_all(kind.group, kind.kind):
        raise NotKnownError(wordings.more_parameters(kind.kind))
    selector = reference.selector or {}
    is_empty = not (selector.get("matchLabels") or selector.get("matchExpressions"))
    found = facts.objects.list(kind.group, kind.kind, namespace or None)
    chosen = (obj for obj in found if is_empty or selects(selector, text_map(obj, "metadata", "labels")))
    return sorted(chosen, key=lambda obj: (namespace_of(obj), name_of(obj)))


def _as_read(obj: JSONObject, kind: GroupVersionKind, definition: ResourceDefinition | None) -> JSONObject:
    """A parameter in the policy's kind and version, as it is stored and defaulted."""
    if definition is None:
        if obj.get("apiVersion") != kind.api_version:
            raise NotKnownError(wordings.parameters_of_other_version(kind.api_version))
        if (kind.group, kind.kind) == ("", "Secret"):
            raise NotKnownError(wordings.HIDDEN_PARAMETERS)
        return as_stored(obj)
    if obj.get("apiVersion") != kind.api_version and definition.storage is None:
        raise NotKnownError(wordings.parameters_by_webhook(kind.api_version))
    try:
        return as_stored(read_stored(obj, definition))
    except EmbeddedResourceError as error:
        raise NotKnownError(wordings.unreadable_parameters(error)) from error
