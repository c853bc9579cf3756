"""An engine is split over more GPUs than its pod asks for.

`vllmConfig.tensorParallelSize` above the count, or SGLang's tensor times data parallel size or its expert parallel size: a pod has
the GPUs of one node, so it would never start. The operator reads both blocks whatever the runtime is, and refuses the service. It doesn't
read `extraArgs`: a `--tensor-parallel-size` there starts a pod whose engine stops, which this warns of, also where the pod has no GPU at
all and its image is known to be built for GPUs.

Source: LLMKube v0.9.13 and later, internal/controller; upstream issue 1320 and pull request 1321.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.llmkube.predictions.service import parallelism
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.families.llmkube.subject.arguments import place
from weighbridge.policies.families.serving_engines.parallelism import parallel_sizes
from weighbridge.policies.ground.findings import Severity


@services.error(
    about=FAILURE,
    mirrors="phase Failed, invalid parallelism",
    reads=("Deployment.apps", "InferenceService", "Model", "Node", "PersistentVolumeClaim", "Service"),
    good="accepts-tensor-parallelism-of-an-image-for-cpus",
    bad="warns-of-tensor-parallelism-without-a-gpu",
)
def check(serving: Serving) -> Said:
    if not serving.sees_gpus:
        return
    problem = parallelism.problem(serving.model, serving.service, serving.operator, serving.gpus)
    if problem:
        block, _, rest = problem.partition("Config")
        field = "expertParallelSize" if rest.startswith(".expert") else "tensorParallelSize"
        yield Violation(
            ("spec", f"{block}Config", field),
            problem,
            expected=f"at most {serving.gpus.count}",
            hint="remove the size: the engine takes all GPUs of the pod",
        )
        return
    sizes = parallel_sizes(serving.started.line) if serving.has_own_arguments and serving.started is not None else None
    count, last = serving.gpus.count, sizes.last if sizes is not None else None
    if serving.started is None or sizes is None or last is None or sizes.gpus <= max(count, 1):
        return
    if count <= 0 and (serving.gpus.claims or not serving.runs_its_engine):
        # How many devices a claim gives isn't known here, and an image of one's own may split its work over CPUs.
        return
    if serving.pod_model is not None and serving.started.item(last.at) >= 0:
        finding = Violation(
            place(serving.started, last.at),
            f"{sizes.words} makes {serving.started.table.engine} look for {sizes.gpus} GPUs, and the pod has {count or 'none'}",
            found=str(sizes.gpus),
            expected=f"at most {max(count, 1)}",
            hint=f"lower {last.written}, or count more GPUs",
        )
        yield replace(finding, severity=Severity.WARNING)
