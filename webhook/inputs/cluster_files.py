"""Reads the files that describe a cluster: snapshots, lists as `kubectl get -o yaml` prints them, and plain manifests.

Each is used completely or not at all, since half a cluster would be taken for a whole one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from weighbridge.policies.facts.document import Extent, SnapshotHeader, is_snapshot, mistakes, read_header
from weighbridge.policies.ground.objects import JSONObject, field
from weighbridge.webhook.manifests import Document, InputIssue, Manifest, Standing, documents, manifests, sources, standing
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import warn

if TYPE_CHECKING:
    from weighbridge.policies.facts.occupancy import Occupancy


def read_cluster(paths: Sequence[str]) -> tuple[list[JSONObject], Extent]:
    """The objects, and what is known by the snapshots among the files. Raises InputError with every mistake of a snapshot, one a line."""
    objects: list[JSONObject] = []
    extents: list[Extent] = []
    for source in sources(paths, stdin=sys.stdin.buffer, tell=warn):
        if isinstance(source, InputIssue):
            raise InputError(f"{source} (the cluster's snapshot)")
        for document in documents(source.name, source.data):
            objects += _objects(document)
            if is_snapshot(document.value):
                extents.append(read_header(document.value).extent)
    if paths and not objects and not extents:
        raise InputError(
            f"{', '.join(paths)}: no Kubernetes object in there; give what `weighbridge snapshot` or `kubectl get -o yaml` prints"
        )
    complete = frozenset(kind for extent in extents for kind in extent.complete)
    not_known = frozenset(kind for extent in extents for kind in extent.not_known) - complete
    server = next((extent.server for extent in reversed(extents) if extent.server), "")
    former = tuple(node for extent in extents for node in extent.former)
    return objects, Extent(complete, not_known, former, server, _occupancy(objects, extents))


def _occupancy(objects: Sequence[JSONObject], extents: Sequence[Extent]) -> Occupancy | None:
    """What pods take of the nodes: from the last snapshot that has it, or else from the pods among the objects, or `None`."""
    found = next((extent.occupancy for extent in reversed(extents) if extent.occupancy is not None), None)
    pods = [obj for obj in objects if obj.get("kind") == "Pod" and obj.get("apiVersion") == "v1"] if found is None else []
    if not pods:
        return found
    from weighbridge.policies.facts.occupancy import Occupancy
    from weighbridge.policies.pods.running_pod import running_pod

    running = [pod for pod in map(running_pod, pods) if pod is not None]
    return Occupancy.of(running) if running else None


def read_snapshot(path: str) -> tuple[SnapshotHeader, list[JSONObject]] | None:
    """The header and the objects of the first snapshot in a file; `None` if it has none. Raises InputError."""
    for source in sources([path], stdin=sys.stdin.buffer):
        if isinstance(source, InputIssue):
            raise InputError(str(source))
        for document in documents(source.name, source.data):
            objects = _objects(document)
            if is_snapshot(document.value):
                return read_header(document.value), objects
    return None


def _objects(document: Document) -> list[JSONObject]:
    what = standing(document)
    if what is Standing.UNREADABLE:
        raise InputError(f"{document.errors[0]} (the cluster's snapshot)")
    if is_snapshot(document.value):
        wrong = [f"{document.source}:{document.position(path).line}: {field(path)}: {text}" for path, text in mistakes(document.value)]
        if wrong:
            raise InputError("\n".join(wrong))
    if what is not Standing.MANIFEST:
        return []
    found = list(manifests(document))
    issue = next((entry for entry in found if isinstance(entry, InputIssue)), None)
    if issue is not None:
        raise InputError(f"{issue} (the cluster's snapshot)")
    read = [entry for entry in found if isinstance(entry, Manifest) and not is_snapshot(entry.value)]
    if wrong := [text for entry in read if entry.value.get("kind") == "Node" for text in _of_node(entry)]:
        raise InputError("\n".join(wrong))
    return [entry.value for entry in read]


def _of_node(manifest: Manifest) -> Iterator[str]:
    """The mistakes of a Node, each with its place."""
    # Few clusters are written by hand, but all nodes are checked: a copied one may have been edited.
    from weighbridge.webhook.inputs.written_nodes import node_mistakes

    if manifest.value.get("apiVersion") == "v1":
        for path, text in node_mistakes(manifest.value):
            yield f"{manifest.document.source}:{manifest.position(path).line}: {manifest.label}: {field(path)}: {text}"
