"""The accelerator is ``cpu`` while the Model requests a GPU.

The operator uses the accelerator to check whether the Model is ready, so it doesn't look for the GPU that the pods request. The CRD
defaults the accelerator to ``cpu``. Weighbridge replaces ``cpu`` only if it comes from that default. It keeps a ``cpu`` that the
manifest has, and one that came with `kubectl create` or another plain request, because such a request doesn't show who wrote it. Write
the accelerator of the GPU, or apply a manifest without one.

Source: LLMKube v0.9.19, internal/controller/model_webhook.go; pkg/apiutil/gpu.go.
"""

from weighbridge.policies.families.llmkube.fill.model_fields import ACCELERATOR, accelerator_of
from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, gpu_models


@gpu_models.warning(
    topic="Models: GPUs and their memory",
    good="passes-services-that-still-follow-their-model",
    bad="warns-of-a-service-that-no-longer-follows-its-model",
)
def check(model: Model) -> Said:
    wanted = accelerator_of(model.gpu)
    if model.hardware.get("accelerator") == "cpu" and wanted:
        yield Violation(
            ACCELERATOR,
            f"\"cpu\" isn't the GPU's accelerator, so the readiness check doesn't look for the GPU; set it to {wanted}",
            found="cpu",
            expected=wanted,
            hint=f"write {wanted} into the manifest, or leave the field out and use kubectl apply",
        )
