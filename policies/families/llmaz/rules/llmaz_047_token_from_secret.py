"""A model of a hub is fetched with a token that may be missing.

llmaz reads the key HF_TOKEN of the Secret modelhub-secret in the namespace of the pods, and goes on without. Gated models can't be
fetched then. Secrets are never read here, so this is a note.

Source: llmaz 3c13ff3 pkg/controller_helper/modelsource.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.resolve.sources import source_of
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request

#: Owners whose models need a token.
_GATED: Final = ("meta-llama/", "google/gemma", "mistralai/", "black-forest-labs/")
GATED: Final = """
---
apiVersion: llmaz.io/v1alpha1
kind: OpenModel
metadata: {name: llama}
spec: {familyName: llama, source: {modelHub: {modelID: meta-llama/Llama-3.1-8B}}}"""


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    reading = reading_of(request, facts, config)
    if reading is None:
        return
    for model in reading.claims.models:
        known = reading.models.get(model.name)
        source = source_of(known) if known is not None else None
        if source is not None and source.is_hub and text(source.hub, "modelID").lower().startswith(_GATED):
            token = f"Secret modelhub-secret, key HF_TOKEN, in namespace {reading.namespace}"
            message = f"OpenModel {model.name} is gated, and its token is read of {token}"
            yield RULE.finding(model.path, message, found=text(source.hub, "modelID"), hint="create the Secret with that key")


RULE = Rule(
    id="LLMAZ-047",
    name="token-from-secret",
    severity=Severity.NOTE,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller_helper/modelsource",
    reads=CLAIM_READS,
    beside=BESIDE + GATED,
    check=_check,
    good="modelClaim: {modelName: opt}",
    bad="modelClaim: {modelName: llama}",
)
