"""Where a service's pods may run: tolerations, node selector, affinity, spreading, priority, runtime class, rollout.

Up to v0.9.16 a pod without a GPU got neither the author's tolerations nor the author's node selector. With resource claims, the author's
list replaces the operator's. Source: LLMKube v0.9.19, internal/controller/deployment_builder.go and scheduling.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.predictions.service.workload import Workload
from weighbridge.policies.ground.fields import items, text, text_map
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.defaults import STRATEGY

_POD: Final = "spec.template.spec"
#: The priority classes that come with the operator, by their values in `spec.priority`.
PRIORITIES: Final = {"critical": 1_000_000, "high": 100_000, "normal": 10_000, "low": 1_000, "batch": 100}
_DROPPED: Final = "dropped: this version passes it to pods with a counted GPU alone"


def tolerations(workload: Workload) -> list[JSONObject]:
    """The pod's tolerations: one for the taint of GPU nodes if GPUs are counted, then the author's."""
    asked = items(workload.spec, "tolerations")
    gpus, found = workload.gpus, list[JSONObject]()
    if gpus.count > 0:
        found.append(_gpu_toleration(workload))
    if gpus.claims and asked:
        if found:
            workload.record(
                f"{_POD}.tolerations",
                None,
                workload.operator.name,
                "the GPU's toleration is lost: with resource claims the author's list replaces it",
            )
        found = []
    elif not _is_passed_through(workload):
        if asked:
            workload.record(f"{_POD}.tolerations", None, workload.operator.name, _DROPPED)
        return found
    for toleration in asked:
        workload.record(f"{_POD}.tolerations[{len(found)}]", toleration, workload.of_service("spec.tolerations"), "the author's toleration")
        found.append(toleration)
    return found


def _gpu_toleration(workload: Workload) -> JSONObject:
    gpus = workload.gpus
    key = gpus.toleration_key.strip()
    source = workload.of_model("spec.hardware.gpu.tolerationKey") if key else workload.operator.name
    toleration: JSONObject = {"key": key or gpus.resource, "operator": "Equal", "value": "present", "effect": "NoSchedule"}
    reason = "GPU nodes are taken to be tainted by the resource's name with value present; no other value is tolerated"
    workload.record(f"{_POD}.tolerations[0]", toleration, source, reason)
    return toleration


def _is_passed_through(workload: Workload) -> bool:
    """Whether the author's tolerations and node selector reach the pod."""
    return workload.gpus.present or workload.operator.since(0, 9, 17)


def node_selector(workload: Workload) -> dict[str, str]:
    """The pod's node selector: that of the pool for shared GPUs, and the author's, which wins key by key."""
    asked, gpus, operator = text_map(workload.spec, "nodeSelector"), workload.gpus, workload.operator
    found: dict[str, str] = {}
    if gpus.sharing == "shared" and gpus.vendor != "amd" and gpus.count > 0:
        source = workload.of_operator("--gpu-sharing-shared-pool-selector", "shared_pool_selector")
        for key, value in (operator.shared_pool_selector or {}).items():
            if key not in asked:
                found[key] = value
                workload.record(f"{_POD}.nodeSelector[{key}]", value, source, "shared GPUs are in a pool of their own")
    if not _is_passed_through(workload):
        if asked:
            workload.record(f"{_POD}.nodeSelector", None, operator.name, _DROPPED)
        return found
    for key, value in asked.items():
        found[key] = value
        workload.record(f"{_POD}.nodeSelector[{key}]", value, workload.of_service("spec.nodeSelector"), "the author's selector")
    return found


def strategy(workload: Workload) -> JSONObject:
    """The Deployment's strategy: a pod with a GPU must end before the new one starts."""
    if workload.gpus.present:
        reason = "the old pod holds the GPU that the new one waits for, so it goes first"
        workload.record("spec.strategy.type", "Recreate", workload.operator.name, reason)
        return {"type": "Recreate"}
    workload.record("spec.strategy.type", "RollingUpdate", "Kubernetes", "the default of a Deployment")
    return STRATEGY


def priority_class(workload: Workload) -> str:
    """The pod's priority class: the author's, else the operator's class for the service's priority."""
    own, path = text(workload.spec, "priorityClassName"), f"{_POD}.priorityClassName"
    if own:
        workload.record(
            path, own, workload.of_service("spec.priorityClassName"), "the author's class; status keeps the value of spec.priority"
        )
        return own
    priority = text(workload.spec, "priority")
    found = f"llmkube-{priority if priority in PRIORITIES else 'normal'}"
    workload.record(path, found, workload.of_service("spec.priority"), f"the operator's class for priority {priority or 'normal'}")
    return found


def effective_priority(spec: JSONObject) -> int:
    """The number in the status for the service's priority, whatever class its pods have."""
    return PRIORITIES.get(text(spec, "priority"), PRIORITIES["normal"])


#: The fields that the operator hands on even if they are empty.
_KEPT_EMPTY: Final = frozenset({"affinity", "runtimeClassName"})


def passed_through(workload: Workload) -> JSONObject:
    """The author's scheduling fields that the operator passes on unchanged."""
    spec, found = workload.spec, dict[str, object]()
    for field, wanted in (("affinity", dict), ("topologySpreadConstraints", list), ("runtimeClassName", str), ("imagePullSecrets", list)):
        value = spec.get(field)
        # NB: the operator hands on an empty runtimeClassName too, and the API server refuses it.
        if isinstance(value, wanted) and (value or field in _KEPT_EMPTY):
            found[field] = value
            workload.record(f"{_POD}.{field}", value, workload.of_service(f"spec.{field}"), "handed on as it is")
    return found
