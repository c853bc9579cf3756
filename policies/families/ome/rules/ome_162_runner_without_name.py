"""A runner of the service has no name, and the runtime has none for it either.

OME writes the name of the service's runner down also where it is empty, so that the container has no name and the API server refuses the
workload: the service has neither an event nor a status. Where the runtime has a runner, its name is filled in. Elsewhere write the name of
the container that the runner is to be laid over, or `ome-container`.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.predictions.merge.components import COMPONENTS
from weighbridge.policies.families.ome.predictions.merge.pods import NoNameError
from weighbridge.policies.families.ome.rulebook import FAILURE, Given, Made, Said, Violation, workloads
from weighbridge.policies.families.ome.rules._examples import RUNTIME_READS
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import Path, lookup

_RUNTIME: Final = """\
---
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: srt}
spec:
  supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]
  modelSizeRange: {min: 1B, max: 9B}
  engineConfig: {containers: [{name: server, image: "sglang:1"}]}
"""
_PLACES: Final[tuple[Path, ...]] = tuple(
    ("spec", name, *role, "runner") for name in COMPONENTS for role in ((), ("leader",), ("worker",)) if name != "router" or not role
)


@workloads.error(
    about=FAILURE,
    reads=tuple(sorted({*RUNTIME_READS, "AcceleratorClass", "FineTunedWeight"})),
    good="accepts-a-runner-with-the-name-of-a-container",
    bad="refuses-a-runner-without-a-name",
)
def check(made: Made, given: Given) -> Said:
    if not isinstance(made.error, NoNameError):
        return
    for path in _PLACES:
        runner = lookup(given.object, path)
        if isinstance(runner, dict) and not text(runner, "name"):
            yield Violation(
                (*path, "name"),
                "the runner has no name, and the API server refuses a container without one",
                hint="write the name of the container that it is laid over, or ome-container",
            )
