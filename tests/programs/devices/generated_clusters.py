"""Random clusters with devices: pools of every sort, and devices that other claims hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

JSON = dict[str, Any]
_Item = TypeVar("_Item")

DRIVERS = ("gpu.amd.com", "gpu.nvidia.com", "nic.example.com")
CLASSES: dict[str, list[str]] = {
    "all": [],
    "amd": ['device.driver == "gpu.amd.com"'],
    "nv": ['device.driver == "gpu.nvidia.com"'],
    "nic": ['device.driver == "nic.example.com"'],
    "notnic": ['device.driver != "nic.example.com"'],
    "none": ["false"],
    "unsafe": ['device.attributes["gpu.amd.com"].model == "mi300x"'],
    "two": ['device.driver.startsWith("gpu")', '"model" in device.attributes[device.driver]'],
}


@dataclass(slots=True)
class Dice:
    """Random choices from a seed."""

    random: Random

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, *items: _Item) -> _Item:
        return self.random.choice(items)

    def weighted(self, items: Sequence[_Item], weights: Sequence[float]) -> _Item:
        return self.random.choices(items, weights)[0]

    def some(self, items: Sequence[_Item], least: int, most: int) -> list[_Item]:
        return self.random.sample(items, min(len(items), self.random.randint(least, most)))


def resource(kind: str, name: str, namespace: str = "", **parts: Any) -> JSON:
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": metadata, **parts}


def class_objects() -> list[JSON]:
    return [resource("DeviceClass", name, spec={"selectors": [cel(text) for text in texts]}) for name, texts in CLASSES.items()]


def cel(expression: str) -> JSON:
    return {"cel": {"expression": expression}}


def nodes(dice: Dice) -> list[JSON]:
    found = []
    for index in range(dice.random.randint(1, 4)):
        labels = {"kubernetes.io/hostname": f"n{index}"}
        labels |= {"zone": dice.pick("a", "b")} if dice.chance(0.8) else {}
        labels |= {"gpu": "yes"} if dice.chance(0.5) else {}
        labels |= {"rank": dice.pick("1", "5", "x")} if dice.chance(0.5) else {}
        found.append({"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"n{index}", "labels": labels}})
    return found


def node_selector(dice: Dice) -> JSON:
    if dice.chance(0.2):
        field_ = {"key": "metadata.name", "operator": dice.pick("In", "NotIn"), "values": [f"n{dice.random.randrange(4)}"]}
        return {"nodeSelectorTerms": [{"matchFields": [field_]}]}
    expressions: list[JSON] = [
        {"key": "zone", "operator": "In", "values": ["a"]},
        {"key": "zone", "operator": "NotIn", "values": ["a"]},
        {"key": "gpu", "operator": "Exists"},
        {"key": "gpu", "operator": "DoesNotExist"},
        {"key": "rank", "operator": "Gt", "values": ["3"]},
        {"key": "rank", "operator": "Lt", "values": ["3"]},
    ]
    return {"nodeSelectorTerms": [{"matchExpressions": dice.some(expressions, 1, 2)}]}


@dataclass(slots=True)
class Driver:
    """One driver's slices while they are generated; some choices hold for all its pools."""

    dice: Dice
    name: str
    names: list[str]
    is_easy: bool
    slices: list[JSON] = field(default_factory=list)
    _is_partitioned: bool = False
    _is_divided: bool = False
    _binds_late: bool = False
    _devices: int = 0

    def __post_init__(self) -> None:
        self._is_partitioned, self._is_divided, self._binds_late = self.dice.chance(0.3), self.dice.chance(0.3), self.dice.chance(0.06)

    def make(self) -> list[JSON]:
        if self.dice.chance(0.75):
            for name in self.names:
                if self.dice.chance(0.85):
                    self._pool(name, {"nodeName": name})
        else:
            anywhere: list[JSON] = [{"perDeviceNodeSelection": True}, {"allNodes": True}, {"nodeSelector": node_selector(self.dice)}]
            self._pool("network", self.dice.pick(*anywhere))
        return self.slices

    def _add(self, pool: str, generation: int, count: int, where: JSON, **spec: Any) -> None:
        name = f"{self.dice.pick('s', 't', 'a')}-{self.name}-{pool}-{len(self.slices)}"
        pool_part = {"name": pool, "generation": generation, "resourceSliceCount": count}
        self.slices.append(resource("ResourceSlice", name, spec={"driver": self.name, "pool": pool_part, **where, **spec}))

    def _pool(self, pool: str, where: JSON) -> None:
        dice, self._devices = self.dice, 0
        parts, generation = dice.pick(1, 1, 1, 2, 3), dice.random.randint(1, 3)
        count = parts + self._is_partitioned + (dice.pick(-1, 1) if dice.chance(0.05) else 0)
        per_device = "perDeviceNodeSelection" in where
        sets = self._counter_sets() if self._is_partitioned else []
        if sets:
            self._add(pool, generation, count, {"allNodes": True} if per_device else where, sharedCounters=sets)
        for _ in range(parts):
            here = where
            if pool == "network" and not per_device and dice.chance(0.4):
                here = dice.pick({"allNodes": True}, {"nodeSelector": node_selector(dice)}, {"nodeName": dice.pick(*self.names)})
            devices = [self._device(sets, per_device=per_device) for _ in range(dice.random.randint(1, 4))]
            self._add(pool, generation, count, here, devices=devices)
        if dice.chance(0.08):
            late = {"name": "late", "attributes": self._attributes()} | ({"allNodes": True} if per_device else {})
            self._add(pool, generation + dice.pick(-1, 1), 1, where, devices=[late])

    def _counter_sets(self) -> list[JSON]:
        dice = self.dice
        found: list[JSON] = [
            {"name": f"gpu{n}", "counters": {"memory": {"value": dice.pick("80Gi", "40Gi")}, "slices": {"value": dice.pick("7", "8", "4")}}}
            for n in range(dice.random.randint(1, 2))
        ]
        return [*found, dict(found[0])] if dice.chance(0.04) else found

    def _device(self, sets: list[JSON], *, per_device: bool) -> JSON:
        dice = self.dice
        repeats = dice.chance(0.002 if self.is_easy else 0.01)
        found: JSON = {"name": "d0" if repeats else f"d{self._devices}", "attributes": self._attributes()}
        self._devices += 1
        divided = self._is_divided and dice.chance(0.7)
        found |= {"capacity": capacity} if (capacity := self._capacity(divided=divided)) else {}
        found |= {"allowMultipleAllocations": True} if divided else {}
        if dice.chance(0.15):
            found["taints"] = [
                {"key": dice.pick("maint", "hot"), "value": dice.pick("", "x"), "effect": dice.pick("NoSchedule", "NoExecute", "None")}
                for _ in range(dice.random.randint(1, 2))
            ]
        if sets and dice.chance(0.8):
            found["consumesCounters"] = [self._consumption(sets)]
        if per_device:
            found |= dice.pick({"allNodes": True}, {"nodeName": dice.pick(*self.names)}, {"nodeSelector": node_selector(dice)})
        if self._binds_late and dice.chance(0.5):
            found |= {"bindingConditions": ["ready"], "bindingFailureConditions": ["failed"]}
        return found

    def _attributes(self) -> JSON:
        dice = self.dice
        choices: list[tuple[float, str, JSON]] = [
            (0.9, "model", {"string": dice.pick("mi300x", "mi210", "a100")}),
            (0.8, "resource.kubernetes.io/pcieRoot", {"string": dice.pick("pci0", "pci1", "pci2")}),
            (0.6, "numa", {"int": dice.random.randrange(3)}),
            (0.5, "healthy", {"bool": dice.chance(0.7)}),
            (0.5, "driverVersion", {"version": dice.pick("1.0.0", "1.2.3", "2.0.0-rc.1")}),
            (0.3, f"{self.name}/serial", {"string": f"s{dice.random.randrange(5)}"}),
        ]
        return {name: value for probability, name, value in choices if dice.chance(probability)}

    def _capacity(self, *, divided: bool) -> JSON:
        dice = self.dice
        found: JSON = {}
        if dice.chance(0.8):
            found["memory"] = {"value": dice.pick("80Gi", "192Gi", "40Gi", "64G")}
            if divided and dice.chance(0.7):
                bounds = {"min": "5Gi"} | ({"max": "60Gi"} if dice.chance(0.5) else {}) | ({"step": "5Gi"} if dice.chance(0.6) else {})
                policies: list[JSON] = [{"validRange": bounds}, {"validValues": ["10Gi", "20Gi", "40Gi"]}, {}]
                found["memory"]["requestPolicy"] = {"default": "10Gi"} | dice.pick(*policies)
        if dice.chance(0.3):
            found["cores"] = {"value": dice.pick("8", "104", "500m")}
        return found

    def _consumption(self, sets: list[JSON]) -> JSON:
        dice = self.dice
        counters = {"memory": {"value": dice.pick("10Gi", "20Gi", "40Gi", "80Gi")}}
        counters |= {"slices": {"value": dice.pick("1", "2", "3", "4")}} if dice.chance(0.7) else {}
        counters |= {"bogus": {"value": "1"}} if dice.chance(0.005) else {}
        return {"counterSet": "nosuch" if dice.chance(0.01) else dice.pick(*sets)["name"], "counters": counters}


def held_by_others(dice: Dice, slices: list[JSON]) -> Iterator[JSON]:
    """Allocated claims of other pods."""
    devices = [(found["spec"], item) for found in slices for item in found["spec"].get("devices", [])]
    for number in range(dice.weighted((0, 1, 2), (60, 25, 15)) if devices else 0):
        results = []
        for position, (spec, item) in enumerate(dice.some(devices, 1, 3)):
            result = {"request": "r", "driver": spec["driver"], "pool": spec["pool"]["name"], "device": item["name"]}
            if item.get("allowMultipleAllocations"):
                result["shareID"] = f"00000000-0000-0000-0000-{number:06d}{position:06d}"
                if dice.chance(0.8):
                    result["consumedCapacity"] = {name: dice.pick("5Gi", "20Gi", "1") for name in item.get("capacity", {})}
            elif dice.chance(0.1):
                result["adminAccess"] = True
            results.append(result)
        yield resource("ResourceClaim", f"held{number}", "other", spec={}, status={"allocation": {"devices": {"results": results}}})
