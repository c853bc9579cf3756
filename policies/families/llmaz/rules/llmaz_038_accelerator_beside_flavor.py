"""A runtime's resources have an accelerator, which the flavor overwrites.

The limits of the model's flavor win, in both directions. Give accelerators in the flavors of the OpenModel. A resource that the flavor
doesn't name is handed on, and so is all of it where the model has no flavors: a Playground is judged by its model. A configuration of a
BackendRuntime is for models that aren't known yet.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.llmaz.rulebook import Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS
from weighbridge.policies.families.llmaz.subject.flavors import is_extended
from weighbridge.policies.families.llmaz.subject.service import serving_of
from weighbridge.policies.ground.fields import items, part
from weighbridge.policies.ground.objects import JSONObject, Path

_HINT: Final = "give accelerators in the flavors of the OpenModel"


@objects.warning(
    kinds=("Playground", "BackendRuntime"),
    reads=CLAIM_READS,
    good="accepts-a-model-of-a-hub-in-a-playground",
    bad="warns-of-a-gpu-in-the-runtime-config",
)
def check(given: Given) -> Said:
    spec = given.spec
    for place, found in enumerate(items(spec, "recommendedConfigs")):
        for path, name in _accelerators(found, ("spec", "recommendedConfigs", place)):
            yield Violation(path, f"a flavor that names {name} overwrites this", hint=_HINT)
    asked = list(_accelerators(part(spec, "backendRuntimeConfig"), ("spec", "backendRuntimeConfig")))
    serving = serving_of(*given) if asked else None
    if serving is None:
        return
    if serving.main is None and serving.unknown:
        yield NotChecked(f"OpenModel {serving.unknown[0].name} isn't known, nor whether it has flavors")
        return
    for path, name in asked:
        if serving.flavor is not None and name in serving.flavor.limits:
            message = f"the flavor {serving.flavor.name} of the model decides about {name}, and overwrites this"
            yield Violation(path, message, hint=_HINT)


def _accelerators(holder: JSONObject, path: Path) -> Iterator[tuple[Path, str]]:
    """The devices among the resources of a configuration, with their paths."""
    for kind in ("limits", "requests"):
        for name in part(holder, "resources", kind):
            if is_extended(name):
                yield (*path, "resources", kind, name), name
