"""The API server will refuse the service's Deployment.

The operator reports only `Failed to create Deployment`, and the server's reason is in its log. If the Deployment exists already, the
operator reports nothing: the old pods go on, and the update has no effect. This rule reports the reason in advance.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go; Kubernetes v1.36, pkg/apis/apps/validation.
"""

from weighbridge.policies.families.llmkube.predictions.service.labels import LONGEST_VALUE
from weighbridge.policies.families.llmkube.predictions.service.status import has_objects
from weighbridge.policies.families.llmkube.rulebook import FAILURE, PREDICTED, Said, Service, Violation, name_of, services


@services.error(
    topic="Services: amounts, secrets, and what the API server refuses",
    about=FAILURE,
    mirrors="phase Failed, Failed to create Deployment",
    reads=PREDICTED,
    good="accepts-a-name-of-a-runtime-class",
    bad="refuses-a-bad-runtime-class-name",
)
def check(service: Service) -> Said:
    # LLMKUBE-036 and LLMKUBE-072 are about long names, LLMKUBE-068 about a missing image.
    if max(len(name_of(service.object)), len(name_of(service.model))) > LONGEST_VALUE or not service.image:
        return
    if service.deployment_refusal:
        yield Violation(
            ("spec",),
            f"Failed to {'update' if has_objects(service.object) else 'create'} Deployment: {service.deployment_refusal}",
            hint="correct the field of the spec or of the Model that this value comes from",
        )
