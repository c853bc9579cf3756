"""Modes of authentication are given for KEDA, and no reference to the secrets.

KEDA takes these from a TriggerAuthentication. Without `authenticationRef` Prometheus is asked without any, and OME says nothing.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part, text


@objects.warning(
    kinds=("InferenceService",),
    good="accepts-authentication-with-a-reference",
    bad="warns-of-authentication-without-a-reference",
)
def check(known_given: Given) -> Said:
    given = part(known_given.spec, "kedaConfig")
    if text(given, "authModes") and not text(part(given, "authenticationRef"), "name"):
        yield Violation(
            ("spec", "kedaConfig", "authenticationRef"),
            "authModes have no effect without it",
            hint="name a TriggerAuthentication or ClusterTriggerAuthentication",
        )
