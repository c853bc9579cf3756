"""The operator doubts what `vllmConfig` says, and starts vLLM all the same.

Speculation is enabled without a model to speculate with, or weights are to be offloaded to the CPU, which upstream hasn't verified.
The condition VLLMSpecValid says so once the service is stored. Nothing is said where `extraArgs` bring what is missing.

Source: LLMKube v0.9.19 internal/controller/runtime_vllm.go.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services
from weighbridge.policies.families.serving_engines.command_line import CommandLine
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.findings import Severity


@services.warning(
    mirrors="condition VLLMSpecValid",
    reads=("Deployment.apps", "InferenceService", "Model"),
    good="skips-the-download-of-a-repository-for-vllm",
    bad="notes-unverified-offloading",
)
def check(serving: Serving) -> Said:
    if serving.pod_model is None or serving.runtime != "vllm" or not serving.names("vllmConfig"):
        return
    line = serving.started.line if serving.started is not None else None
    for condition in serving.launch.conditions:
        is_offload = text(condition, "reason").startswith("CPUOffload")
        field = "cpuOffloadGB" if is_offload else "speculative"
        if line is not None and _is_settled(line, field):
            continue
        finding = Violation(("spec", "vllmConfig", field), text(condition, "message"))
        # Whether the offload works shows in the engine's log alone; there is nothing to change in the manifest.
        yield replace(finding, severity=Severity.NOTE) if is_offload else finding


def _is_settled(line: CommandLine, field: str) -> bool:
    """Whether `extraArgs` bring what is missing, or switch off what is doubtful."""
    if field == "speculative":
        return line.final("speculation") is not None
    given = line.final("offload")
    return given is not None and given.value in {"0", "0.0"}
