"""Facts from a heap of objects: what `kubectl get -o yaml` prints, a folder of manifests, or a snapshot of a cluster."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from policies.apiserver.definitions import Definitions
from policies.facts.inventory import Inventory, Node
from policies.facts.store import ObjectStore
from policies.objects import JSONObject


@dataclass(frozen=True, slots=True)
class Facts:
    """All that is known of a cluster when a request is judged; `inventory` is `None` where nothing is known of its nodes."""

    definitions: Definitions
    objects: ObjectStore = field(default_factory=ObjectStore)
    inventory: Inventory | None = None


def from_objects(objects: Iterable[JSONObject], definitions: Definitions, *, complete: bool = True) -> Facts:
    """Facts from the objects of a cluster.

    Nodes make the inventory (no node among them: nothing is known of the hardware), everything else can be looked up. `complete` says
    that what isn't among the objects isn't in the cluster either.
    """
    store = ObjectStore(complete=complete)
    nodes = []
    for obj in objects:
        if obj.get("kind") == "Node" and obj.get("apiVersion") == "v1":
            nodes.append(Node.from_object(obj))
        else:
            store.put(obj)
    return Facts(definitions, store, Inventory(nodes) if nodes else None)
