"""A GPUQuota caps GPU memory, and nothing says how much a service takes.

Under `vramBytes` every service has to have a known amount: a partition's profile, a shared GPU's `memoryLimitGiB` (else
the Model's `gpu.memory`), or for whole GPUs the operator's --gpu-sharing-vram-per-device-gib; while that isn't set, even
a service without any GPU counts as unknown. Where the quota webhook is installed it refuses the service and so does
this; elsewhere this warns.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_quota_webhook.go and gpu_sharing.go; measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.operator import operator_for
from policies.families.llmkube.upstream.quota_webhook import Limit, excesses, has_quotas
from policies.findings import Finding, Severity
from policies.objects import name_of, namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    service = request.object
    if not isinstance(service, dict) or not has_quotas(facts):
        return
    operator = operator_for(request, facts, config)
    if not operator.since(0, 9, 6):
        return
    severity = Severity.ERROR if operator.quota_webhook else Severity.WARNING
    for excess in excesses(service, request.namespace or namespace_of(service), facts, operator, frozenset({Limit.MEMORY_UNKNOWN})):
        finding = RULE.finding(
            ("spec", "resources"),
            f"GPUQuota {name_of(excess.quota)} limits vramBytes, but the GPU memory of this service isn't known",
            hint="set gpuSharing.memoryLimitGiB (mode shared), or --gpu-sharing-vram-per-device-gib of the operator (whole GPUs)",
        )
        yield replace(finding, severity=severity)


RULE = Rule(
    id="LLMKUBE-126",
    name="quota-memory-unknown",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_quota_webhook.go",
    mirrors="vinferenceservicequota.inference.llmkube.dev",
    reads=("Deployment.apps", "GPUQuota", "Model", "Namespace"),
    check=_check,
    good="modelRef: llama\nresources: {gpu: 1, gpuSharing: {mode: partitioned, profile: 1g.24gb}}",
    bad="modelRef: llama\nresources: {gpu: 1}",
    beside="""\
apiVersion: inference.llmkube.dev/v1alpha1
kind: GPUQuota
metadata: {name: team, namespace: default}
spec: {namespaceRef: default, gpuCount: 4, vramBytes: 85899345920}
""",
)
