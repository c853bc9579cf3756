"""The name of a Playground's model can't be the value of a label.

llmaz writes it into the label `llmaz.io/model-name`, and the API server refuses a value that isn't valid for a label; its message
names another field. Write the name of an OpenModel: up to 63 letters, digits, `-`, `_` and `.`.

Source: llmaz 3c13ff3, pkg/webhook/playground_webhook.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Claims, Said, Violation, claims
from weighbridge.policies.schema.names import label_value


@claims.error(kinds=("Playground",), good="accepts-a-model-of-a-hub-in-a-playground", bad="refuses-a-model-of-an-organisation")
def check(claims: Claims) -> Said:
    for main in claims.mains[-1:]:
        if label_value(main.name):
            yield Violation(main.path, "the name can't be the value of a label", found=main.name[:80], expected="such as llama3-8b")
