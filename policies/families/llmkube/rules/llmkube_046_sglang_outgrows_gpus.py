"""SGLang needs more GPUs than its pod has, because of a size that the operator adds.

If only `dataParallelSize` is set, the operator still passes the number of GPUs as the tensor parallel size. Two data parallel copies
on two GPUs then need four GPUs. The operator's own check counts the missing size as 1 and accepts the service. The rule counts sizes
in `extraArgs`; with `--enable-dp-attention` the copies share the GPUs.

Source: LLMKube v0.9.19, internal/controller/runtime_sglang*.go.
"""

from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, Violation, part, whole, with_model


@with_model.error(
    topic="Services: GPUs and nodes",
    reads=PREDICTED,
    good="fills-the-port-of-sglang",
    bad="refuses-data-parallelism-that-outgrows-its-gpus",
)
def check(service: Service) -> Said:
    count = service.gpus.count
    if service.runtime != "sglang" or count < 2 or whole(part(service.spec, "sglangConfig"), "tensorParallelSize"):
        return
    found = service.started
    taken = service.sizes
    if found is None or taken is None or taken.gpus <= count or found.item(taken.last.at) >= 0 or service.parallelism_problem:
        return
    copies = found.line.number("data parallel") or 1
    least = max(count // copies, 1)
    yield Violation(
        ("spec", "sglangConfig", "tensorParallelSize"),
        f"isn't set; the operator passes --tp {count}, which with {copies} data parallel copies takes {count * copies} GPUs of {count}",
        expected=f"at most {least}",
        hint=f"set tensorParallelSize to {least}",
    )
