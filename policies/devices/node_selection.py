"""The nodes that can reach a slice, a device or an allocated claim: one by name, all, or those that a selector matches.

Unlike a pod's affinity, a selector here must be readable as a whole: one requirement that can't be evaluated stops scheduling.
Source: Kubernetes v1.36, core/v1 NodeSelector, component-helpers/scheduling/corev1/nodeaffinity, and NodeMatches of the allocator.
"""

from __future__ import annotations

from weighbridge.policies.facts.node import Node
from weighbridge.policies.facts.selectors import Requirement, Term, as_integer, read_terms
from weighbridge.policies.ground.fields import flag, items, part, text
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass

_NOT_AN_INTEGER = "for 'Gt', 'Lt' operators, the value must be an integer"


class UnreadableSelectorError(ValueError):
    """A node selector with a requirement that can't be evaluated; the message says which."""


@dataclass(frozen=True, slots=True)
class NodeSelector:
    """Alternatives; an empty one matches nothing."""

    terms: tuple[Term, ...]

    def matches(self, node: Node) -> bool:
        """Whether the node matches a term. Raises UnreadableSelectorError."""
        self._check()
        return any(term.matches(node.labels, node.name) for term in self.terms)

    def _check(self) -> None:
        for number, term in enumerate(self.terms):
            for position, wanted in enumerate(term.expressions):
                if wanted.operator in ("Gt", "Lt") and wanted.values and as_integer(wanted.values[0]) is None:
                    where = f"nodeSelectorTerms[{number}].matchExpressions[{position}].values[0]"
                    raise UnreadableSelectorError(f"{where}: Invalid value: {quote(wanted.values[0])}: {_NOT_AN_INTEGER}")

    def __str__(self) -> str:
        """The selector as Go's generated `String` prints it."""
        terms = "".join(
            f"NodeSelectorTerm{{MatchExpressions:{_printed(term.expressions)},MatchFields:{_printed(term.fields)},}},"
            for term in self.terms
        )
        return f"&NodeSelector{{NodeSelectorTerms:[]NodeSelectorTerm{{{terms}}},}}"


@dataclass(frozen=True, slots=True)
class NodeSelection:
    """The fields with which a slice or a device names the nodes that can reach it; the first of the three that is set counts."""

    node_name: str = ""
    all_nodes: bool = False
    selector: NodeSelector | None = None

    @property
    def is_stated(self) -> bool:
        """Whether one of the fields is set."""
        return bool(self.node_name) or self.all_nodes or self.selector is not None

    def matches(self, node: Node) -> bool:
        """Whether the node is one of them; if no field is set, none is. Raises UnreadableSelectorError."""
        if self.node_name:
            return node.name == self.node_name
        if self.all_nodes:
            return True
        return self.selector is not None and self.selector.matches(node)


def read_selector(value: JSONValue) -> NodeSelector | None:
    """A node selector, or `None`."""
    if not isinstance(value, dict):
        return None
    return NodeSelector(read_terms(items(value, "nodeSelectorTerms")))


def read_selection(obj: JSONValue) -> NodeSelection:
    """The fields `nodeName`, `allNodes` and `nodeSelector` of a slice's spec or of a device."""
    return NodeSelection(text(obj, "nodeName"), flag(obj, "allNodes"), read_selector(part(obj).get("nodeSelector")))


def _printed(requirements: tuple[Requirement, ...]) -> str:
    inner = "".join(
        f"NodeSelectorRequirement{{Key:{wanted.key},Operator:{wanted.operator},Values:[{' '.join(wanted.values)}],}},"
        for wanted in requirements
    )
    return f"[]NodeSelectorRequirement{{{inner}}}"
