"""A runtime is selected automatically, and has no size range.

Among runtimes that score the same OME takes the one whose range is nearest to the model's size, and counts one without a range as nearest
of all. So it is selected for models of every size before the runtimes that are made for them.

Source: OME v0.1.5 pkg/runtimeselector/scorer.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.runtime import read_runtime


@objects.warning(
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    good="accepts-a-runtime-of-no-size-that-is-named",
    bad="warns-of-a-runtime-for-every-size",
)
def check(given: Given) -> Said:
    runtime = read_runtime(given.object)
    if runtime.is_auto_selected and not runtime.is_disabled and runtime.sizes is None:
        yield Violation(
            ("spec", "modelSizeRange"),
            "without a size range it is selected for models of every size, before runtimes of the same score that have one",
            hint="write the sizes that it is made for, such as {min: 7B, max: 9B}",
        )
