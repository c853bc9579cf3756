"""An elastic Playground takes the trigger of a runtime that has no hpa.

The controller panics and starts again, for ever. The trigger is looked for under the name that follows from the roles, whatever
`configName` says.

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
    if not isinstance(elastic, dict) or isinstance(elastic.get("scaleTrigger"), dict) or reading.choice is None:
        return
    _, panics = trigger_of(reading)
    if panics:
        message = f"the trigger of BackendRuntime {reading.choice.runtime} has no hpa, at which the controller panics"
        yield RULE.finding(
            ("spec", "elasticConfig", "scaleTrigger"), message, hint="give the Playground a trigger of its own, or mend the runtime's"
        )


RULE = Rule(
    id="LLMAZ-034",
    name="trigger-of-runtime-empty",
    severity=Severity.ERROR,
    kinds=("Playground",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/playground_controller.go",
    reads=CLAIM_READS,
    is_about_failure=True,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt}\nelasticConfig: {maxReplicas: 2, scaleTrigger: {hpa: {}}}",
    bad="""\
modelClaim: {modelName: opt}
backendRuntimeConfig: {backendName: broken}
elasticConfig: {maxReplicas: 2}""",
)
