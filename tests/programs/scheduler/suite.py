"""The clusters of the comparison, and the number of pods for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tests.programs.scheduler.generated import claims, dra_clusters, limit_ranges, plain, quotas, volumes
from tests.programs.scheduler.generated.case import Scenario
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.server_release import ServerRelease

#: Generates the scenario of that name with that many pods, from a seed.
Maker = Callable[[str, int, int], Scenario]

MAKERS: Mapping[str, Maker] = {
    **dict.fromkeys(plain.CLUSTERS, plain.scenario),
    **dict.fromkeys(dra_clusters.CLUSTERS, claims.scenario),
    volumes.CLUSTER: volumes.scenario,
    limit_ranges.CLUSTER: limit_ranges.scenario,
    quotas.CLUSTER: quotas.scenario,
}
#: A cluster without nodes has the same answer for every pod.
_FEW = ("none",)


def scenario(name: str, count: int, seed: int) -> Scenario:
    """The scenario of that name with about `count` pods."""
    return MAKERS[name](name, count // 10 + 1 if name in _FEW else count, seed)


def creatable(made: Scenario, server: ServerRelease) -> Scenario:
    """The scenario without objects of kinds that a release lacks, and without those that are empty without the fields that it drops."""
    if not server.applies_taint_rules:
        made = replace(made, cluster=[obj for obj in made.cluster if obj["kind"] != "DeviceTaintRule"])
    if server.shares_devices and server.keeps_device_counters:
        return made
    cluster = [_creatable(obj) for obj in made.cluster if not part(obj, "spec").get("perDeviceNodeSelection")]
    cases = [replace(case, objects=[_creatable(obj) for obj in case.objects]) for case in made.cases]
    return replace(made, cluster=cluster, cases=cases)


def _creatable(value: Any) -> Any:
    """An object whose constraints all demand one value, and whose selectors don't read whether a device can have several users."""
    if isinstance(value, list):
        return [_creatable(item) for item in value if "allowMultipleAllocations" not in part(item, "cel").get("expression", "")]
    if not isinstance(value, dict):
        return value
    return {"matchAttribute" if key == "distinctAttribute" else key: _creatable(item) for key, item in value.items()}
