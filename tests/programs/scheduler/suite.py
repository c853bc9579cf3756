"""The clusters to ask about and how many pods each is asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tests.programs.scheduler.generated import claims, dra_clusters, limit_ranges, plain, quotas, volumes
from tests.programs.scheduler.generated.case import Scenario
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.server_release import ServerRelease

#: Makes the scenario of that name with so many pods, from a seed.
Maker = Callable[[str, int, int], Scenario]

MAKERS: Mapping[str, Maker] = {
    **dict.fromkeys(plain.CLUSTERS, plain.scenario),
    **dict.fromkeys(dra_clusters.CLUSTERS, claims.scenario),
    volumes.CLUSTER: volumes.scenario,
    limit_ranges.CLUSTER: limit_ranges.scenario,
    quotas.CLUSTER: quotas.scenario,
}
#: A cluster without nodes says one thing to every pod.
_FEW = ("none",)


def scenario(name: str, count: int, seed: int) -> Scenario:
    """The scenario of that name with about `count` pods."""
    return MAKERS[name](name, count // 10 + 1 if name in _FEW else count, seed)


def creatable(made: Scenario, server: ServerRelease) -> Scenario:
    """The scenario without what a release doesn't let be created, since nothing is left of it without the fields that it drops."""
    if server.shares_devices and server.keeps_device_counters:
        return made
    cluster = [_creatable(obj) for obj in made.cluster if not part(obj, "spec").get("perDeviceNodeSelection")]
    cases = [replace(case, objects=[_creatable(obj) for obj in case.objects]) for case in made.cases]
    return replace(made, cluster=cluster, cases=cases)


def _creatable(value: Any) -> Any:
    """An object whose constraints all want one value, and whose selectors don't ask whether a device has several users."""
    if isinstance(value, list):
        return [_creatable(item) for item in value if "allowMultipleAllocations" not in part(item, "cel").get("expression", "")]
    if not isinstance(value, dict):
        return value
    return {"matchAttribute" if key == "distinctAttribute" else key: _creatable(item) for key, item in value.items()}
