"""A runtime with `autoSelect` has no size range.

Among runtimes with the same score OME selects the one whose range is nearest to the model's size. A runtime without a range counts as the
nearest of all, so OME prefers it for models of every size. Write its `modelSizeRange`.

Source: OME v0.1.5, pkg/runtimeselector/scorer.go.
"""

from weighbridge.policies.families.ome.rulebook import Runtime, Said, Violation, enabled_runtimes


@enabled_runtimes.warning(good="accepts-a-runtime-of-no-size-that-is-named", bad="warns-of-a-runtime-for-every-size")
def check(runtime: Runtime) -> Said:
    if runtime.is_auto_selected and runtime.sizes is None:
        yield Violation(
            ("spec", "modelSizeRange"),
            "without a size range OME prefers it for models of every size to runtimes of the same score",
            hint="write the sizes that it is for, such as {min: 7B, max: 9B}",
        )
