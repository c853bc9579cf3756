"""Brings predictions into the form of the records: with flat probes, a strategy as a word, and the API server's defaults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from weighbridge.policies.ground.objects import JSONObject, name_of

ALLOCATED = "<allocated>"
_PROBES = ("startupProbe", "livenessProbe", "readinessProbe")
#: What the records lack, since they leave out all that the API server fills in where nothing is written.
NOT_RECORDED = frozenset({"terminationMessagePolicy"})


def without_empty(fields: JSONObject) -> JSONObject:
    """The fields that aren't empty."""
    return {field: value for field, value in fields.items() if value not in (None, "", [], {})}


def sorted_conditions(status: JSONObject | None) -> JSONObject:
    """A status with sorted conditions, since several controllers write them."""
    if not status or "conditions" not in status:
        return dict(status or {})
    return {**status, "conditions": sorted(status["conditions"], key=lambda condition: str(condition["type"]))}


def deployment(found: JSONObject) -> JSONObject:
    """A Deployment as recorded."""
    spec, template = found["spec"], found["spec"]["template"]
    return without_empty(
        {
            "name": name_of(found),
            "labels": found["metadata"].get("labels"),
            "selector": spec["selector"]["matchLabels"],
            "strategy": spec["strategy"]["type"],
            "revisionHistoryLimit": spec.get("revisionHistoryLimit"),
            "pod": pod(template),
        }
    ) | {"replicas": spec["replicas"]}


def job(found: JSONObject) -> JSONObject:
    """A Job as recorded, without what the API server derives from its uid."""
    return {"name": name_of(found), "labels": found["metadata"].get("labels"), "pod": pod(found["spec"]["template"])}


def recorded_job(found: JSONObject) -> JSONObject:
    """A Job of a record, without what the API server derives from its uid: labels of the pod, and the selector with them."""
    labels = {key: value for key, value in found["pod"]["labels"].items() if key.rpartition("/")[2] not in ("controller-uid", "job-name")}
    return {"name": found["name"], "labels": found["labels"], "pod": {**found["pod"], "labels": labels}}


def pod(template: JSONObject) -> JSONObject:
    """A pod template as recorded."""
    spec = dict(template["spec"])
    for kind in ("containers", "initContainers"):
        if kind in spec:
            spec[kind] = [_container(container) for container in spec[kind]]
    metadata = template.get("metadata", {})
    return without_empty({"labels": metadata.get("labels"), "annotations": metadata.get("annotations"), "spec": without_empty(spec)})


def _container(container: JSONObject) -> JSONObject:
    probes = {kind: probe(container[kind]) for kind in _PROBES if container.get(kind)}
    kept = {name: value for name, value in container.items() if name not in NOT_RECORDED}
    return without_empty({**kept, **probes})


def probe(found: JSONObject) -> JSONObject:
    """A probe as recorded: the path and port of an HTTP request in place, another handler under `other`; with the server's defaults."""
    asked = found.get("httpGet")
    handlers = {handler: found[handler] for handler in ("tcpSocket", "exec", "grpc") if handler in found}
    return without_empty(
        {
            "path": asked.get("path", "/") if asked else None,
            "port": asked.get("port") if asked else None,
            "other": handlers,
            "initialDelaySeconds": found.get("initialDelaySeconds"),
            "periodSeconds": found.get("periodSeconds") or 10,
            "failureThreshold": found.get("failureThreshold") or 3,
        }
    )


def service(found: JSONObject) -> JSONObject:
    """A Service as recorded; node ports that the API server picks have no number."""
    spec = found["spec"]
    ports = []
    for port in spec["ports"]:
        shown = {field: port[field] for field in ("name", "port", "targetPort", "nodePort") if field in port}
        if spec["type"] != "ClusterIP":
            shown.setdefault("nodePort", ALLOCATED)
        ports.append(shown)
    return {"name": name_of(found), "type": spec["type"], "selector": spec["selector"], "ports": ports}


def named(found: JSONObject) -> JSONObject:
    """An object whose name and spec are in the record."""
    return {"name": name_of(found), "spec": found["spec"]}


#: The key of the record and the form in it, by kind.
FORMS: dict[str, tuple[str, Any]] = {
    "Deployment": ("deployments", deployment),
    "Service": ("services", service),
    "HorizontalPodAutoscaler": ("hpas", named),
    "PersistentVolumeClaim": ("pvcs", named),
    "Job": ("jobs", job),
}


def produced(objects: Iterable[JSONObject]) -> dict[str, dict[str, JSONObject]]:
    """The created objects, by the record's key and by name."""
    found: dict[str, dict[str, JSONObject]] = {key: {} for key, _ in FORMS.values()}
    for obj in objects:
        key, form = FORMS[obj["kind"]]
        shown = form(obj)
        found[key][shown["name"]] = shown
    return found
