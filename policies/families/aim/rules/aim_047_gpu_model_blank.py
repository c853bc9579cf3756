"""The model of a GPU is blank.

Blanks pass the CRD and count as no model: any GPU of the cluster will do, and the pods are bound to none.

Source: aim-engine v0.2.1 internal/aimservicetemplate/gpu.go; kaiwo dbca1b55 internal/controller/aim/shared/gpu_resources.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import lookup


@objects.warning(
    kinds=("AIMServiceTemplate", "AIMClusterServiceTemplate"),
    good="accepts-a-gpu-without-a-model",
    bad="warns-of-a-blank-gpu-model",
)
def check(given: Given) -> Said:
    dialect = dialect_of(given.group)
    gpu = lookup(given.spec, dialect.hardware)
    model = text(gpu, "model")
    if model and not model.strip():
        yield Violation(
            ("spec", *dialect.hardware, "model"),
            "blanks count as no model: any GPU will do",
            hint="name a GPU such as MI300X" + ("" if given.group == OLD else ", or leave the model out"),
        )
