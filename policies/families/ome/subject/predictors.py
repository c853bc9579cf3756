"""The legacy predictor of a service, which OME's webhook rewrites as an engine.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject

#: The container that serves.
MAIN: Final = "ome-container"
#: Fields with which the webhook counts the predictor as used, if one of them isn't empty.
_USED: Final = ("serviceAccountName", "containers", "volumes", "nodeSelector", "tolerations")
#: Fields with which it does so even if they are empty.
_USED_IF_THERE: Final = ("minReplicas", "affinity")


def predictor_of(obj: JSONObject | None) -> JSONObject:
    """The predictor; empty if there is none."""
    return part(spec_of(obj), "predictor")


def migrates(predictor: JSONObject) -> bool:
    """Whether the webhook turns it into an engine."""
    if isinstance(part(predictor, "model").get("baseModel"), str):
        return True
    return any(predictor.get(key) is not None for key in _USED_IF_THERE) or any(predictor.get(key) for key in _USED)


def runner_of(predictor: JSONObject) -> JSONObject | None:
    """The container that becomes the runner: the first whose name contains `ome`, else the first."""
    containers = items(predictor, "containers")
    named = (one for one in containers if text(one, "name") == MAIN or "ome" in text(one, "name").lower())
    return next(named, containers[0] if containers else None)
