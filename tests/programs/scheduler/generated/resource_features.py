"""Resources of pods: requests and limits, init containers and sidecars, pod-level resources, overhead, extended resources.

Amounts are drawn near the amounts of nodes, where verdicts change: exactly the amount, a little more or less, or parts that add up to it.
"""

from __future__ import annotations

from fractions import Fraction

from tests.programs.scheduler.generated.case import JSON, Case, World
from weighbridge.policies.ground.quantity import Quantity

#: Beyond 64 bits the sums of kube-scheduler v1.36.3 wrap around, and its filters accept the pod. Generated amounts stay below that.
_LARGEST = 2**62
_PLAIN = ("cpu", "cpu", "memory", "memory", "ephemeral-storage", "hugepages-2Mi")


def _units(resource: str, amount: str) -> Fraction:
    """The amount in the resource's natural unit: thousandths of a core, bytes, pieces."""
    quantity = Quantity.parse(amount)
    return Fraction(min(quantity.milli_value() if resource == "cpu" else quantity.value(), _LARGEST))


def _text(world: World, resource: str, units: int) -> str:
    """An amount in one of its notations."""
    if resource == "cpu":
        return world.rng.choice([f"{units}m", f"{units / 1000:.3f}", f"{units * 1000}u"]) if units < 10**9 else f"{units // 1000}"
    if "/" in resource or resource.startswith("hugepages-"):
        return str(units)
    notations = [str(units), f"{units * 1000}m" if units < 10**15 else str(units)]
    if units % 1024 == 0:
        notations.append(f"{units // 1024}Ki")
    return world.rng.choice(notations)


def _near(world: World, resource: str) -> int:
    """An amount near what a node has."""
    units = int(_units(resource, world.amount(resource)))
    step = {"cpu": 1, "hugepages-2Mi": 2 * 2**20}.get(resource, 1)
    choice = world.rng.random()
    if choice < 0.35:
        return units
    if choice < 0.6:
        return units + step
    if choice < 0.7:
        return max(units - step, 0)
    if choice < 0.95:
        return world.rng.randint(0, max(units // step, 1)) * step
    return 0


def _plain_resource(world: World) -> str:
    name = world.rng.choice(_PLAIN)
    if name.startswith("hugepages-") and not any(name in node["status"].get("allocatable", {}) for node in world.nodes):
        return "memory"
    return name


def _give(world: World, case: Case, container: JSON, resource: str, units: int) -> None:
    """Asks for the amount: extended resources and huge pages as limit and request alike, others as either."""
    text = _text(world, resource, units)
    if "/" in resource or resource.startswith("hugepages-"):
        case.amounts(container, "limits")[resource] = text
        if world.rng.random() < 0.5:
            case.amounts(container)[resource] = text
        if resource.startswith("hugepages-"):
            case.amounts(container).setdefault("cpu", "1m")
        return
    how = world.rng.random()
    if how < 0.25:
        case.amounts(container, "limits")[resource] = text
        return
    case.amounts(container)[resource] = text
    if how < 0.4:
        case.amounts(container, "limits")[resource] = _text(world, resource, units + world.rng.choice([0, 1000]))


def _further(case: Case, name: str, *, init: bool = False, sidecar: bool = False) -> JSON:
    container: JSON = {"name": name, "image": "example.invalid/none"}
    if sidecar:
        container["restartPolicy"] = "Always"
    case.spec.setdefault("initContainers" if init or sidecar else "containers", []).append(container)
    return container


def requests(world: World, case: Case) -> None:
    """One or two resources of one container."""
    for _ in range(world.rng.choice([1, 1, 2])):
        resource = _plain_resource(world)
        _give(world, case, case.container, resource, _near(world, resource))


def containers(world: World, case: Case) -> None:
    """An amount divided among several containers, in thousandths of the unit."""
    resource = world.rng.choice(["cpu", "memory"])
    count = world.rng.randint(2, 4)
    whole = _near(world, resource)
    for index in range(count):
        container = case.container if index == 0 else _further(case, f"more-{index}")
        part = whole // count + (whole % count if index == 0 else 0)
        fraction = world.rng.choice(["", "", ".5", ".001", ".0001"]) if part < 10**12 else ""
        case.amounts(container)[resource] = f"{part}{fraction}m" if resource == "cpu" else f"{part}{fraction}"


def init_containers(world: World, case: Case) -> None:
    """Init containers and sidecars before and after each other, of one resource."""
    resource = world.rng.choice(["cpu", "memory", "extended"])
    resource = world.extended() if resource == "extended" else resource
    whole = _near(world, resource)
    for index in range(world.rng.randint(1, 4)):
        sidecar = world.rng.random() < 0.5
        container = _further(case, f"init-{index}", init=True, sidecar=sidecar)
        _give(world, case, container, resource, world.rng.choice([whole, whole // 2, whole // 3, max(whole - 1, 0)]))
    if world.rng.random() < 0.8:
        _give(world, case, case.container, resource, world.rng.choice([whole, whole // 2, whole - whole // 2, 1]))


def pod_level(world: World, case: Case) -> None:
    """Pod-level resources, with and without those of its containers."""
    kind = world.rng.choice(["requests", "limits", "both"])
    names = world.rng.choice([["cpu"], ["memory"], ["cpu", "memory"]])
    for resource in names:
        units = _near(world, resource) + 1
        text = _text(world, resource, units)
        if kind != "limits":
            case.amounts(case.spec)[resource] = text
        if kind != "requests":
            case.amounts(case.spec, "limits")[resource] = text
        if world.rng.random() < 0.5:
            case.amounts(case.container)[resource] = _text(world, resource, units // world.rng.choice([1, 2, 3]))
        if world.rng.random() < 0.3:
            case.amounts(_further(case, f"init-{resource}", init=True))[resource] = _text(world, resource, units)
    if world.rng.random() < 0.3:
        _give(world, case, case.container, "memory" if names == ["cpu"] else "cpu", _near(world, "memory" if names == ["cpu"] else "cpu"))
    if world.rng.random() < 0.3:
        resource = world.extended()
        _give(world, case, case.container, resource, _near(world, resource))


def overhead(world: World, case: Case) -> None:
    """A RuntimeClass, with requests that leave room for its overhead, or don't."""
    case.spec["runtimeClassName"] = world.rng.choice(["kata", "kata", "gpu-overhead", "pinned", "plain"])
    resource = world.rng.choice(["cpu", "memory"])
    units = _near(world, resource)
    added = {"cpu": 250, "memory": 128 * 2**20}[resource]
    target = case.spec if world.rng.random() < 0.2 else case.container
    case.amounts(target)[resource] = _text(world, resource, max(units - world.rng.choice([0, added, added - 1, added + 1]), 0))


def extended(world: World, case: Case) -> None:
    """One or two extended resources, of one or two containers."""
    for index in range(world.rng.choice([1, 1, 2])):
        resource = world.extended()
        units = _near(world, resource)
        _give(world, case, case.container, resource, units)
        if world.rng.random() < 0.3:
            _give(world, case, _further(case, f"second-{index}"), resource, world.rng.choice([0, 1, units]))


def nothing(world: World, case: Case) -> None:
    """A pod that requests no resource, or an amount of 0."""
    if world.rng.random() < 0.5:
        case.amounts(case.container, "limits")[world.rng.choice(["example.com/unknown", "amd.com/gpu", "ephemeral-storage", "cpu"])] = "0"
