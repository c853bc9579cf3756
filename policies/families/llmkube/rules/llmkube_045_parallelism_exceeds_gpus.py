"""An engine is split over more GPUs than its pod requests.

The pod would never start if `vllmConfig.tensorParallelSize` is above the number of its GPUs, or SGLang's tensor parallel size times its
data parallel size, or SGLang's expert parallel size. The operator reads both blocks whatever the runtime is, and refuses the service. It
doesn't read `extraArgs`: with a `--tensor-parallel-size` there the pod starts, but its engine stops. The rule warns of that, also if the
pod has no GPU at all and its image is known to be built for GPUs.

Source: LLMKube v0.9.13 and later, internal/controller; upstream issue 1320, pull request 1321.
"""

from collections.abc import Iterator

from weighbridge.policies.families.llmkube.predictions.engines.command_line import Started
from weighbridge.policies.families.llmkube.predictions.own_arguments import place
from weighbridge.policies.families.llmkube.rulebook import FAILURE, PREDICTED, Said, Service, Severity, Violation, services
from weighbridge.policies.ground.fields import part, whole


@services.error(
    topic="Services: GPUs and nodes",
    about=FAILURE,
    mirrors="phase Failed, invalid parallelism",
    reads=PREDICTED,
    good="accepts-tensor-parallelism-of-an-image-for-cpus",
    bad="warns-of-tensor-parallelism-without-a-gpu",
)
def check(service: Service) -> Said:
    problem, gpus = service.parallelism_problem, service.gpus
    if problem:
        block, _, rest = problem.partition("Config")
        copies = max(whole(part(service.spec, "sglangConfig"), "dataParallelSize"), 1) if "dataParallelSize" in problem else 1
        hint = "remove the size: the engine takes all GPUs of the pod"
        yield Violation(
            ("spec", f"{block}Config", "expertParallelSize" if rest.startswith(".expert") else "tensorParallelSize"),
            problem,
            expected=f"at most {max(gpus.count // copies, 1)}",
            hint=hint if copies == 1 else f"lower one of the sizes: the product of both is at most {gpus.count}",
        )
    elif service.pod_model is not None and service.has_own_arguments and service.started is not None:
        yield from _of_arguments(service, service.started)


def _of_arguments(service: Service, found: Started) -> Iterator[Violation]:
    sizes, count = service.sizes, service.gpus.count
    if sizes is None or sizes.gpus <= max(count, 1) or found.item(sizes.last.at) < 0:
        return
    # It isn't known here how many devices a claim allocates, and an image other than the engine's own may split its work over CPUs.
    if count <= 0 and (service.gpus.claims or not service.runs_its_engine):
        return
    yield Violation(
        place(found, sizes.last.at),
        f"{sizes.words} makes {found.table.engine} look for {sizes.gpus} GPUs, and the pod has {count or 'none'}",
        found=str(sizes.gpus),
        expected=f"at most {max(count, 1)}",
        hint=f"lower {sizes.last.written}, or count more GPUs",
        severity=Severity.WARNING,
    )
