"""A template asks for a GPU by a resource of another vendor.

The resource is `amd.com/gpu` unless the template says otherwise, whatever the model is: an H100 is never allocated as `amd.com/gpu`.
aim-engine knows AMD's GPUs alone.

Source: aim-engine v0.2.1 internal/utils/resources.go; kaiwo dbca1b55 internal/controller/aim/shared/gpu_resources.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.dialect import dialect_of
from policies.families.aim.resolve.gpus import NVIDIA_MODEL, NVIDIA_RESOURCE, RESOURCE, device_ids, normalised
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    dialect = dialect_of(request.gvk.group)
    gpu = lookup(spec_of(request.object), dialect.hardware)
    model, resource = normalised(text(gpu, "model"), dialect), text(gpu, "resourceName") or RESOURCE
    if resource.startswith("amd.com/") and NVIDIA_MODEL.fullmatch(model):
        instead = NVIDIA_RESOURCE if dialect.knows_nvidia else "a GPU of AMD's"
        asked = f"{resource}, which the CRD writes where no name is given, is" if resource == RESOURCE else f"{resource} is"
        yield RULE.finding(
            ("spec", *dialect.hardware, "resourceName"),
            f"{model} is no GPU of AMD's, and {asked}",
            found=resource,
            expected=instead,
        )
    elif resource.startswith("nvidia.com/") and device_ids(model):
        yield RULE.finding(
            ("spec", *dialect.hardware, "resourceName"),
            f"{model} is a GPU of AMD's, and {resource} isn't",
            found=resource,
            expected=RESOURCE,
        )


RULE = Rule(
    id="AIM-042",
    name="resource-of-another-vendor",
    severity=Severity.ERROR,
    kinds=(
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/utils/resources.go; kaiwo dbca1b55 internal/controller/aim/shared/gpu_resources.go",
    check=_check,
    good="modelName: llama\nhardware: {gpu: {requests: 1, model: MI300X}}",
    bad="modelName: llama\nhardware: {gpu: {requests: 1, model: MI300X, resourceName: nvidia.com/gpu}}",
)
