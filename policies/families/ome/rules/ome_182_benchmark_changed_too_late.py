"""A benchmark is changed after its Job was created.

OME creates the Job once and never changes it. The run continues with its old settings, or has ended, and there is no second run. Delete
the BenchmarkJob and apply it again, or give the new run another name.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark/reconcilers/job/job.go.
"""

from weighbridge.policies.families.ome.rulebook import Benchmark, Given, Operation, Said, Violation, benchmarks, spec_of
from weighbridge.policies.schema.go_values import deep_equal


@benchmarks.warning(good="accepts-a-change-to-a-benchmark-that-waits", bad="warns-of-a-change-to-a-benchmark-that-has-begun")
def check(benchmark: Benchmark, given: Given) -> Said:
    if given.request.operation is not Operation.UPDATE or not benchmark.has_begun:
        return
    if not deep_equal(spec_of(given.request.old_object), benchmark.spec):
        yield Violation(
            ("spec",),
            f"the benchmark is {benchmark.state}, and OME doesn't change an existing Job",
            hint="delete the BenchmarkJob and apply it again, or give the new run another name",
        )
