"""The operator reports a doubt about `vllmConfig`, and starts vLLM all the same.

Either speculative decoding is enabled without a draft model, or weights are offloaded to the CPU, which upstream hasn't verified.
The condition VLLMSpecValid reports it once the service is stored. The rule is silent if `extraArgs` have the missing setting.

Source: LLMKube v0.9.19, internal/controller/runtime_vllm.go.
"""

from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, Severity, Violation, text, with_model
from weighbridge.policies.families.serving_engines.command_line import CommandLine

_HINTS = {
    "cpuOffloadGB": "look for 'Offloader set to' in vLLM's log once the service runs",
    "speculative": "name the draft in speculative.model, or remove speculative",
}


@with_model.warning(
    topic="Services: engines and their settings",
    mirrors="condition VLLMSpecValid",
    reads=PREDICTED,
    good="skips-the-download-of-a-repository-for-vllm",
    bad="notes-unverified-offloading",
)
def check(service: Service) -> Said:
    if service.runtime != "vllm" or not service.names("vllmConfig"):
        return
    for condition in service.launch.conditions:
        is_offload = text(condition, "reason").startswith("CPUOffload")
        field = "cpuOffloadGB" if is_offload else "speculative"
        if service.line is None or not _is_settled(service.line, field):
            # Only the engine's log shows whether the offload works; there is nothing to change in the manifest.
            severity = Severity.NOTE if is_offload else None
            yield Violation(("spec", "vllmConfig", field), text(condition, "message"), severity=severity, hint=_HINTS[field])


def _is_settled(line: CommandLine, field: str) -> bool:
    """Whether `extraArgs` add the missing setting, or switch off the doubtful one."""
    if field == "speculative":
        return line.final("speculation") is not None
    offload = line.final("offload")
    return offload is not None and offload.value in {"0", "0.0"}
