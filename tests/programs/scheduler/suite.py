"""The clusters to ask about and how many pods each is asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.programs.scheduler.generated import claims, dra_clusters, limit_ranges, plain, quotas, volumes
from tests.programs.scheduler.generated.case import Scenario

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
