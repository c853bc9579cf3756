"""MutatingAdmissionPolicies and their bindings as they are read.

The objects have passed `acceptance`; a part of another type counts as missing. Source: k8s.io/api/admissionregistration/v1/types.go, 1.37.
"""

from __future__ import annotations

from weighbridge.policies.admission_policies.declarations import PolicyHead, read_policy_head
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class PolicyMutation:
    """One mutation: an apply configuration, or a JSON patch."""

    is_patch: bool
    expression: str

    @property
    def kind(self) -> str:
        """The mutation's patchType."""
        return "JSONPatch" if self.is_patch else "ApplyConfiguration"


@dataclass(frozen=True, slots=True)
class MutatingPolicy:
    """A MutatingAdmissionPolicy; `is_reinvoked` says that it runs again if the object has changed since."""

    head: PolicyHead
    mutations: tuple[PolicyMutation, ...]
    is_reinvoked: bool


def read_policy(obj: JSONObject) -> MutatingPolicy:
    """Read a MutatingAdmissionPolicy."""
    spec = part(obj, "spec")
    return MutatingPolicy(
        read_policy_head(obj),
        tuple(map(_mutation, items(spec, "mutations"))),
        text(spec, "reinvocationPolicy") == "IfNeeded",
    )


def _mutation(found: JSONObject) -> PolicyMutation:
    is_patch = text(found, "patchType") == "JSONPatch"
    return PolicyMutation(is_patch, text(part(found, "jsonPatch" if is_patch else "applyConfiguration"), "expression"))
