"""Anchors and aliases: the value of an alias, and how large it may be.

Every alias becomes a separate value, since defaults and pruning later change objects in place. A document that is mostly aliases is refused
by the rule of kubectl's YAML library, which stops exponential ones ("billion laughs") before they are built.
"""

from __future__ import annotations

from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.manifests.errors import MAX_DEPTH, UnreadableError, excessive_aliasing, too_deep

_LENIENT_UP_TO, _STRICT_FROM = 400_000, 4_000_000


@dataclass(slots=True)
class Anchored:
    """The value of an anchor.

    `nodes` is the number of nodes of one expansion, 0 while it is still being read; `resolved` is a scalar before its conversion to JSON (a
    key needs that), and the value itself otherwise.
    """

    value: JSONValue
    resolved: JSONValue
    nodes: int = 0


def allowed_share(nodes: int) -> float:
    """The share of all nodes that may come from aliases: 99 % of a small document, 10 % of a large one."""
    if nodes <= _LENIENT_UP_TO:
        return 0.99
    if nodes >= _STRICT_FROM:
        return 0.10
    return 0.99 - 0.89 * (nodes - _LENIENT_UP_TO) / (_STRICT_FROM - _LENIENT_UP_TO)


class Expansion:
    """The expansion of one document: the number of nodes from its aliases."""

    __slots__ = ("extra",)

    def __init__(self) -> None:
        self.extra = 0

    def expand(self, anchored: Anchored, *, nodes: int, depth: int) -> JSONValue:
        """A copy of the value of an alias.

        `nodes` is how many the document has had so far, the alias included. Raises UnreadableError if there are too many nodes or they nest
        too deep.
        """
        self.extra += anchored.nodes
        total = nodes + self.extra
        if self.extra > 100 and total > 1000 and self.extra / total > allowed_share(total):
            raise UnreadableError(*excessive_aliasing())
        return _copy(anchored.value, depth)


def _copy(value: JSONValue, depth: int) -> JSONValue:
    """A copy for a place below `depth` containers."""
    holder = [value]
    level: list[JSONValue] = [holder]
    while level:
        below: list[JSONValue] = []
        for container in level:
            for key, item in container.items() if isinstance(container, dict) else enumerate(container):
                if isinstance(item, (dict, list)):
                    if depth >= MAX_DEPTH:
                        raise UnreadableError(*too_deep("{" if isinstance(item, dict) else "["))
                    container[key] = copied = item.copy()
                    below.append(copied)
        level, depth = below, depth + 1
    return holder[0]
