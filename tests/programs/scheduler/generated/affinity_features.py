"""Demands of pods on nodes: selectors, node affinity with every operator, names of nodes, spread, affinity to other pods."""

from __future__ import annotations

from tests.programs.scheduler.generated.case import JSON, Case, World, requirement
from tests.programs.scheduler.generated.hardware import HOSTNAME, ZONE
from tests.programs.scheduler.generated.oddities import NUMBERS


def selector(world: World, case: Case) -> None:
    """A node selector: labels that nodes have, a wrong value, a missing key."""
    wanted = case.spec.setdefault("nodeSelector", {})
    for _ in range(world.rng.choice([1, 1, 2])):
        key, value = world.label()
        wanted[key] = world.rng.choice([value, value, value, value.swapcase(), "", "other"])
    if world.rng.random() < 0.1:
        wanted["example.com/missing"] = "x"


def _expression(world: World) -> JSON:
    key, value = world.label()
    if world.rng.random() < 0.1:
        key = "example.com/missing"
    operator = world.rng.choice(["In", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"])
    if operator in {"Exists", "DoesNotExist"}:
        return requirement(key, operator)
    if operator in {"Gt", "Lt"}:
        sized = any("size" in node["metadata"].get("labels", {}) for node in world.nodes)
        return requirement("size" if sized and world.rng.random() < 0.8 else key, operator, world.rng.choice(NUMBERS))
    others = [world.label()[1] for _ in range(world.rng.randint(0, 2))]
    return requirement(key, operator, world.rng.choice([value, value, "", value.swapcase()]), *others)


def _field(world: World) -> JSON:
    return requirement("metadata.name", world.rng.choice(["In", "In", "NotIn"]), world.node_name())


def _require(case: Case, terms: list[JSON]) -> None:
    node_affinity = case.spec.setdefault("affinity", {}).setdefault("nodeAffinity", {})
    node_affinity["requiredDuringSchedulingIgnoredDuringExecution"] = {"nodeSelectorTerms": terms}


def affinity(world: World, case: Case) -> None:
    """Terms of expressions; now and then an empty one."""
    terms: list[JSON] = []
    for _ in range(world.rng.choice([1, 1, 2, 3])):
        expressions = [_expression(world) for _ in range(world.rng.choice([1, 1, 1, 2, 3]))]
        terms.append({} if world.rng.random() < 0.08 else {"matchExpressions": expressions})
    _require(case, terms)


def match_fields(world: World, case: Case) -> None:
    """Terms that name nodes, with and without expressions: some narrow the choice, some don't, some contradict themselves."""
    terms = []
    for _ in range(world.rng.choice([1, 1, 2, 3])):
        term: JSON = {"matchFields": [_field(world) for _ in range(world.rng.choice([1, 1, 2]))]}
        if world.rng.random() < 0.3:
            term["matchExpressions"] = [_expression(world)]
        terms.append(world.rng.choice([term] * 8 + [{"matchExpressions": [_expression(world)]}, {}]))
    _require(case, terms)
    if world.rng.random() < 0.2:
        selector(world, case)


def _topology(world: World) -> str:
    """A label key of nodes."""
    return world.rng.choice([ZONE, HOSTNAME, world.label()[0], "example.com/missing"])


def spread(world: World, case: Case) -> None:
    """Topology spread constraints, hard and soft."""
    case.pod["metadata"].setdefault("labels", {})["app"] = "web"
    constraints: dict[tuple[str, str], JSON] = {}
    for _ in range(world.rng.choice([1, 1, 2])):
        key, hard = _topology(world), world.rng.choice(["DoNotSchedule", "DoNotSchedule", "ScheduleAnyway"])
        constraint: JSON = {"maxSkew": world.rng.randint(1, 3), "topologyKey": key, "whenUnsatisfiable": hard}
        if world.rng.random() < 0.8:
            constraint["labelSelector"] = {"matchLabels": {"app": world.rng.choice(["web", "other"])}}
        if hard == "DoNotSchedule" and world.rng.random() < 0.3:
            constraint["minDomains"] = world.rng.randint(1, 30)
        if world.rng.random() < 0.3:
            constraint["nodeAffinityPolicy"] = world.rng.choice(["Honor", "Ignore"])
        if world.rng.random() < 0.3:
            constraint["nodeTaintsPolicy"] = world.rng.choice(["Honor", "Ignore"])
        if "labelSelector" in constraint and world.rng.random() < 0.2:
            constraint["matchLabelKeys"] = ["pod-template-hash"]
        constraints[key, hard] = constraint
    case.spec["topologySpreadConstraints"] = list(constraints.values())


def pod_affinity(world: World, case: Case) -> None:
    """Affinity and anti-affinity to pods, although the pod itself is the only one."""
    if world.rng.random() < 0.2 and not case.objects:
        case.pod["metadata"]["namespace"] = "elsewhere"
    labels = case.pod["metadata"].setdefault("labels", {})
    labels.update({"app": "web", "tier": world.rng.choice(["front", "back"])})
    kinds = world.rng.choice([["podAffinity"], ["podAffinity"], ["podAntiAffinity"], ["podAffinity", "podAntiAffinity"]])
    for kind in kinds:
        terms = [_pod_term(world) for _ in range(world.rng.choice([1, 1, 2]))]
        required = world.rng.random() < 0.85
        key = ("required" if required else "preferred") + "DuringSchedulingIgnoredDuringExecution"
        value = terms if required else [{"weight": 1, "podAffinityTerm": term} for term in terms]
        case.spec.setdefault("affinity", {})[kind] = {key: value}


def _pod_term(world: World) -> JSON:
    term: JSON = {"topologyKey": _topology(world)}
    choice = world.rng.random()
    if choice < 0.4:
        term["labelSelector"] = {"matchLabels": {"app": world.rng.choice(["web", "web", "other"])}}
    elif choice < 0.8:
        operator = world.rng.choice(["In", "NotIn", "Exists", "DoesNotExist"])
        values = ["front", world.rng.choice(["back", "side"])] if operator in {"In", "NotIn"} else []
        term["labelSelector"] = {"matchExpressions": [requirement(world.rng.choice(["tier", "tier", "none"]), operator, *values)]}
    elif choice < 0.9:
        term["labelSelector"] = {}
    extra = world.rng.random()
    if extra < 0.12:
        term["namespaces"] = [world.rng.choice(["default", "elsewhere"])]
    elif extra < 0.24:
        chosen = world.rng.choice([{}, {"kubernetes.io/metadata.name": "default"}, {"team": "x"}, {"team": "y"}])
        term["namespaceSelector"] = {"matchLabels": chosen} if chosen else {}
    elif extra < 0.34 and "labelSelector" in term:
        term[world.rng.choice(["matchLabelKeys", "mismatchLabelKeys"])] = [world.rng.choice(["hash", "tier"])]
        # The API server refuses a key that the selector names too.
        term["labelSelector"] = {"matchLabels": {"app": "web"}}
    return term
