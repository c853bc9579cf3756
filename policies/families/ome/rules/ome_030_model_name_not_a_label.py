"""A model's name can't be the name of a volume.

OME mounts the model's path into its pods as a volume with the model's name. The name of a volume has no dots and at most 63
characters, so every service of such a model fails silently. Write the name with hyphens instead, in at most 63 characters.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/base.go.
"""

from typing import Final

from weighbridge.policies.families.ome.rulebook import Model, Said, Violation, models

#: Names of volumes are DNS labels.
_LONGEST: Final = 63


@models.error(good="accepts-a-model-named-with-a-hyphen", bad="refuses-a-model-named-with-a-dot")
def check(model: Model) -> Said:
    if not model.path:
        return
    if "." in model.name:
        message, expected = "pods mount the model as a volume of this name, and names of volumes have no dots", model.name.replace(".", "-")
    elif len(model.name) > _LONGEST:
        message, expected = f"pods mount the model as a volume of this name, which has more than {_LONGEST} characters", ""
    else:
        return
    yield Violation(("metadata", "name"), message, found=model.name, expected=expected)
