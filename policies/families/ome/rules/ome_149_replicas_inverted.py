"""A component's `minReplicas` is above its `maxReplicas`.

OME doesn't refuse it, but raises the autoscaler's maximum to the minimum, so the service never scales. If only `minReplicas` is
set, OME's webhook defaults `maxReplicas` to 3, and to 2 for a router. Raise `maxReplicas`.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/hpa.
"""

from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, services, whole
from weighbridge.policies.families.ome.subject.stored import MAX_REPLICAS


@services.warning(good="accepts-a-maximum-above-the-minimum", bad="warns-of-a-least-number-above-the-default")
def check(service: Service) -> Said:
    for name, component in service.components():
        least, most = whole(component, "minReplicas"), whole(component, "maxReplicas") or MAX_REPLICAS[name]
        if least > most:
            message = f"minReplicas is {least} and maxReplicas {most}, so that the service never scales"
            yield Violation(("spec", name, "maxReplicas"), message, found=str(most), expected=f"{least} or more")
