"""The draft Model of speculative decoding doesn't exist.

`draftModelRef` names a Model of the same namespace, which must be Ready too; until then the service is Failed. The Model may come
later in the same rollout, so the rule warns by default. The configuration's `references` can make it an error.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go.
"""

from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import DRAFTED
from weighbridge.policies.families.llmkube.rulebook import FAILURE, REFERENCE, Given, Said, Service, off_metal, part, text
from weighbridge.policies.families.llmkube.subject.references import MODELS


@off_metal.warning(
    topic="Services: their Model and its weights",
    about=REFERENCE | FAILURE,
    mirrors="phase Failed, draft model not found",
    good="accepts-a-draft-model",
    bad="warns-of-a-missing-draft-model",
)
def check(service: Service, given: Given) -> Said:
    block = part(service.spec, "speculativeDecoding")
    name = text(block, "draftModelRef")
    if name and service.runtime == "llamacpp" and text(block, "type") in DRAFTED:
        path, hint = ("spec", "speculativeDecoding", "draftModelRef"), "create the Model in the same namespace, or correct the name"
        message = f'namespace "{service.namespace}" has no Model "{name}"'
        yield from MODELS.missing(given, path, name, message, hint=hint, namespace=service.namespace)
