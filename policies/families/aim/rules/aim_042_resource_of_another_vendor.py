"""A template requests a GPU with a resource of another vendor.

The resource is `amd.com/gpu` unless the template names another, whatever the model is: an H100 is never allocated as `amd.com/gpu`.
aim-engine knows only AMD's GPUs. Name the resource of the GPU's vendor.

Source: aim-engine v0.2.1, internal/utils/resources.go; kaiwo dbca1b55, internal/controller/aim/shared/gpu_resources.go.
"""

from weighbridge.policies.families.aim.rulebook import Said, Template, Violation, templates, text
from weighbridge.policies.families.aim.subject.gpus import NVIDIA_MODEL, NVIDIA_RESOURCE, RESOURCE, device_ids


@templates.error(good="accepts-an-mi300x-as-amds-resource", bad="refuses-an-mi300x-as-a-resource-of-nvidia")
def check(template: Template) -> Said:
    model, resource, path = template.model, text(template.gpu, "resourceName") or RESOURCE, template.gpu_path("resourceName")
    if resource.startswith("amd.com/") and NVIDIA_MODEL.fullmatch(model):
        instead = NVIDIA_RESOURCE if template.dialect.knows_nvidia else "a GPU of AMD's"
        asked = f"{resource}, which the CRD writes where no name is given, is" if resource == RESOURCE else f"{resource} is"
        yield Violation(path, f"{model} isn't an AMD GPU, and {asked}", found=resource, expected=instead)
    elif resource.startswith("nvidia.com/") and device_ids(model):
        yield Violation(path, f"{model} is a GPU of AMD's, and {resource} isn't", found=resource, expected=RESOURCE)
