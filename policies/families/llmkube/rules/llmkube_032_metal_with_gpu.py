"""A Model for Metal counts or claims GPUs of the cluster.

With accelerator `metal` the model runs on a Mac outside the cluster: the operator creates no pod and requests no GPU. A
GPUQuota counts the GPUs all the same.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go; quotas measured.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, models


@models.warning(topic="Models: GPUs and their memory", good="fills-rocm-and-the-render-device", bad="leaves-a-metal-model-alone")
def check(model: Model) -> Said:
    gpu = model.gpu
    if model.is_metal and (gpu.count > 0 or gpu.claims):
        charged = "; a GPUQuota charges the GPUs all the same" if gpu.count > 0 else ""
        yield Violation(
            ("spec", "hardware", "gpu", "count" if gpu.count > 0 else "resourceClaims"),
            f"has no effect with accelerator metal, which runs no pod{charged}",
            hint="remove gpu, or choose another accelerator",
        )
