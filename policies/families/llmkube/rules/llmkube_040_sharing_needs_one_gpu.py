"""A shared or partitioned GPU is asked for together with another number of GPUs than one.

`gpuSharing` gives the pod a part of one GPU. With two GPUs, or with none, the operator refuses the service: phase Failed, or
refused at admission where its quota webhook is installed. Ask for one GPU, or leave the mode at exclusive.

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
    if not serving.sees_gpus or serving.gpus.count == 1:
        return
    problem = sharing.problem(serving.model, serving.service, serving.operator, serving.gpus)
    if problem:
        yield RULE.finding(
            ("spec", "resources", "gpuSharing", "mode"),
            problem,
            found=f"{serving.gpus.count} GPUs",
            expected="1 GPU",
            hint="set hardware.gpu.count of the Model, or resources.gpu, to 1, or use mode exclusive",
        )


RULE = Rule(
    id="LLMKUBE-040",
    name="sharing-needs-one-gpu",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/gpu_sharing.go",
    mirrors="phase Failed, invalid gpuSharing",
    reads=("Deployment.apps", "Model"),
    is_about_failure=True,
    beside=(
        f"{GGUF_MODEL}\n"
        "---\n"
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: gguf-2, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf, hardware: {gpu: {count: 2}}}"
    ),
    check=_check,
    good="modelRef: gguf\nresources: {gpuSharing: {mode: partitioned, profile: 1g.10gb}}",
    bad="modelRef: gguf-2\nresources: {gpuSharing: {mode: partitioned, profile: 1g.10gb}}",
)
