"""The API server will refuse the Deployment that comes of the service.

The operator tells no more than `Failed to create Deployment`; the server's reason stands only in its log. This rule reports it before.

Source: LLMKube v0.9.19 internal/controller/inferenceservice_controller.go; Kubernetes v1.36, pkg/apis/apps/validation.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.service.labels import LONGEST_VALUE
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.ground.objects import name_of


@services.error(
    about=FAILURE,
    mirrors="phase Failed, Failed to create Deployment",
    reads=("Deployment.apps", "InferenceService", "Model", "Node", "PersistentVolumeClaim", "Service"),
    good="leaves-the-cpu-image-of-a-cpu-model",
    bad="refuses-a-bad-runtime-class-name",
)
def check(serving: Serving) -> Said:
    if serving.deployment is None or not serving.image or max(len(name_of(serving.service)), len(name_of(serving.model))) > LONGEST_VALUE:
        # Rules of their own speak of long names and of missing images.
        return
    if serving.deployment_refusal:
        yield Violation(
            ("spec",),
            f"Failed to create Deployment: {serving.deployment_refusal}",
            hint="correct the field of the spec or of the Model that this value comes from",
        )
