"""An elastic Playground has nothing that scales it.

Neither it nor its runtime names a trigger, so no autoscaler is made and the replicas stay as they are.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.resolve.playground import trigger_of
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    reading = reading_of(request, facts, config)
    if reading is None:
        return
    elastic = spec_of(request.object).get("elasticConfig")
    if not isinstance(elastic, dict) or reading.runtime is None:
        return
    hpa, panics = trigger_of(reading)
    if hpa is None and not panics:
        hint = "write scaleTrigger: {hpa: {...}}"
        yield RULE.finding(("spec", "elasticConfig", "scaleTrigger"), "nothing says when to scale, so no autoscaler is made", hint=hint)


RULE = Rule(
    id="LLMAZ-035",
    name="elastic-without-trigger",
    severity=Severity.WARNING,
    kinds=("Playground",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/playground_controller.go",
    reads=CLAIM_READS,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt}\nelasticConfig: {maxReplicas: 2, scaleTrigger: {hpa: {}}}",
    bad="modelClaim: {modelName: opt}\nelasticConfig: {maxReplicas: 2}",
)
