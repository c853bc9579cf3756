"""A runtime's resources include an accelerator, which the flavor overwrites.

The flavor's limits override the runtime's, larger or smaller. llmaz keeps a resource that the flavor doesn't name, and all resources if
the model has no flavors. So the rule judges a Playground with its model, and a configuration of a BackendRuntime for models that aren't
known yet. Write accelerators into the flavors of the OpenModel.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go.
"""

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.llmaz.rulebook import CLAIM_READS, Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.llmaz.subject.flavors import is_extended
from weighbridge.policies.families.llmaz.subject.service import service_of
from weighbridge.policies.ground.fields import items, part
from weighbridge.policies.ground.objects import JSONObject, Path

_HINT: Final = "give accelerators in the flavors of the OpenModel"


@objects.warning(
    kinds=("Playground", "BackendRuntime"),
    reads=CLAIM_READS,
    good="accepts-memory-in-the-runtime-config",
    bad="warns-of-a-gpu-in-the-runtime-config",
)
def check(given: Given) -> Said:
    for place, found in enumerate(items(given.spec, "recommendedConfigs")):
        for path, name in _accelerators(found, ("spec", "recommendedConfigs", place)):
            yield Violation(path, f"a flavor that names {name} overwrites this", _HINT)
    asked = list(_accelerators(part(given.spec, "backendRuntimeConfig"), ("spec", "backendRuntimeConfig")))
    service = service_of(*given) if asked else None
    if service is None:
        return
    if service.main is None and service.unknown:
        yield NotChecked(f"OpenModel {service.unknown[0].name} isn't known, nor whether it has flavors")
        return
    for path, name in asked:
        if service.flavor is not None and name in service.flavor.limits:
            yield Violation(path, f"the flavor {service.flavor.name} of the model sets {name} and overwrites this", _HINT)


def _accelerators(holder: JSONObject, path: Path) -> Iterator[tuple[Path, str]]:
    """The devices among the resources of a configuration, with their paths."""
    for kind in ("limits", "requests"):
        for name in part(holder, "resources", kind):
            if is_extended(name):
                yield (*path, "resources", kind, name), name
