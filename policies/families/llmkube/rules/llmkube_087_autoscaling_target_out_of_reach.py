"""The service would never scale up: its default metric can't reach its target.

Without metrics llama.cpp's services scale by the number of requests being processed, with a target of two per pod. A pod with
one slot processes one request at a time, however many wait. Write more `parallelSlots`, or leave it out: llama.cpp has four slots
by default since November 2025. Or list a metric with its own target.

Source: LLMKube v0.9.19, internal/controller/hpa_reconciler.go; upstream issue 482; llama.cpp b10068, tools/server/server.cpp.
"""

from weighbridge.policies.families.llmkube.predictions.own_arguments import place
from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, Violation, items, part, with_model


@with_model.warning(
    topic="Services: replicas and autoscaling",
    reads=PREDICTED,
    good="accepts-an-autoscaler-with-slots-by-default",
    bad="warns-of-an-autoscaler-that-never-scales",
)
def check(service: Service) -> Said:
    scaling, found = part(service.spec, "autoscaling"), service.started
    if not scaling or items(scaling, "metrics") or service.runtime != "llamacpp" or found is None:
        return
    slots = found.line.final("slots")
    if slots is not None and slots.value == "1":
        said = "each pod processes 1 request at a time, but the autoscaler adds pods only at 2"
        yield Violation(place(found, slots.at), said, expected="2 or more, or autoscaling.metrics")
