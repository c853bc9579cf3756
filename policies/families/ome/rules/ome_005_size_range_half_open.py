"""A runtime's size range has one bound, or none.

OME reads the missing bound as a nil pointer as soon as a format of the runtime matches a model with a size. From then on the answer to
every service of such a model that names no runtime is `panic: runtime error`, even if another runtime fits. Write both bounds, or no
`modelSizeRange` at all.

Source: OME v0.1.5, pkg/runtimeselector/matcher.go.
"""

from weighbridge.policies.families.ome.rulebook import Runtime, Said, Violation, enabled_runtimes


@enabled_runtimes.error(good="accepts-a-runtime-of-no-size-that-is-named", bad="refuses-a-size-range-without-a-maximum")
def check(runtime: Runtime) -> Said:
    if runtime.sizes is None or not runtime.sizes.is_open:
        return
    lacking = [name for name, bound in (("min", runtime.sizes.low), ("max", runtime.sizes.high)) if bound is None]
    yield Violation(
        ("spec", "modelSizeRange"),
        f"{' and '.join(lacking)} {'is' if len(lacking) == 1 else 'are'} missing, and OME panics for every service of a matching model",
        hint="write min and max, or leave modelSizeRange out",
    )
