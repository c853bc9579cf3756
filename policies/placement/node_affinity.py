"""The filter NodeAffinity: the pod's node selector and its required node affinity, and the nodes to which it limits itself by name.

Source: Kubernetes v1.36, pkg/scheduler/framework/plugins/nodeaffinity.
"""

from __future__ import annotations

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.facts.selectors import Requirement, Term, read_terms
from weighbridge.policies.ground.fields import items, part, text_map
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.placement.distinctions import Distinctions
from weighbridge.policies.placement.wordings import MISMATCH
from weighbridge.policies.pods.admission import AdmittedPod

CONFLICT = "pod affinity terms conflict"


@dataclass(frozen=True, slots=True)
class NodeAffinity:
    """A pod's requirements on a node's labels and name; `terms` is `None` if it has no required affinity."""

    selector: dict[str, str]
    terms: tuple[Term, ...] | None

    @classmethod
    def of(cls, pod: AdmittedPod) -> NodeAffinity:
        """Read a pod's requirements."""
        return cls(dict(pod.node_selector), _required_terms(pod.spec))

    @classmethod
    def of_spec(cls, spec: JSONObject) -> NodeAffinity:
        """Read the requirements of a pod's spec as it is written, without what admission adds."""
        return cls(text_map(spec, "nodeSelector"), _required_terms(spec))

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it requires."""
        return frozenset([*self.selector, *(wanted.key for term in self.terms or () for wanted in term.expressions)])

    def check(self, node: Node) -> tuple[str, ...]:
        """The filter's reason."""
        return () if self.matches_selector(node) and self.matches_terms(node) else (MISMATCH,)

    def matches_selector(self, node: Node) -> bool:
        """Whether the node has every label of the node selector."""
        return all(node.labels.get(key) == value for key, value in self.selector.items())

    def matches_terms(self, node: Node) -> bool:
        """Whether the node meets one of the terms, or there are none to meet."""
        return self.terms is None or any(term.matches(node.labels, node.name) and term.is_readable for term in self.terms)

    def names(self) -> frozenset[str] | None:
        """The names of the only nodes that can match; empty if the terms contradict each other, `None` if any node can."""
        if not self.terms:
            return None
        names: set[str] = set()
        for term in self.terms:
            confined = term.names()
            if confined is None:
                return None
            names |= confined
        return frozenset(names)

    def differs_within_shapes(self, inventory: Inventory) -> bool:
        """Whether some nodes of a shape may match, and others not."""
        return not self.labels.isdisjoint(inventory.own.labels) or any(term.fields for term in self.terms or ())

    def distinguish(self, distinctions: Distinctions) -> None:
        """Add what distinguishes nodes."""
        for key, value in self.selector.items():
            distinctions.add_value(key, value)
        distinctions.add_terms(self.terms or ())


def is_met(wanted: Requirement, inventory: Inventory) -> bool:
    """Whether some node meets a requirement on a label."""
    if wanted.operator == "In" and wanted.key in inventory.own.labels:
        return bool(inventory.with_label(wanted.key, set(wanted.values)))
    return any(wanted.holds(node.labels) for node in inventory.examples(label=wanted.key))


def _required_terms(spec: JSONObject) -> tuple[Term, ...] | None:
    affinity = part(spec, "affinity", "nodeAffinity")
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    return read_terms(items(required, "nodeSelectorTerms")) if isinstance(required, dict) else None
