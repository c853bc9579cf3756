"""A runtime's size range holds no size, or isn't read as it is written.

Sizes are a number and `M`, `B` or `T` in upper case. OME takes whatever else stands there for 0 without a word, and a least size above the
largest leaves no model that the runtime serves.

Source: OME v0.1.5 pkg/runtimeselector/matcher.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.subject.runtime import read_runtime
from policies.families.ome.subject.sizes import parse_size, size_or_zero
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    sizes = read_runtime(request.object).sizes if isinstance(request.object, dict) else None
    if sizes is None or sizes.low is None or sizes.high is None:
        return
    bounds = (("min", sizes.low), ("max", sizes.high))
    unread = [(name, bound) for name, bound in bounds if parse_size(bound) is None]
    for name, bound in unread:
        yield RULE.finding(
            ("spec", "modelSizeRange", name),
            f"OME can't read {bound!r} and takes it for 0",
            found=bound,
            hint="write a number and M, B or T in upper case, such as 8B",
        )
    if not unread and size_or_zero(sizes.low) > size_or_zero(sizes.high):
        yield RULE.finding(
            ("spec", "modelSizeRange"),
            f"min {sizes.low} is above max {sizes.high}, so the runtime serves no model that has a size",
            hint="exchange the two",
        )


RULE = Rule(
    id="OME-006",
    name="size-range-inverted",
    severity=Severity.WARNING,
    kinds=(
        "ServingRuntime",
        "ClusterServingRuntime",
    ),
    since="0.1.0",
    source="OME v0.1.5 pkg/runtimeselector/matcher.go",
    check=_check,
    good="""\
supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}}]
modelSizeRange: {min: 1B, max: 9B}""",
    bad="""\
supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}}]
modelSizeRange: {min: 9B, max: 1B}""",
)
