"""A service names a model that is disabled.

OME's controller reports an error, and the service gets no pods. Set `disabled: false` in the model, or name another.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/controller.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, MODEL_READS, Said, Service, Violation, deployed


@deployed.error(about=FAILURE, reads=MODEL_READS, good="accepts-the-model-that-is-enabled", bad="refuses-a-model-that-is-disabled")
def check(service: Service) -> Said:
    model = service.model
    if model is not None and model.is_disabled:
        yield Violation(
            ("spec", "model", "name"),
            f"{model.title} is disabled, so the service gets no pods",
            found=model.name,
            hint="set disabled: false in the model, or name another one",
        )
