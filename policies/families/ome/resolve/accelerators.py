"""Which accelerator class a component gets.

A class that is named, at the component before the service, else one by a policy among those that the runtime lists, in its order. Neither
named nor by a policy there is none. Nodes aren't looked at.

Source: OME v0.1.5, pkg/acceleratorclassselector/{selector,policies}.go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from policies.facts import Facts
from policies.families.family import spec_of
from policies.families.ome.kinds import ACCELERATOR_CLASSES, GROUP
from policies.families.ome.subject.accelerators import AcceleratorClass, read_class
from policies.families.ome.subject.runtime import Runtime
from policies.fields import part, text, texts, whole
from policies.objects import JSONObject, Path

_TIERS: Final = ("low", "medium", "high")
#: By precision, the figure that tells how fast it is.
_FIGURES: Final = {
    "fp32": "fp32Tflops",
    "fp16": "fp16Tflops",
    "bf16": "fp16Tflops",
    "int8": "int8Tops",
    "fp8": "int8Tops",
    "int4": "int4Tops",
}
_FALLBACK: Final = "fp16Tflops"
#: What memory, bandwidth and speed make of MostCapable.
_SHARES: Final = (0.5, 0.3, 0.2)


@dataclass(frozen=True, slots=True)
class ClassChoice:
    """The class of a component: `path` is the field that decided, `policy` the policy where one did.

    `name` is empty where it gets none; `accelerator` is `None` where the class isn't there. `left_out` says of each other class that the
    runtime lists why it isn't the one, `missing` are those that aren't there. With `panics` OME's controller fails on it.
    """

    component: str
    path: Path = ()
    policy: str = ""
    name: str = ""
    accelerator: AcceleratorClass | None = None
    left_out: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()
    panics: bool = False
    unknown: str = ""


def choose_class(service: JSONObject, component: str, runtime: Runtime, facts: Facts) -> ClassChoice:
    """The class of one component of a service on a runtime."""
    spec = spec_of(service)
    override, selector = part(spec, component, "acceleratorOverride"), part(spec, "acceleratorSelector")
    if not runtime.classes:
        return ClassChoice(component)
    places: tuple[tuple[JSONObject, Path], ...] = (
        (override, ("spec", component, "acceleratorOverride")),
        (selector, ("spec", "acceleratorSelector")),
    )
    for found, path in places:
        if name := text(found, "acceleratorClass"):
            return _named(component, name, (*path, "acceleratorClass"), facts)
    for found, path in places:
        if policy := text(found, "policy"):
            constraints = selector.get("constraints")
            held = constraints if isinstance(constraints, dict) else None
            return _by_policy(component, (*path, "policy"), policy, held, tuple(dict.fromkeys(runtime.classes)), facts)
    return ClassChoice(component)


def _named(component: str, name: str, path: Path, facts: Facts) -> ClassChoice:
    found = ACCELERATOR_CLASSES.get(facts, "", name)
    unknown = "" if found is not None or facts.objects.knows_all(GROUP, ACCELERATOR_CLASSES.kind) else ACCELERATOR_CLASSES.unknown
    return ClassChoice(component, path, "", name, read_class(found) if found is not None else None, unknown=unknown)


def _by_policy(component: str, path: Path, policy: str, constraints: JSONObject | None, listed: Sequence[str], facts: Facts) -> ClassChoice:
    by_name = {name: ACCELERATOR_CLASSES.get(facts, "", name) for name in listed}
    missing = tuple(name for name, found in by_name.items() if found is None)
    if missing:
        unknown = "" if facts.objects.knows_all(GROUP, ACCELERATOR_CLASSES.kind) else ACCELERATOR_CLASSES.unknown
        return ClassChoice(component, path, policy, missing=missing, unknown=unknown)
    classes = [read_class(found) for found in by_name.values() if found is not None]
    left_out: list[tuple[str, str]] = []
    candidates: list[AcceleratorClass] = []
    for one in classes:
        reason = excluded(one, constraints or {})
        if reason:
            left_out.append((one.name, reason))
        else:
            candidates.append(one)
    if not candidates:
        return ClassChoice(component, path, policy, left_out=tuple(left_out))
    if policy == "BestFit" and len(candidates) > 1 and constraints is None:
        return ClassChoice(component, path, policy, panics=True)
    chosen = _POLICIES.get(policy, _first)(candidates, constraints or {})
    left_out += [(one.name, f"{chosen.name} is the one by {policy}") for one in candidates if one is not chosen]
    return ClassChoice(component, path, policy, chosen.name, chosen, tuple(left_out))


def excluded(one: AcceleratorClass, constraints: JSONObject) -> str:
    """Why the constraints leave a class out; empty where they don't."""
    if one.name in texts(constraints, "excludedClasses"):
        return "it is among excludedClasses"
    families = texts(constraints, "architectureFamilies")
    if families and not any(_is_of_family(one, family.lower()) for family in families):
        return f"it is of none of architectureFamilies {', '.join(families)}"
    least, most = whole(constraints, "minMemory"), whole(constraints, "maxMemory")
    if "minMemory" in constraints and one.memory < least:
        return f"it has {one.memory}Gi of memory, less than minMemory {least}"
    if "maxMemory" in constraints and one.memory > most:
        return f"it has {one.memory}Gi of memory, more than maxMemory {most}"
    lacking = [name for name in texts(constraints, "requiredFeatures") if name.lower() not in one.features]
    if lacking:
        return f"it lacks {', '.join(lacking)}"
    wanted, has = text(constraints, "minArchitectureVersion"), text(one.capabilities, "computeCapability")
    if wanted and has < wanted:
        return f"its computeCapability {has or 'is not known and'} sorts before minArchitectureVersion {wanted}"
    return ""


def _is_of_family(one: AcceleratorClass, family: str) -> bool:
    name = f"{one.vendor}-{one.family}" if "-" in family else one.family
    return name.lower() == family


def _first(candidates: Sequence[AcceleratorClass], _: JSONObject) -> AcceleratorClass:
    return candidates[0]


def _best_fit(candidates: Sequence[AcceleratorClass], constraints: JSONObject) -> AcceleratorClass:
    return max(candidates, key=lambda one: _fit(one, constraints))


def _fit(one: AcceleratorClass, constraints: JSONObject) -> float:
    least = whole(constraints, "minMemory")
    memory = 1.0 if not least else least / one.memory if one.memory else 0.0
    wanted = whole(constraints, "minComputePerformanceTFLOPS")
    compute = min(1.0, _speed(one, texts(constraints, "preferredPrecisions")) / wanted) if wanted else 1.0
    return 0.7 * memory + 0.3 * compute


def _speed(one: AcceleratorClass, precisions: Sequence[str]) -> float:
    """The figure of the first preferred precision that it has, halved for each that it lacks."""
    penalty = 1.0
    for precision in precisions:
        found = one.performance(_FIGURES.get(precision.lower(), _FALLBACK))
        if found:
            return found * penalty
        penalty /= 2
    return one.performance(_FALLBACK) * penalty


def _cheapest(candidates: Sequence[AcceleratorClass], _: JSONObject) -> AcceleratorClass:
    for names in (("spotPerHour", "perHour"), ("perMillionTokens",)):
        priced = [(cost, index) for index, one in enumerate(candidates) if (cost := _price(one, names)) is not None]
        if priced:
            return candidates[min(priced)[1]]
    return min(candidates, key=_tier)


def _price(one: AcceleratorClass, names: Sequence[str]) -> float | None:
    """The first of these amounts that it has."""
    return next((cost for name in names if (cost := one.cost(name)) is not None), None)


def _tier(one: AcceleratorClass) -> int:
    tier = text(part(one.spec, "cost"), "tier").lower()
    return _TIERS.index(tier) if tier in _TIERS else 1


def _most_capable(candidates: Sequence[AcceleratorClass], _: JSONObject) -> AcceleratorClass:
    figures = [(one.memory, one.bandwidth, one.performance(_FALLBACK)) for one in candidates]
    most = [max(column) for column in zip(*figures, strict=True)]
    scores = [sum(value / best * share for value, best, share in zip(row, most, _SHARES, strict=True) if best) for row in figures]
    return candidates[scores.index(max(scores))]


_POLICIES: Final[dict[str, Callable[[Sequence[AcceleratorClass], JSONObject], AcceleratorClass]]] = {
    "BestFit": _best_fit,
    "Cheapest": _cheapest,
    "MostCapable": _most_capable,
    "FirstAvailable": _first,
}
