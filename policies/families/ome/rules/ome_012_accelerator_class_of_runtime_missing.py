"""A runtime lists an accelerator class that doesn't exist.

OME's webhook refuses the runtime unless it is disabled, and lists the missing classes. Apply the AcceleratorClass first, or correct
the name.

Source: OME v0.1.5, pkg/webhook/admission/servingruntime/servingruntime_webhook.go.
"""

from weighbridge.policies.families.ome.kinds import ACCELERATOR_CLASSES
from weighbridge.policies.families.ome.rulebook import REFERENCE, Given, NotChecked, Runtime, Said, enabled_runtimes


@enabled_runtimes.error(
    about=REFERENCE,
    mirrors="webhook servingruntime.ome-webhook-server.validator",
    reads=("AcceleratorClass",),
    good="accepts-a-missing-class-of-a-disabled-runtime",
    bad="warns-of-a-class-of-a-runtime-that-is-missing",
)
def check(runtime: Runtime, given: Given) -> Said:
    for index, name in enumerate(runtime.classes):
        path = ("spec", "acceleratorRequirements", "acceleratorClasses", index)
        message = f'no AcceleratorClass "{name}" is in the cluster; OME refuses the runtime'
        for said in ACCELERATOR_CLASSES.missing(given, path, name, message, hint="apply the class first, or correct the name"):
            yield said
            if isinstance(said, NotChecked):
                return
