"""The labels that a pod requires and no node has, and labels of nodes with a similar spelling.

Ids of devices are shown with the names of their products.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Final, TypeAlias

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.facts.accelerators import recognise_label
from weighbridge.policies.facts.selectors import Requirement, Term
from weighbridge.policies.ground.spelling import MOST_SEARCHED, closest
from weighbridge.policies.placement.node_affinity import NodeAffinity, is_met

_MOST_VALUES = 3
#: Why a node doesn't fit: a verb with the node as its subject, and the rest of the clause; or an empty verb and a whole clause.
Lack: TypeAlias = tuple[str, str]
#: The verbs for several nodes.
PLURALS: Final = {"has": "have", "lacks": "lack", "is": "are", "can attach": "can attach", "can't reach": "can't reach"}


def unmet_labels(affinity: NodeAffinity, inventory: Inventory) -> list[Requirement]:
    """The labels that the selector or every term requires and no node has."""
    wanted = [Requirement(key, "In", (value,)) for key, value in affinity.selector.items()]
    terms = affinity.terms or ()
    in_vain = [[each for each in term.expressions if not is_met(each, inventory)] for term in terms]
    if all(in_vain):
        wanted += [each for found in in_vain for each in found]
    return [requirement for requirement in dict.fromkeys(wanted) if not is_met(requirement, inventory)]


def unmet_label(requirement: Requirement, inventory: Inventory) -> str:
    """A line about a label that no node has, which names the nearest ones."""
    return _unmet(requirement, inventory, _by_another_label(requirement, inventory))


def differences(affinity: NodeAffinity, node: Node, known: Collection[Requirement]) -> list[Lack]:
    """Why one node doesn't meet the selector and the term that it comes closest to; `known` are requirements that no node meets."""
    unmet = [Requirement(key, "In", (value,)) for key, value in affinity.selector.items() if node.labels.get(key) != value]
    if not affinity.matches_terms(node):
        by_term = [_unmet_parts(term, node) for term in affinity.terms or ()]
        unmet = list(dict.fromkeys([*unmet, *min(by_term, key=len, default=[])]))
    return [_difference(requirement, node) for requirement in unmet if requirement not in known]


def _unmet_parts(term: Term, node: Node) -> list[Requirement]:
    by_name = [each for each in term.fields if not each.holds({"metadata.name": node.name})]
    return by_name + [each for each in term.expressions if not each.holds(node.labels)]


def _values(key: str, inventory: Inventory) -> Counter[str]:
    """The number of nodes with each value of a label."""
    if key in inventory.own.labels:
        return Counter(node.labels[key] for node in inventory.nodes if key in node.labels)
    values: Counter[str] = Counter()
    for shape, size in inventory.shapes.items():
        labels = inventory.example(shape).labels
        if key in labels:
            values[labels[key]] += size
    return values


def _unmet(requirement: Requirement, inventory: Inventory, otherwise: str) -> str:
    """A text on an unmet requirement: what the nodes have instead. It may end with `otherwise`, another label that means the same."""
    key, operator, wanted = requirement.key, requirement.operator, requirement.values
    values = _values(key, inventory)
    if operator in ("NotIn", "DoesNotExist"):
        return f"every node has the label {key}" + (f" with one of {', '.join(wanted)}" if wanted else "")
    if not values:
        known = {label for node in inventory.examples() for label in node.labels}
        nearest = closest(key, known)
        holders = sum(_values(nearest, inventory).values()) if nearest else 0
        return f"no node has the label {key}" + (otherwise or (f"; {_nodes(holders)} {nearest}" if nearest else ""))
    if key in inventory.own.labels and operator == "In":
        return f"no node has {' or '.join(f'{key}={_named(key, value)}' for value in wanted)}{otherwise}"
    alike = [found for found in (closest(value, values) for value in wanted[:MOST_SEARCHED]) if found]
    shown = list(dict.fromkeys(alike)) or [value for value, _ in sorted(values.items(), key=lambda item: (-item[1], item[0]))]
    have = ", ".join(
        f"{_nodes(values[value])} {'' if index else 'the label '}{key}={_named(key, value)}"
        for index, value in enumerate(shown[:_MOST_VALUES])
    )
    equal = " or ".join(f"{key}={_named(key, value)}" for value in wanted)
    asked = equal if operator == "In" else f"{key} {'above' if operator == 'Gt' else 'below'} {''.join(wanted)}"
    return f"{have}, none has {asked}{otherwise}"


def _named(key: str, value: str) -> str:
    """A label's value, with the name of its product if the value isn't that name."""
    meant = recognise_label(key, value)
    return value if meant is None or meant.model.casefold() in value.casefold() else f"{value} ({meant.product})"


def _by_another_label(requirement: Requirement, inventory: Inventory) -> str:
    """Nodes with the requested product that name it in another label."""
    for value in requirement.values if requirement.operator == "In" else ():
        meant = recognise_label(requirement.key, value)
        shapes = inventory.accelerators.get((meant.vendor, meant.model), {}) if meant is not None else {}
        for shape, held in shapes.items():
            if held.label.partition("=")[0] != requirement.key:
                more = inventory.shapes[shape] - 1
                names = f"{inventory.example(shape).name} and {more} more have" if more else f"{inventory.example(shape).name} has"
                return f"; {names} {held.product} by {held.label}"
    return ""


def _nodes(count: int) -> str:
    return f"{count} node has" if count == 1 else f"{count} nodes have"


def _difference(requirement: Requirement, node: Node) -> Lack:
    key, operator, wanted = (
        requirement.key,
        requirement.operator,
        " or ".join(_named(requirement.key, value) for value in requirement.values),
    )
    if key == "metadata.name":
        return "is", f"not {wanted}" if operator == "In" else "excluded by name"
    value = node.labels.get(key)
    if value is None:
        return "lacks", f"the label {key}"
    match operator:
        case "In":
            return "has", f"{key}={_named(key, value)} instead of {wanted}"
        case "Gt" | "Lt":
            return "has", f"{key}={value}, which isn't {'above' if operator == 'Gt' else 'below'} {wanted}"
        case _:
            return "has", f"{key}={value}, which the pod excludes"
