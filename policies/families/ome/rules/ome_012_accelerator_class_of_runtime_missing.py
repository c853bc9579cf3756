"""A runtime lists an accelerator class that isn't there.

OME's webhook refuses the runtime unless it is disabled, and names all classes that are missing. Apply the AcceleratorClass first, or
correct the name.

Source: OME v0.1.5 pkg/webhook/admission/servingruntime/servingruntime_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.kinds import ACCELERATOR_CLASSES
from policies.families.ome.rules._examples import H100
from policies.families.ome.subject.runtime import read_runtime
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    if not isinstance(request.object, dict):
        return
    runtime = read_runtime(request.object)
    if runtime.is_disabled:
        return
    for index, name in enumerate(runtime.classes):
        missing = ACCELERATOR_CLASSES.is_missing(facts, "", name)
        if missing is None:
            yield RULE.unchecked(ACCELERATOR_CLASSES.unknown)
            return
        if missing:
            yield RULE.finding(
                ("spec", "acceleratorRequirements", "acceleratorClasses", index),
                f'no AcceleratorClass "{name}" is in the cluster; OME refuses the runtime',
                found=name,
                nearest=ACCELERATOR_CLASSES.nearest(facts, "", name),
                hint="apply the class first, or correct the name",
            )


RULE = Rule(
    id="OME-012",
    name="accelerator-class-of-runtime-missing",
    severity=Severity.ERROR,
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/servingruntime/servingruntime_webhook.go",
    mirrors="webhook servingruntime.ome-webhook-server.validator",
    reads=("AcceleratorClass",),
    is_about_reference=True,
    beside=H100,
    check=_check,
    good="""\
supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]
acceleratorRequirements: {acceleratorClasses: [nvidia-h100]}
""",
    bad="""\
supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]
acceleratorRequirements: {acceleratorClasses: [nvidia-h10]}
""",
)
