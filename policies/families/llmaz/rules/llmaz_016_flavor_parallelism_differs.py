"""A flavor's TP isn't the number of its accelerators.

The limits are those of one pod, and tensor parallelism takes all of them. The parameter describes the flavor and does nothing by itself:
no code of llmaz reads it. The engine gets its size by `--tensor-parallel-size` in the arguments of the runtime or of the Playground
(LLMAZ-072).

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.subject.flavors import flavors_of
from policies.findings import Finding, Severity
from policies.request import Request
from policies.spelling import amount


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for flavor in flavors_of(request.object if isinstance(request.object, dict) else None):
        wanted, count = flavor.params.get("TP", ""), sum(found.value() for found in flavor.accelerators.values())
        if wanted.isascii() and wanted.isdigit() and count and int(wanted) != count:
            message = f"TP is {wanted} and a pod has {amount(count, 'accelerator')}"
            yield RULE.finding((*flavor.path, "params", "TP"), message, found=wanted, expected=str(count))


RULE = Rule(
    id="LLMAZ-016",
    name="flavor-parallelism-differs",
    severity=Severity.WARNING,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 api/core/v1alpha1/model_types.go",
    check=_check,
    good="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4, limits: {nvidia.com/gpu: 2}, params: {TP: "2"}}]}""",
    bad="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4, limits: {nvidia.com/gpu: 2}, params: {TP: "4"}}]}""",
)
