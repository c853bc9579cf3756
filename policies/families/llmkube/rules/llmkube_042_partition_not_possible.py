"""A MIG partition is asked for that no NVIDIA device plugin serves under a name of its own.

Mode partitioned is for vendor nvidia alone, with a profile such as 1g.10gb, and it decides the resource's name by itself: a Model
with `gpu.resourceName` contradicts it. The operator refuses the service.

Source: LLMKube v0.9.19 internal/controller/gpu_sharing.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.service import sharing
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    gpus = serving.gpus
    if not serving.sees_gpus or gpus.sharing != "partitioned" or gpus.count != 1 or gpus.claims:
        return
    problem = sharing.problem(serving.model, serving.service, serving.operator, serving.gpus)
    if problem:
        field = "profile" if "profile" in problem and gpus.vendor == "nvidia" and "resourceName" not in problem else "mode"
        yield RULE.finding(
            ("spec", "resources", "gpuSharing", field),
            problem,
            found=gpus.profile if field == "profile" else f"vendor {gpus.vendor}",
            expected="a profile such as 1g.10gb, vendor nvidia and no resourceName",
        )


RULE = Rule(
    id="LLMKUBE-042",
    name="partition-not-possible",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/gpu_sharing.go",
    mirrors="phase Failed, invalid gpuSharing",
    reads=("Deployment.apps", "Model"),
    is_about_failure=True,
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nresources: {gpuSharing: {mode: partitioned, profile: 1g.10gb}}",
    bad="modelRef: gguf\nresources: {gpuSharing: {mode: partitioned, profile: half}}",
)
