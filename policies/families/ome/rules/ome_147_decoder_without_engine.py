"""A service has a decoder and no engine.

A decoder takes over from an engine that reads the prompt, and OME's webhook refuses one alone. Add `spec.engine`.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, services


@services.error(
    about=FAILURE,
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    good="accepts-a-budget-of-one-kind",
    bad="refuses-a-decoder-alone",
)
def check(service: Service) -> Said:
    spec = service.written
    if "decoder" in spec and "engine" not in spec and not spec.get("predictor"):
        yield Violation(("spec", "decoder"), "a decoder needs an engine", hint="add spec.engine")
