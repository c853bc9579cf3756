"""The Model of a service fails.

The operator creates nothing for a service before its Model and its draft Model are Ready. The service stays Pending without a
reason; the Model's own status has the reason. The Model may be corrected later, so the rule only warns. LLMKUBE-183 is about a claim
that doesn't exist.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go; internal/controller/model_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, PREDICTED, Said, Service, Violation, name_of, services


@services.warning(
    topic="Services: their Model and its weights",
    about=FAILURE,
    mirrors="phase Pending, Waiting for Model to be Ready",
    reads=PREDICTED,
    good="accepts-a-service-whose-model-is-ready",
    bad="warns-of-a-service-whose-model-fails",
)
def check(service: Service) -> Said:
    for path, model, state in service.models:
        if state.problem and not state.lacks_claim:
            name = name_of(model)
            message = f"Model {name} fails, and the operator creates nothing for the service until the Model is Ready: {state.problem}"
            yield Violation(path, message, found=name, hint="correct the Model, or name another one")
