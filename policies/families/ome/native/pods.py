"""Rules about the fields of pods in services and runtimes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, native, none_of

# Services and runtimes have different fields, and so have components and their leaders, so the expressions read them without their types.
_COMPONENTS: Final = "['engine', 'decoder', 'router', 'engineConfig', 'decoderConfig', 'routerConfig']"
#: The parts that describe pods, by their paths: each component, and its leader and worker.
_PODS: Final = (
    f"dyn(object).?spec.orValue({{}}).transformList(name, component, name in {_COMPONENTS},"
    " [{'path': dyn('spec.' + name), 'pod': component}] + ['leader', 'worker'].filter(role, component[?role].hasValue())"
    ".map(role, {'path': dyn('spec.' + name + '.' + role), 'pod': component[role]})).flatten()"
)
#: The containers of these parts.
_CONTAINERS: Final = (
    "variables.pods.map(one, one.pod.?runner.hasValue() ? [{'path': dyn(one.path + '.runner'), 'container': one.pod.runner}] : [])"
    ".flatten() + variables.pods.map(one, ['containers', 'initContainers'].map(field, one.pod[?field].orValue([]).transformList(i, own,"
    " {'path': dyn(one.path + '.' + field + '[' + string(i) + ']'), 'container': own})).flatten()).flatten()"
)

TABLE: Final[Mapping[str, NativeRule]] = {
    "OME-035": native(
        none_of("wrong"),
        pods=_PODS,
        containers=_CONTAINERS,
        wrong=(
            "variables.containers.map(one, ['livenessProbe', 'readinessProbe', 'startupProbe'].map(probe, ['httpGet', 'tcpSocket']"
            ".filter(kind, one.container[?probe][?kind].hasValue() && one.container[probe][kind].?port.orValue(0) in [dyn(0), dyn('')])"
            ".map(kind, string(one.path) + '.' + probe + '.' + kind"
            " + '.port: the API server refuses the Deployment that OME creates, because the probe has no port'))).flatten().flatten()"
        ),
    ),
    "OME-066": native(
        none_of("wrong"),
        pods=f"[{{'path': dyn('metadata'), 'pod': dyn(object).metadata}}] + {_PODS}",
        wrong=(
            "variables.pods.filter(one, one.pod.?annotations[?'rdma.ome.io/auto-inject'].orValue('') == 'true'"
            " && !(one.pod.?annotations[?'rdma.ome.io/profile'].orValue('') in ['', 'oci-roce']))"
            ".map(one, string(one.path) + '.annotations.rdma.ome.io/profile: OME refuses the pods, since it has no profile \"'"
            " + string(one.pod.annotations['rdma.ome.io/profile']) + '\"')"
        ),
    ),
}
