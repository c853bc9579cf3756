"""The workloads of a service as they are placed, without the label of a model that no node has yet.

OME's agent fetches a model to the nodes that `storage` of the model selects, and labels each node once the files are there. Before the
first node is labelled no pod could be placed at all, so the pods are compared with the nodes to which the model will be fetched.
"""

from __future__ import annotations

from collections.abc import Sequence

from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.inventory import Inventory
from weighbridge.policies.families.ome.subject.model import Model
from weighbridge.policies.families.ome.subject.ready_labels import READY, ready_label
from weighbridge.policies.ground.fields import part, text_map
from weighbridge.policies.ground.objects import JSONObject


def placeable(objects: Sequence[JSONObject], model: Model, facts: Facts) -> Sequence[JSONObject]:
    """The objects with their pods as they are compared with the nodes."""
    label = ready_label(model.namespace, model.name)
    if facts.inventory is None or _is_ready_somewhere(label, facts.inventory):
        return objects
    return wherever_it_comes(objects, model)


def wherever_it_comes(objects: Sequence[JSONObject], model: Model) -> Sequence[JSONObject]:
    """The objects with their pods as they are compared with all nodes that get the model, even if they don't have it yet."""
    label = ready_label(model.namespace, model.name)
    selected = text_map(model.storage, "nodeSelector")
    return [_without(obj, label, selected) for obj in objects]


def _is_ready_somewhere(label: str, inventory: Inventory) -> bool:
    """Whether a node has the model's files."""
    if label in inventory.own.labels:
        return bool(inventory.with_label(label, {READY}))
    return inventory.once((READY, label), lambda: any(node.labels.get(label) == READY for node in inventory.examples()))


def _without(obj: JSONObject, label: str, selected: dict[str, str]) -> JSONObject:
    """A workload whose pods go to the nodes that get the model."""
    spec = part(obj, "spec")
    if obj["kind"] in ("Deployment", "Job") or (obj["kind"] == "Service" and "template" in spec):
        return {**obj, "spec": {**spec, "template": _template(part(spec, "template"), label, selected)}}
    if obj["kind"] == "LeaderWorkerSet":
        group = part(spec, "leaderWorkerTemplate")
        changed = {role: _template(part(group, role), label, selected) for role in ("leaderTemplate", "workerTemplate")}
        return {**obj, "spec": {**spec, "leaderWorkerTemplate": {**group, **changed}}}
    return obj


def _template(template: JSONObject, label: str, selected: dict[str, str]) -> JSONObject:
    spec = part(template, "spec")
    labels = text_map(spec, "nodeSelector")
    if labels.get(label) != READY:
        return template
    rest = {**selected, **{key: value for key, value in labels.items() if key != label}}
    return {**template, "spec": {**spec, "nodeSelector": rest}}
