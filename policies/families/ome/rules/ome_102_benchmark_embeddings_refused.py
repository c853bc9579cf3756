"""OME v0.1.5 refuses the scenarios of an embedding benchmark.

Its webhook requires two numbers, `E(128,128)`, but genai-bench uses the form `E(128)`. Without any scenarios the webhook checks its own
defaults, which have one number, and refuses the job as well. Write scenarios with two numbers, or use a version of OME whose webhook
accepts one.

Source: OME v0.1.5, pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from weighbridge.policies.families.ome.predictions.benchmark.scenarios import EMBEDDINGS, is_accepted, is_scenario
from weighbridge.policies.families.ome.rulebook import Benchmark, Said, Violation, benchmarks


@benchmarks.warning(
    mirrors="webhook benchmarkjob.ome-webhook-server.validator",
    good="accepts-an-embedding-scenario-of-two-numbers",
    bad="warns-of-embeddings-without-scenarios",
)
def check(benchmark: Benchmark) -> Said:
    if benchmark.task != EMBEDDINGS:
        return
    if not benchmark.scenarios:
        message = "without scenarios OME v0.1.5 checks its own defaults, and refuses the job for them"
        yield Violation(("spec", "trafficScenarios"), message, hint="give a scenario with two numbers, such as E(128,128)")
    for index, scenario in enumerate(benchmark.scenarios):
        if is_scenario(EMBEDDINGS, scenario) and not is_accepted(EMBEDDINGS, scenario):
            message = f'the webhook of OME v0.1.5 refuses "{scenario}"'
            yield Violation(("spec", "trafficScenarios", index), message, hint="give two numbers, such as E(128,128)", found=scenario)
