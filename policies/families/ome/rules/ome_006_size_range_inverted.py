"""A runtime's size range holds no size, or isn't read as it is written.

Sizes are a number and `M`, `B` or `T` in upper case. OME takes whatever else stands there for 0 without a word, and a least size above the
largest leaves no model that the runtime serves.

Source: OME v0.1.5 pkg/runtimeselector/matcher.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.runtime import read_runtime
from weighbridge.policies.families.ome.subject.sizes import parse_size, size_or_zero


@objects.warning(
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    good="accepts-a-size-range-with-both-bounds",
    bad="warns-of-a-size-in-lower-case",
)
def check(given: Given) -> Said:
    sizes = read_runtime(given.object).sizes
    if sizes is None or sizes.low is None or sizes.high is None:
        return
    bounds = (("min", sizes.low), ("max", sizes.high))
    unread = [(name, bound) for name, bound in bounds if parse_size(bound) is None]
    for name, bound in unread:
        yield Violation(
            ("spec", "modelSizeRange", name),
            f"OME can't read {bound!r} and takes it for 0",
            found=bound,
            hint="write a number and M, B or T in upper case, such as 8B",
        )
    if not unread and size_or_zero(sizes.low) > size_or_zero(sizes.high):
        yield Violation(
            ("spec", "modelSizeRange"),
            f"min {sizes.low} is above max {sizes.high}, so the runtime serves no model that has a size",
            hint="exchange the two",
        )
