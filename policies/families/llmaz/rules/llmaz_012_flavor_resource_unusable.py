"""A flavor has a limit of something that is no resource.

Devices are named with their domain, such as `nvidia.com/gpu`; without one only the resources of Kubernetes are known. The
LeaderWorkerSet is made all the same, but each of its pods is refused. Where the nodes are known, it is told what they serve.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go, Kubernetes v1.36 pkg/apis/core/validation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.subject.accelerators import served_by
from policies.families.llmaz.subject.flavors import flavors_of, is_extended
from policies.findings import Finding, Severity
from policies.request import Request
from policies.schema.names import qualified_name
from policies.spelling import similar

_KNOWN: Final = ("cpu", "ephemeral-storage", "memory")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    served = served_by(facts)
    for flavor in flavors_of(request.object if isinstance(request.object, dict) else None):
        for name in flavor.limits:
            if not is_extended(name) and name not in _KNOWN and not name.startswith("hugepages-"):
                nearest = ", ".join(served or ("nvidia.com/gpu",)) if "gpu" in name.lower() else similar(name, (*_KNOWN, *served))
                hint = "write it as the nodes serve it" if served else "write it with the domain of its vendor"
                yield RULE.finding(
                    (*flavor.path, "limits", name), "no pod can have such a resource", found=name, nearest=nearest, hint=hint
                )
            elif qualified_name(name):
                yield RULE.finding(
                    (*flavor.path, "limits", name), "this is no name of a resource", found=name, expected="such as nvidia.com/gpu"
                )


RULE = Rule(
    id="LLMAZ-012",
    name="flavor-resource-unusable",
    severity=Severity.ERROR,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/service_controller.go, Kubernetes v1.36 pkg/apis/core/validation",
    reads=("Node",),
    check=_check,
    good="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4, limits: {nvidia.com/gpu: 1}}]}""",
    bad="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4, limits: {gpu: 1}}]}""",
)
