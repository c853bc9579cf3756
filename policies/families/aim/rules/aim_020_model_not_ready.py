"""The model of a service isn't ready.

The state of the model alone decides whether the operator makes the InferenceService: one Failed template makes its model Degraded, and
blocks every new service of that model, even where the chosen template is ready. A model of the namespace goes before one of the cluster
that would be ready. The state may still change, so this warns; of a model that the operator still looks into it is a note.

Source: aim-engine v0.2.1 internal/aimservice/model.go; kaiwo dbca1b55 internal/controller/aim/shared/service_status.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.resolve.template import WAITING
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.family import Rule
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None:
        return
    model = serving.model
    if model is not None and model.status not in ("", "Ready"):
        told = RULE.finding(
            ("spec", "model"),
            f"{text(model.model, 'kind')} {model.name} is {model.status}: no InferenceService is made until it is Ready",
            found=model.status,
            hint="see the conditions of the model and of its templates",
        )
        yield replace(told, severity=Severity.NOTE) if model.status in WAITING else told


RULE = Rule(
    id="AIM-020",
    name="model-not-ready",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/model.go; kaiwo dbca1b55 internal/controller/aim/shared/service_status.go",
    mirrors="condition ModelReady, ModelNotReady",
    reads=SERVICE_READS,
    is_about_failure=True,
    beside=READY
    + """
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMModel
metadata: {name: waiting, namespace: default}
spec: {image: "ghcr.io/acme/waiting:1.0"}
status: {status: Degraded}
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMServiceTemplate
metadata: {name: of-waiting, namespace: default}
spec: {modelName: waiting}
status: {status: Ready, profile: {metadata: {type: optimized}}}""",
    check=_check,
    good="model: {name: llama}",
    bad="model: {name: waiting}",
)
