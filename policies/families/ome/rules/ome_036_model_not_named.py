"""A service with an engine names no model.

OME's controller makes nothing without one, and its webhook refuses the service unless it names a runtime or its engine says itself what it
runs. A `spec.model` without a name is none.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import MODEL_READS, SERVED
from policies.families.ome.subject.services import has_component
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None:
        return
    written = spec_of(request.object)
    is_migrated = bool(written.get("predictor")) and not isinstance(written.get("engine"), dict)
    if serving.model.name or is_migrated or not has_component(serving.service, "engine"):
        return
    if serving.is_virtual and not serving.is_selected_at_admission:
        return
    hint = "name a BaseModel of the namespace or a ClusterBaseModel in spec.model.name"
    yield RULE.finding(("spec", "model", "name"), "no model is named, so OME makes no pods", hint=hint)


RULE = Rule(
    id="OME-036",
    name="model-not-named",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go",
    reads=MODEL_READS,
    is_about_failure=True,
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {}
""",
    bad='engine: {runner: {name: ome-container, image: "sglang:1"}}',
)
