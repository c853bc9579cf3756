"""Modes of authentication are given for KEDA, and no reference to the secrets.

KEDA takes these from a TriggerAuthentication. Without `authenticationRef` Prometheus is asked without any, and OME says nothing.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    given = part(spec_of(request.object), "kedaConfig")
    if text(given, "authModes") and not text(part(given, "authenticationRef"), "name"):
        yield RULE.finding(
            ("spec", "kedaConfig", "authenticationRef"),
            "authModes have no effect without it",
            hint="name a TriggerAuthentication or ClusterTriggerAuthentication",
        )


RULE = Rule(
    id="OME-071",
    name="keda-authentication-incomplete",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go",
    beside=SERVED,
    check=_check,
    good="""\
metadata: {annotations: {ome.io/autoscalerClass: keda}}
spec: {model: {name: llama}, engine: {}, kedaConfig: {authModes: basic, authenticationRef: {name: prometheus}}}
""",
    bad="""\
metadata: {annotations: {ome.io/autoscalerClass: keda}}
spec: {model: {name: llama}, engine: {}, kedaConfig: {authModes: basic}}
""",
)
