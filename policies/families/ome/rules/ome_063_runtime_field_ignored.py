"""A field of a runtime's pods stands where OME doesn't read it.

With an engine of its own OME takes nothing of the pods from the runtime's spec itself but `nodeSelector` and the resources of `containers`.
Affinity, tolerations, volumes and the rest belong into `engineConfig`, `decoderConfig` and `routerConfig`.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.components import COMPONENTS


@objects.warning(
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    good="accepts-the-name-in-braces",
    bad="warns-of-tolerations-that-no-engine-gets",
)
def check(given: Given) -> Said:
    spec = given.spec
    if not any(isinstance(spec.get(key), dict) for key in COMPONENTS.values()):
        return
    for field in _IGNORED:
        if spec.get(field) not in (None, [], {}, ""):
            yield Violation(("spec", field), "OME reads it in engineConfig, decoderConfig and routerConfig, not here", hint="move it there")


_IGNORED: Final = (
    *("affinity", "tolerations", "volumes", "initContainers", "imagePullSecrets", "serviceAccountName", "priorityClassName"),
    *("runtimeClassName", "schedulerName", "topologySpreadConstraints", "hostNetwork", "hostIPC", "securityContext", "dnsPolicy"),
)
