"""The mode of a deployment is none that OME knows.

`ome.io/deploymentMode` is RawDeployment, Serverless, MultiNode, MultiNodeRayVLLM, PDDisaggregated or VirtualDeployment. OME keeps any other
value and reads it as the mode of its own configuration.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.components import COMPONENTS
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONObject, Path


@objects.warning(
    kinds=("InferenceService",),
    good="accepts-a-model-of-the-cluster",
    bad="warns-of-an-unknown-mode-of-deployment",
)
def check(known_given: Given) -> Said:
    for given, path in _places(known_given.object):
        mode = given.get(_MODE)
        if isinstance(mode, str) and mode not in _MODES:
            yield Violation((*path, _MODE), f'OME knows no mode "{mode}"', found=mode, expected=", ".join(_MODES))


_MODE: Final = f"{PREFIX}deploymentMode"
_MODES: Final = ("RawDeployment", "Serverless", "MultiNode", "MultiNodeRayVLLM", "PDDisaggregated", "VirtualDeployment")


def _places(obj: JSONObject | None) -> Iterator[tuple[JSONObject, Path]]:
    """The annotations of the service and of its components."""
    yield part(obj, "metadata", "annotations"), ("metadata", "annotations")
    for component in COMPONENTS:
        yield part(spec_of(obj), component, "annotations"), ("spec", component, "annotations")
