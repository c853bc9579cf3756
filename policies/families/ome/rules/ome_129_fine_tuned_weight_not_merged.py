"""A fine-tuned weight says that it is merged, and OME doesn't take it so.

Only the boolean `true` counts in `configuration.merged_weights`. Over anything else the weight is loaded as an adapter beside its base
model.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    found = part(spec_of(request.object), "configuration").get("merged_weights")
    if found is not None and not isinstance(found, bool):
        message = "only the boolean true counts, and the weight is taken as an adapter"
        yield RULE.finding(("spec", "configuration", "merged_weights"), message, expected="true or false, without quotes")


RULE = Rule(
    id="OME-129",
    name="fine-tuned-weight-not-merged",
    severity=Severity.WARNING,
    kinds=("FineTunedWeight",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go",
    check=_check,
    good="""\
baseModelRef: {name: llama}
modelType: LoRA
hyperParameters: {strategy: lora}
configuration: {merged_weights: true}
storage: {storageUri: "oci://n/ns/b/bucket/o/weights"}
""",
    bad="""\
baseModelRef: {name: llama}
modelType: LoRA
hyperParameters: {strategy: lora}
configuration: {merged_weights: "true"}
storage: {storageUri: "oci://n/ns/b/bucket/o/weights"}
""",
)
