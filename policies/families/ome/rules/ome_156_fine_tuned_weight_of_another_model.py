"""A fine-tuned weight was made of another model than the service serves.

OME doesn't compare the two: the pods start, and the engine loads an adapter that doesn't fit its model, or refuses it.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.kinds import FINE_TUNED_WEIGHTS
from policies.families.ome.rules._examples import SERVED
from policies.fields import part, text, texts
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    model = part(spec_of(request.object), "model")
    name = text(model, "name")
    for index, weight in enumerate(texts(model, "fineTunedWeights")):
        found = FINE_TUNED_WEIGHTS.get(facts, "", weight)
        base = text(part(spec_of(found), "baseModelRef"), "name") if found is not None else ""
        if name and base and base != name:
            message = f'FineTunedWeight {weight} was made of model "{base}", not of "{name}"'
            yield RULE.finding(("spec", "model", "fineTunedWeights", index), message, found=base, expected=name)


RULE = Rule(
    id="OME-156",
    name="fine-tuned-weight-of-another-model",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go",
    reads=("FineTunedWeight",),
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
metadata: {name: foreign}
spec:
  baseModelRef: {name: qwen}
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
model: {name: llama, fineTunedWeights: [foreign]}
engine: {}
""",
)
