"""`AIM_ENGINE_ARGS` sets sizes for another number of GPUs than the template has.

The profile's size is the number of its GPUs; a size in `AIM_ENGINE_ARGS` replaces it. If the size is larger than the number of the pod's
GPUs, the engine doesn't start. If it is smaller, GPUs are held and idle. Leave the size to the profile, or choose a template with as
many GPUs.

Source: aim-engine v0.2.1, internal/aimservice/kserve.go; vLLM 0.25.1, vllm/config/parallel.py.
"""

from weighbridge.policies.families.aim.predictions.engine_arguments import engine_arguments
from weighbridge.policies.families.aim.predictions.workload import resources
from weighbridge.policies.families.aim.rulebook import Said, Work, workloads
from weighbridge.policies.families.serving_engines.faults import gpus_idle, gpus_lacking, gpus_of
from weighbridge.policies.families.serving_engines.parallelism import parallel_sizes


@workloads.warning(good="accepts-engine-arguments-for-all-gpus", bad="warns-of-engine-arguments-for-fewer-gpus")
def check(work: Work) -> Said:
    found, gpus = engine_arguments(work), gpus_of({"resources": resources(work)})
    # Without a size in the arguments the profile's applies, which equals the number of its GPUs.
    if found is None or gpus is None or parallel_sizes(found.started.line) is None:
        return
    for fault in (
        *gpus_lacking(found.started, gpus[1], gpus[0]),
        *gpus_idle(found.started, gpus[1], gpus[0], "AIM_ENGINE_ARGS", work.facts.inventory),
    ):
        yield fault.violation(found.path)
