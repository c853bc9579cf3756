"""A runtime's size range includes no size, or OME reads it differently.

A size is a number with an upper-case `M`, `B` or `T`. OME silently reads any other text as 0. If the minimum is above the maximum, the
runtime serves no model. Write both sizes in that form, the smaller one as `min`.

Source: OME v0.1.5, pkg/runtimeselector/matcher.go.
"""

from weighbridge.policies.families.ome.rulebook import Runtime, Said, Violation, runtimes
from weighbridge.policies.families.ome.subject.sizes import parse_size, size_or_zero


@runtimes.warning(good="accepts-a-size-range-with-both-bounds", bad="warns-of-a-size-in-lower-case")
def check(runtime: Runtime) -> Said:
    sizes = runtime.sizes
    if sizes is None or sizes.low is None or sizes.high is None:
        return
    unread = [(name, bound) for name, bound in (("min", sizes.low), ("max", sizes.high)) if parse_size(bound) is None]
    for name, bound in unread:
        yield Violation(
            ("spec", "modelSizeRange", name),
            f"OME can't read {bound!r} and reads it as 0",
            found=bound,
            hint="write a number and M, B or T in upper case, such as 8B",
        )
    if not unread and size_or_zero(sizes.low) > size_or_zero(sizes.high):
        yield Violation(
            ("spec", "modelSizeRange"),
            f"min {sizes.low} is above max {sizes.high}, so the runtime serves no model that has a size",
            hint="exchange the two",
        )
