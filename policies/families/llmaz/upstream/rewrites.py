"""How llmaz's mutating webhooks rewrite objects: all four decode the object into Go's structs and encode these again.

Source: llmaz 3c13ff3, pkg/webhook, measured on kube-apiserver 1.36; k8s.io/api v0.33.5.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families import go_round_trip
from weighbridge.policies.families.go_round_trip import KUBERNETES, GoForm, Rewritten
from weighbridge.policies.ground.objects import JSONObject, JSONValue

_FORM: Final = GoForm(
    parts=(
        # Templates of pods and claims, and a Service.
        (frozenset({"metadata", "spec"}), {"metadata": {}, "spec": {}}),
        (frozenset({"modelClaims", "workloadTemplate"}), {"modelClaims": {}}),
        *KUBERNETES,
    ),
    omitted=frozenset({"maxReplicas"}),
)


def rewritten(obj: JSONObject, schema: JSONObject) -> Rewritten:
    """The object as the webhooks return it; `schema` is that of its CRD."""
    return go_round_trip.rewritten(obj, schema, _FORM)


def encoded(value: JSONValue) -> JSONValue:
    """A value without what Go leaves out of a trigger: nulls and empty lists."""
    if isinstance(value, dict):
        return {name: encoded(inner) for name, inner in value.items() if inner is not None and inner != []}
    return [encoded(inner) for inner in value] if isinstance(value, list) else value
