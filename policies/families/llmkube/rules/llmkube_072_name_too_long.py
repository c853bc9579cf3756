"""The name of the service or of its Model is too long for a label.

Both become labels of the pods, and a label's value has at most 63 characters. The API server refuses the Deployment, and the
operator tells no more than `Failed to create Deployment`.

Source: LLMKube v0.9.19 internal/controller/inferenceservice_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.service.labels import LONGEST_VALUE
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import name_of


@services.error(
    about=FAILURE,
    mirrors="phase Failed, Failed to create Deployment",
    reads=("Model",),
    good="accepts-a-name-of-63-characters",
    bad="refuses-a-name-that-no-label-takes",
)
def check(serving: Serving) -> Said:
    if serving.is_metal:
        return
    for path, name in ((("metadata", "name"), name_of(serving.service)), (("spec", "modelRef"), text(serving.spec, "modelRef"))):
        if len(name) > LONGEST_VALUE:
            yield Violation(
                path,
                f"the name has {len(name)} characters, but it becomes a label of the pods, which may have {LONGEST_VALUE}",
                found=name,
                expected=f"at most {LONGEST_VALUE} characters",
            )
