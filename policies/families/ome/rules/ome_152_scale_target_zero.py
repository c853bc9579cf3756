"""A component scales towards nothing.

Of `scaleTarget` OME makes the target of a HorizontalPodAutoscaler, and Kubernetes refuses one below 1. The controller then tries for
ever, and only its log says so.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/hpa.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.service_spec import annotation, service_of
from weighbridge.policies.ground.fields import part

_COMPONENTS: Final = ("engine", "decoder", "router")


@objects.error(
    kinds=("InferenceService",),
    good="accepts-a-target-of-zero-that-an-annotation-overrides",
    bad="refuses-a-target-of-zero",
)
def check(given: Given) -> Said:
    service = service_of(given.request)
    if (
        service is None
        or annotation(service, "autoscalerClass") in ("keda", "external")
        or annotation(service, "targetUtilizationPercentage")
    ):
        return
    for name in _COMPONENTS:
        found = part(spec_of(service), name).get("scaleTarget")
        if type(found) is int and found < 1:
            message = f"Kubernetes refuses an autoscaler with a target of {found}"
            yield Violation(("spec", name, "scaleTarget"), message, found=str(found), expected="1 or more")
