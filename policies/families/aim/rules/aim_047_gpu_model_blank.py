"""The model of a GPU is blank.

Blanks pass the CRD and count as no model: any GPU of the cluster will do, and the pods are bound to none. Name a GPU such as MI300X.

Source: aim-engine v0.2.1, internal/aimservicetemplate/gpu.go; kaiwo dbca1b55, internal/controller/aim/shared/gpu_resources.go.
"""

from weighbridge.policies.families.aim.rulebook import Said, Template, Violation, templates, text


@templates.warning(good="accepts-a-gpu-without-a-model", bad="warns-of-a-blank-gpu-model")
def check(template: Template) -> Said:
    model = text(template.gpu, "model")
    if model and not model.strip():
        yield Violation(
            template.gpu_path("model"),
            "blanks count as no model: any GPU will do",
            hint="name a GPU such as MI300X" + (", or leave the model out" if template.dialect.is_aim_engine else ""),
        )
