"""A model's family can't be the value of a label.

llmaz writes it into the label `llmaz.io/model-family-name`, and the API server refuses a value that isn't valid for a label; its
message names another field. A missing family becomes an empty one. Write up to 63 letters, digits, `-`, `_` and `.`.

Source: llmaz 3c13ff3, pkg/webhook/openmodel_webhook.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, models, text
from weighbridge.policies.schema.names import label_value


@models.error(good="accepts-a-hub-with-an-id", bad="refuses-a-missing-family")
def check(given: Given) -> Said:
    name = text(given.spec, "familyName")
    if "spec" in given.object and (not name or label_value(name)):
        message = "the family can't be the value of a label" if name else "the model has no family"
        yield Violation(("spec", "familyName"), message, found=name[:80], expected="such as llama3")
