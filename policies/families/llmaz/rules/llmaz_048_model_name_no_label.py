"""The name of a Playground's model can't be a label.

llmaz writes it into the label `llmaz.io/model-name`, and the API server refuses what is no label value, naming another field. Write the
name of an OpenModel: up to 63 letters, digits, `-`, `_` and `.`.

Source: llmaz 3c13ff3 pkg/webhook/playground_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.subject.claims import claims_of
from policies.findings import Finding, Severity
from policies.request import Request
from policies.schema.names import label_value


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    main = next((model for model in claims_of(request.object).ordered if model.is_main), None)
    if main is not None and label_value(main.name):
        yield RULE.finding(main.path, "the name can't be the value of a label", found=main.name[:80], expected="such as llama3-8b")


RULE = Rule(
    id="LLMAZ-048",
    name="model-name-no-label",
    severity=Severity.ERROR,
    kinds=("Playground",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/webhook/playground_webhook.go",
    check=_check,
    good="modelClaim: {modelName: llama3-8b}",
    bad="modelClaim: {modelName: meta/llama}",
)
