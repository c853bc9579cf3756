"""A shared GPU is asked for, and the operator knows no pool of shared GPUs.

Mode shared puts pods onto the nodes that the operator's --gpu-sharing-shared-pool-selector names (chart value
gpuSharing.pools.shared.nodeSelector). Without it the operator refuses such services; AMD's are exempt. Where nothing is known of
the operator's flags this only warns.

Source: LLMKube v0.9.19 internal/controller/gpu_sharing.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

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
    if not serving.sees_gpus or serving.gpus.sharing != "shared" or serving.gpus.count != 1 or serving.gpus.claims:
        return
    problem = sharing.problem(serving.model, serving.service, serving.operator, serving.gpus)
    if problem:
        finding = RULE.finding(
            ("spec", "resources", "gpuSharing", "mode"),
            problem,
            hint="use mode exclusive, or set llmkube.operator.sharedPoolSelector of the configuration to what the operator has",
        )
        yield finding if serving.operator.origins else replace(finding, severity=Severity.WARNING)


RULE = Rule(
    id="LLMKUBE-043",
    name="shared-pool-missing",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/gpu_sharing.go",
    mirrors="phase Failed, invalid gpuSharing",
    reads=("Deployment.apps", "Model"),
    is_about_failure=True,
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf",
    bad="modelRef: gguf\nresources: {gpuSharing: {mode: shared}}",
)
