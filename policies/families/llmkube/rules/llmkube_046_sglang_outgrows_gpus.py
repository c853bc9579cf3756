"""SGLang gets more GPUs to fill than its pod has, by a size that the operator adds itself.

With `dataParallelSize` and no `tensorParallelSize` the operator still passes the whole GPU count as tensor parallel size: two GPUs
with two data parallel copies come to four. Its own check counts the missing size as 1 and lets the service pass. Sizes in `extraArgs`
count, and with `--enable-dp-attention` the copies share the GPUs.

Source: LLMKube v0.9.19 internal/controller/runtime_sglang*.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.service import parallelism
from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services
from weighbridge.policies.families.serving_engines.parallelism import parallel_sizes
from weighbridge.policies.ground.fields import part, whole


@services.error(
    reads=("Deployment.apps", "InferenceService", "Model"),
    good="refuses-tensor-and-data-parallelism-beyond-the-gpus",
    bad="refuses-data-parallelism-that-outgrows-its-gpus",
)
def check(serving: Serving) -> Said:
    sizes, count = part(serving.spec, "sglangConfig"), serving.gpus.count
    if serving.pod_model is None or serving.runtime != "sglang" or count < 2 or whole(sizes, "tensorParallelSize"):
        return
    found = serving.started
    taken = parallel_sizes(found.line) if found is not None else None
    if found is None or taken is None or taken.gpus <= count or found.item(taken.last.at) >= 0:
        return
    copies = found.line.number("data parallel") or 1
    if not parallelism.problem(serving.model, serving.service, serving.operator, serving.gpus):
        yield Violation(
            ("spec", "sglangConfig", "tensorParallelSize"),
            f"isn't set; the operator passes --tp {count}, which with {copies} data parallel copies takes {count * copies} GPUs of {count}",
            expected=f"at most {max(count // copies, 1)}",
            hint=f"set tensorParallelSize to {max(count // copies, 1)}",
        )
