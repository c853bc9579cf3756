"""The accelerator class of a component.

It is the class that the component names, else the service's, else the one that a policy chooses among those that the runtime lists, in its
order. Without a name and a policy there is none. OME doesn't look at nodes.

Source: OME v0.1.5, pkg/acceleratorclassselector/{selector,policy_helpers}.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import ACCELERATOR_CLASSES, GROUP
from weighbridge.policies.families.ome.subject.accelerator_policies import chosen_by
from weighbridge.policies.families.ome.subject.accelerators import AcceleratorClass, read_class
from weighbridge.policies.families.ome.subject.runtime import Runtime
from weighbridge.policies.ground.fields import part, text, texts
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class ClassChoice:
    """The class of a component: `path` is the field that decided, `policy` the policy if one decided.

    `name` is empty if there is none; `accelerator` is `None` if the class doesn't exist. `left_out` has for each other class in the
    runtime's list the reason against it, `missing` has those that don't exist. With `panics` OME's controller panics at the choice.
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
    """The class of one component of a service with a runtime."""
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
    chosen = chosen_by(policy, candidates, constraints or {})
    if chosen is None:
        left_out += [(one.name, f"it has nothing that {policy} compares") for one in candidates]
        return ClassChoice(component, path, policy, left_out=tuple(left_out))
    left_out += [(one.name, f"{chosen.name} is the one by {policy}") for one in candidates if one is not chosen]
    return ClassChoice(component, path, policy, chosen.name, chosen, tuple(left_out))


def excluded(one: AcceleratorClass, constraints: JSONObject) -> str:
    """Why the constraints leave a class out; empty if they don't."""
    if one.name in texts(constraints, "excludedClasses"):
        return "it is among excludedClasses"
    families = texts(constraints, "architectureFamilies")
    if families and not any(_is_of_family(one, family.lower()) for family in families):
        return f"it is of none of architectureFamilies {', '.join(families)}"
    if reason := _memory_refusal(one, constraints):
        return reason
    lacking = [name for name in texts(constraints, "requiredFeatures") if name.lower() not in one.features]
    if lacking:
        return f"it lacks {', '.join(lacking)}"
    wanted, has = constraints.get("minArchitectureVersion"), text(one.capabilities, "computeCapability")
    if isinstance(wanted, str) and not has:
        return f"it has no computeCapability to compare with minArchitectureVersion {wanted or 'of no text'}"
    if isinstance(wanted, str) and has < wanted:
        return f"its computeCapability {has} sorts before minArchitectureVersion {wanted}"
    return ""


def _memory_refusal(one: AcceleratorClass, constraints: JSONObject) -> str:
    least, most = constraints.get("minMemory"), constraints.get("maxMemory")
    if isinstance(least, int) or isinstance(most, int):
        if not one.has_memory:
            return f"it has no memoryGB to compare with {'minMemory' if isinstance(least, int) else 'maxMemory'}"
        if isinstance(least, int) and one.memory < least:
            return f"it has {one.memory}Gi of memory, less than minMemory {least}"
        if isinstance(most, int) and one.memory > most:
            return f"it has {one.memory}Gi of memory, more than maxMemory {most}"
    return ""


def _is_of_family(one: AcceleratorClass, family: str) -> bool:
    name = f"{one.vendor}-{one.family}" if "-" in family else one.family
    return name.lower() == family
