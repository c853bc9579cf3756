"""A component scales by a metric that its autoscaler can't get.

OME makes a HorizontalPodAutoscaler whose resource is called `rps` or `concurrency`. Kubernetes takes it, and there are no such resources
of pods: the service never scales. Use cpu or memory, or KEDA.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/hpa.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.services import annotation, service_of
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request

_COMPONENTS: Final = ("engine", "decoder", "router")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    service = service_of(request)
    if service is None or annotation(service, "autoscalerClass") in ("keda", "external"):
        return
    for name in _COMPONENTS:
        component = part(spec_of(service), name)
        metric = text(component, "scaleMetric")
        if metric in ("rps", "concurrency") and component.get("minReplicas") != 0:
            message = f"pods have no resource {metric}, and the autoscaler never scales"
            yield RULE.finding(("spec", name, "scaleMetric"), message, found=metric, expected="cpu or memory")


RULE = Rule(
    id="OME-151",
    name="scale-metric-not-served",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/hpa",
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {scaleMetric: cpu}
""",
    bad="""\
model: {name: llama}
engine: {scaleMetric: rps}
""",
)
