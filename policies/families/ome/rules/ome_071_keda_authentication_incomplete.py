"""A service sets authentication modes for KEDA, but no reference to the secrets.

KEDA reads the secrets from a TriggerAuthentication. Without `authenticationRef` it queries Prometheus without authentication, and OME
doesn't report it. Name a TriggerAuthentication in `authenticationRef`.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, part, services, text


@services.warning(good="accepts-authentication-with-a-reference", bad="warns-of-authentication-without-a-reference")
def check(service: Service) -> Said:
    settings = part(service.written, "kedaConfig")
    if text(settings, "authModes") and not text(part(settings, "authenticationRef"), "name"):
        yield Violation(
            ("spec", "kedaConfig", "authenticationRef"),
            "authModes have no effect without it",
            hint="name a TriggerAuthentication or ClusterTriggerAuthentication",
        )
