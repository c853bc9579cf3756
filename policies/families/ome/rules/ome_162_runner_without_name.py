"""A runner of the service has no name, and the runtime has none for it either.

OME writes the name of the service's runner down also where it is empty, so that the container has no name and the API server refuses the
workload: the service has neither an event nor a status. Where the runtime has a runner, its name is filled in. Elsewhere write the name of
the container that the runner is to be laid over, or `ome-container`.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.merge.components import COMPONENTS
from policies.families.ome.resolve.merge.making import made_of
from policies.families.ome.resolve.merge.pods import NoNameError
from policies.families.ome.rules._examples import MODEL, OTHERS, RUNTIME_READS
from policies.fields import text
from policies.findings import Finding, Severity
from policies.objects import Path, lookup
from policies.request import Request

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


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    made = made_of(request, facts, config)
    if made is None or not isinstance(made.error, NoNameError):
        return
    for path in _PLACES:
        runner = lookup(request.object, path)
        if isinstance(runner, dict) and not text(runner, "name"):
            yield RULE.finding(
                (*path, "name"),
                "the runner has no name, and the API server refuses a container without one",
                hint="write the name of the container that it is laid over, or ome-container",
            )


RULE = Rule(
    id="OME-162",
    name="runner-without-name",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go",
    reads=tuple(sorted({*RUNTIME_READS, "AcceleratorClass", "FineTunedWeight"})),
    is_about_failure=True,
    beside=MODEL + _RUNTIME + OTHERS,
    check=_check,
    good="model: {name: llama}\nengine: {runner: {name: server, args: [--x]}}",
    bad="model: {name: llama}\nengine: {runner: {args: [--x]}}",
)
