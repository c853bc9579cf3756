"""A component scales towards nothing.

Of `scaleTarget` OME makes the target of a HorizontalPodAutoscaler, and Kubernetes refuses one below 1. The controller then tries for
ever, and only its log says so.

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
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request

_COMPONENTS: Final = ("engine", "decoder", "router")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    service = service_of(request)
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
            yield RULE.finding(("spec", name, "scaleTarget"), message, found=str(found), expected="1 or more")


RULE = Rule(
    id="OME-152",
    name="scale-target-zero",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/hpa",
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {scaleTarget: 70}
""",
    bad="""\
model: {name: llama}
engine: {scaleTarget: 0}
""",
)
