"""The workers of a runtime contradict its deployment mode.

Unless a runtime has both an engine and a decoder, OME's webhook refuses `workers.size` of 0 or less. With an engine it also refuses a
container whose `DEPLOYMENT_MODE` is MultiNode without workers, or RawDeployment with workers. It looks only at `spec.workers` and
`spec.containers`, never at the engine's own leader and worker. Write a size above 0 for several nodes, and no `workers` for one.

Source: OME v0.1.5, pkg/webhook/admission/servingruntime/servingruntime_webhook.go.
"""

from typing import Final

from weighbridge.policies.families.ome.rulebook import Path, Runtime, Said, Violation, enabled_runtimes, items, part, text

_MODE: Final = "DEPLOYMENT_MODE"


@enabled_runtimes.error(
    mirrors="webhook servingruntime.ome-webhook-server.validator",
    good="accepts-several-nodes-with-workers",
    bad="refuses-several-nodes-without-workers",
)
def check(runtime: Runtime) -> Said:
    spec = runtime.spec
    if "engineConfig" in spec and "decoderConfig" in spec:
        return
    size = part(spec, "workers").get("size")
    if isinstance(size, int) and size <= 0:
        yield Violation(("spec", "workers", "size"), f"OME refuses {size} workers", found=str(size), expected="1 or more")
        return
    if "engineConfig" not in spec:
        return
    for index, container in enumerate(items(spec, "containers")):
        modes = [text(variable, "value") for variable in items(container, "env") if text(variable, "name") == _MODE]
        path: Path = ("spec", "containers", index, "env")
        if "MultiNode" in modes and not size:
            yield Violation(path, f"{_MODE} is MultiNode, and spec.workers.size gives no workers", hint="write spec.workers.size")
        if "RawDeployment" in modes and size:
            yield Violation(path, f"{_MODE} is RawDeployment, and spec.workers.size is {size}", hint="leave spec.workers out")
