"""A flavor's TP differs from the number of its accelerators.

The limits are those of one pod, and tensor parallelism uses all accelerators of the pod. The parameter only describes the flavor: llmaz
doesn't read it. The engine gets its size from `--tensor-parallel-size` in the arguments of the runtime or of the Playground (LLMAZ-072).

Source: llmaz 3c13ff3, api/core/v1alpha1/model_types.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Flavors, Said, Violation, flavors
from weighbridge.policies.ground.spelling import amount


@flavors.warning(good="accepts-parallelism-over-all-gpus", bad="warns-of-parallelism-over-more-gpus")
def check(flavors: Flavors) -> Said:
    for flavor in flavors:
        wanted, count = flavor.params.get("TP", ""), flavor.accelerator_count
        if wanted.isascii() and wanted.isdigit() and count and int(wanted) != count:
            message = f"TP is {wanted} and a pod has {amount(count, 'accelerator')}"
            yield Violation((*flavor.path, "params", "TP"), message, found=wanted, expected=str(count))
