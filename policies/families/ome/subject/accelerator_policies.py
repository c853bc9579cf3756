"""How each policy chooses among the accelerator classes that the constraints leave: the first of equal ones.

Source: OME v0.1.5, pkg/acceleratorclassselector/{selector,policy_helpers}.go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import Final

from weighbridge.policies.families.ome.subject.accelerators import AcceleratorClass
from weighbridge.policies.ground.fields import texts, whole
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.quantity import Quantity

#: The rank of a tier that isn't one of these.
_TIERS: Final = {"low": 0, "medium": 1, "high": 2}
_MEDIUM: Final = 1
#: The field of a class's speed by precision; any other word has none.
_FIGURES: Final = {
    "fp32": "fp32Tflops",
    "fp16": "fp16Tflops",
    "int8": "int8Tops",
    "fp8": "int8Tops",
    "int4": "int4Tops",
}
_FALLBACK: Final = "fp16"
#: The weights of memory and speed in BestFit, and of memory, bandwidth and speed in MostCapable.
_FIT: Final = (0.7, 0.3)
_CAPABILITY: Final = (0.5, 0.3, 0.2)


def chosen_by(policy: str, candidates: Sequence[AcceleratorClass], constraints: JSONObject) -> AcceleratorClass | None:
    """The class that a policy chooses from at least one; if there is only one, every policy chooses it. `None` if the classes have no
    values to compare.
    """
    if policy not in _POLICIES:
        return None
    return candidates[0] if len(candidates) == 1 else _POLICIES[policy](candidates, constraints)


def _first(candidates: Sequence[AcceleratorClass], _: JSONObject) -> AcceleratorClass:
    return candidates[0]


def _best_fit(candidates: Sequence[AcceleratorClass], constraints: JSONObject) -> AcceleratorClass:
    return max(candidates, key=lambda one: _FIT[0] * _memory_fit(one, constraints) + _FIT[1] * _speed_fit(one, constraints))


def _memory_fit(one: AcceleratorClass, constraints: JSONObject) -> float:
    """A score of memory: 1 for just enough, and less the more there is."""
    least = constraints.get("minMemory")
    if not isinstance(least, int) or one.exact_memory == least:
        return 1.0
    return least / one.exact_memory if one.exact_memory else 0.0


def _speed_fit(one: AcceleratorClass, constraints: JSONObject) -> float:
    """A score of speed: how near it comes to the wanted one. It is halved for each preferred precision that the class lacks; without
    preferred ones the fastest counts.
    """
    wanted = whole(constraints, "minComputePerformanceTFLOPS")
    preferred = [precision.lower() for precision in texts(constraints, "preferredPrecisions")]
    if not preferred:
        return _share(max(one.performance(name) for name in _FIGURES.values()), wanted)
    penalty = 1.0
    for precision in preferred:
        if (found := _speed(one, precision)) > 0:
            return _share(found, wanted) * penalty
        penalty /= 2
    return _share(_speed(one, _FALLBACK), wanted) * penalty


def _share(speed: int, wanted: int) -> float:
    if speed <= 0:
        return 0.0
    return min(1.0, speed / wanted) if wanted else 1.0


def _speed(one: AcceleratorClass, precision: str) -> int:
    name = _FIGURES.get(precision)
    return one.performance(name) if name is not None else 0


def _cheapest(candidates: Sequence[AcceleratorClass], _: JSONObject) -> AcceleratorClass | None:
    """The cheapest class by the price per hour, else per tokens, else by tier: the first of these that any class has, among the classes
    that have it.
    """
    for names in (("spotPerHour", "perHour"), ("perMillionTokens",)):
        priced = [(cost, one) for one in candidates if (cost := _price(one, names)) is not None]
        if priced:
            return min(priced, key=_by_cost)[1]
    return min((one for one in candidates if one.tier), key=lambda one: _TIERS.get(one.tier.lower(), _MEDIUM), default=None)


def _compared(left: tuple[Quantity, AcceleratorClass], right: tuple[Quantity, AcceleratorClass]) -> int:
    return left[0].compare(right[0])


_by_cost: Final = cmp_to_key(_compared)


def _price(one: AcceleratorClass, names: Sequence[str]) -> Quantity | None:
    """The first of these amounts that the class has."""
    return next((cost for name in names if (cost := one.cost(name)) is not None), None)


def _most_capable(candidates: Sequence[AcceleratorClass], constraints: JSONObject) -> AcceleratorClass:
    preferred = [precision.lower() for precision in texts(constraints, "preferredPrecisions")] or [_FALLBACK]
    figures = [(one.exact_memory, one.bandwidth, _first_speed(one, preferred)) for one in candidates]
    most = [max(column) for column in zip(*figures, strict=True)]
    scores = [sum(value / best * share for value, best, share in zip(row, most, _CAPABILITY, strict=True) if best > 0) for row in figures]
    return candidates[scores.index(max(scores))]


def _first_speed(one: AcceleratorClass, preferred: Sequence[str]) -> int:
    """The speed in the first preferred precision that the class has, or else the first speed that it has."""
    first = _speed(one, preferred[0])
    return first or next((found for precision in preferred[1:] if (found := _speed(one, precision)) > 0), 0)


_POLICIES: Final[dict[str, Callable[[Sequence[AcceleratorClass], JSONObject], AcceleratorClass | None]]] = {
    "BestFit": _best_fit,
    "Cheapest": _cheapest,
    "MostCapable": _most_capable,
    "FirstAvailable": _first,
}
