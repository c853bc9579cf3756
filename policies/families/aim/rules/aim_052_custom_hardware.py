"""The hardware of a custom model is missing or contradicts itself.

A model with `modelSources` but neither `custom.hardware` nor custom templates gets a template without hardware, which is Ready without any
GPU. If a custom template names a GPU model and `custom.hardware` has `minVram`, the created template has both. Its CRD refuses that, and
the model stays Progressing. Describe the hardware in one of the two ways.

Source: aim-engine v0.2.1, internal/aimmodel.
"""

from weighbridge.policies.families.aim.kinds import NEW
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, items, objects, part, text


@objects.error(kinds=("AIMModel", "AIMClusterModel"), good="accepts-sources-with-hardware", bad="refuses-sources-without-hardware")
def check(given: Given) -> Said:
    spec = given.spec
    hardware = part(spec, "custom", "hardware")
    if given.group == NEW and items(spec, "modelSources") and not hardware and not items(spec, "customTemplates"):
        yield Violation(
            ("spec", "custom", "hardware"), "a model with sources has no hardware, and would be served without a GPU", expected="gpu or cpu"
        )
    if "minVram" not in part(hardware, "gpu"):
        return
    for index, template in enumerate(items(spec, "customTemplates")):
        model = text(part(template, "hardware", "gpu"), "model")
        if model:
            yield Violation(
                ("spec", "customTemplates", index, "hardware", "gpu", "model"),
                "the template would have both a GPU model and minVram of custom.hardware, which is refused",
                found=model,
                hint="leave minVram out of custom.hardware, or model out of the template",
            )
