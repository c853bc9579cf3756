"""A service leaves its runtime open, and its model isn't described yet.

OME selects the runtime by the model's format, and by more of what its agent writes into the model once it has the files. OME's webhook
selects one too, and refuses the service until then, so that a model and its service can't be applied together. Write what is missing into
the model's manifest, name a runtime in the service, or apply the service once the model is ready. The agent may be done by then, so this
warns.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go and pkg/runtimeselector/selector.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import RUNTIME_READS, SERVABLE
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual or serving.named is not None or not serving.is_selected_at_admission:
        return
    model = serving.model.model
    field = serving.awaited
    if model is not None and field:
        yield RULE.finding(
            ("spec", "model", "name"),
            f"OME's webhook refuses the service while {model.title} has no {field}, by which a runtime is selected",
            found=model.name,
            hint=f"write {field} into the model, name a runtime in spec.runtime.name, or apply the service once the model is ready",
        )


RULE = Rule(
    id="OME-173",
    name="model-not-read-yet",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go",
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    reads=RUNTIME_READS,
    is_about_failure=True,
    beside=SERVABLE
    + """\
---
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: fresh}
spec: {storage: {storageUri: "hf://acme/fresh", path: /models/fresh}}
""",
    check=_check,
    good="model: {name: llama}\nengine: {}",
    bad="model: {name: fresh}\nengine: {}",
)
