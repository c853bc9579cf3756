"""The facts of a live cluster: one reflector for each kind, and the combination of what they read.

Everything happens in the server's event loop, which never interrupts a decision. The store is changed in place; for nodes and CRDs the
inventory and the definitions are replaced. There are no facts until every kind has been read once or is known to be unreadable.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from typing import Final

from weighbridge.policies.apiserver.definition_reader import DefinitionIssue
from weighbridge.policies.apiserver.definitions import DefinitionError, Definitions, ResourceDefinition, read_crd
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, Inventory, Node, ObjectStore
from weighbridge.policies.facts.autoscaling.former import remember
from weighbridge.policies.facts.kinds import CRDS, NODES, PLACEMENT_KINDS, PODS, ReadKind
from weighbridge.policies.facts.staleness import Staleness
from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.server_release import nearest
from weighbridge.policies.pods.running_pod import running_pod
from weighbridge.webhook.cluster.heartbeat import Heartbeat
from weighbridge.webhook.cluster.reflector import Reflector, Source, Transformed, WatchState
from weighbridge.webhook.cluster.running_pods import RunningPods
from weighbridge.webhook.cluster.transform import Transform
from weighbridge.webhook.inputs.compile_cache import compile_cache
from weighbridge.webhook.inputs.facts import reconfigured

_log: Final = logging.getLogger("weighbridge.cluster")
#: A shorter interruption doesn't count: connections end and are opened again all the time.
_NOTICED_SECONDS: Final = 5.0


def watched_kinds() -> list[ReadKind]:
    """All kinds that are read from a cluster: what placement needs, the families' own, and what their rules look up."""
    kinds = {kind.known_as: kind for kind in (CRDS, *PLACEMENT_KINDS)}
    for family in families():
        for kind in (*(kind for kind in family.kinds if not kind.is_checked_only), *family.looks_up):
            read = ReadKind(kind.gvk, kind.plural, name=kind.name, namespace=kind.namespace)
            known = kinds.setdefault(kind.known_as, read)
            if kind.gvk.version not in known.versions:
                kinds[kind.known_as] = replace(known, older=(*known.older, kind.gvk.version))
    return list(kinds.values())


class Cluster:
    """The facts of one live cluster."""

    def __init__(
        self,
        source: Source,
        bundled: Definitions,
        *,
        kinds: Iterable[ReadKind] | None = None,
        with_pods: bool = False,
        longest_age: float = float("inf"),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`bundled` replace the cluster's CRDs if these may not be read; after `longest_age` seconds nothing counts as known.

        `with_pods` also follows the pods and what they take of the nodes.
        """
        self._bundled = bundled
        self._transform = Transform()
        self._longest_age = longest_age
        self._crds: dict[str, JSONObject] = {}
        self._read: dict[str, tuple[JSONObject, list[ResourceDefinition]]] = {}
        self._server = bundled.server
        self._facts = Facts(Definitions(server=self._server), ObjectStore(), None)
        #: `None` as long as the pods aren't known.
        self._pods: RunningPods | None = None
        self.reflectors = [
            # The cluster's earlier CRDs are better than the shipped ones.
            Reflector(kind, source, self, self._transformed, clock, float("inf") if kind == CRDS else longest_age)
            for kind in [*(kinds or watched_kinds()), *([PODS] if with_pods else ())]
        ]
        self.heartbeat = Heartbeat(source, self._start_anew, self._confirm, clock, heard=self._served_by)

    async def run(self) -> None:
        """Follow the cluster as long as this runs."""
        async with asyncio.TaskGroup() as group:
            for reflector in self.reflectors:
                group.create_task(reflector.run())
            group.create_task(self.heartbeat.run())

    @property
    def awaited(self) -> list[str]:
        """The resources that haven't been read yet."""
        return [reflector.kind.resource for reflector in self.reflectors if not reflector.is_settled]

    def age(self, reflector: Reflector) -> float:
        """Seconds for which changes of a kind may have been missed: by its own watch, or because no watch can be trusted."""
        return max(reflector.age(), self.heartbeat.age() if reflector.is_known else 0.0)

    def facts(self) -> Facts:
        """The present facts; their `staleness` says if changes may have been missed."""
        if self._pods is not None and (taken := self._pods.occupancy()) is not self._facts.occupancy:
            self._facts = replace(self._facts, occupancy=taken)
        silence = self.heartbeat.age()
        late = [reflector for reflector in self.reflectors if reflector.outage() > _NOTICED_SECONDS]
        if not late and silence <= _NOTICED_SECONDS:
            return self._facts
        ages = {reflector.kind.known_as: (reflector.kind.resource, reflector.age()) for reflector in late}
        staleness = Staleness(silence if silence > _NOTICED_SECONDS else 0.0, ages, self._longest_age)
        if silence > self._longest_age:
            return Facts(self._facts.definitions, staleness=staleness)
        return replace(self._facts, staleness=staleness)

    # --- what the reflectors bring ---

    def replace(self, kind: ReadKind, objects: list[Transformed]) -> None:
        """Take these as all objects of the kind; nodes come as `Node`."""
        if kind == CRDS:
            self._crds = {name_of(obj): obj for obj in objects}
            self._facts.objects.replace(kind.gvk.group, kind.gvk.kind, objects)
            self._redefine()
        elif kind == NODES:
            self._set_nodes(Inventory(objects))
        elif kind == PODS:
            self._pods = RunningPods()
            self._pods.replace(objects)
        else:
            self._facts.objects.replace(*kind.known_as, objects)

    def put(self, kind: ReadKind, obj: Transformed) -> None:
        """Take one object that is new or has changed."""
        if kind == CRDS:
            self._crds[name_of(obj)] = obj
            self._facts.objects.put(obj)
            self._redefine()
        elif kind == NODES:
            inventory = self._facts.inventory or Inventory(())
            self._facts = replace(self._facts, inventory=inventory.with_node(obj))
        elif kind == PODS:
            self._pods = self._pods or RunningPods()
            self._pods.put(obj)
        else:
            self._facts.objects.put(obj)

    def discard(self, kind: ReadKind, obj: JSONObject) -> None:
        """Drop one object that was deleted."""
        name = name_of(obj)
        if kind == CRDS:
            if self._crds.pop(name, None) is not None:
                self._facts.objects.discard(kind.gvk.group, kind.gvk.kind, "", name)
                self._redefine()
        elif kind == NODES:
            if self._facts.inventory is not None:
                self._set_nodes(self._facts.inventory.without_node(name))
        elif kind == PODS:
            if self._pods is not None:
                self._pods.discard(f"{namespace_of(obj)}/{name}")
        else:
            self._facts.objects.discard(kind.gvk.group, kind.gvk.kind, namespace_of(obj), name)

    def unknown(self, kind: ReadKind) -> None:
        """Note that the kind can't be known."""
        if kind == CRDS:
            self._facts.objects.forget(kind.gvk.group, kind.gvk.kind)
            self._facts = replace(self._facts, definitions=self._bundled)
        elif kind == NODES:
            self._facts = replace(self._facts, inventory=None)
        elif kind == PODS:
            self._pods, self._facts = None, replace(self._facts, occupancy=None)
        else:
            self._facts.objects.forget(*kind.known_as)

    def configure(self, config: Configuration) -> None:
        """Adapt the bundled definitions to a configuration."""
        before, self._bundled = self._bundled, reconfigured(self._bundled, config)
        if self._facts.definitions is before:
            self._facts = replace(self._facts, definitions=self._bundled)

    def _set_nodes(self, inventory: Inventory) -> None:
        """Take an inventory, and remember the nodes that are no longer in it."""
        known = self._facts.inventory
        gone = [node for node in known.nodes if inventory.node(node.name) is None] if known is not None else []
        former = remember(self._facts.former, gone, inventory.own) if gone else self._facts.former
        self._facts = replace(self._facts, inventory=inventory, former=former)

    def _confirm(self) -> None:
        for reflector in self.reflectors:
            reflector.confirm()

    def _served_by(self, version: str) -> None:
        """Judge for the release of the server, also after an upgrade; for the nearest one if it isn't modelled."""
        server = nearest(version)
        if server is None or server is self._server:
            return
        _log.info("the API server is Kubernetes %s, judged as %s", version, server.name)
        self._server = server
        before, self._bundled = self._bundled, self._bundled.served_by(server)
        self._read = {}
        if self._facts.definitions is before:
            self._facts = replace(self._facts, definitions=self._bundled)
        else:
            self._redefine()

    def _start_anew(self) -> None:
        for reflector in self.reflectors:
            reflector.start_anew()

    def _transformed(self, obj: JSONObject) -> Transformed | None:
        """An object without the fields that no rule reads. Thousands of nodes are read at once, so none is kept whole."""
        if obj.get("kind") == NODES.gvk.kind and obj.get("apiVersion") == NODES.gvk.api_version:
            return Node.from_object(obj)
        if obj.get("kind") == PODS.gvk.kind and obj.get("apiVersion") == PODS.gvk.api_version:
            return running_pod(obj)
        return self._transform(obj)

    def _redefine(self) -> None:
        issues: list[DefinitionIssue] = []
        self._read = {name: (crd, self._definitions_of(name, crd, issues)) for name, crd in self._crds.items()}
        definitions = Definitions((definition for _, read in self._read.values() for definition in read), issues, server=self._server)
        self._facts = replace(self._facts, definitions=definitions.compared_with(self._bundled))
        for reflector in self.reflectors:
            if reflector.state is WatchState.ABSENT:
                reflector.look_again()

    def _definitions_of(self, name: str, crd: JSONObject, issues: list[DefinitionIssue]) -> list[ResourceDefinition]:
        """The definition of a CRD.

        If only its status has changed, the known definition is kept, with all that was compiled and compared.
        """
        before, known = self._read.get(name, ({}, []))
        if before.get("spec") == crd.get("spec"):
            return known
        try:
            return read_crd(crd, trusted=True, cache=compile_cache(), server=self._server)
        except DefinitionError as error:
            issues += error.issues
            return []
