"""The service would never scale up: its default metric can't reach its target.

Without metrics llama.cpp's services scale by requests being processed, two a pod. A pod with one slot processes one at a time,
whatever is waiting. Set `parallelSlots`, or list a metric with a target of its own.

Source: LLMKube v0.9.19 internal/controller/hpa_reconciler.go; upstream issue 482.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import items, part, whole
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    scaling = part(serving.spec, "autoscaling")
    slots = whole(serving.spec, "parallelSlots", 1)
    if serving.pod_model is None or not scaling or items(scaling, "metrics") or serving.runtime != "llamacpp" or slots > 1:
        return
    yield RULE.finding(
        ("spec", "parallelSlots"),
        "each pod processes 1 request at a time, but the autoscaler adds pods only at 2"
        if "parallelSlots" in serving.spec
        else "isn't set, so each pod processes 1 request at a time, but the autoscaler adds pods only at 2",
        expected="2 or more, or autoscaling.metrics",
    )


RULE = Rule(
    id="LLMKUBE-087",
    name="autoscaling-target-out-of-reach",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/hpa_reconciler.go",
    reads=("Model",),
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nparallelSlots: 4\nautoscaling: {maxReplicas: 3}",
    bad="modelRef: gguf\nautoscaling: {maxReplicas: 3}",
)
