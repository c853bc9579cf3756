"""Compares the predicted pods of services with those that OME's webhook for pods returned."""

from __future__ import annotations

import json
from typing import Any, Final

from tests.conftest import CountVectors
from tests.ome.records import cluster_of, records, request_for
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.ome.operator import SHIPPED
from weighbridge.policies.families.ome.predictions.merge.created_objects import workloads_for
from weighbridge.policies.families.ome.predictions.merge.pod_webhook import Admitted, admitted, templates_of
from weighbridge.policies.families.ome.subject.service import service_of
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.verdict.engine import decide

#: The settings with which the records were made: those of upstream's kustomization.
_SETTINGS: Final = {**SHIPPED, "modelInit": {**SHIPPED["modelInit"], "memoryRequest": "320Gi", "memoryLimit": "320Gi"}}
_METRICS: Final = [f"/metadata/annotations/ome.io~1enable-{name}" for name in ("metric-aggregation", "prometheus-scraping")]
#: The containers that the webhook adds.
_INJECTED: Final = frozenset({"model-init", "fine-tuned-adapter", "serving-sidecar"})


def predicted(record: dict[str, Any]) -> dict[str, Admitted]:
    """The predicted result for the pods of each workload of a case, by the workload's name and the role of the pod."""
    facts, services = cluster_of(record, made=True)
    settings = dict(_SETTINGS)
    for key, value in (record.get("config") or {}).items():
        if key == "fineTunedAdapter":
            settings[key] = json.loads(value)
    out = {}
    for obj in services:
        service = service_of(request_for(obj), facts, DEFAULT)
        found = workloads_for(service) if service is not None else None
        if found is None:
            continue
        for workload in found.objects:
            for role, template in templates_of(workload):
                out[f"{workload['kind']}/{name_of(workload)}{':' if role else ''}{role}"] = admitted(template, settings, found.weight_uri)
    return out


def agrees(pod: dict[str, Any], found: Admitted | None) -> bool:
    """Whether a recorded pod is the predicted one."""
    if found is None:
        return False
    if "refused" in pod and "denied the request" in pod["refused"]:
        return bool(found.refusal) and found.refusal in pod["refused"]
    if "refused" in pod:
        return not found.refusal
    changed = {path: value for path, value in pod["webhook_diff"] if not path.endswith("/hostPath/type")}
    added = [_plain(entry) for entry in changed.pop("/spec/initContainers", [])]
    ours = [_plain(entry) for entry in found.template.get("spec", {}).get("initContainers", []) if entry["name"] in _INJECTED]
    return not found.refusal and sorted(changed) == _METRICS and set(changed.values()) == {"false"} and added == ours


def _plain(container: JSONObject) -> JSONObject:
    return {"name": container["name"], "resources": container.get("resources")}


def test_what_the_webhook_made_is_what_is_predicted(count_vectors: CountVectors) -> None:
    wrong, count = [], 0
    for record in records():
        pods = record["outcome"].get("pods") or []
        found = predicted(record) if pods else {}
        for pod in pods:
            count += 1
            if not agrees(pod, found.get(pod["of"])):
                wrong.append((record["id"], pod["of"], found.get(pod["of"]), pod.get("refused", "")))
    assert not wrong, wrong[:3]
    count_vectors("OME pods", count - len(wrong), count)


#: A model that is being downloaded to the node; its pods wait for it, and then run.
_COMING: Final = "ome-schedule-model-updating"


def test_a_service_is_refused_where_the_scheduler_found_no_node_for_its_pods(count_vectors: CountVectors) -> None:
    count = 0
    for record in records():
        pods = [pod for pod in record["outcome"].get("pods") or [] if "node" in pod or "unschedulable" in pod]
        if not pods:
            continue
        facts, services = cluster_of(record)
        rules = {finding.rule for service in services for finding in decide(request_for(service), facts, DEFAULT).findings}
        waits = record["id"] != _COMING and any("unschedulable" in pod for pod in pods)
        assert ("OME-161" in rules) is waits, record["id"]
        count += 1
    count_vectors("OME pods on nodes", count, count)
