"""A traffic scenario doesn't match the task.

OME's webhook refuses most of them. Its regular expressions are anchored at one end only, so it accepts some, such as `junkD(1,2)`,
and genai-bench then fails in the pod. Write the scenario in a form of its task, without spaces.

Source: OME v0.1.5, pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from weighbridge.policies.families.ome.predictions.benchmark.scenarios import FORMS, is_scenario
from weighbridge.policies.families.ome.rulebook import Benchmark, Said, Violation, benchmarks


@benchmarks.error(
    mirrors="webhook benchmarkjob.ome-webhook-server.validator",
    good="accepts-a-benchmark-of-an-address",
    bad="refuses-a-scenario-in-lower-case",
)
def check(benchmark: Benchmark) -> Said:
    task = benchmark.task
    for index, scenario in enumerate(benchmark.scenarios):
        if not is_scenario(task, scenario):
            message = f'"{scenario}" isn\'t a traffic scenario of {task}'
            yield Violation(("spec", "trafficScenarios", index), message, found=scenario, expected=FORMS[task])
