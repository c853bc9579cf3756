"""A service has more than one fine-tuned weight.

The schema takes a list, and OME serves one. The controller fails with more, in its log alone.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.fields import part, texts
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    names = texts(part(spec_of(request.object), "model"), "fineTunedWeights")
    if len(names) > 1:
        message = f"OME serves one fine-tuned weight, not {len(names)}"
        yield RULE.finding(("spec", "model", "fineTunedWeights"), message, found=", ".join(names), expected="one")


RULE = Rule(
    id="OME-154",
    name="fine-tuned-weights-stacked",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go",
    is_about_failure=True,
    beside=SERVED
    + """\
---
apiVersion: ome.io/v1beta1
kind: FineTunedWeight
metadata: {name: tuned}
spec:
  baseModelRef: {name: llama}
  modelType: LoRA
  hyperParameters: {strategy: lora}
  configuration: {}
  storage: {storageUri: "oci://n/ns/b/bucket/o/weights"}
---
apiVersion: ome.io/v1beta1
kind: FineTunedWeight
metadata: {name: other}
spec:
  baseModelRef: {name: llama}
  modelType: LoRA
  hyperParameters: {strategy: lora}
  configuration: {}
  storage: {storageUri: "oci://n/ns/b/bucket/o/weights"}
""",
    check=_check,
    good="""\
model: {name: llama, fineTunedWeights: [tuned]}
engine: {}
""",
    bad="""\
model: {name: llama, fineTunedWeights: [tuned, other]}
engine: {}
""",
)
