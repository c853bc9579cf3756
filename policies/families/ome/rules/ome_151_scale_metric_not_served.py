"""A component scales by a metric that its autoscaler can't get.

OME makes a HorizontalPodAutoscaler whose resource is called `rps` or `concurrency`. Kubernetes takes it, and there are no such resources
of pods: the service never scales. Use cpu or memory, or KEDA.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/hpa.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.service_spec import annotation, service_of
from weighbridge.policies.ground.fields import part, text

_COMPONENTS: Final = ("engine", "decoder", "router")


@objects.warning(
    kinds=("InferenceService",),
    good="accepts-requests-per-second-with-keda",
    bad="warns-of-requests-per-second-as-a-metric",
)
def check(given: Given) -> Said:
    service = service_of(given.request)
    if service is None or annotation(service, "autoscalerClass") in ("keda", "external"):
        return
    for name in _COMPONENTS:
        component = part(spec_of(service), name)
        metric = text(component, "scaleMetric")
        if metric in ("rps", "concurrency") and component.get("minReplicas") != 0:
            message = f"pods have no resource {metric}, and the autoscaler never scales"
            yield Violation(("spec", name, "scaleMetric"), message, found=metric, expected="cpu or memory")
