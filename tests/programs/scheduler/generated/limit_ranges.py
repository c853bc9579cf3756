"""Namespaces with limit ranges: they add requests and limits to containers, and refuse pods."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.programs.scheduler.generated import other_features, plain, resource_features
from tests.programs.scheduler.generated.case import JSON, Case, Feature, Scenario, World, bare, namespace
from tests.programs.scheduler.generated.hardware import node, size

CLUSTER = "limit-ranges"


def _multiples(world: World, case: Case) -> None:
    """Limits near a small multiple of the request, where the ratio decides; floating-point numbers can't hold most of them."""
    for resource, unit in (("cpu", "m"), ("memory", "Mi")):
        request, times = world.rng.randint(1, 12) * 100, world.rng.choice([1, 2, 3, 3])
        case.amounts(case.container)[resource] = f"{request}{unit}"
        case.amounts(case.container, "limits")[resource] = f"{request * times + world.rng.choice([0, 0, 0, 1])}{unit}"


_FEATURES: Sequence[Feature] = (
    _multiples,
    _multiples,
    resource_features.nothing,
    resource_features.requests,
    resource_features.requests,
    resource_features.containers,
    resource_features.init_containers,
    resource_features.pod_level,
    resource_features.extended,
    resource_features.overhead,
)
_CPU, _MEMORY, _GPU = ("100m", "1", "2", "3", "9"), ("64Mi", "1Gi", "3Gi", "20Gi"), ("0", "1", "3")


def scenario(name: str, count: int, seed: int) -> Scenario:
    """Five nodes, ten namespaces with a limit range each, and `count` pods in them."""
    rng = random.Random(f"{seed} {name}")
    nodes = [
        node("n0", size("8", "32Gi", **{"amd.com/gpu": "4"})),
        node("n1", size("2", "4Gi")),
        node("n2", size("1", "2Gi", **{"amd.com/gpu": "1"})),
        node("n3", size("500m", "512Mi")),
        node("n4", size("4", "16Gi"), taints=[{"key": "team", "value": "a", "effect": "NoSchedule"}]),
    ]
    ranges = [_limit_range(f"limited-{index}", rng) for index in range(10)]
    spaces = [namespace(found["metadata"]["namespace"]) for found in ranges]
    cases = [_case(name, index, random.Random(f"{seed} {name} {index}"), nodes) for index in range(count)]
    return Scenario(name, [*nodes, *spaces, *ranges, *plain.classes(nodes)], cases)


def _limit_range(space: str, rng: random.Random) -> JSON:
    entry: JSON = {"type": rng.choice(["Container", "Container", "Container", "Pod"])}
    for resource, choices in {"cpu": _CPU, "memory": _MEMORY, "amd.com/gpu": _GPU}.items():
        if rng.random() < (0.2 if "/" in resource else 0.7):
            _fill(entry, resource, choices, rng)
    more = [{"type": "Pod", "max": {"cpu": "6"}}] if entry["type"] == "Container" and rng.random() < 0.2 else []
    metadata = {"name": "limits", "namespace": space}
    return {"apiVersion": "v1", "kind": "LimitRange", "metadata": metadata, "spec": {"limits": [entry, *more]}}


def _fill(entry: JSON, resource: str, choices: Sequence[str], rng: random.Random) -> None:
    """Amounts that rise from the least to the most, some of them left out; for extended resources request and limit are the same."""
    kinds = ("min", "defaultRequest", "default", "max")
    drawn = sorted(rng.randrange(len(choices)) for _ in kinds)
    if "/" in resource:
        drawn = [drawn[0], drawn[2], drawn[2], drawn[3]]
    for kind, index in zip(kinds, drawn, strict=True):
        is_default = kind.startswith("default")
        if (entry["type"] == "Container" or not is_default) and rng.random() < (0.6 if is_default else 0.3):
            entry.setdefault(kind, {})[resource] = choices[index]
    if "/" in resource and resource in entry.get("defaultRequest", {}):
        # A missing default is the maximum, which may differ.
        entry.setdefault("default", {})[resource] = entry["defaultRequest"][resource]
    if rng.random() < 0.2:
        entry.setdefault("maxLimitRequestRatio", {})[resource] = rng.choice(["1", "2", "3", "3", "1500m"])


def _case(name: str, index: int, rng: random.Random, nodes: Sequence[JSON]) -> Case:
    world = World(rng, nodes)
    case = bare(f"{name}-{index}", "limit ranges")
    case.pod["metadata"]["namespace"] = f"limited-{rng.randrange(10)}"
    rng.choice(_FEATURES)(world, case)
    if rng.random() < 0.6:
        other_features.tolerate_everything(world, case)
    return case
