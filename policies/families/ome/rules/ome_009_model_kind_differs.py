"""A service's model is of another kind than it says.

OME takes the model by its name alone, but its controller first describes it in a ConfigMap, and there `spec.model.kind` decides. Where no
model of that kind is there, the service gets no pods, no event and no status. Without a kind it is ClusterBaseModel; for a model of the
namespace write `kind: BaseModel`.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/reconciliation.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import FAILURE, NotChecked, Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import MODEL_READS
from weighbridge.policies.ground.fields import part, text


@services.error(
    about=FAILURE,
    reads=MODEL_READS,
    good="accepts-a-model-of-the-cluster",
    bad="refuses-a-model-of-another-kind",
)
def check(serving: Serving) -> Said:
    if serving.is_virtual:
        return

    model = serving.model
    if model.model is None:
        return
    kind = text(part(serving.spec, "model"), "kind")
    if model.is_described is None:
        yield NotChecked(f"whether there is a {model.described} isn't known")
    elif not model.is_described:
        yield Violation(
            ("spec", "model", "kind"),
            f"the model is {model.model.title}, and without a {model.described} OME's controller makes nothing",
            found=kind,
            expected=model.model.kind,
        )
