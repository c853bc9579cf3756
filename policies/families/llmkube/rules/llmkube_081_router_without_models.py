"""llama.cpp's router has no folder of models to serve from.

The operator starts it with `--models-dir /models` and puts nothing there. A volume of the service must have the models.

Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp_router.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, items, text, with_model


@with_model.warning(
    topic="Services: their Model and its weights",
    reads=("Model",),
    good="accepts-a-router-with-a-folder-of-models",
    bad="warns-of-a-router-without-models",
)
def check(service: Service) -> Said:
    mounted = (text(mount, "mountPath").rstrip("/") for mount in items(service.spec, "extraVolumeMounts"))
    if service.runtime == "llamacpp-router" and not any(f"{path}/".startswith("/models/") for path in mounted):
        yield Violation(
            ("spec", "extraVolumeMounts"),
            "no volume is mounted at /models, where the router reads its models from",
            expected="a mount at /models",
            hint="add the volume to extraVolumes and mount it at /models",
        )
