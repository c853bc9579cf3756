"""The size of a model source is no size of a volume.

A negative size goes through the CRD, and the volume is then refused for good. For kaiwo 0 is refused too; aim-engine finds out the size by
a job where it is 0 or left out.

Source: aim-engine v0.2.1 internal/aimartifact; kaiwo dbca1b55 internal/controller/aim/shared/storage.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.family import Rule, spec_of
from policies.fields import amount, items, part
from policies.findings import Finding, Severity
from policies.objects import JSONObject, Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    custom = part(spec, "model", "custom")
    places: list[tuple[Path, JSONObject]] = [
        (("spec", "modelSources", index), source) for index, source in enumerate(items(spec, "modelSources"))
    ]
    places += [(("spec", "model", "custom", "modelSources", index), source) for index, source in enumerate(items(custom, "modelSources"))]
    places.append((("spec",), spec))
    for path, source in places:
        size = amount(source.get("size"))
        if size is not None and (size.sign() < 0 or (size.is_zero() and request.gvk.group == OLD)):
            yield RULE.finding((*path, "size"), f"a volume can't have the size {size}", found=str(size), expected="the size of the weights")


RULE = Rule(
    id="AIM-044",
    name="source-size-unusable",
    severity=Severity.ERROR,
    kinds=(
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
        "AIMModel",
        "AIMClusterModel",
        "AIMService",
        "AIMArtifact",
        "AIMModelCache",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimartifact; kaiwo dbca1b55 internal/controller/aim/shared/storage.go",
    check=_check,
    good='modelName: llama\nmodelSources: [{modelId: acme/x, sourceUri: "hf://acme/x", size: 16Gi}]',
    bad='modelName: llama\nmodelSources: [{modelId: acme/x, sourceUri: "hf://acme/x", size: -1Gi}]',
)
