"""The model of a service isn't ready.

The state of the model alone decides whether the operator makes the InferenceService: one Failed template makes its model Degraded, and
blocks every new service of that model, even where the chosen template is ready. A model of the namespace goes before one of the cluster
that would be ready. The state may still change, so this warns; of a model that the operator still looks into it is a note.

Source: aim-engine v0.2.1 internal/aimservice/model.go; kaiwo dbca1b55 internal/controller/aim/shared/service_status.go.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.aim.predictions.template import WAITING
from weighbridge.policies.families.aim.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.families.aim.rules._examples import SERVICE_READS
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.findings import Severity


@services.warning(
    about=FAILURE,
    mirrors="condition ModelReady, ModelNotReady",
    reads=SERVICE_READS,
    good="accepts-a-model-that-is-ready",
    bad="warns-of-a-model-that-is-degraded",
)
def check(serving: Serving) -> Said:
    model = serving.model
    if model is not None and model.status not in ("", "Ready"):
        told = Violation(
            ("spec", "model"),
            f"{text(model.model, 'kind')} {model.name} is {model.status}: no InferenceService is made until it is Ready",
            found=model.status,
            hint="see the conditions of the model and of its templates",
        )
        yield replace(told, severity=Severity.NOTE) if model.status in WAITING else told
