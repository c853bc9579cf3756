"""OME can't write a benchmark's results to storage with this URI scheme.

The webhook accepts every URI that it can read. The controller then creates no Job, and reports "unsupported storage type" only in its log.
Send the results to oci, pvc, s3, az, gs or github.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark/controller.go.
"""

from weighbridge.policies.families.ome.predictions.benchmark.output import WRITABLE
from weighbridge.policies.families.ome.rulebook import FAILURE, Benchmark, Said, Violation, benchmarks


@benchmarks.error(about=FAILURE, good="accepts-a-benchmark-of-an-address", bad="refuses-results-on-a-vendor")
def check(benchmark: Benchmark) -> Said:
    uri = benchmark.output
    if not uri.mistake and uri.scheme not in WRITABLE:
        message = f"OME can't write results to {uri.scheme}://, and creates no Job"
        expected = ", ".join(f"{scheme}://" for scheme in WRITABLE)
        yield Violation(("spec", "outputLocation", "storageUri"), message, found=f"{uri.scheme}://", expected=expected)
