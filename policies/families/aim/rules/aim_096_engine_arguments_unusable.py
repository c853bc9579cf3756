"""The engine can't read an argument of `AIM_ENGINE_ARGS`, or listens on another port because of it.

Each key is a flag of the engine that the template's profile names. At a flag that it doesn't know, the engine fails, and the container
restarts again and again. The rule looks up flags in the engine's own list, for the version that the finding names; a newer image may
have more flags, so the rule only warns. With a `port` other than 8000 the server listens there, but KServe's Service still sends to
8000. Remove the argument, or correct it.

Source: aim-engine v0.2.1, internal/aimservice/kserve.go; vLLM 0.25.1; SGLang 0.5.15.
"""

from weighbridge.policies.families.aim.predictions.engine_arguments import engine_arguments
from weighbridge.policies.families.aim.predictions.workload import PORT
from weighbridge.policies.families.aim.rulebook import Said, Work, workloads
from weighbridge.policies.families.serving_engines.faults import unreachable_port, unreadable


@workloads.warning(good="accepts-engine-arguments-for-all-gpus", bad="warns-of-a-server-at-another-port")
def check(work: Work) -> Said:
    found = engine_arguments(work)
    if found is None:
        return
    faults = [*unreadable(found.unknown)]
    if found.started.line.final("port") is not None:
        faults += unreachable_port(found.started, {}, [PORT])
    for fault in faults:
        yield fault.violation(found.path)
