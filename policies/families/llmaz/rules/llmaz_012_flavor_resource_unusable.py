"""A flavor has a limit for a name that isn't a resource.

The names of devices have a domain, such as `nvidia.com/gpu`. Only Kubernetes' own resources have names without a domain. The controller
creates the LeaderWorkerSet, but the API server refuses each of its pods. If the nodes are known, the finding lists their resources.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go; Kubernetes v1.36, pkg/apis/core/validation.
"""

from typing import Final

from weighbridge.policies.families.llmaz.rulebook import Flavors, Given, Said, Similar, Violation, flavors
from weighbridge.policies.families.llmaz.subject.accelerators import served_by
from weighbridge.policies.families.llmaz.subject.flavors import is_extended
from weighbridge.policies.schema.names import qualified_name

_KNOWN: Final = ("cpu", "ephemeral-storage", "memory")


@flavors.error(reads=("Node",), good="accepts-a-limit-of-a-resource-with-a-domain", bad="refuses-a-limit-of-gpu")
def check(flavors: Flavors, given: Given) -> Said:
    served = served_by(given.facts)
    near = Similar((*_KNOWN, *served))
    for flavor in flavors:
        for name in flavor.limits:
            path = (*flavor.path, "limits", name)
            if not is_extended(name) and name not in _KNOWN and not name.startswith("hugepages-"):
                nearest = ", ".join(served or ("nvidia.com/gpu",)) if "gpu" in name.lower() else near.to(name)
                hint = "write it as the nodes serve it" if served else "write it with the domain of its vendor"
                yield Violation(path, "no pod can have such a resource", hint, name, nearest=nearest)
            elif qualified_name(name):
                yield Violation(path, "this isn't the name of a resource", found=name, expected="such as nvidia.com/gpu")
