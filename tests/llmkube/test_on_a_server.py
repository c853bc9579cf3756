"""A real API server accepts or refuses the predicted objects as predicted, in its words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.llmkube.odd_services import MODELS, SERVICES
from tests.llmkube.operator_cluster import admit, cluster, play
from tests.llmkube.replay import configuration, records
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential.connection import Connections
from weighbridge.policies.families.llmkube.operator import operator_of
from weighbridge.policies.families.llmkube.predictions.engines import launch
from weighbridge.policies.families.llmkube.predictions.service import autoscaler, deployment
from weighbridge.policies.families.llmkube.predictions.service.workload import Workload, workload
from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import storage
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.autoscaler import autoscaler_refusal
from weighbridge.policies.pods.validation.deployment import deployment_refusal

SOURCE = "https://models.example.com/m.gguf"
PATHS = {
    "Deployment": "/apis/apps/v1/namespaces/team-a/deployments",
    "Service": "/api/v1/namespaces/team-a/services",
    "HorizontalPodAutoscaler": "/apis/autoscaling/v2/namespaces/team-a/horizontalpodautoscalers",
    "PersistentVolumeClaim": "/api/v1/namespaces/team-a/persistentvolumeclaims",
    "Job": "/apis/batch/v1/namespaces/team-a/jobs",
}
METRICS: list[JSONObject] = [
    {"maxReplicas": 2, "minReplicas": 5},
    {"maxReplicas": 3, "metrics": [{"type": "Pods", "name": "x"}]},
    {"maxReplicas": 3, "metrics": [{"type": "Pods", "name": "x", "targetAverageValue": "-1"}]},
    {"maxReplicas": 3, "metrics": [{"type": "Pods", "name": "", "targetAverageValue": "5"}]},
    {"maxReplicas": 3, "metrics": [{"type": "Pods", "name": "a/b", "targetAverageValue": "1500m"}]},
    {"maxReplicas": 3, "metrics": [{"type": "Resource", "name": "", "targetAverageUtilization": 0}]},
    {"maxReplicas": 3, "metrics": [{"type": "Resource", "name": "memory"}]},
    {"maxReplicas": 3, "metrics": [{"type": "Resource", "name": "cpu", "targetAverageUtilization": 70}]},
]

pytestmark = [
    pytest.mark.control_plane,
    pytest.mark.usefixtures("kubernetes_of_the_plane"),
    pytest.mark.skipif(not records(), reason="the records aren't next to the checkout"),
]


@pytest.fixture(scope="module")
def server(control_plane: ControlPlane) -> Iterator[Connections]:
    """Connections to a server with a namespace `team-a`, which other tests use, too; nothing is stored in it."""
    with Connections(control_plane) as connections:
        connections.send_value("POST", "/api/v1/namespaces", {"metadata": {"name": "team-a"}})
        yield connections


def answer(server: Connections, obj: JSONObject) -> tuple[str, Any]:
    """The server's answer to a dry run for an object, and the object as it would be stored."""
    reply = server.send_value("POST", f"{PATHS[obj['kind']]}?dryRun=All", obj)
    return ("", reply.body) if reply.code < 300 else (reply.body["message"], None)


def errors(message: str) -> list[str]:
    """The errors of a message, sorted, since the server goes through maps in random order."""
    head, _, listed = message.partition(" is invalid: ")
    return [head, *sorted(f", {listed.removeprefix('[').removesuffix(']')}".split(", spec."))]


def made(of_model: JSONObject, of_service: JSONObject) -> Workload:
    """A service with its Model as they are stored."""
    objects = [
        {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": kind, "metadata": {"name": name, "namespace": "team-a"}, "spec": spec}
        for kind, name, spec in (("Model", "m", of_model), ("InferenceService", "svc", of_service))
    ]
    operator = {"version": "head", "flags": [], "webhooks": []}
    record = {"id": "llmkube/head/odd", "nodes": [], "objects": objects, "operator": operator}
    config = configuration(record)
    facts = cluster(record, config)
    stored = []
    for obj in objects:
        admitted = admit(record, obj, facts, config, operator_of(facts, config))
        assert admitted.stored is not None, admitted.message
        stored.append(admitted.stored)
    return workload(stored[1], stored[0], "team-a", operator_of(facts, config), facts)


CASES = [
    *(({"source": SOURCE}, {"modelRef": "m", **spec}) for spec in SERVICES),
    *(({"source": SOURCE, **spec}, {"modelRef": "m"}) for spec in MODELS),
]


@pytest.mark.parametrize(("of_model", "of_service"), CASES, ids=lambda spec: json.dumps(spec, ensure_ascii=True)[:120])
def test_a_deployment_is_refused_in_the_servers_words(server: Connections, of_model: JSONObject, of_service: JSONObject) -> None:
    work = made(of_model, of_service)
    stored = storage(work.model, work.service, work.operator, work.facts)
    found = deployment.manifest(work, stored, launch(work.model, work.service, work.operator, work.gpus, stored), 1)
    message, kept = answer(server, found)
    assert errors(deployment_refusal(found)) == errors(message)
    if kept is not None:
        ours, theirs = (obj["spec"]["template"]["spec"]["containers"][0] for obj in (found, kept))
        assert ours.get("resources", {}) == theirs.get("resources", {})


@pytest.mark.parametrize("asked", METRICS, ids=json.dumps)
def test_an_autoscaler_is_refused_in_the_servers_words(server: Connections, asked: JSONObject) -> None:
    found = autoscaler.manifest(made({"source": SOURCE}, {"modelRef": "m", "autoscaling": asked}))
    message, kept = answer(server, found)
    assert errors(autoscaler_refusal(found)) == errors(message)
    assert kept is None or kept["spec"]["metrics"] == found["spec"]["metrics"]


def test_what_is_predicted_for_the_records_is_taken(server: Connections) -> None:
    predicted = {
        json.dumps(obj, sort_keys=True): obj
        for record in records()
        for prediction in play(record).predictions.values()
        for obj in prediction.objects
        if obj["metadata"]["namespace"] == "team-a" and not obj["spec"].get("ports", [{}])[0].get("nodePort")
    }
    refused = {text: message for text, obj in predicted.items() if (message := answer(server, obj)[0])}
    assert not refused
    assert len(predicted) > 300
