"""A latency objective is set for an engine whose latency the operator can't measure.

Only vLLM has the metric. For any other runtime the operator creates no objective, and the condition SLOReady reports
it.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_slo_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, part, services, text


@services.warning(
    topic="Services: names, ports, gateways and objectives",
    mirrors="condition SLOReady, IndicatorUnsupportedForRuntime",
    reads=("Deployment.apps",),
    good="accepts-an-objective-with-pyrra",
    bad="warns-of-latency-that-is-not-measured",
)
def check(service: Service) -> Said:
    if service.operator.since(0, 9, 8) and text(part(service.spec, "slo"), "indicator") == "latency" and service.runtime != "vllm":
        yield Violation(
            ("spec", "slo", "indicator"),
            f"latency isn't measured on runtime {service.runtime}, so the operator creates no objective",
            found="latency",
            expected="availability, or runtime vllm",
        )
