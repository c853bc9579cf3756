"""A claimed OpenModel is not there.

A Playground waits for it; a Service fails until it appears. Models are of the cluster, not of a namespace.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS
from weighbridge.policies.families.llmaz.subject.references import MODELS


@services.warning(
    about=REFERENCE | FAILURE,
    mirrors="Waiting for model creation",
    reads=CLAIM_READS,
    good="accepts-a-model-of-a-hub-in-a-playground",
    bad="warns-of-a-model-that-is-not-there",
)
def check(serving: Serving, given: Given) -> Said:
    for model in serving.missing:
        if model.name.strip():
            nearest = MODELS.nearest(given.facts, "", model.name)
            yield Violation(
                model.path, f"OpenModel {model.name} isn't there", found=model.name, nearest=nearest, hint="create it, or correct the name"
            )
    if serving.unknown:
        yield NotChecked(MODELS.unknown)
