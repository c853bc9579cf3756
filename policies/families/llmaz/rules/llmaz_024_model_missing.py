"""The cluster has no OpenModel with the claimed name.

A Playground waits for the model, and a Service fails until it exists. Models are cluster-scoped. Create the model, or correct the name.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from weighbridge.policies.families.llmaz.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Service, services
from weighbridge.policies.families.llmaz.subject.references import MODELS


@services.warning(
    about=REFERENCE | FAILURE,
    mirrors="Waiting for model creation",
    good="accepts-a-model-of-a-hub-in-a-playground",
    bad="warns-of-a-model-that-is-not-there",
)
def check(service: Service, given: Given) -> Said:
    for model in service.missing:
        if model.name.strip():
            message = f"OpenModel {model.name} doesn't exist"
            yield from MODELS.missing(given, model.path, model.name, message, hint="create it, or correct the name")
    if service.unknown:
        yield NotChecked(MODELS.unknown)
