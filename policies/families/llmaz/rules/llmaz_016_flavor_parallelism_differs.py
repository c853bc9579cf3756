"""A flavor's TP isn't the number of its accelerators.

The limits are those of one pod, and tensor parallelism takes all of them. The parameter describes the flavor and does nothing by itself:
no code of llmaz reads it. The engine gets its size by `--tensor-parallel-size` in the arguments of the runtime or of the Playground
(LLMAZ-072).

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.subject.flavors import flavors_of
from weighbridge.policies.ground.spelling import amount


@objects.warning(
    kinds=("OpenModel",),
    good="accepts-parallelism-over-all-gpus",
    bad="warns-of-parallelism-over-more-gpus",
)
def check(given: Given) -> Said:
    for flavor in flavors_of(given.object):
        wanted, count = flavor.params.get("TP", ""), sum(found.value() for found in flavor.accelerators.values())
        if wanted.isascii() and wanted.isdigit() and count and int(wanted) != count:
            message = f"TP is {wanted} and a pod has {amount(count, 'accelerator')}"
            yield Violation((*flavor.path, "params", "TP"), message, found=wanted, expected=str(count))
