"""The API server refuses the autoscaler of an elastic Playground.

The controller tries again and again, and the Playground gets no condition.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go, Kubernetes v1.36 pkg/apis/autoscaling/validation.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.resolve.playground import autoscaler_of
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.fields import part, whole
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    reading = reading_of(request, facts, config)
    if reading is None or whole(part(spec_of(request.object), "elasticConfig"), "minReplicas", 1) < 1:
        # Of too few replicas another rule tells.
        return
    _, failure = autoscaler_of(reading)
    if failure.startswith("HorizontalPodAutoscaler"):
        message = f"the API server refuses its autoscaler: {failure.partition(' is invalid: ')[2]}"
        yield RULE.finding(("spec", "elasticConfig", "scaleTrigger"), message)


RULE = Rule(
    id="LLMAZ-036",
    name="autoscaler-refused",
    severity=Severity.ERROR,
    kinds=("Playground",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/playground_controller.go, Kubernetes v1.36 pkg/apis/autoscaling/validation",
    reads=CLAIM_READS,
    is_about_failure=True,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt}\nelasticConfig: {maxReplicas: 2, scaleTrigger: {hpa: {}}}",
    bad="""\
modelClaim: {modelName: opt}
elasticConfig: {maxReplicas: 2, scaleTrigger: {hpa: {metrics: [{type: Resource}]}}}""",
)
