"""A field of a runtime's pods is written where OME doesn't read it.

If a runtime has its own engine, OME reads only `nodeSelector` and the resources of `containers` from the pod fields of the runtime's spec.
Write affinity, tolerations, volumes and the other fields into `engineConfig`, `decoderConfig` and `routerConfig`.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from typing import Final

from weighbridge.policies.families.ome.rulebook import Runtime, Said, Violation, runtimes
from weighbridge.policies.families.ome.subject.components import COMPONENTS

_IGNORED: Final = (
    *("affinity", "tolerations", "volumes", "initContainers", "imagePullSecrets", "serviceAccountName", "priorityClassName"),
    *("runtimeClassName", "schedulerName", "topologySpreadConstraints", "hostNetwork", "hostIPC", "securityContext", "dnsPolicy"),
)


@runtimes.warning(good="accepts-the-name-in-braces", bad="warns-of-tolerations-that-no-engine-gets")
def check(runtime: Runtime) -> Said:
    if not any(isinstance(runtime.spec.get(key), dict) for key in COMPONENTS.values()):
        return
    for field in _IGNORED:
        if runtime.spec.get(field) not in (None, [], {}, ""):
            yield Violation(("spec", field), "OME reads it in engineConfig, decoderConfig and routerConfig, not here", hint="move it there")
