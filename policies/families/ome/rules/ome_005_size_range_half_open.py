"""A runtime's size range has one bound, or none.

OME follows the missing bound into a nil pointer as soon as a format of the runtime matches a model with a size. From then on every service
of such a model that leaves its runtime open is answered with `panic: runtime error`, also where another runtime fits. Write both bounds, or
no `modelSizeRange` at all.

Source: OME v0.1.5 pkg/runtimeselector/matcher.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.subject.runtime import read_runtime
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    if not isinstance(request.object, dict):
        return
    runtime = read_runtime(request.object)
    if runtime.sizes is None or not runtime.sizes.is_open or runtime.is_disabled:
        return
    lacking = [name for name, bound in (("min", runtime.sizes.low), ("max", runtime.sizes.high)) if bound is None]
    yield RULE.finding(
        ("spec", "modelSizeRange"),
        f"{' and '.join(lacking)} {'is' if len(lacking) == 1 else 'are'} missing, and OME panics for every service of a matching model",
        hint="write min and max, or leave modelSizeRange out",
    )


RULE = Rule(
    id="OME-005",
    name="size-range-half-open",
    severity=Severity.ERROR,
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
modelSizeRange: {min: 1B}""",
)
