"""Which object controls another one.

Source: Kubernetes v1.36, apimachinery pkg/apis/meta/v1/controller_ref.go.
"""

from __future__ import annotations

from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject, metadata_of


def is_controlled_by(obj: JSONObject, kind: str, name: str) -> bool:
    """Whether an object is controlled by the one of a kind and name.

    The uid isn't compared: what belonged to a former object of that name is garbage collected soon.
    """
    owners = items(metadata_of(obj), "ownerReferences")
    controller = next((owner for owner in owners if owner.get("controller") is True), {})
    return (text(controller, "kind"), text(controller, "name")) == (kind, name)
