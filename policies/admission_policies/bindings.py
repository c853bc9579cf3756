"""Finds the policies of the cluster with their bindings; validating and mutating ones are looked up and ordered in the same way.

Source: k8s.io/apiserver pkg/admission/plugin/policy/generic/policy_source.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from weighbridge.policies.admission_policies import wordings
from weighbridge.policies.admission_policies.declarations import GROUP
from weighbridge.policies.cel.values.values import NotKnownError
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import JSONObject, name_of

_Policy = TypeVar("_Policy")
_Binding = TypeVar("_Binding")


def in_force(group: str, kind: str, facts: Facts) -> list[JSONObject]:
    """The policies or bindings of a kind, sorted by name, without given ones that the server wouldn't store."""
    found = sorted(facts.objects.list(group, kind), key=name_of)
    if not facts.beside.number_of(group, kind):
        return found
    from weighbridge.policies.admission_policies.acceptance import problems_of

    return [obj for obj in found if facts.beside.get(group, kind, "", name_of(obj)) is None or not problems_of(obj)]


def bound(
    policy: tuple[str, Callable[[JSONObject], _Policy]],
    binding: tuple[str, Callable[[JSONObject], tuple[str, _Binding]]],
    facts: Facts,
) -> Sequence[tuple[_Policy, Sequence[_Binding]]]:
    """The policies that have bindings, each with its bindings.

    `policy` and `binding` are each a kind and its reader; the reader of a binding also returns the name of its policy.
    """
    (policy_kind, compiled), (binding_kind, read) = policy, binding

    def work_out() -> list[tuple[_Policy, Sequence[_Binding]]]:
        bindings: dict[str, list[_Binding]] = {}
        for name, one in map(read, in_force(GROUP, binding_kind, facts)):
            bindings.setdefault(name, []).append(one)
        return [(compiled(obj), bindings[name_of(obj)]) for obj in in_force(GROUP, policy_kind, facts) if name_of(obj) in bindings]

    return facts.objects.once(((GROUP, policy_kind), (GROUP, binding_kind)), bound, work_out, by=(facts.beside,))


def not_checked(kind: str, policy: str, binding: str, error: NotKnownError) -> Unchecked:
    """A policy that can't be evaluated with a binding, or with any binding if that is empty."""
    by = wordings.with_binding(kind, policy, binding) if binding else f"{kind} {policy}"
    return Unchecked(by, wordings.asks_for(error))
