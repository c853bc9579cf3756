"""What a router's proxy gets to start the members of ModelPools: the pool in its configuration, and the permission to scale them.

Source: LLMKube v0.9.19, internal/controller/router_config_builder.go (resolveBackendPool) and router_activation_rbac.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.pool_members import member_names, pools_with
from weighbridge.policies.families.llmkube.subject.references import GROUP
from weighbridge.policies.ground.durations import nanoseconds
from weighbridge.policies.ground.objects import JSONObject, name_of

_RBAC: Final = "rbac.authorization.k8s.io"


def pool_of(member: str, namespace: str, facts: Facts, operator: KnownOperator) -> JSONObject | None:
    """The pool of a service in the form of the proxy's configuration; `None` if it is in none. If it is in several, the operator takes any
    of them.
    """
    pool = next(iter(pools_with(facts, namespace, member)), None) if operator.since(0, 9, 16) else None
    if pool is None:
        return None
    found: JSONObject = {"name": name_of(pool), "namespace": namespace, "member": member, "members": member_names(pool)}
    budget = nanoseconds(spec_of(pool).get("swapBudget"))
    return {**found, "swapBudget": budget} if budget else found


def activation(metadata: JSONObject) -> list[JSONObject]:
    """The proxy's service account and its permissions; `metadata` is the metadata of all objects for the proxy."""
    name = metadata["name"]
    rules = [
        {"apiGroups": [GROUP], "resources": ["inferenceservices"], "verbs": ["get", "list", "watch", "update", "patch"]},
        {"apiGroups": [GROUP], "resources": ["inferenceservices/status"], "verbs": ["get"]},
    ]
    return [
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata},
        {"apiVersion": f"{_RBAC}/v1", "kind": "Role", "metadata": metadata, "rules": rules},
        {
            "apiVersion": f"{_RBAC}/v1",
            "kind": "RoleBinding",
            "metadata": metadata,
            "roleRef": {"apiGroup": _RBAC, "kind": "Role", "name": name},
            "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": metadata["namespace"]}],
        },
    ]
