"""A model of the namespace hides the one of the cluster that a service means.

OME prefers the BaseModel of the namespace, whatever `spec.model.kind` says, and so the pods serve that one. The ConfigMap describes the
ClusterBaseModel all the same. Write `kind: BaseModel` if the former is meant, else rename one of them.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/reconciliation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import MODEL, MODEL_READS, OTHERS, SERVED
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
        return

    model, shadowed = serving.model.model, serving.model.shadowed
    if model is not None and shadowed is not None and serving.model.described == shadowed.title:
        yield RULE.finding(
            ("spec", "model", "kind"),
            f"the pods serve {model.title} of namespace {serving.namespace}, and {shadowed.title} is only described",
            found=shadowed.kind,
            expected=model.kind,
            hint=f"write kind: {model.kind} if that is meant, else rename one of them",
        )


RULE = Rule(
    id="OME-010",
    name="model-shadowed",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/reconciliation.go",
    reads=MODEL_READS,
    beside=SERVED + "---\n" + MODEL.replace("Cluster", "").replace("{name: llama}", "{name: llama, namespace: default}", 1) + OTHERS,
    check=_check,
    good="""\
model: {name: llama, kind: BaseModel}
engine: {}
""",
    bad="""\
model: {name: llama, kind: ClusterBaseModel}
engine: {}
""",
)
