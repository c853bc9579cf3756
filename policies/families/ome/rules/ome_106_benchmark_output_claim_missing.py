"""The claim for a benchmark's results doesn't exist.

The controller looks for the claim in the BenchmarkJob's namespace, whatever namespace the URI names. Without the claim it creates no Job,
and reports that only in its log. Create the claim first, or correct the name.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark/controller.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, REFERENCE, Benchmark, Given, Said, benchmarks
from weighbridge.policies.families.references import CLAIMS


@benchmarks.warning(
    about=REFERENCE | FAILURE,
    reads=("PersistentVolumeClaim",),
    good="accepts-results-on-a-claim",
    bad="warns-of-a-claim-for-results-that-is-not-there",
)
def check(benchmark: Benchmark, given: Given) -> Said:
    if benchmark.output.is_of("pvc"):
        namespace, claim = benchmark.namespace, benchmark.output.parts["claim"]
        path = ("spec", "outputLocation", "storageUri")
        message = f'namespace "{namespace}" has no PersistentVolumeClaim "{claim}", and without it OME creates no Job'
        yield from CLAIMS.missing(given, path, claim, message, hint="create the claim first", namespace=namespace)
