"""The node that would have to be added for a pod: what the pod requests and nothing else, as an entry of `expectedNodes`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from weighbridge.policies.facts import Inventory
from weighbridge.policies.facts.autoscaling.pool_labels import chooses_pool
from weighbridge.policies.facts.node import HOSTNAME
from weighbridge.policies.facts.selectors import Requirement, Term, as_integer
from weighbridge.policies.placement.dynamic_resources import PodDevices
from weighbridge.policies.placement.filters import PodFilters
from weighbridge.policies.placement.node_affinity import NodeAffinity, is_met
from weighbridge.policies.placement.outcome import NodeWish

_NAME = "metadata.name"
#: Each tried term is compared with all terms; pods that people write have only a few.
_MOST_TERMS = 16
_ANY = "any"


def wished_node(filters: PodFilters, devices: PodDevices, inventory: Inventory) -> NodeWish | None:
    """The node for a pod; `None` if no declared node would help, as with devices, or with volumes that no node reaches.

    Of many affinity terms only the first few are tried.
    """
    resources = {
        name: count for name, count in filters.pod.requests.items() if count > 0 and ("/" in name or name.startswith("hugepages-"))
    }
    for term in islice(dict.fromkeys(filters.affinity.terms or (Term((), ()),)), _MOST_TERMS):
        labels, confined = _labels(filters.affinity, term)
        for key in (*filters.spread_keys, *filters.company.keys):
            labels.setdefault(key, _some_value(key, inventory))
        labels = {**filters.volumes.wished_labels(), **labels}
        hostname = labels.pop(HOSTNAME, "")
        wish = NodeWish(confined or hostname or _name(labels, resources), labels, resources)
        if hostname and hostname != wish.name:
            labels[HOSTNAME] = hostname
        node = wish.as_node()
        if not (filters.check(node) or filters.feature_check(node)) and devices.allows(node):
            return wish
    return None


def unmet_alternatives(affinity: NodeAffinity, inventory: Inventory) -> Iterator[list[Requirement]]:
    """The labels and names that the pod requires and no node has, term by term; meeting one term is enough."""
    selector = [Requirement(key, "In", (value,)) for key, value in affinity.selector.items()]
    for term in affinity.terms if affinity.terms is not None else (Term((), ()),):
        asked = [*selector, *term.expressions]
        names = [wanted for wanted in term.fields if not any(wanted.holds({_NAME: name}) for name in inventory.by_name)]
        yield names + [wanted for wanted in asked if not is_met(wanted, inventory)]


def _labels(affinity: NodeAffinity, term: Term) -> tuple[dict[str, str], str]:
    """Labels that meet the selector and a term, and the name to which the term limits the pod."""
    labels = dict(affinity.selector)
    for wanted in term.expressions:
        bound = as_integer(wanted.values[0]) if wanted.values else None
        match wanted.operator:
            case "In" if wanted.values:
                labels.setdefault(wanted.key, wanted.values[0])
            case "Exists":
                labels.setdefault(wanted.key, _ANY)
            case "Gt" | "Lt" if bound is not None:
                labels.setdefault(wanted.key, str(bound + (1 if wanted.operator == "Gt" else -1)))
    return labels, next((value for wanted in term.fields if wanted.operator == "In" for value in wanted.values), "")


def _some_value(label: str, inventory: Inventory) -> str:
    """A value of a label that nodes have."""
    return next((node.labels[label] for node in inventory.examples(label=label) if label in node.labels), _ANY)


def _name(labels: dict[str, str], resources: dict[str, int]) -> str:
    """A name for the node: that of the chosen pool, or one by what it offers."""
    pool = next((value for key, value in labels.items() if chooses_pool(key) and value not in ("", "true", "false")), "")
    resource = next(iter(resources), "")
    return pool or (f"{resource.rpartition('/')[2]}-node" if resource else "expected-node")
