"""The predicted status of routers, pools, adapters and quotas equals the operator's in the recorded cases."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from tests.conftest import CountVectors
from tests.llmkube.normalised import deployment, service
from tests.llmkube.replay import records, replay
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

KINDS = ("GPUQuota", "LoRAAdapter", "ModelPool", "ModelRouter")
CASES = [record for record in records() if any(obj["kind"] in KINDS for obj in record["objects"])]
#: Fields that are never predicted: times, and those that only a live cluster shows.
TIMES = ("lastProbeTime", "lastUpdated")
#: Conditions that only the server of a running pod decides; the records say that its name couldn't be found.
LEFT_OUT = {"llmkube/head/default/lora/other-ns": {"Loaded", "Error"}}
#: The operator had no list of pools yet when this case ran, since an unreadable pool of the case before had prevented it.
UNSEEN = {"llmkube/head/default/pool/gpu0"}


def predictions(record: dict[str, Any]) -> dict[str, Prediction]:
    """The prediction for each stored object, once all objects of the case are there, by ``Kind/namespace/name``."""
    steps = list(replay(record))
    stored = [(step, step.stored) for step in steps if step.stored is not None and step.was_stored]
    for _, obj in stored:
        steps[-1].facts.objects.put(obj)
    found = {}
    for step, obj in stored:
        if obj["kind"] in KINDS:
            predicted = FAMILY.predict[obj["kind"]](replace(step.request, object=obj), steps[-1].facts, step.config)
            assert predicted is not None
            found[f"{obj['kind']}/{namespace_of(obj)}/{name_of(obj)}"] = predicted
    return found


def comparable(status: JSONObject, left_out: set[str]) -> JSONObject:
    """A status without times and what is left out; its conditions by type."""
    bare = {key: value for key, value in status.items() if key not in TIMES}
    if "backends" in bare:
        bare["backends"] = [{key: value for key, value in backend.items() if key not in TIMES} for backend in bare["backends"]]
    if "conditions" in bare:
        bare["conditions"] = {entry["type"]: entry for entry in bare["conditions"] if entry["type"] not in left_out}
    return bare


@pytest.mark.parametrize("record", CASES, ids=lambda record: record["id"])
def test_the_status_is_the_operators(record: dict[str, Any], count_vectors: CountVectors) -> None:
    left_out = LEFT_OUT.get(record["id"], set())
    recorded = {key: status for key, status in record["outcome"]["status"].items() if key.split("/")[0] in KINDS}
    found = predictions(record)
    assert found.keys() == recorded.keys()
    if record["id"] in UNSEEN:
        assert list(recorded.values()) == [{}]
        count_vectors("operators/llmkube others", 0, 1)
        return
    for key, status in recorded.items():
        assert comparable(found[key].status, left_out) == comparable(status, left_out)
    count_vectors("operators/llmkube others", 1, 1)


ROUTERS = [record for record in CASES if any(obj["kind"] == "ModelRouter" for obj in record["objects"]) and not record["refused"]]


@pytest.mark.parametrize("record", ROUTERS, ids=lambda record: record["id"])
def test_a_routers_proxy_is_the_operators(record: dict[str, Any], count_vectors: CountVectors) -> None:
    made: dict[str, list[Any]] = {"configmaps": [], "deployments": [], "services": []}
    for found in predictions(record).values():
        for obj in found.objects:
            match obj["kind"]:
                case "ConfigMap":
                    made["configmaps"].append({"name": name_of(obj), "data": obj["data"]})
                case "Deployment":
                    made["deployments"].append(deployment(obj))
                case "Service":
                    made["services"].append(service(obj))
    # The namespaces in the records were renamed, so the hash of a configuration that names one differs.
    has_namespace = ".team-a." in str(made["configmaps"])
    for key, found_here in made.items():
        recorded = [entry for entry in record["outcome"].get(key, []) if entry["name"].endswith("-router-proxy")]
        assert [comparable_proxy(entry, has_namespace) for entry in found_here] == [
            comparable_proxy(entry, has_namespace) for entry in recorded
        ]
    count_vectors("operators/llmkube proxies", 1, 1)


def comparable_proxy(found: JSONObject, has_namespace: bool) -> JSONObject:
    """The objects that are created for a proxy, without unrecorded fields, the API server's defaults, and a hash that can't be compared."""
    found = copy.deepcopy(found)
    pod = found.get("pod", {})
    for volume in pod.get("spec", {}).get("volumes", []):
        volume["configMap"].pop("defaultMode", None)
    for container in pod.get("spec", {}).get("containers", []):
        container.pop("imagePullPolicy", None)
    if pod and has_namespace:
        assert pod.pop("annotations").keys() == {"inference.llmkube.dev/router-config-hash"}
    return found
