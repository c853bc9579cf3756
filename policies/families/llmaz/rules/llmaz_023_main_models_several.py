"""Several main models are claimed.

The engine serves the last of them, with its flavors; the others are only loaded. Claim one main model.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.subject.claims import claims_of


@objects.error(
    kinds=("Playground", "Service"),
    good="accepts-a-main-model-and-a-draft",
    bad="refuses-two-main-models",
)
def check(given: Given) -> Said:
    if given.request.subresource:
        return
    claims = claims_of(given.object)
    mains = [model for model in claims.models if model.is_main]
    if not claims.has_draft and len(mains) > 1:
        for model in mains[:-1]:
            yield Violation(
                model.path, f"another main model comes after it, and {mains[-1].name} is the one that is served", found=model.name
            )
