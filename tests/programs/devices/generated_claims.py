"""Random claims, and whole cases: a cluster, its allocated devices, and the claims of a pod."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from tests.programs.devices.generated_clusters import DRIVERS, JSON, Dice, Driver, cel, class_objects, held_by_others, nodes, resource
from weighbridge.policies.ground.server_release import release

SELECTORS = (
    "true",
    '"numa" in device.attributes[device.driver] && device.attributes[device.driver].numa == 1',
    'device.attributes[device.driver].?model.orValue("") == "mi300x"',
    "device.attributes[device.driver].?healthy.orValue(true)",
    '"memory" in device.capacity[device.driver] && device.capacity[device.driver].memory.compareTo(quantity("64Gi")) >= 0',
    'cel.bind(d, device.attributes[device.driver], "driverVersion" in d && d.driverVersion.isGreaterThan(semver("1.1.0")))',
    '"resource.kubernetes.io" in device.attributes',
    "has(device.attributes.foo.bar)",
    "!device.allowMultipleAllocations",
)
ERRING = ("device.attributes[device.driver].nosuch == 1", "device.attributes[device.driver].model")
ATTRIBUTES = (
    "resource.kubernetes.io/pcieRoot", "gpu.amd.com/model", "gpu.amd.com/numa", "gpu.nvidia.com/healthy", "gpu.amd.com/driverVersion",
    "gpu.amd.com/serial", "nosuch.com/x",
)  # fmt: skip
TOLERATIONS: tuple[JSON, ...] = (
    {"operator": "Exists"},
    {"key": "maint", "operator": "Exists"},
    {"key": "hot", "operator": "Equal", "value": "x"},
    {"key": "maint", "operator": "Exists", "effect": "NoSchedule"},
    {"key": "hot", "operator": "Equal"},
)


@dataclass(slots=True)
class Claims:
    """Draws claims; easy ones are drawn more often."""

    dice: Dice
    is_easy: bool

    def claim(self, name: str) -> JSON:
        dice = self.dice
        requests = [self._request(f"r{index}") for index in range(dice.weighted((1, 2, 3, 4), (50, 30, 15, 5)))]
        named = [item["name"] for item in requests]
        named += [f"{item['name']}/{choice['name']}" for item in requests for choice in item.get("firstAvailable", [])]
        constraints = []
        for _ in range(dice.weighted((0, 1, 2), (60, 30, 10))):
            constraint: dict[str, Any] = {dice.pick("matchAttribute", "matchAttribute", "distinctAttribute"): dice.pick(*ATTRIBUTES)}
            constraints.append(constraint | ({"requests": dice.some(named, 1, 2)} if dice.chance(0.5) else {}))
        return resource("ResourceClaim", name, "default", spec={"devices": {"requests": requests, "constraints": constraints}})

    def _request(self, name: str) -> JSON:
        if self.dice.chance(0.25):
            choices = [{"name": f"s{index}", **self._wish()} for index in range(self.dice.random.randint(1, 3))]
            return {"name": name, "firstAvailable": choices}
        admin = {"adminAccess": True} if self.dice.chance(0.07) else {}
        return {"name": name, "exactly": self._wish() | admin}

    def _wish(self) -> JSON:
        dice = self.dice
        weights = (60, 20, 10, 10, 15, 1, 1, 10) if self.is_easy else (20, 20, 10, 10, 15, 3, 2, 10)
        found: JSON = {"deviceClassName": dice.weighted(("all", "amd", "nv", "nic", "notnic", "none", "unsafe", "two"), weights)}
        if dice.chance(0.15 if self.is_easy else 0.4):
            found["selectors"] = [cel(text) for text in dice.some(SELECTORS, 1, 2)]
        if dice.chance(0.01):
            found["selectors"] = [cel(dice.pick(*ERRING))]
        if dice.chance(0.15):
            found["allocationMode"] = "All"
        else:
            counts = (60, 20, 8, 3, 1, 0.3, 0.2, 0.1) if self.is_easy else (40, 20, 10, 6, 3, 2, 2, 1)
            found |= {"allocationMode": "ExactCount", "count": dice.weighted((1, 2, 3, 4, 5, 8, 17, 33), counts)}
        if dice.chance(0.25):
            found["tolerations"] = dice.some(TOLERATIONS, 1, 2)
        if dice.chance(0.25):
            # Before 1.37 the allocator misreads so large an amount.
            largest = ["10E"] if release().stops_at_large_amounts and dice.chance(0.05) else []
            amounts = {"memory": dice.pick("1Gi", "5Gi", "12Gi", "40Gi", "100Gi", *largest)}
            amounts |= {"cores": dice.pick("1", "4")} if dice.chance(0.1) else {}
            amounts |= {"bogus": "1"} if dice.chance(0.02) else {}
            found["capacity"] = {"requests": amounts}
        return found


def case(seed: int) -> JSON:
    """One case, in the form of the allocator's program."""
    dice, is_easy = Dice(Random(seed)), seed % 3 != 0
    hosts = nodes(dice)
    names = [host["metadata"]["name"] for host in hosts]
    slices = [found for name in dice.some(DRIVERS, 1, 3) for found in Driver(dice, name, names, is_easy).make()]
    claims = Claims(dice, is_easy)
    return {
        "Nodes": hosts,
        "Slices": slices,
        "Classes": class_objects(),
        "Claims": [claims.claim(f"c{index}") for index in range(dice.weighted((1, 2, 3), (65, 25, 10)))],
        "Allocated": list(held_by_others(dice, slices)),
    }
