"""The GPUs that the pods of a template or a model will request, without a service: how many, of which resource, on which nodes.

The operator creates templates of a model that has its own sources. It merges the hardware of each custom template over `custom.hardware`;
empty values lose.

Source: aim-engine v0.2.1, internal/aimmodel/hardware.go and internal/aimservice/kserve.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.node import Node
from weighbridge.policies.families.aim.dialect import Dialect, dialect_of
from weighbridge.policies.families.aim.predictions.workload import Work, gpus_of, node_affinity, resources
from weighbridge.policies.families.aim.subject.gpus import DEVICE_ID, normalised
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, Path, lookup
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request


@dataclass(frozen=True, slots=True)
class AskedGpus:
    """What pods request: `count` of a `resource`. `path` leads to the GPU; `model` is its name, empty for any."""

    path: Path
    resource: str
    count: int
    model: str
    affinity: JSONObject | None
    pod: JSONObject

    def nodes(self, facts: Facts) -> list[Node]:
        """The nodes to which the pods are bound by the device ids of the GPU, one of each shape; all nodes if they aren't bound."""
        if facts.inventory is None:
            return []
        found = facts.inventory.examples(label=DEVICE_ID, resource=self.resource)
        if self.affinity is None:
            return list(found)
        terms = self.affinity["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
        ids = terms[0]["matchExpressions"][0]["values"]
        return [node for node in found if node.labels.get(DEVICE_ID) in ids]


def asked_of(request: Request, facts: Facts, config: Configuration) -> list[AskedGpus] | None:
    """The GPUs that a request's object asks for; `None` if no nodes of the cluster are known."""
    if not isinstance(request.object, dict) or not facts.inventory:
        return None
    return list(_asked(request.object, request.gvk.kind, dialect_of(request.gvk.group), facts))


def _asked(obj: JSONObject, kind: str, dialect: Dialect, facts: Facts) -> Iterator[AskedGpus]:
    """The requests of the template that the object is, or of the templates that it becomes; of templates with the same count only one."""
    seen = set()
    for path, spec in _templates(spec_of(obj), kind, dialect):
        work = Work({}, dialect, {}, {"spec": spec}, {}, "", facts)
        resource, count = gpus_of(work)
        model = normalised(text(lookup(spec, dialect.hardware), "model"), dialect)
        if count > 0 and (path, resource, count, model) not in seen:
            seen.add((path, resource, count, model))
            affinity = node_affinity(work)
            container = {"name": "kserve-container", "image": "aim", "resources": resources(work)}
            pod = {"containers": [container]} | ({"affinity": affinity} if affinity is not None else {})
            named: JSONObject = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "template"}, "spec": pod}
            yield AskedGpus(("spec", *path), resource, count, model, affinity, named)


def _templates(spec: JSONObject, kind: str, dialect: Dialect) -> Iterator[tuple[Path, JSONObject]]:
    """The specs of the templates, each with the path of the GPUs in the object's spec."""
    if kind.endswith("ServiceTemplate"):
        yield dialect.hardware, spec
        return
    base = part(spec, "custom", "hardware")
    templates = items(spec, "customTemplates")
    for index, template in enumerate(templates):
        own = part(template, "hardware", "gpu")
        path: Path = ("customTemplates", index, "hardware", "gpu") if own else ("custom", "hardware", "gpu")
        gpu = part(base, "gpu") | {key: value for key, value in own.items() if value not in (None, "", 0)}
        yield path, {"hardware": {"gpu": gpu}, "resources": part(template, "resources")}
    if base and not templates:
        yield ("custom", "hardware", "gpu"), {"hardware": base}
