"""The URI of a benchmark's results names another namespace, which OME ignores.

A pod can only mount claims of its own namespace, and the controller looks for the claim there. Leave the namespace out, or run the job in
it.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark/controller.go.
"""

from weighbridge.policies.families.ome.rulebook import Benchmark, Said, Violation, benchmarks


@benchmarks.warning(good="accepts-results-on-a-claim", bad="warns-of-a-claim-for-results-in-another-namespace")
def check(benchmark: Benchmark) -> Said:
    if not benchmark.output.is_of("pvc"):
        return
    named, own = benchmark.output.parts.get("namespace", ""), benchmark.namespace
    if named and named != own:
        message = f'OME looks for the claim in namespace "{own}", not in "{named}"'
        yield Violation(("spec", "outputLocation", "storageUri"), message, hint="leave the namespace out", found=named, expected=own)
