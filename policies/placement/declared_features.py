"""The filter NodeDeclaredFeatures: kubelet features that a pod needs and a node must declare.

The server refuses pods that need other features of the registry, because these are off by default. Source: Kubernetes v1.37,
component-helpers/nodedeclaredfeatures; KEP-5328.
"""

from __future__ import annotations

from weighbridge.policies.facts import Node
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.placement.wordings import NOT_DECLARED
from weighbridge.policies.pods.requests import containers


def required_features(spec: JSONObject) -> frozenset[str]:
    """The features that a pod needs; before 1.36 the filter is off."""
    needed: set[str] = set()
    if not release().matches_declared_features:
        return frozenset(needed)
    if any(text(rule, "action") == "RestartAllContainers" for _, _, held in containers(spec) for rule in items(held, "restartPolicyRules")):
        needed.add("RestartAllContainersOnContainerExits")
    return frozenset(needed)


def feature_check(features: frozenset[str], node: Node) -> tuple[str, ...]:
    """The filter's reason."""
    return () if features <= node.declared_features else (NOT_DECLARED,)
