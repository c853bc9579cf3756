"""Label keys in a pod's affinity and spread: the API server adds the pod's own values of these labels to the selectors.

A pod template keeps its keys apart, so a template may be valid although each of its pods is refused. Source: Kubernetes v1.37,
pkg/registry/core/pod/strategy.go (mutatePodAffinity, mutateTopologySpreadConstraints).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.ground.fields import items, part, texts
from weighbridge.policies.ground.objects import JSONObject

#: The fields with keys, and the operators that they mean.
LABEL_KEYS: Final = {"matchLabelKeys": "In", "mismatchLabelKeys": "NotIn"}
_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_AFFINITIES: Final = ("podAffinity", "podAntiAffinity")


def with_label_keys(spec: JSONObject, labels: Mapping[str, str]) -> JSONObject:
    """The spec of a pod with these labels, in which the selectors have the conditions of their keys; the same one if there are no keys."""
    affinity = part(spec, "affinity")
    filled = {kind: _filled_affinity(affinity[kind], labels) for kind in _AFFINITIES if isinstance(affinity.get(kind), dict)}
    constraints = items(spec, "topologySpreadConstraints")
    spread = [_filled(constraint, labels) for constraint in constraints]
    if spread == constraints and all(filled[kind] == affinity[kind] for kind in filled):
        return spec
    return {**spec, **({"affinity": {**affinity, **filled}} if filled else {}), **({"topologySpreadConstraints": spread} if spread else {})}


def _filled_affinity(affinity: JSONObject, labels: Mapping[str, str]) -> JSONObject:
    found = dict(affinity)
    if _REQUIRED in affinity:
        found[_REQUIRED] = [_filled(term, labels) for term in items(affinity, _REQUIRED)]
    if _PREFERRED in affinity:
        found[_PREFERRED] = [
            {**wanted, "podAffinityTerm": _filled(part(wanted, "podAffinityTerm"), labels)} for wanted in items(affinity, _PREFERRED)
        ]
    return found


def _filled(term: JSONObject, labels: Mapping[str, str]) -> JSONObject:
    """A term or a constraint with the conditions of its keys; without a selector, which chooses no pod, none are added."""
    selector = term.get("labelSelector")
    conditions = [
        {"key": key, "operator": operator, "values": [labels[key]]}
        for field, operator in LABEL_KEYS.items()
        for key in texts(term, field)
        if key in labels
    ]
    if not conditions or not isinstance(selector, dict):
        return term
    return {**term, "labelSelector": {**selector, "matchExpressions": [*items(selector, "matchExpressions"), *conditions]}}
