"""The Model of a service fails.

The operator makes nothing of a service before its Model is Ready, and so before the Model that it drafts with is. The service stays Pending
without a word of why; the Model's own status tells. The Model may be corrected, so this warns. Of a claim that isn't there LLMKUBE-183
speaks.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go and model_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.service import serving_of
from weighbridge.policies.ground.objects import name_of


@objects.warning(
    kinds=("InferenceService",),
    about=FAILURE,
    mirrors="phase Pending, Waiting for Model to be Ready",
    reads=("Deployment.apps", "Model", "Node", "PersistentVolumeClaim"),
    good="accepts-a-service-whose-model-is-ready",
    bad="warns-of-a-service-whose-model-fails",
)
def check(given: Given) -> Said:
    for path, model, state in serving_of(*given).models():
        if state.problem and not state.lacks_claim:
            message = f"Model {name_of(model)} fails, and nothing is made of the service before it is Ready: {state.problem}"
            yield Violation(path, message, found=name_of(model), hint="correct the Model, or name another one")
