"""A model on a hub needs a token that may be missing.

llmaz reads the key HF_TOKEN of the Secret modelhub-secret in the namespace of the pods, and continues without it. The loader then can't
fetch gated models. Weighbridge never reads Secrets, so the finding is a note.

Source: llmaz 3c13ff3, pkg/controller_helper/modelsource.
"""

from typing import Final

from weighbridge.policies.families.llmaz.rulebook import Said, Service, Violation, services, text

#: Owners whose models need a token.
_GATED: Final = ("meta-llama/", "google/gemma", "mistralai/", "black-forest-labs/")


@services.note(good="accepts-a-model-that-needs-no-token", bad="notes-the-token-of-a-gated-model")
def check(service: Service) -> Said:
    for model, source in service.claimed_sources:
        identity = text(source.hub, "modelID")
        if source.is_hub and identity.lower().startswith(_GATED):
            token = f"Secret modelhub-secret, key HF_TOKEN, in namespace {service.namespace}"
            message = f"OpenModel {model.name} is gated, and its token is read from {token}"
            yield Violation(model.path, message, "create the Secret with that key", identity)
