"""A runtime lists an accelerator class that isn't there.

OME's webhook refuses the runtime unless it is disabled, and names all classes that are missing. Apply the AcceleratorClass first, or
correct the name.

Source: OME v0.1.5 pkg/webhook/admission/servingruntime/servingruntime_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.kinds import ACCELERATOR_CLASSES
from weighbridge.policies.families.ome.rulebook import REFERENCE, Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.ome.subject.runtime import read_runtime


@objects.error(
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    about=REFERENCE,
    mirrors="webhook servingruntime.ome-webhook-server.validator",
    reads=("AcceleratorClass",),
    good="accepts-a-missing-class-of-a-disabled-runtime",
    bad="warns-of-a-class-of-a-runtime-that-is-missing",
)
def check(given: Given) -> Said:
    runtime = read_runtime(given.object)
    if runtime.is_disabled:
        return
    for index, name in enumerate(runtime.classes):
        missing = ACCELERATOR_CLASSES.is_missing(given.facts, "", name)
        if missing is None:
            yield NotChecked(ACCELERATOR_CLASSES.unknown)
            return
        if missing:
            yield Violation(
                ("spec", "acceleratorRequirements", "acceleratorClasses", index),
                f'no AcceleratorClass "{name}" is in the cluster; OME refuses the runtime',
                found=name,
                nearest=ACCELERATOR_CLASSES.nearest(given.facts, "", name),
                hint="apply the class first, or correct the name",
            )
