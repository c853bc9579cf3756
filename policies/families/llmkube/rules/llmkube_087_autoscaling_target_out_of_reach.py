"""The service would never scale up: its default metric can't reach its target.

Without metrics llama.cpp's services scale by the number of requests being processed, with a target of two per pod. A pod with
one slot processes one request at a time, however many wait. Set `parallelSlots`, or list a metric with its own target.

Source: LLMKube v0.9.19, internal/controller/hpa_reconciler.go; upstream issue 482.
"""

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, items, part, whole, with_model


@with_model.warning(
    topic="Services: replicas and autoscaling",
    reads=("Model",),
    good="accepts-an-autoscaler-with-four-slots",
    bad="warns-of-an-autoscaler-that-never-scales",
)
def check(service: Service) -> Said:
    scaling = part(service.spec, "autoscaling")
    if scaling and not items(scaling, "metrics") and service.runtime == "llamacpp" and whole(service.spec, "parallelSlots", 1) <= 1:
        unset = "" if "parallelSlots" in service.spec else "isn't set, so "
        said = f"{unset}each pod processes 1 request at a time, but the autoscaler adds pods only at 2"
        yield Violation(("spec", "parallelSlots"), said, expected="2 or more, or autoscaling.metrics")
