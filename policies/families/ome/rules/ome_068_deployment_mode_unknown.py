"""OME doesn't know the deployment mode of a service.

`ome.io/deploymentMode` is RawDeployment, Serverless, MultiNode, MultiNodeRayVLLM, PDDisaggregated or VirtualDeployment. OME keeps any other
value, and uses the mode of its own configuration instead.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from typing import Final

from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.rulebook import Given, Path, Said, Violation, objects, part
from weighbridge.policies.families.ome.subject.components import COMPONENTS

_MODE: Final = f"{PREFIX}deploymentMode"
_MODES: Final = ("RawDeployment", "Serverless", "MultiNode", "MultiNodeRayVLLM", "PDDisaggregated", "VirtualDeployment")
_PLACES: Final = (("metadata",), *(("spec", component) for component in COMPONENTS))


@objects.warning(kinds=("InferenceService",), good="accepts-a-mode-of-deployment", bad="warns-of-an-unknown-mode-of-deployment")
def check(given: Given) -> Said:
    for place in _PLACES:
        mode = part(given.object, *place, "annotations").get(_MODE)
        if isinstance(mode, str) and mode not in _MODES:
            path: Path = (*place, "annotations", _MODE)
            yield Violation(path, f'OME has no mode "{mode}"', found=mode, expected=", ".join(_MODES))
