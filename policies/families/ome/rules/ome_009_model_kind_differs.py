"""A service's model is of another kind than it says.

OME takes the model by its name alone, but its controller first describes it in a ConfigMap, and there `spec.model.kind` decides. Where no
model of that kind is there, the service gets no pods, no event and no status. Without a kind it is ClusterBaseModel; for a model of the
namespace write `kind: BaseModel`.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/reconciliation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import MODEL_READS, SERVABLE
from policies.fields import part, text
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
        return

    model = serving.model
    if model.model is None:
        return
    kind = text(part(serving.spec, "model"), "kind")
    if model.is_described is None:
        yield RULE.unchecked(f"whether there is a {model.described} isn't known")
    elif not model.is_described:
        yield RULE.finding(
            ("spec", "model", "kind"),
            f"the model is {model.model.title}, and without a {model.described} OME's controller makes nothing",
            found=kind,
            expected=model.model.kind,
        )


RULE = Rule(
    id="OME-009",
    name="model-kind-differs",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/reconciliation.go",
    reads=MODEL_READS,
    is_about_failure=True,
    beside=SERVABLE,
    check=_check,
    good="""\
model: {name: llama, kind: ClusterBaseModel}
engine: {}
""",
    bad="""\
model: {name: llama, kind: BaseModel}
engine: {}
""",
)
