"""A model of a hub is fetched with a token that may be missing.

llmaz reads the key HF_TOKEN of the Secret modelhub-secret in the namespace of the pods, and goes on without. Gated models can't be
fetched then. Secrets are never read here, so this is a note.

Source: llmaz 3c13ff3 pkg/controller_helper/modelsource.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmaz.predictions.sources import source_of
from weighbridge.policies.families.llmaz.rulebook import Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS
from weighbridge.policies.ground.fields import text

#: Owners whose models need a token.
_GATED: Final = ("meta-llama/", "google/gemma", "mistralai/", "black-forest-labs/")
GATED: Final = """
---
apiVersion: llmaz.io/v1alpha1
kind: OpenModel
metadata: {name: llama}
spec: {familyName: llama, source: {modelHub: {modelID: meta-llama/Llama-3.1-8B}}}"""


@services.note(
    reads=CLAIM_READS,
    good="accepts-a-model-that-needs-no-token",
    bad="notes-the-token-of-a-gated-model",
)
def check(serving: Serving) -> Said:
    for model in serving.claims.models:
        known = serving.models.get(model.name)
        source = source_of(known) if known is not None else None
        if source is not None and source.is_hub and text(source.hub, "modelID").lower().startswith(_GATED):
            token = f"Secret modelhub-secret, key HF_TOKEN, in namespace {serving.namespace}"
            message = f"OpenModel {model.name} is gated, and its token is read of {token}"
            yield Violation(model.path, message, found=text(source.hub, "modelID"), hint="create the Secret with that key")
