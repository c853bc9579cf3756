"""A model in a folder of the node can't be served with the loader.

llmaz gives its volume the name of the one for downloads, and the LeaderWorkerSet is never applied.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.sources import source_of
from weighbridge.policies.families.llmaz.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS


@services.error(
    about=FAILURE,
    reads=CLAIM_READS,
    good="accepts-a-model-of-a-hub-in-a-playground",
    bad="refuses-a-folder-of-the-node",
)
def check(serving: Serving) -> Said:
    if serving.skips:
        return
    for model in serving.claims.models:
        known = serving.models.get(model.name)
        source = source_of(known) if known is not None else None
        if source is not None and source.scheme == "HOST":
            message = f"OpenModel {model.name} is in a folder of the node, and llmaz makes two volumes of one name of that"
            yield Violation(model.path, message, found=source.uri, hint="serve it from a hub or from storage")
