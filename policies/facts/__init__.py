"""The facts of a cluster that rules may use: its CRDs, its objects and its hardware.

Rules never fetch: each door fills a `Facts` and passes it to the engine. An unknown fact is `None` or marked as unknown, and
rules answer "not checked" instead of guessing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from weighbridge.policies.facts.snapshot import Facts, from_objects
from weighbridge.policies.facts.store import ObjectStore

if TYPE_CHECKING:
    from weighbridge.policies.facts.inventory import Inventory
    from weighbridge.policies.facts.node import Node
    from weighbridge.policies.facts.tolerations import Taint

__all__ = ["Facts", "Inventory", "Node", "ObjectStore", "Taint", "from_objects"]

#: The names that only readers of nodes need, with their modules; these are imported on first use.
_OF_NODES: Final = {"Inventory": "inventory", "Node": "node", "Taint": "tolerations"}


def __getattr__(name: str) -> Any:
    """Import a name of `_OF_NODES` on first use."""
    if name not in _OF_NODES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_OF_NODES[name]}"), name)
    return found
