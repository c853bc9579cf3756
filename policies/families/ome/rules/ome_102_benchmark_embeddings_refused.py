"""OME v0.1.5 refuses the scenarios of an embedding benchmark.

Its webhook wants two numbers, `E(128,128)`, while genai-bench has the form `E(128)`. Where none is given the webhook checks its own
defaults, which are of that form, and refuses the job as well. Give scenarios with two numbers, or use a version of OME whose webhook
takes one.

Source: OME v0.1.5 pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.predictions.benchmark.scenarios import EMBEDDINGS, is_accepted, is_scenario
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import text, texts


@objects.warning(
    kinds=("BenchmarkJob",),
    mirrors="webhook benchmarkjob.ome-webhook-server.validator",
    good="accepts-an-embedding-scenario-of-two-numbers",
    bad="warns-of-embeddings-without-scenarios",
)
def check(given: Given) -> Said:
    spec = given.spec
    if text(spec, "task") != EMBEDDINGS:
        return
    scenarios = texts(spec, "trafficScenarios")
    if not scenarios:
        message = "without scenarios OME v0.1.5 checks its own defaults, and refuses the job for them"
        yield Violation(("spec", "trafficScenarios"), message, hint="give a scenario with two numbers, such as E(128,128)")
    for index, scenario in enumerate(scenarios):
        if is_scenario(EMBEDDINGS, scenario) and not is_accepted(EMBEDDINGS, scenario):
            message = f'the webhook of OME v0.1.5 refuses "{scenario}"'
            yield Violation(("spec", "trafficScenarios", index), message, hint="give two numbers, such as E(128,128)", found=scenario)
