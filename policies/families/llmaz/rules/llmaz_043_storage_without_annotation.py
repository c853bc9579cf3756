"""A model of S3 or GCS is claimed, and the loader can't fetch it.

The loader is told nothing of such a source and fails. Engines that read it themselves need the annotation `llmaz.io/skip-model-loader:
"true"`.

Source: llmaz 3c13ff3 pkg/controller_helper/modelsource.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.sources import source_of
from weighbridge.policies.families.llmaz.rulebook import Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS


@services.warning(
    reads=CLAIM_READS,
    good="accepts-storage-that-the-engine-reads",
    bad="warns-of-storage-that-the-loader-cannot-read",
)
def check(serving: Serving) -> Said:
    if serving.skips:
        return
    for model in serving.claims.models:
        known = serving.models.get(model.name)
        source = source_of(known) if known is not None else None
        if source is not None and source.scheme in ("S3", "GCS"):
            message = f"the loader can't fetch OpenModel {model.name} of {source.scheme}"
            hint = 'add the annotation llmaz.io/skip-model-loader: "true" and an engine that reads it'
            yield Violation(model.path, message, found=source.uri, hint=hint)
