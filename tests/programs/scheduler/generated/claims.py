"""Pods with resource claims, and with extended resources of a device class."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from tests.programs.scheduler.generated import dra_clusters, other_features, plain, resource_features
from tests.programs.scheduler.generated.affinity_features import affinity
from tests.programs.scheduler.generated.case import JSON, Case, Feature, Scenario, World, bare
from tests.programs.scheduler.generated.dra_clusters import ADMIN_NAMESPACE
from tests.programs.scheduler.generated.slices import AMD, NIC, NVIDIA, PCIE_ROOT

_VERSION = "resource.k8s.io/v1"
#: Expressions that are true for some of a driver's devices, and an error for none.
_OWN = {
    AMD: (
        f'device.attributes["{AMD}"].productName == "AMD_Instinct_MI300X_OAM"',
        f'device.attributes["{AMD}"].cardIndex < 4',
        f'device.attributes["{AMD}"].numaNode == 1',
        f'device.attributes["{AMD}"].driverVersion.isGreaterThan(semver("6.3.0"))',
        f'device.capacity["{AMD}"].memory.compareTo(quantity("100Gi")) > 0',
        f'device.attributes["{AMD}"].type.matches("^(amd|sha)")',
        f'device.attributes["{AMD}"].cardIndex in [0, 2, 4]',
        f'device.attributes["{AMD}"].cardIndex == "1"',
    ),
    NVIDIA: (
        f'device.attributes["{NVIDIA}"].productName.contains("H100")',
        f'device.capacity["{NVIDIA}"].memory.isGreaterThan(quantity("40Gi"))',
        f'device.attributes["{NVIDIA}"].?cudaComputeCapability.orValue(semver("1.0.0")).isLessThan(semver("9.0.1"))',
        f'device.attributes["{NVIDIA}"].?index.orValue(9) in [0, 1, 2]',
    ),
    "mig.nvidia.com": (
        f'device.attributes["{NVIDIA}"].profile == "mig-1g"',
        f'device.attributes["{NVIDIA}"].profile == "mig-3g"',
        f'device.attributes["{NVIDIA}"].profile.startsWith("mig-")',
    ),
    NIC: (
        f'"speed" in device.attributes["{NIC}"] && device.attributes["{NIC}"].speed >= 200',
        f'has(device.attributes["{NIC}"].rdma) ? device.attributes["{NIC}"].rdma : false',
    ),
}
#: Expressions for any device.
_SAFE = (
    "true",
    f'device.driver == "{AMD}"',
    f'device.driver in ["{NVIDIA}", "{NIC}"]',
    f'"productName" in device.attributes["{AMD}"]',
    f'device.attributes["{NVIDIA}"].?profile.orValue("none") == "mig-1g"',
    f'device.driver == "{AMD}" && device.attributes["{AMD}"].?cardIndex.orValue(9) < 4',
    f'has(device.attributes["{AMD}"].nosuch) ? device.attributes["{AMD}"].nosuch == "x" : true',
    "device.allowMultipleAllocations == true",
    'device.attributes["example.com"].size() == 0',
)
#: Expressions that are an error for some devices.
_RISKY = (
    f'device.attributes["{AMD}"].nosuch == "x"',
    f'device.attributes["{NVIDIA}"].profile == "mig-3g"',
    f'device.attributes["{NIC}"].speed >= 200',
    f'device.capacity["{AMD}"].memory.compareTo(quantity("100Gi")) > 0',
)
_AMOUNTS = ("1", "8Gi", "10Gi", "16Gi", "30Gi", "32Gi", "48Gi", "64Gi", "100Gi", "112Gi", "130Gi", "150Gi", "192Gi", "300Gi")
_ATTRIBUTES = (PCIE_ROOT, f"{AMD}/numaNode", f"{AMD}/productName", f"{NVIDIA}/productName", f"{AMD}/cardIndex", "example.com/nosuch")


def _device_request(world: World, classes: Sequence[str]) -> JSON:
    """The fields that a request and a subrequest have in common."""
    made: JSON = {"deviceClassName": world.rng.choice(classes)}
    if world.rng.random() < 0.35:
        count = world.rng.choice([1, 1, 2])
        made["selectors"] = [{"cel": {"expression": _expression(world, made["deviceClassName"])}} for _ in range(count)]
    mode = world.rng.random()
    if mode < 0.08:
        made["allocationMode"] = "All"
    elif mode < 0.75:
        made |= {"allocationMode": "ExactCount", "count": world.rng.choices([1, 2, 3, 4, 5, 7, 8, 9, 33], [18, 12, 6, 8, 3, 3, 6, 3, 1])[0]}
    if world.rng.random() < 0.2:
        made["tolerations"] = [_toleration(world)]
    if world.rng.random() < (0.6 if _shares(world) else 0.1):
        name = world.rng.choice(["memory", "memory", f"{AMD}/memory", "nosuch", "lanes"])
        amount = world.rng.choice(["2", "16"]) if name == "lanes" else world.rng.choice(_AMOUNTS)
        made["capacity"] = {"requests": {name: amount}}
    return made


def _shares(world: World) -> bool:
    """Whether the cluster has devices that can be shared in parts."""
    slices = [obj["spec"] for obj in world.objects if obj["kind"] == "ResourceSlice"]
    return any(device.get("allowMultipleAllocations") for spec in slices for device in spec.get("devices", ()))


def _expression(world: World, class_name: str) -> str:
    """An expression, mostly one that fits the class."""
    choice = world.rng.random()
    if choice < 0.06:
        return world.rng.choice(_RISKY)
    return world.rng.choice(_OWN[class_name]) if class_name in _OWN and choice < 0.7 else world.rng.choice(_SAFE)


def _toleration(world: World) -> JSON:
    key = world.rng.choice(["gpu.amd.com/unhealthy", "gpu.amd.com/unhealthy", "example.com/maintenance", "other"])
    made: JSON = world.rng.choice([{"key": key, "operator": "Exists"}, {"key": key, "value": "ecc"}, {"operator": "Exists"}])
    return made | world.rng.choice([{}, {"effect": "NoSchedule"}, {"effect": "NoExecute"}])


def _request(world: World, name: str, classes: Sequence[str], *, admin: bool) -> JSON:
    if world.rng.random() < 0.2:
        letters = "abc"[: world.rng.randint(1, 3)]
        return {"name": name, "firstAvailable": [{"name": letter, **_device_request(world, classes)} for letter in letters]}
    exactly = _device_request(world, classes)
    if admin:
        exactly["adminAccess"] = True
    return {"name": name, "exactly": exactly}


def _constraint(world: World, names: Sequence[str]) -> JSON:
    made: JSON = {world.rng.choice(["matchAttribute", "matchAttribute", "distinctAttribute"]): world.rng.choice(_ATTRIBUTES)}
    return made | ({"requests": list(names)} if world.rng.random() < 0.4 else {})


def _own_classes(world: World, classes: Sequence[str]) -> list[str]:
    drivers = {obj["spec"]["driver"] for obj in world.objects if obj["kind"] == "ResourceSlice"}
    return [name for name in classes if name in drivers or (name == "mig.nvidia.com" and NVIDIA in drivers)]


def _claim_spec(world: World, *, admin: bool = False) -> JSON:
    classes = [obj["metadata"]["name"] for obj in world.objects if obj["kind"] == "DeviceClass"]
    # Mostly of the cluster's own kinds of devices.
    classes = [*_own_classes(world, classes) * 8, *classes] + (["no-such-class"] if world.rng.random() < 0.1 else [])
    count = world.rng.choice([1, 1, 1, 2, 2, 3])
    requests = [_request(world, f"r{index}", classes, admin=admin and index == 0) for index in range(count)]
    devices: JSON = {"requests": requests}
    if world.rng.random() < 0.25:
        devices["constraints"] = [_constraint(world, [request["name"] for request in requests])]
    return {"devices": devices}


def _attach(world: World, case: Case, name: str, reference: Mapping[str, str]) -> None:
    """Names the claim in the pod and uses it in a container."""
    case.spec.setdefault("resourceClaims", []).append({"name": name, **reference})
    used = case.container.setdefault("resources", {}).setdefault("claims", [])
    used.append({"name": name})


def own_claim(world: World, case: Case) -> None:
    """A new claim, from a template or by name, and now and then a second one."""
    for index in range(world.rng.choice([1, 1, 1, 2])):
        name, spec = f"claim-{index}", _claim_spec(world)
        named = f"{case.name}-is-{name}"
        if world.rng.random() < 0.4:
            template = {"apiVersion": _VERSION, "kind": "ResourceClaimTemplate", "metadata": {"name": named, "namespace": "default"}}
            case.objects.append({**template, "spec": {"spec": spec}})
            _attach(world, case, name, {"resourceClaimTemplateName": named})
        else:
            claim = {"apiVersion": _VERSION, "kind": "ResourceClaim", "metadata": {"name": named, "namespace": "default"}}
            case.objects.append({**claim, "spec": spec})
            _attach(world, case, name, {"resourceClaimName": named})


def admin_claim(world: World, case: Case) -> None:
    """A claim with admin access, which sees allocated devices too, in a namespace that allows it."""
    case.pod["metadata"]["namespace"] = ADMIN_NAMESPACE
    metadata = {"name": f"{case.name}-is-admin", "namespace": ADMIN_NAMESPACE}
    case.objects.append({"apiVersion": _VERSION, "kind": "ResourceClaim", "metadata": metadata, "spec": _claim_spec(world, admin=True)})
    _attach(world, case, "admin", {"resourceClaimName": metadata["name"]})


def missing_claim(world: World, case: Case) -> None:
    """A claim or a template that doesn't exist."""
    field = world.rng.choice(["resourceClaimName", "resourceClaimTemplateName"])
    _attach(world, case, "missing", {field: "no-such-claim"})


def allocated_claim(world: World, case: Case) -> None:
    """A claim that is allocated already, sometimes with a new one."""
    names = [obj["metadata"]["name"] for obj in world.objects if obj["kind"] == "ResourceClaim"]
    if names:
        _attach(world, case, "allocated", {"resourceClaimName": world.rng.choice(names)})
    if not names or world.rng.random() < 0.4:
        own_claim(world, case)


def mapped_resource(world: World, case: Case) -> None:
    """Extended resources that a device class may provide, in containers of every kind."""
    names = ["amd.com/gpu", "amd.com/gpu", "nvidia.com/gpu", "example.com/ghost", "example.com/dongle"]
    names += [f"deviceclass.resource.kubernetes.io/{name}" for name in (AMD, "any", "nosuch")]
    if world.rng.random() < 0.5:
        names = [world.rng.choice(names)]
    for index in range(world.rng.choice([1, 1, 1, 2, 3, 4])):
        kind = world.rng.choice(["containers", "containers", "initContainers", "sidecar"])
        container: JSON = {"name": f"gpu-{index}", "image": "example.invalid/none"}
        if kind == "sidecar":
            container["restartPolicy"] = "Always"
        container["resources"] = {"limits": {world.rng.choice(names): str(world.rng.choice([0, 1, 1, 2, 2, 3, 4, 5]))}}
        case.spec.setdefault("containers" if kind == "containers" else "initContainers", []).append(container)
    if world.rng.random() < 0.2:
        resource_features.requests(world, case)


def claim_and_more(world: World, case: Case) -> None:
    """A claim together with fields that earlier filters and PreFilters check."""
    own_claim(world, case)
    world.rng.choice([resource_features.requests, affinity, other_features.priority, mapped_resource])(world, case)


TOPICS: Mapping[str, Feature] = {
    "claims": own_claim,
    "admin access": admin_claim,
    "missing claim": missing_claim,
    "allocated": allocated_claim,
    "mapped resource": mapped_resource,
    "claims and more": claim_and_more,
}
_WEIGHTS = {"claims": 60, "admin access": 5, "missing claim": 2, "allocated": 3, "mapped resource": 5, "claims and more": 25}
_SPECIAL = {"dra-extended": "mapped resource", "dra-allocated": "allocated"}


def scenario(name: str, count: int, seed: int) -> Scenario:
    """The cluster of that name and `count` pods."""
    cluster = dra_clusters.CLUSTERS[name](random.Random(f"{seed} {name}"))
    cases = [_case(name, index, random.Random(f"{seed} {name} {index}"), cluster) for index in range(count)]
    return Scenario(name, [*cluster, *plain.classes([])], cases)


def _case(scenario_name: str, index: int, rng: random.Random, cluster: Sequence[JSON]) -> Case:
    weights = dict(_WEIGHTS)
    if scenario_name in _SPECIAL:
        weights[_SPECIAL[scenario_name]] += 100
    topic = rng.choices(list(weights), list(weights.values()))[0]
    case = bare(f"{scenario_name}-{index}", topic)
    TOPICS[topic](World(rng, [obj for obj in cluster if obj["kind"] == "Node"], cluster), case)
    if rng.random() < 0.5:
        other_features.tolerate_everything(World(rng, [], []), case)
    return case
