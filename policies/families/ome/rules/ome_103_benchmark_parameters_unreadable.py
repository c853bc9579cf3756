"""OME can't read a parameter for the benchmark's requests.

OME's webhook reads `temperature` as a number and `ignore_eos` as true or false, and refuses the job otherwise.

Source: OME v0.1.5, pkg/webhook/admission/benchmark/benchmark_webhook.go.
"""

from weighbridge.policies.families.ome.rulebook import Benchmark, Said, Violation, benchmarks, text_map
from weighbridge.policies.families.ome.subject.sizes import parse_float


@benchmarks.error(
    mirrors="webhook benchmarkjob.ome-webhook-server.validator",
    good="accepts-a-benchmark-of-an-address",
    bad="refuses-a-temperature-that-is-no-number",
)
def check(benchmark: Benchmark) -> Said:
    path = ("spec", "additionalRequestParams")
    parameters = text_map(benchmark.spec, "additionalRequestParams")
    temperature, ignored = parameters.get("temperature"), parameters.get("ignore_eos")
    if temperature is not None and parse_float(temperature) is None:
        yield Violation((*path, "temperature"), f'"{temperature}" isn\'t a number', found=temperature, expected="a number, such as 0.7")
    if ignored not in (None, "true", "false"):
        yield Violation((*path, "ignore_eos"), f'"{ignored}" is neither true nor false', found=ignored, expected="true or false")
