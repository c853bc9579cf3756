"""The model of a GPU is blank.

The CRD accepts blanks, and the operator treats them as no model: any GPU of the cluster matches, and the pods aren't bound to a GPU
model. Name a GPU such as MI300X.

Source: aim-engine v0.2.1, internal/aimservicetemplate/gpu.go; kaiwo dbca1b55, internal/controller/aim/shared/gpu_resources.go.
"""

from weighbridge.policies.families.aim.rulebook import Said, Template, Violation, templates, text


@templates.warning(good="accepts-a-gpu-without-a-model", bad="warns-of-a-blank-gpu-model")
def check(template: Template) -> Said:
    model = text(template.gpu, "model")
    if model and not model.strip():
        yield Violation(
            template.gpu_path("model"),
            "blanks count as no model, so the pods may get any GPU",
            hint="name a GPU such as MI300X" + (", or leave the model out" if template.dialect.is_aim_engine else ""),
        )
