"""Facts from a collection of objects: what `kubectl get -o yaml` prints, a folder of manifests, or a snapshot of a cluster."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.facts.staleness import Staleness
from weighbridge.policies.facts.store import ObjectStore, OverlaidStore, ReducedStore
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, field, replace

if TYPE_CHECKING:
    from weighbridge.policies.facts.inventory import Inventory
    from weighbridge.policies.facts.node import Node
    from weighbridge.policies.facts.occupancy import Occupancy

_NODE = ("", "Node")
#: The extent of objects without a header.
WHOLE = Extent()


@dataclass(frozen=True, slots=True)
class Facts:
    """All that is known of a cluster when a request is judged; `inventory` is `None` if its nodes aren't known.

    `beside` are the objects that come with the judged one, as in a folder of manifests; they are among `objects`. `replaced` are the
    cluster's objects that applying those would update. `staleness` says how old the facts are if changes may have been missed. `former` are
    nodes that have been removed, the latest last. `occupancy` is what running pods take of the nodes; `None` if that isn't known.
    """

    definitions: Definitions
    objects: ObjectStore = field(default_factory=ObjectStore)
    inventory: Inventory | None = None
    replaced: ObjectStore = field(default_factory=ObjectStore)
    staleness: Staleness | None = None
    former: tuple[Node, ...] = ()
    beside: ObjectStore = field(default_factory=ObjectStore)
    occupancy: Occupancy | None = None

    def overlaid(self, objects: Iterable[JSONObject]) -> Facts:
        """The facts with some objects added, or replacing those of the cluster."""
        return replace(self, objects=OverlaidStore(self.objects, objects))

    def without(self, objects: Iterable[JSONObject]) -> Facts:
        """The facts without some objects and without the kinds that these define."""
        gone = list(objects)
        return replace(self, definitions=self.definitions.undefined(gone), objects=ReducedStore(self.objects, gone))


def from_objects(
    cluster: Iterable[JSONObject], definitions: Definitions, *, beside: Iterable[JSONObject] = (), extent: Extent = WHOLE
) -> Facts:
    """Facts from the objects of a cluster and from those that come with the judged one.

    Nodes become the inventory; all other objects can be looked up. Without nodes the hardware isn't known, unless `extent` says that there
    are none. All objects of the kinds in `cluster` are assumed to be known, unless `extent` says otherwise. An object that comes with the
    judged one replaces the cluster's object with that name.
    """
    store, replaced, nodes = ObjectStore(), ObjectStore(), []
    for obj in cluster:
        if _is_node(obj):
            nodes.append(obj)
        else:
            store.put(obj)
    parts = {(group, kind.partition("/")[0]) for group, kind in extent.complete if "/" in kind}
    has_stored = len(store) > 0
    store.complete(besides=extent.complete, but=extent.not_known | (parts - extent.complete))
    given = [(obj, _standing(store, obj) if has_stored else {}) for obj in beside]
    for _, stored in given:
        replaced.put(stored)
    own = [_as_updated(obj, stored) for obj, stored in given]
    for obj in own:
        if _is_node(obj):
            nodes.append(obj)
        else:
            store.put(obj)
    inventory = _inventory(nodes) if nodes or _NODE in extent.complete else None
    former = _former(extent, inventory) if inventory is not None and extent.former else ()
    return Facts(definitions, store, inventory, replaced, former=former, beside=ObjectStore(own), occupancy=extent.occupancy)


def _inventory(nodes: Iterable[JSONObject]) -> Inventory:
    from weighbridge.policies.facts.inventory import Inventory
    from weighbridge.policies.facts.node import Node

    return Inventory(list(map(Node.from_object, nodes)))


def _former(extent: Extent, inventory: Inventory) -> tuple[Node, ...]:
    from weighbridge.policies.facts.autoscaling.former import remember
    from weighbridge.policies.facts.node import Node

    return remember((), map(Node.from_object, extent.former), inventory.own)


def _standing(store: ObjectStore, obj: JSONObject) -> JSONObject:
    """The object of the store that `obj` would update; an empty map if there is none."""
    gvk = GroupVersionKind.from_object(obj)
    found = store.get(gvk.group, gvk.kind, namespace_of(obj), name_of(obj)) if gvk is not None else None
    return found if isinstance(found, dict) else {}


def _as_updated(obj: JSONObject, stored: JSONObject) -> JSONObject:
    """A given object as it replaces the stored one.

    It gets the stored status, which controllers have written and an update doesn't change.
    """
    return {**obj, "status": stored["status"]} if "status" in stored else obj


def _is_node(obj: JSONObject) -> bool:
    return obj.get("kind") == "Node" and obj.get("apiVersion") == "v1"
