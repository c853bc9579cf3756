"""How llmaz's four mutating webhooks rewrite objects: each decodes the object into Go's structs and encodes these again.

Source: llmaz 3c13ff3, pkg/webhook, measured on kube-apiserver 1.36; k8s.io/api v0.33.5.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families import go_round_trip
from weighbridge.policies.families.go_round_trip import KUBERNETES, GoForm, Rewritten
from weighbridge.policies.ground.objects import JSONObject, JSONValue

_FORM: Final = GoForm(
    parts=(
        # The fields of templates of pods and claims, and of a Service.
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
    """A value without the parts of a trigger that Go leaves out: nulls and empty lists."""
    if isinstance(value, dict):
        return {name: encoded(inner) for name, inner in value.items() if inner is not None and inner != []}
    return [encoded(inner) for inner in value] if isinstance(value, list) else value
