"""Compares each object predicted for a service with the one that OME's manager created."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.conftest import CountVectors
from tests.ome.records import cluster_of, records, request_for
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.ome.predictions.failures import failure_of
from weighbridge.policies.families.ome.predictions.merge.created_objects import workloads_for
from weighbridge.policies.families.ome.subject.service import service_of
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of

#: Records whose objects differ from the prediction, with the reason.
EXCEPTIONS = {
    "ome-deploy-name-engine-after-stem": "two services write one Service again and again, so it hangs on time which of them was the last",
}
#: Fields that the API server fills in, or that only hold upstream's wording.
_DEFAULTED = frozenset({"imagePullPolicy", "serviceAccount", "behavior", "rolloutStrategy", "ome.io/deprecation-warning"})
#: For these kinds only their existence is compared.
_NAMED_ONLY = frozenset({"Role", "RoleBinding", "ServiceAccount", "Service.serving.knative.dev"})
#: The fields of Services that the records hold.
_OF_SERVICES = ("type", "selector", "ports")
#: The defaults that the CRD of RayClusters fills into a group of workers.
_OF_RAY = ("maxReplicas", "minReplicas", "numOfHosts")


def recorded(obj: JSONObject) -> JSONObject:
    """An object in the form of the records."""
    spec, metadata = obj.get("spec", {}), obj["metadata"]
    kind = "Service.serving.knative.dev" if obj["apiVersion"].startswith("serving.knative") else obj["kind"]
    out: JSONObject = {"kind": kind, "name": name_of(obj)}
    told = {"annotations": metadata.get("annotations"), "labels": metadata.get("labels")}
    if kind == "Deployment":
        out |= {**told, "pod": {"spec": spec["template"]["spec"]}, "replicas": spec["replicas"], "strategy": spec["strategy"]}
        out["selector"] = spec["selector"]["matchLabels"]
    elif kind == "LeaderWorkerSet":
        group = spec["leaderWorkerTemplate"]
        leader, worker = group["leaderTemplate"], group["workerTemplate"]
        out |= {**told, "leader": {"labels": leader["metadata"]["labels"], "spec": leader["spec"]}, "worker": {"spec": worker["spec"]}}
        out |= {"replicas": spec["replicas"], "size": group["size"]}
        out |= {"restartPolicy": group["restartPolicy"], "startupPolicy": spec["startupPolicy"]}
    elif kind == "RayCluster":
        out |= {**told, "spec": spec}
    elif kind == "ConfigMap":
        out["data"] = obj["data"]
    elif kind == "Service":
        out["spec"] = {key: spec[key] for key in _OF_SERVICES if key in spec}
    elif kind not in _NAMED_ONLY:
        out["spec"] = spec
    return out


def without_defaults_of_ray(obj: JSONObject) -> JSONObject:
    """A recorded RayCluster without the defaults of its CRD; any other object as it is."""
    if obj["kind"] != "RayCluster":
        return obj
    groups = [{key: value for key, value in group.items() if key not in _OF_RAY} for group in obj["spec"]["workerGroupSpecs"]]
    return {**obj, "spec": {**obj["spec"], "workerGroupSpecs": groups}}


def plain(value: JSONValue) -> JSONValue:
    """A value without its empty and defaulted parts; numbers become texts, since quantities may be either."""
    if isinstance(value, dict):
        told = {key: plain(inner) for key, inner in value.items() if key not in _DEFAULTED}
        return {key: inner for key, inner in told.items() if inner not in (None, "", [], {})}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def by_name(objects: Iterator[JSONObject] | list[JSONObject], *, fails: bool) -> dict[tuple[str, str], JSONValue]:
    """The objects in a form that can be compared; if a service fails, its ConfigMap may or may not be there."""
    out = {}
    for obj in objects:
        if obj["kind"] == "Job" or (fails and obj["kind"] == "ConfigMap"):
            continue
        kept = {"kind": obj["kind"], "name": obj["name"]} if obj["kind"] in _NAMED_ONLY else obj
        out[obj["kind"], obj["name"]] = plain(kept)
    return out


def predicted(record: dict[str, Any]) -> tuple[list[JSONObject], bool]:
    """All objects that are made in a case, and whether OME stops at some service."""
    facts, services = cluster_of(record, made=True)
    refused = {entry["ref"] for entry in record["outcome"]["admission"] if not entry["allowed"]}
    objects, fails = [], bool(record["message"])
    for obj in services:
        if f"InferenceService/{name_of(obj)}" in refused:
            continue
        service = service_of(request_for(obj), facts, DEFAULT)
        assert service is not None
        found = workloads_for(service)
        fails = fails or bool(failure_of(service)) or (found is not None and bool(found.failure))
        objects += [recorded(obj) for obj in found.whole_objects()] if found is not None else []
    return objects, fails


def test_what_ome_made_is_what_is_predicted(count_vectors: CountVectors) -> None:
    wrong, count = {}, 0
    for record in records():
        count += 1
        objects, fails = predicted(record)
        produced = [without_defaults_of_ray(obj) for obj in record["outcome"].get("produced", [])]
        theirs = by_name(produced, fails=fails)
        if by_name(objects, fails=fails) != theirs:
            wrong[record["id"]] = True
    assert set(wrong) == (set(EXCEPTIONS) if count else set())
    count_vectors("OME objects", count - len(wrong), count)
