"""A model's family can't be a label.

llmaz writes it into the label `llmaz.io/model-family-name` and the API server refuses what is no label value, naming another field. A
family that is left open is stored empty. Write up to 63 letters, digits, `-`, `_` and `.`.

Source: llmaz 3c13ff3 pkg/webhook/openmodel_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request
from policies.schema.names import label_value


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    name = text(spec, "familyName")
    if isinstance(request.object, dict) and "spec" in request.object and (not name or label_value(name)):
        message = "the family can't be the value of a label" if name else "the model has no family"
        yield RULE.finding(("spec", "familyName"), message, found=name[:80], expected="such as llama3")


RULE = Rule(
    id="LLMAZ-007",
    name="family-name-unusable",
    severity=Severity.ERROR,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/webhook/openmodel_webhook.go",
    check=_check,
    good="familyName: opt\nsource: {modelHub: {modelID: facebook/opt-125m}}",
    bad="familyName: meta/llama\nsource: {modelHub: {modelID: facebook/opt-125m}}",
)
