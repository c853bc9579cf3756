"""What rules may know of a cluster: its CRDs, its objects and its hardware.

Rules never fetch: each door fills a `Facts` and passes it to the engine. What isn't known is `None` or says so, and rules answer
"not checked" instead of guessing.
"""

from __future__ import annotations

from weighbridge.policies.facts.inventory import Inventory
from weighbridge.policies.facts.node import Node
from weighbridge.policies.facts.snapshot import Facts, from_objects
from weighbridge.policies.facts.store import ObjectStore
from weighbridge.policies.facts.tolerations import Taint

__all__ = ["Facts", "Inventory", "Node", "ObjectStore", "Taint", "from_objects"]
