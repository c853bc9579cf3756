"""The name of a Playground's model can't be a label.

llmaz writes it into the label `llmaz.io/model-name`, and the API server refuses what is no label value, naming another field. Write the
name of an OpenModel: up to 63 letters, digits, `-`, `_` and `.`.

Source: llmaz 3c13ff3 pkg/webhook/playground_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.subject.claims import claims_of
from weighbridge.policies.schema.names import label_value


@objects.error(
    kinds=("Playground",),
    good="accepts-a-model-of-a-hub-in-a-playground",
    bad="refuses-a-model-of-an-organisation",
)
def check(given: Given) -> Said:
    main = next((model for model in claims_of(given.object).ordered if model.is_main), None)
    if main is not None and label_value(main.name):
        yield Violation(main.path, "the name can't be the value of a label", found=main.name[:80], expected="such as llama3-8b")
