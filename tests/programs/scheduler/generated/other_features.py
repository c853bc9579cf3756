"""Further fields of a pod: tolerations, priority, gates, other schedulers, fields without an effect, fields that are refused."""

from __future__ import annotations

from tests.programs.scheduler.generated.case import JSON, Case, Feature, World, requirement
from tests.programs.scheduler.generated.oddities import NOT_READY, UNREACHABLE, UNSCHEDULABLE

EFFECTS = ("NoSchedule", "NoExecute", "PreferNoSchedule")


def tolerate_everything(world: World, case: Case) -> None:
    """A toleration of everything, so that later filters decide."""
    case.spec["tolerations"] = [{"operator": "Exists"}]


def tolerations(world: World, case: Case) -> None:
    """Tolerations that match a taint of some node, or miss it in one respect."""
    found = case.spec.setdefault("tolerations", [])
    for _ in range(world.rng.choice([1, 1, 2, 3])):
        taint = world.taint()
        key = world.rng.choice([taint["key"]] * 5 + [UNSCHEDULABLE, NOT_READY, UNREACHABLE, ""])
        toleration: JSON = {"key": key} if key else {}
        operator = "Exists" if not key else world.rng.choice(["Exists", "Equal", None])
        if operator:
            toleration["operator"] = operator
        if operator != "Exists":
            value = world.rng.choice([taint.get("value"), taint.get("value"), "v", ""])
            toleration |= {"value": value} if value is not None else {}
        effect = world.rng.choice([taint["effect"], taint["effect"], None, *EFFECTS])
        toleration |= {"effect": effect} if effect else {}
        if effect == "NoExecute" and world.rng.random() < 0.4:
            toleration["tolerationSeconds"] = world.rng.choice([-1, 0, 300])
        found.append(toleration)


def priority(world: World, case: Case) -> None:
    """Priority classes, which change at most the text of a refusal."""
    case.spec["priorityClassName"] = world.rng.choice(["never", "never", "high", "low"])
    if world.rng.random() < 0.7:
        case.spec["nodeSelector"] = {"example.com/missing": "x"}


def gates(world: World, case: Case) -> None:
    """Scheduling gates, with which nothing else counts."""
    case.spec["schedulingGates"] = [{"name": "example.com/gate"}]
    if world.rng.random() < 0.5:
        case.spec["nodeSelector"] = {"example.com/missing": "x"}


def other_scheduler(world: World, case: Case) -> None:
    """A scheduler that doesn't run."""
    case.spec["schedulerName"] = "somebody-else"


def node_name(world: World, case: Case) -> None:
    """A node named by the pod itself, existing or not, with room or without."""
    case.spec["nodeName"] = world.node_name()
    if world.rng.random() < 0.5:
        case.amounts(case.container)["cpu"] = "1000"


def restart_all(world: World, case: Case) -> None:
    """Restart rules of containers, one of which needs a newer kubelet."""
    action = world.rng.choice(["RestartAllContainers", "RestartAllContainers", "Restart"])
    case.spec["restartPolicy"] = "Never"
    rule = {"action": action, "exitCodes": {"operator": "In", "values": [42]}}
    case.container.update(restartPolicy="Never", restartPolicyRules=[rule])


def distractors(world: World, case: Case) -> None:
    """Fields that have no effect on an empty cluster."""
    chosen = world.rng.randrange(6)
    preferred = {"weight": 1, "preference": {"matchExpressions": [requirement("example.com/missing", "Exists")]}}
    if chosen == 0:
        case.spec["affinity"] = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [preferred]}}
    elif chosen == 1:
        case.container["ports"] = [{"containerPort": 80, "hostPort": 80}]
    elif chosen == 2:
        case.spec.update(hostNetwork=True, os={"name": "linux"})
    elif chosen == 3:
        case.spec["os"] = {"name": "windows"}
    elif chosen == 4:
        case.spec["volumes"] = [{"name": "scratch", "emptyDir": {"medium": "Memory", "sizeLimit": "100Ti"}}]
    else:
        case.spec["priorityClassName"] = "system-node-critical"


def _claims(world: World, case: Case) -> None:
    case.spec["resourceClaims"] = [{"name": "gpu", "resourceClaimName": "no-such-claim"}]
    case.container["resources"] = {"claims": [{"name": "gpu"}]}


def _pod_level_extended(world: World, case: Case) -> None:
    case.spec["resources"] = {"limits": {"amd.com/gpu": "1"}}


def _pod_level_too_small(world: World, case: Case) -> None:
    case.spec["resources"] = {"requests": {"cpu": "1"}}
    case.amounts(case.container)["cpu"] = "1001m"


def _pod_level_limit(world: World, case: Case) -> None:
    case.spec["resources"] = {"limits": {"memory": "1Gi"}}
    case.amounts(case.container, "limits")["memory"] = "2Gi"


def _fractional(world: World, case: Case) -> None:
    case.amounts(case.container, "limits")["amd.com/gpu"] = world.rng.choice(["1500m", "0.5"])


def _request_over_limit(world: World, case: Case) -> None:
    case.amounts(case.container, "limits")["cpu"] = "1"
    case.amounts(case.container)["cpu"] = "1001m"


def _negative_number(world: World, case: Case) -> None:
    terms = [{"matchExpressions": [requirement("size", world.rng.choice(["Gt", "Lt"]), "-1")]}]
    case.spec["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


def _no_terms(world: World, case: Case) -> None:
    case.spec["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []}}}


def _keyless(world: World, case: Case) -> None:
    case.spec["tolerations"] = [{"operator": "Equal", "value": "x"}]


def _numeric_toleration(world: World, case: Case) -> None:
    case.spec["tolerations"] = [{"key": "size", "operator": world.rng.choice(["Gt", "Lt"]), "value": "5"}]


def _missing_runtime_class(world: World, case: Case) -> None:
    case.spec["runtimeClassName"] = "no-such-class"


def _overhead_by_hand(world: World, case: Case) -> None:
    case.spec["overhead"] = {"cpu": "1"}


def _missing_priority(world: World, case: Case) -> None:
    case.spec["priorityClassName"] = "no-such-class"


#: Pods that the API server refuses, except the first, for which the scheduler never answers.
_REFUSED: tuple[Feature, ...] = (
    _claims,
    _pod_level_extended,
    _pod_level_too_small,
    _pod_level_limit,
    _fractional,
    _request_over_limit,
    _negative_number,
    _no_terms,
    _keyless,
    _numeric_toleration,
    _missing_runtime_class,
    _overhead_by_hand,
    _missing_priority,
)


def refused(world: World, case: Case) -> None:
    """A pod that never reaches the scheduler."""
    world.rng.choice(_REFUSED)(world, case)
