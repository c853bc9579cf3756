"""A service has a `spec.runtime` without a name.

OME's webhook treats such a service as one that names its runtime, and checks nothing. But its controller selects a runtime, and an error
that the webhook would have found then fails the service silently. Name the runtime, or leave `spec.runtime` out.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, services, text


@services.warning(good="accepts-a-runtime-by-its-name", bad="warns-of-a-runtime-without-a-name")
def check(service: Service) -> Said:
    runtime = service.written.get("runtime")
    if isinstance(runtime, dict) and not text(runtime, "name"):
        message = "a runtime without a name doesn't count: OME's webhook checks nothing, and its controller selects one"
        yield Violation(("spec", "runtime", "name"), message, hint="name the runtime, or leave spec.runtime out")
