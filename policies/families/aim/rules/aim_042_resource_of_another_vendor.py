"""A template asks for a GPU by a resource of another vendor.

The resource is `amd.com/gpu` unless the template says otherwise, whatever the model is: an H100 is never allocated as `amd.com/gpu`.
aim-engine knows AMD's GPUs alone.

Source: aim-engine v0.2.1 internal/utils/resources.go; kaiwo dbca1b55 internal/controller/aim/shared/gpu_resources.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.predictions.gpus import NVIDIA_MODEL, NVIDIA_RESOURCE, RESOURCE, device_ids, normalised
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import lookup


@objects.error(
    kinds=("AIMServiceTemplate", "AIMClusterServiceTemplate"),
    good="accepts-an-mi300x-as-amds-resource",
    bad="refuses-an-mi300x-as-a-resource-of-nvidia",
)
def check(known_given: Given) -> Said:
    dialect = dialect_of(known_given.group)
    gpu = lookup(known_given.spec, dialect.hardware)
    model, resource = normalised(text(gpu, "model"), dialect), text(gpu, "resourceName") or RESOURCE
    if resource.startswith("amd.com/") and NVIDIA_MODEL.fullmatch(model):
        instead = NVIDIA_RESOURCE if dialect.knows_nvidia else "a GPU of AMD's"
        asked = f"{resource}, which the CRD writes where no name is given, is" if resource == RESOURCE else f"{resource} is"
        yield Violation(
            ("spec", *dialect.hardware, "resourceName"),
            f"{model} is no GPU of AMD's, and {asked}",
            found=resource,
            expected=instead,
        )
    elif resource.startswith("nvidia.com/") and device_ids(model):
        yield Violation(
            ("spec", *dialect.hardware, "resourceName"),
            f"{model} is a GPU of AMD's, and {resource} isn't",
            found=resource,
            expected=RESOURCE,
        )
