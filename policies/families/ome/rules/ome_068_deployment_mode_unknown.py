"""The mode of a deployment is none that OME knows.

`ome.io/deploymentMode` is RawDeployment, Serverless, MultiNode, MultiNodeRayVLLM, PDDisaggregated or VirtualDeployment. OME keeps any other
value and reads it as the mode of its own configuration.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.kinds import PREFIX
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.components import COMPONENTS
from policies.fields import part
from policies.findings import Finding, Severity
from policies.objects import JSONObject, Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    for given, path in _places(request.object):
        mode = given.get(_MODE)
        if isinstance(mode, str) and mode not in _MODES:
            yield RULE.finding((*path, _MODE), f'OME knows no mode "{mode}"', found=mode, expected=", ".join(_MODES))


_MODE: Final = f"{PREFIX}deploymentMode"
_MODES: Final = ("RawDeployment", "Serverless", "MultiNode", "MultiNodeRayVLLM", "PDDisaggregated", "VirtualDeployment")


def _places(obj: JSONObject | None) -> Iterator[tuple[JSONObject, Path]]:
    """The annotations of the service and of its components."""
    yield part(obj, "metadata", "annotations"), ("metadata", "annotations")
    for component in COMPONENTS:
        yield part(spec_of(obj), component, "annotations"), ("spec", component, "annotations")


RULE = Rule(
    id="OME-068",
    name="deployment-mode-unknown",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go",
    beside=SERVED,
    check=_check,
    good="""\
metadata: {annotations: {ome.io/deploymentMode: RawDeployment}}
spec: {model: {name: llama}, engine: {}}
""",
    bad="""\
metadata: {annotations: {ome.io/deploymentMode: Raw}}
spec: {model: {name: llama}, engine: {}}
""",
)
