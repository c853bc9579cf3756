"""A flavor has a limit of something that is no resource.

Devices are named with their domain, such as `nvidia.com/gpu`; without one only the resources of Kubernetes are known. The
LeaderWorkerSet is made all the same, but each of its pods is refused. Where the nodes are known, it is told what they serve.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go, Kubernetes v1.36 pkg/apis/core/validation.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.subject.accelerators import served_by
from weighbridge.policies.families.llmaz.subject.flavors import flavors_of, is_extended
from weighbridge.policies.ground.spelling import similar
from weighbridge.policies.schema.names import qualified_name

_KNOWN: Final = ("cpu", "ephemeral-storage", "memory")


@objects.error(
    kinds=("OpenModel",),
    reads=("Node",),
    good="accepts-a-flavor-of-a-name-alone",
    bad="refuses-a-limit-of-gpu",
)
def check(given: Given) -> Said:
    served = served_by(given.facts)
    for flavor in flavors_of(given.object):
        for name in flavor.limits:
            if not is_extended(name) and name not in _KNOWN and not name.startswith("hugepages-"):
                nearest = ", ".join(served or ("nvidia.com/gpu",)) if "gpu" in name.lower() else similar(name, (*_KNOWN, *served))
                hint = "write it as the nodes serve it" if served else "write it with the domain of its vendor"
                yield Violation((*flavor.path, "limits", name), "no pod can have such a resource", found=name, nearest=nearest, hint=hint)
            elif qualified_name(name):
                yield Violation(
                    (*flavor.path, "limits", name), "this is no name of a resource", found=name, expected="such as nvidia.com/gpu"
                )
