"""A model has two sources, a hub and a URI.

The hub wins and nobody is told: the files of the URI are never loaded. Keep the one that is meant.

Source: llmaz 3c13ff3 pkg/controller_helper/modelsource.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part, text


@objects.error(kinds=("OpenModel",), good="accepts-a-hub-with-an-id", bad="refuses-a-model-with-two-sources")
def check(given: Given) -> Said:
    source = part(given.spec, "source")
    if isinstance(source.get("modelHub"), dict) and text(source, "uri"):
        hint = "remove spec.source.uri, or spec.source.modelHub"
        yield Violation(
            ("spec", "source", "uri"), "the model has two sources, and the URI is never read", found=text(source, "uri"), hint=hint
        )
