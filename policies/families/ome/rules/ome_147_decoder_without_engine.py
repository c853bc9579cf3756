"""A service has a decoder, but no engine.

A decoder continues after an engine has read the prompt. OME's webhook refuses a decoder without an engine. Add
`spec.engine`.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, services


@services.error(
    about=FAILURE,
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    good="accepts-a-decoder-with-an-engine",
    bad="refuses-a-decoder-alone",
)
def check(service: Service) -> Said:
    spec = service.written
    if "decoder" in spec and "engine" not in spec and not spec.get("predictor"):
        yield Violation(("spec", "decoder"), "a decoder needs an engine", hint="add spec.engine")
