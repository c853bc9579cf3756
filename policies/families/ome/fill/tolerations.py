"""The tolerations that a component's pods need for the nodes that offer its GPUs.

Upstream's runtimes only tolerate the taint `nvidia.com/gpu`. Weighbridge looks at the nodes that could run a pod without their taints. It
adds tolerations for taints that are about GPUs and reserve nothing, and for other taints that all of these nodes have, but leaves the
taint of a team to the author. The configuration's `tolerations` come first.

A list in the service replaces the runtime's, so Weighbridge's list repeats the runtime's tolerations. It follows the runtime, and
Weighbridge removes it when no other toleration is needed. Weighbridge doesn't change a list that the author wrote, or a service with a
legacy predictor.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/utils/merging.go and config/runtimes.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.tolerations import read_tolerations
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.taints import needed_tolerations
from weighbridge.policies.families.fill.updates import settle_items
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.families.ome.predictions.merge.created_objects import workloads_for
from weighbridge.policies.families.ome.predictions.merge.placed_workloads import wherever_it_comes
from weighbridge.policies.families.ome.subject.gpu_pods import GpuPod, gpu_pods
from weighbridge.policies.families.ome.subject.runtime import Runtime
from weighbridge.policies.families.ome.subject.service import Service
from weighbridge.policies.ground.fields import items, part
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, lookup

_NO_LONGER: Final = "the tolerations that were filled in before no longer fit the runtime and the nodes"
#: The paths at which a service may have tolerations for pods with GPUs.
PATHS: Final[tuple[Path, ...]] = tuple(
    ("spec", name, *role, "tolerations") for name in ("engine", "decoder") for role in ((), ("leader",), ("worker",))
)


def fill_tolerations(mutation: Mutation, service: Service, facts: Facts, config: Configuration) -> None:
    """Fill in the tolerations of a service's components; `service` lacks those that were filled in before."""
    found, model, runtime = workloads_for(service), service.model, service.runtime
    if service.is_migrated or found is None or found.failure or model is None or runtime is None:
        return
    pods = {_path(pod, service): pod for pod in gpu_pods(wherever_it_comes(found.objects, model))}
    for path in PATHS:
        pod = pods.get(path)
        wanted = _fillings(pod, runtime, facts, config) if pod is not None else []
        settle_items(mutation, path, lambda _, wanted=wanted: wanted, no_longer=_NO_LONGER)  # type: ignore[misc]


def without_filled(mutation: Mutation) -> JSONObject:
    """The object without the tolerations that were filled in."""
    out = mutation.object
    for path in PATHS:
        ours = mutation.authorship.filled_items(out, path)
        if ours and not mutation.authorship.is_written(path):
            found = lookup(out, path)
            kept = [item for item in found if item not in ours] if isinstance(found, list) else []
            out = _with(out, path, kept)
    return out


def _path(pod: GpuPod, service: Service) -> Path:
    """The path of a pod's tolerations in the service. If neither the service nor the runtime has a leader, the component itself is the
    leader.
    """
    runtime = service.runtime.spec if service.runtime is not None else {}
    own = part(service.stored, "spec", pod.component).get(pod.role) if pod.role else None
    given = part(runtime, f"{pod.component}Config").get(pod.role) if pod.role else None
    role = (pod.role,) if isinstance(own, dict) or isinstance(given, dict) else ()
    return ("spec", pod.component, *role, "tolerations")


def _fillings(pod: GpuPod, runtime: Runtime, facts: Facts, config: Configuration) -> list[Filling]:
    """The runtime's tolerations and those that are needed in addition; none if none are needed."""
    repeated = items(pod.pod, "spec", "tolerations")
    added = needed_tolerations(pod.pod, pod.resource, read_tolerations(repeated), facts, config)
    if not added:
        return []
    why = "the service's list replaces the runtime's"
    return [*(Filling(one, "cluster", f"{runtime.title} tolerates it, and {why}") for one in repeated), *added]


def _with(obj: JSONObject, path: Path, value: JSONValue) -> JSONObject:
    """A copy with a value at a path, whose maps exist."""
    key = str(path[0])
    return {**obj, key: value if len(path) == 1 else _with(part(obj, key), path[1:], value)}
