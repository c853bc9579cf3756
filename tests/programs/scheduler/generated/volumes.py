"""A cluster with volumes: bound ones of a node or a zone, free local ones, and classes that provision only in some places."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.programs.scheduler.generated import other_features, plain
from tests.programs.scheduler.generated.affinity_features import affinity, match_fields, pod_affinity, selector, spread
from tests.programs.scheduler.generated.case import JSON, Case, Scenario, World, bare, requirement
from tests.programs.scheduler.generated.hardware import HOSTNAME, ZONE, node, size
from tests.programs.scheduler.generated.resource_features import requests

CLUSTER = "volumes"
_REGION = "topology.kubernetes.io/region"
_ONCE = "ReadWriteOnce"
_STORAGE = "storage.k8s.io/v1"
_SELECTORS: Sequence[JSON] = (
    {},
    {"matchLabels": {"tier": "hot"}},
    {"matchExpressions": [requirement("tier", "NotIn", "hot")]},
    {"matchExpressions": [requirement("tier", "Exists")], "matchLabels": {"tier": "cold"}},
)
_BOUND = {"pv.kubernetes.io/bind-completed": "yes", "pv.kubernetes.io/bound-by-controller": "yes"}


def cluster(rng: random.Random) -> list[JSON]:
    """Five nodes in three zones and none."""
    later, at_once = "WaitForFirstConsumer", "Immediate"
    return [
        node("n0", size("8", "32Gi"), labels={ZONE: "z1", _REGION: "r"}),
        node("n1", size("8", "32Gi"), labels={ZONE: "z2", _REGION: "r"}),
        node("n2", size("8", "32Gi"), labels={ZONE: "z3", _REGION: "other"}),
        node("n3", size("8", "32Gi")),
        node("n4", size("2", "4Gi"), labels={ZONE: "z1"}, taints=[{"key": "team", "value": "a", "effect": "NoSchedule"}]),
        _storage_class("fast", "csi.example.com", later),
        _storage_class("zonal", "csi.example.com", later, [_topology(ZONE, "z1", "z2")]),
        _storage_class("two-terms", "csi.example.com", later, [_topology(ZONE, "z3"), _topology(HOSTNAME, "n3")]),
        _storage_class("local", "kubernetes.io/no-provisioner", later),
        _storage_class("at-once", "csi.example.com", at_once),
        _storage_class("counted", "counted.example.com", later),
        _storage_class("counted-zonal", "counted.example.com", later, [_topology(ZONE, "z1", "z3")]),
        _storage_class("uncounted", "uncounted.example.com", later),
        *_capacities(rng),
        *_limits(rng),
        _default(_storage_class("usual", "csi.example.com", later, [_topology(ZONE, "z2")])),
        *_free_volumes(rng),
        *_bound("on-n0", node_affinity=[[requirement(HOSTNAME, "In", "n0")]]),
        *_bound("on-n1-or-n3", node_affinity=[[requirement(HOSTNAME, "In", "n1")], [requirement(HOSTNAME, "In", "n3")]]),
        *_bound("nowhere", node_affinity=[[requirement(HOSTNAME, "In", "gone")]]),
        *_bound("not-in-z1", node_affinity=[[requirement(ZONE, "NotIn", "z1")]]),
        *_bound("in-z1", labels={ZONE: "z1"}),
        *_bound("in-z1-or-z2", labels={ZONE: "z1__z2"}),
        *_bound("in-z3-elsewhere", labels={ZONE: "z3", _REGION: "r"}),
        *_bound("in-z1-and-nowhere", labels={ZONE: "z1____z3"}),
        *_bound("in-no-zone", labels={ZONE: "", _REGION: "r"}),
        *_bound("old-labels", labels={"failure-domain.beta.kubernetes.io/zone": "z2"}),
        *_bound("anywhere"),
        _claim("lost", "fast", volume="no-such-volume", annotations=_BOUND),
        _claim("half-bound", "fast", volume="pv-anywhere"),
    ]


def _free_volumes(rng: random.Random) -> list[JSON]:
    """Local volumes, each on a node, with different sizes and modes.

    No two have the same size: kube-scheduler would choose one of them at random, and the rest might not be enough for the next claim.
    """
    volumes = []
    for index, gibibytes in enumerate(rng.sample([1, 4, 5, 6, 8, 9, 10, 15, 20, 21, 40], 8)):
        where = [[requirement(HOSTNAME, "In", f"n{rng.randrange(5)}")]]
        modes = rng.choice([[_ONCE], [_ONCE, "ReadOnlyMany"], ["ReadWriteMany"]])
        labels = rng.choice([{}, {"tier": "hot"}, {"tier": "cold"}])
        volumes.append(_volume(f"free-{index}", "local", gibibytes, modes, node_affinity=where, labels=labels, block=rng.random() < 0.2))
        if rng.random() < 0.2:
            volumes[-1]["spec"]["volumeAttributesClassName"] = "silver"
        if rng.random() < 0.2:
            volumes[-1]["status"]["phase"] = rng.choice(["Released", "Failed", "Pending"])
    return volumes


def _capacities(rng: random.Random) -> list[JSON]:
    """A driver that tracks its capacity and one that doesn't, with the capacity that is left in each place."""
    drivers: list[JSON] = [
        {"apiVersion": _STORAGE, "kind": "CSIDriver", "metadata": {"name": f"{name}.example.com"}, "spec": {"storageCapacity": keeps}}
        for name, keeps in (("counted", True), ("uncounted", False))
    ]
    drivers.append(
        {"apiVersion": _STORAGE, "kind": "CSIDriver", "metadata": {"name": "csi.example.com"}, "spec": {"storageCapacity": False}}
    )
    # Of two missing drivers the scheduler names any.
    rng.choice(drivers)["spec"]["preventPodSchedulingIfMissing"] = True
    places: list[JSON] = [
        {"matchLabels": {ZONE: "z1"}},
        {"matchLabels": {ZONE: "z2", _REGION: "r"}},
        {"matchLabels": {HOSTNAME: "n2"}},
        {"matchExpressions": [requirement(HOSTNAME, "In", "n3", "n4")]},
        {"matchExpressions": [requirement(ZONE, "DoesNotExist")]},
        {},
    ]
    found = []
    for index, place in enumerate(rng.choices([*places, None], k=6)):
        made: JSON = {"apiVersion": _STORAGE, "kind": "CSIStorageCapacity", "metadata": {"name": f"left-{index}", "namespace": "default"}}
        made |= {"storageClassName": rng.choice(["counted", "counted-zonal", "uncounted"])}
        made |= {"nodeTopology": place} if place is not None else {}
        made |= {"capacity": f"{rng.choice([1, 9, 30])}Gi"} if rng.random() < 0.9 else {}
        made |= {"maximumVolumeSize": f"{rng.choice([4, 10])}Gi"} if rng.random() < 0.3 else {}
        found.append(made)
    return [*drivers, *found]


def _limits(rng: random.Random) -> list[JSON]:
    """The number of volumes that most nodes can attach."""
    nodes = []
    for index in rng.sample(range(5), 4):
        drivers: list[JSON] = [
            {"name": driver, "nodeID": f"n{index}", "topologyKeys": [], **({"allocatable": {"count": count}} if count is not None else {})}
            for driver in ("csi.example.com", "counted.example.com")
            if (count := rng.choice([None, 0, 1, 2, 2, 3, 9])) is None or rng.random() < 0.9
        ]
        nodes.append({"apiVersion": _STORAGE, "kind": "CSINode", "metadata": {"name": f"n{index}"}, "spec": {"drivers": drivers}})
    return nodes


def _storage_class(name: str, provisioner: str, mode: str, topologies: Sequence[JSON] = ()) -> JSON:
    made: JSON = {"apiVersion": _STORAGE, "kind": "StorageClass", "metadata": {"name": name}}
    made |= {"provisioner": provisioner, "volumeBindingMode": mode}
    return made | ({"allowedTopologies": list(topologies)} if topologies else {})


def _default(storage_class: JSON) -> JSON:
    """The class that claims without one get."""
    storage_class["metadata"]["annotations"] = {"storageclass.kubernetes.io/is-default-class": "true"}
    return storage_class


def _topology(key: str, *values: str) -> JSON:
    return {"matchLabelExpressions": [{"key": key, "values": list(values)}]}


def _volume(
    name: str,
    storage_class: str,
    gibibytes: int,
    modes: Sequence[str],
    *,
    node_affinity: Sequence[Sequence[JSON]] = (),
    labels: JSON | None = None,
    claim: str = "",
    block: bool = False,
) -> JSON:
    """A PersistentVolume, available unless it belongs to a claim."""
    spec: JSON = {"capacity": {"storage": f"{gibibytes}Gi"}, "accessModes": list(modes), "storageClassName": storage_class}
    spec |= {"csi": {"driver": "csi.example.com", "volumeHandle": name}, "volumeMode": "Block" if block else "Filesystem"}
    if node_affinity:
        spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": [{"matchExpressions": list(term)} for term in node_affinity]}}
    if claim:
        spec["claimRef"] = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": "default", "name": claim}
    head = {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name, "labels": labels or {}}}
    return {**head, "spec": spec, "status": {"phase": "Bound" if claim else "Available"}}


def _claim(
    name: str,
    storage_class: str | None,
    *,
    gibibytes: int = 5,
    mode: str = "ReadWriteOnce",
    volume: str = "",
    annotations: JSON | None = None,
) -> JSON:
    """A PersistentVolumeClaim, bound when it says so, else as its author writes it."""
    spec: JSON = {"accessModes": [mode], "resources": {"requests": {"storage": f"{gibibytes}Gi"}}}
    spec |= {"storageClassName": storage_class} if storage_class is not None else {}
    spec |= {"volumeName": volume} if volume else {}
    metadata = {"name": name, "namespace": "default", "annotations": annotations or {}}
    made: JSON = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec}
    return made | ({"status": {"phase": "Bound"}} if annotations else {})


def _bound(name: str, *, node_affinity: Sequence[Sequence[JSON]] = (), labels: JSON | None = None) -> list[JSON]:
    """A claim and its volume."""
    volume = _volume(f"pv-{name}", "fast", 10, [_ONCE], node_affinity=node_affinity, labels=labels, claim=name)
    return [_claim(name, "fast", volume=f"pv-{name}", annotations=_BOUND), volume]


def _mount(world: World, case: Case) -> None:
    """One more volume of the pod."""
    name = f"volume-{len(case.spec.get('volumes', []))}"
    choice = world.rng.random()
    existing = [obj["metadata"]["name"] for obj in world.objects if obj["kind"] == "PersistentVolumeClaim"]
    source: JSON
    if choice < 0.45:
        source = {"persistentVolumeClaim": {"claimName": world.rng.choice(existing)}}
    elif choice < 0.5:
        source = {"persistentVolumeClaim": {"claimName": "no-such-claim"}}
    elif choice < 0.54:
        template = {"spec": {"accessModes": [_ONCE], "resources": {"requests": {"storage": "1Gi"}}}}
        source = {"ephemeral": {"volumeClaimTemplate": template}}
        if world.rng.random() < 0.5:
            # A claim of somebody else has the name.
            pod_s_own = f"{case.name}-{name}"
            case.objects += [_claim(pod_s_own, "fast", volume="pv-anywhere", annotations=_BOUND)]
    else:
        claim = _new_claim(world, f"{case.name}-{name}")
        case.objects.append(claim)
        if claim["spec"].get("storageClassName") == "local" and world.rng.random() < 0.3:
            case.objects.append(_meant_for(world, claim["metadata"]["name"]))
        source = {"persistentVolumeClaim": {"claimName": claim["metadata"]["name"]}}
    case.spec.setdefault("volumes", []).append({"name": name, **source})


def _meant_for(world: World, claim: str) -> JSON:
    """A free volume that is reserved for the claim, or for one of the same name in another namespace."""
    where = [[requirement(HOSTNAME, "In", world.node_name())]]
    volume = _volume(f"for-{claim}", "local", 50, [_ONCE, "ReadWriteMany", "ReadOnlyMany"], node_affinity=where, claim=claim)
    volume["spec"]["claimRef"]["namespace"] = world.rng.choice(["default", "elsewhere"])
    return volume | {"status": {"phase": "Available"}}


def _new_claim(world: World, name: str) -> JSON:
    bound_later = ["fast", "zonal", "two-terms", "local", "local", "local", "counted", "counted", "counted-zonal", "uncounted"]
    storage_class = world.rng.choice([*bound_later, "at-once", "no-such-class", "", None])
    mode = world.rng.choice([_ONCE, "ReadWriteOnce", "ReadWriteMany", "ReadOnlyMany", "ReadWriteOncePod"])
    claim = _claim(name, storage_class, gibibytes=world.rng.choice([1, 5, 8, 10, 20, 40]), mode=mode)
    if world.rng.random() < 0.15:
        claim["spec"]["volumeMode"] = "Block"
    if world.rng.random() < 0.15:
        claim["spec"]["selector"] = world.rng.choice(_SELECTORS)
    if world.rng.random() < 0.1:
        claim["spec"]["volumeAttributesClassName"] = world.rng.choice(["", "silver"])
    return claim


def scenario(name: str, count: int, seed: int) -> Scenario:
    """The cluster and `count` pods with volumes."""
    objects = cluster(random.Random(f"{seed} {name}"))
    cases = [_case(name, index, random.Random(f"{seed} {name} {index}"), objects) for index in range(count)]
    nodes = [obj for obj in objects if obj["kind"] == "Node"]
    return Scenario(name, [*objects, *plain.classes(nodes)], cases)


def _case(name: str, index: int, rng: random.Random, objects: Sequence[JSON]) -> Case:
    world = World(rng, [obj for obj in objects if obj["kind"] == "Node"], objects)
    case = bare(f"{name}-{index}", "volumes")
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        _mount(world, case)
    if rng.random() < 0.3:
        case.topic = "volumes and more"
        rng.choice([affinity, match_fields, selector, spread, pod_affinity, requests, other_features.priority])(world, case)
    if rng.random() < 0.5:
        other_features.tolerate_everything(world, case)
    return case
