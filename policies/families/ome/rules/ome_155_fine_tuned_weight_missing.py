"""The fine-tuned weight of a service isn't there.

It is looked for in the cluster, since FineTunedWeights have no namespace. The controller fails without it, in its log alone. It may come
later in the same rollout, so by default this warns; the configuration's `references` decides.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.kinds import FINE_TUNED_WEIGHTS
from policies.families.ome.rules._examples import SERVED
from policies.fields import part, texts
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    for index, name in enumerate(texts(part(spec_of(request.object), "model"), "fineTunedWeights")):
        is_missing = FINE_TUNED_WEIGHTS.is_missing(facts, "", name)
        if is_missing is None:
            yield RULE.unchecked(FINE_TUNED_WEIGHTS.unknown)
        elif is_missing:
            message = f'the cluster has no FineTunedWeight "{name}"'
            nearest = FINE_TUNED_WEIGHTS.nearest(facts, "", name)
            path = ("spec", "model", "fineTunedWeights", index)
            yield RULE.finding(path, message, hint="create it first", found=name, nearest=nearest)


RULE = Rule(
    id="OME-155",
    name="fine-tuned-weight-missing",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go",
    reads=("FineTunedWeight",),
    is_about_reference=True,
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
""",
    check=_check,
    good="""\
model: {name: llama, fineTunedWeights: [tuned]}
engine: {}
""",
    bad="""\
model: {name: llama, fineTunedWeights: [tunned]}
engine: {}
""",
)
