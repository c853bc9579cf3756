"""A runtime is selected automatically, and has no size range.

Among runtimes that score the same OME takes the one whose range is nearest to the model's size, and counts one without a range as nearest
of all. So it is selected for models of every size before the runtimes that are made for them.

Source: OME v0.1.5 pkg/runtimeselector/scorer.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.subject.runtime import read_runtime
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if not isinstance(request.object, dict):
        return
    runtime = read_runtime(request.object)
    if runtime.is_auto_selected and not runtime.is_disabled and runtime.sizes is None:
        yield RULE.finding(
            ("spec", "modelSizeRange"),
            "without a size range it is selected for models of every size, before runtimes of the same score that have one",
            hint="write the sizes that it is made for, such as {min: 7B, max: 9B}",
        )


RULE = Rule(
    id="OME-018",
    name="auto-select-without-size-range",
    severity=Severity.WARNING,
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    since="0.1.0",
    source="OME v0.1.5 pkg/runtimeselector/scorer.go",
    check=_check,
    good="""\
supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]
modelSizeRange: {min: 1B, max: 9B}
""",
    bad="supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]",
)
