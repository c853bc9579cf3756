"""A component scales by a metric that its autoscaler can't get.

OME creates a HorizontalPodAutoscaler for a resource named `rps` or `concurrency`. The API server accepts it, but pods have no such
resource, so the service never scales. Use cpu or memory, or KEDA.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/hpa.
"""

from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, services, text


@services.warning(good="accepts-requests-per-second-with-keda", bad="warns-of-requests-per-second-as-a-metric")
def check(service: Service) -> Said:
    for name, component in service.components() if service.has_pod_autoscaler else ():
        metric = text(component, "scaleMetric")
        if metric in ("rps", "concurrency") and component.get("minReplicas") != 0:
            message = f"pods have no resource {metric}, and the autoscaler never scales"
            yield Violation(("spec", name, "scaleMetric"), message, found=metric, expected="cpu or memory")
