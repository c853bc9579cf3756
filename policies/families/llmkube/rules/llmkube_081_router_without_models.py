"""llama.cpp's router has no folder of models to serve from.

The operator starts it with `--models-dir /models` and puts nothing there: the service's own volumes have to bring the models.

Source: LLMKube v0.9.19 internal/controller/runtime_llamacpp_router.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services
from weighbridge.policies.ground.fields import items, text


@services.warning(
    reads=("Model",),
    good="leaves-the-cpu-image-of-a-cpu-model",
    bad="warns-of-a-router-without-models",
)
def check(serving: Serving) -> Said:
    if serving.pod_model is None or serving.runtime != "llamacpp-router":
        return
    mounted = [text(mount, "mountPath").rstrip("/") for mount in items(serving.spec, "extraVolumeMounts")]
    if not any(path == "/models" or path.startswith("/models/") for path in mounted):
        yield Violation(
            ("spec", "extraVolumeMounts"),
            "no volume is mounted at /models, where the router reads its models from",
            expected="a mount at /models",
            hint="add the volume to extraVolumes and mount it at /models",
        )
