"""The service would never scale up: its default metric can't reach its target.

Without metrics llama.cpp's services scale by requests being processed, two a pod. A pod with one slot processes one at a time,
whatever is waiting. Set `parallelSlots`, or list a metric with a target of its own.

Source: LLMKube v0.9.19 internal/controller/hpa_reconciler.go; upstream issue 482.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import Given, Said, Serving, Violation, services
from weighbridge.policies.ground.fields import items, part, whole


@services.warning(
    reads=("Model",),
    good="leaves-the-cpu-image-of-a-cpu-model",
    bad="warns-of-an-autoscaler-that-never-scales",
)
def check(serving: Serving, given: Given) -> Said:
    scaling = part(serving.spec, "autoscaling")
    slots = whole(serving.spec, "parallelSlots", 1)
    if serving.pod_model is None or not scaling or items(scaling, "metrics") or serving.runtime != "llamacpp" or slots > 1:
        return
    yield Violation(
        ("spec", "parallelSlots"),
        "each pod processes 1 request at a time, but the autoscaler adds pods only at 2"
        if "parallelSlots" in serving.spec
        else "isn't set, so each pod processes 1 request at a time, but the autoscaler adds pods only at 2",
        expected="2 or more, or autoscaling.metrics",
    )
