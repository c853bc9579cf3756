"""A model in a folder of the node isn't mounted.

Without the loader the engine is told the path, but no volume is made: the path is that of the container. Mount it in the templates of a
Service.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.sources import source_of
from weighbridge.policies.families.llmaz.rulebook import Given, Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS
from weighbridge.policies.ground.fields import items, part


@services.warning(
    reads=CLAIM_READS,
    good="accepts-storage-that-the-engine-reads",
    bad="warns-of-a-folder-that-nobody-mounts",
)
def check(serving: Serving, given: Given) -> Said:
    if not serving.skips:
        return
    for model in serving.claims.models:
        known = serving.models.get(model.name)
        source = source_of(known) if known is not None else None
        if source is None or source.scheme != "HOST":
            continue
        templates = part(given.spec, "workloadTemplate")
        mounts = [
            mount for name in templates for one in items(templates, name, "spec", "containers") for mount in items(one, "volumeMounts")
        ]
        if not mounts:
            message = f"OpenModel {model.name} is in a folder of the node, which no volume brings into the pods"
            yield Violation(model.path, message, found=source.uri, hint="mount the folder in the templates of a Service")
