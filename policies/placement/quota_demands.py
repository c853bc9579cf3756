"""What objects use of their namespace's ResourceQuotas, together with all objects that controllers create for them.

An object counts by its kind; a Service and a claim also by other keys. A workload counts with each of its pods and with the other objects
of its controller: a ReplicaSet for a Deployment, claims for the pods of a StatefulSet. Source: Kubernetes v1.37,
pkg/quota/v1/evaluator/core (pods.go, services.go, persistent_volume_claims.go, registry.go) and
apiserver/pkg/quota/v1/generic/evaluator.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.fields import items, part, text, whole
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.placement.volumes.candidates import class_name
from weighbridge.policies.placement.volumes.claims import default_class
from weighbridge.policies.pods.admission import admit
from weighbridge.policies.pods.quotas import usage_of_pod
from weighbridge.policies.pods.refusal import Refused
from weighbridge.policies.pods.requests import Amounts, read_amounts
from weighbridge.policies.pods.validation.percentages import number
from weighbridge.policies.pods.workloads import claims_of, numbers_of, pods_of, replicas_of

_ONE: Final = Quantity.from_int(1)
_CLAIM: Final = "PersistentVolumeClaim"
#: Kinds whose number can also be limited by the plain name of the resource.
_BY_BARE_NAME: Final = frozenset(
    {"configmaps", "persistentvolumeclaims", "replicationcontrollers", "resourcequotas", "secrets", "services"}
)
_QUARTER: Final = "25%"
_STORAGE_CLASS: Final = ".storageclass.storage.k8s.io/"


@dataclass(frozen=True, slots=True)
class QuotaDemand:
    """A number of equal objects, and what each uses. `spec` is the spec of pods, on which scopes depend.

    `is_root` says that the following demands of the same object need it. `adds_first` says that a rolling update adds a pod
    before it removes one.
    """

    owner: str
    kind: str
    usage: Amounts
    count: int = 1
    spec: JSONObject | None = None
    is_root: bool = False
    adds_first: bool = False

    def named(self, number: int) -> str:
        """The name of one object by its number, from 1 on."""
        if self.spec is None:
            return self.owner if self.count == 1 else f"{self.kind} {number} of {self.count} of {self.owner}"
        what = self.kind or "pod"
        return f"the {what} of {self.owner}" if self.count == 1 else f"{what} {number} of {self.count} of {self.owner}"


#: Demands whose objects are created in turn, one of each at a time: the claims of a StatefulSet's pod, and the pod.
Unit: TypeAlias = tuple[QuotaDemand, ...]


def demands_of(made: Iterable[JSONObject], facts: Facts, namespace: str) -> list[list[Unit]]:
    """The demands of each of the objects that are created in a namespace, in the order of their creation."""
    objects = [obj for obj in made if (namespace_of(obj) or namespace) == namespace]
    least = dict(_least_replicas(objects))
    found: list[list[Unit]] = []
    for obj in objects:
        pods = pods_of(obj)
        own: list[Unit] = [] if obj.get("kind") == "Pod" else [(demand,) for demand in _of_object(obj, facts)]
        if pods:
            own += _of_pods(obj, pods, least.get((text(obj, "kind"), name_of(obj)), 0), facts, namespace)
        found.append(own)
    return found


def _least_replicas(objects: Iterable[JSONObject]) -> Iterator[tuple[tuple[str, str], int]]:
    """The fewest replicas that autoscalers among the objects allow, by the kind and name of what they scale."""
    for obj in objects:
        if obj.get("kind") == "HorizontalPodAutoscaler":
            target = part(obj, "spec", "scaleTargetRef")
            yield (text(target, "kind"), text(target, "name")), whole(part(obj, "spec"), "minReplicas", 1)


def _of_object(obj: JSONObject, facts: Facts) -> Iterator[QuotaDemand]:
    """The demand of the object itself."""
    gvk = GroupVersionKind.from_object(obj)
    if gvk is None:
        return
    label = f"{gvk.kind} {name_of(obj)}"
    resource = _plural(gvk, facts)
    usage = {f"count/{resource}.{gvk.group}" if gvk.group else f"count/{resource}": _ONE}
    if not gvk.group and resource in _BY_BARE_NAME:
        usage[resource] = _ONE
    if not gvk.group and gvk.kind == "Service":
        usage |= _of_service(part(obj, "spec"))
    elif not gvk.group and gvk.kind == _CLAIM:
        usage |= _of_claim(obj, facts)
    yield QuotaDemand(label, gvk.kind, usage, is_root=True)


def _plural(gvk: GroupVersionKind, facts: Facts) -> str:
    """The name of a kind's resource: that of its CRD, or by the rule for built-in kinds."""
    definition = facts.definitions.get(gvk)
    if definition is not None:
        return definition.plural
    lower = gvk.kind.lower()
    if lower.endswith(("s", "x", "ch")):
        return f"{lower}es"
    return f"{lower[:-1]}ies" if lower.endswith(("cy", "ry")) else f"{lower}s"


def _of_service(spec: JSONObject) -> Amounts:
    ports, kind = items(spec, "ports"), text(spec, "type")
    if kind == "NodePort":
        return {"services.nodeports": Quantity.from_int(len(ports))}
    if kind != "LoadBalancer":
        return {}
    own = spec.get("allocateLoadBalancerNodePorts") is False
    counted = [port for port in ports if whole(port, "nodePort")] if own else ports
    return {"services.loadbalancers": _ONE, "services.nodeports": Quantity.from_int(len(counted))}


def _of_claim(claim: JSONObject, facts: Facts) -> Amounts:
    usage: Amounts = {}
    size = read_amounts(part(claim, "spec", "resources", "requests")).get("storage")
    storage_class = class_name(claim) or default_class(claim, facts.objects)
    for prefix in ("", *([f"{storage_class}{_STORAGE_CLASS}"] if storage_class else [])):
        usage[f"{prefix}persistentvolumeclaims"] = _ONE
        if size is not None:
            usage[f"{prefix}requests.storage"] = size if size.is_integer() else Quantity.from_int(size.value())
    return usage


def _of_pods(workload: JSONObject, pods: dict[str, JSONObject], least: int, facts: Facts, namespace: str) -> Iterator[Unit]:
    """The demands of a workload's pods, and of what its controller creates for them. Pods that are refused anyway don't count."""
    kind = text(workload, "kind")
    owner, replicas = f"{kind} {name_of(workload)}", max(_at_a_time(workload), least)
    if kind == "Deployment":
        yield (QuotaDemand(f"the ReplicaSet of {owner}", "ReplicaSet", {"count/replicasets.apps": _ONE}, is_root=True),)
    numbers = numbers_of(workload)
    made = claims_of(workload, pods.values())
    claims = [_of_claim_for(claim, workload, owner, replicas, facts) for claim in made]
    templates = len(items(workload, "spec", "volumeClaimTemplates")) if kind == "StatefulSet" else 0
    for role, pod in pods.items():
        count = replicas * numbers.get(role, 1)
        try:
            spec = admit(pod, facts.objects, namespace).spec
        except Refused:
            return
        if count > 0:
            called = role or ("replica" if kind in _REPLICATED else "")
            adds_first = kind == "Deployment" and _adds_first(part(workload, "spec", "strategy"), count)
            of_pods = QuotaDemand(owner, called, usage_of_pod(spec), count, spec, adds_first=adds_first)
            # A StatefulSet's claims are created before the pod, and those of ephemeral volumes after it.
            yield (*claims[:templates], of_pods)
    yield from ((claim,) for claim in claims[templates:] if claim.count > 0)


def _adds_first(strategy: JSONObject, replicas: int) -> bool:
    """Whether a rolling update keeps all replicas until a new one is there (pkg/controller/deployment/util, ResolveFenceposts)."""
    if text(strategy, "type", "RollingUpdate") != "RollingUpdate":
        return False
    given = part(strategy, "rollingUpdate")
    surge, unavailable = (given.get(key, _QUARTER) for key in ("maxSurge", "maxUnavailable"))
    return _of_replicas(unavailable, replicas) == 0 and (isinstance(surge, str) or _of_replicas(surge, replicas) > 0)


def _of_replicas(value: JSONValue, replicas: int) -> int:
    """A number of pods, or a percentage, which is rounded down."""
    return number(value) * replicas // 100 if isinstance(value, str) else number(value)


def _of_claim_for(claim: JSONObject, workload: JSONObject, owner: str, count: int, facts: Facts) -> QuotaDemand:
    """The demand of the claims that come with each pod of a workload; `claim` is that of the first pod."""
    template = text(metadata_of(claim), "name").removesuffix(f"-{name_of(workload)}-0")
    return QuotaDemand(f"{owner} ({template})", _CLAIM, {"count/persistentvolumeclaims": _ONE, **_of_claim(claim, facts)}, count)


_REPLICATED: Final = frozenset({"Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"})


def _at_a_time(workload: JSONObject) -> int:
    """How many pods a workload has at a time; at least one for a DaemonSet."""
    kind = workload.get("kind")
    if kind == "CronJob":
        workload = {"kind": "Job", **part(workload, "spec", "jobTemplate")}
    if kind in ("CronJob", "Job"):
        spec = part(workload, "spec")
        completions = spec.get("completions")
        parallel = whole(spec, "parallelism", 1)
        return min(parallel, completions) if isinstance(completions, int) and not isinstance(completions, bool) else parallel
    return replicas_of(workload)
