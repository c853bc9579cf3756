"""Every Deployment that the real operator created starts its container as `launch` predicts: name, command, arguments, environment, port,
probes.

Left out are the Deployments of routers (`router-proxy`): they start the operator's own proxy, no engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CountVectors
from tests.llmkube.model.recorded import Record, records
from weighbridge.policies.families.llmkube.predictions.engines import Launch, launch
from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import storage
from weighbridge.policies.families.llmkube.subject.gpu import pod_gpus
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.schema.object_meta import stored_numbers

ROUTER_PROXY = "router-proxy"


def predicted(record: Record, service: JSONObject) -> Launch:
    """The prediction of `launch` for a service of a record."""
    model = next(stored_numbers(found) for found in record.of_kind("Model") if name_of(found) == service["spec"]["modelRef"])
    gpus = pod_gpus(model, service, record.operator)
    return launch(model, service, record.operator, gpus, storage(model, service, record.operator, record.facts))


def as_recorded(found: Launch) -> JSONObject:
    """A launch in the form of the records: with flat probes and without empty values."""
    container: JSONObject = {
        "name": found.container,
        "command": list(found.command),
        "args": list(found.args),
        "env": list(found.env),
        "ports": [{"name": "http", "containerPort": found.port, "protocol": "TCP"}],
        "startupProbe": flattened(found.startup),
        "livenessProbe": flattened(found.liveness),
        "readinessProbe": flattened(found.readiness),
    }
    return {key: value for key, value in container.items() if value}


def flattened(probe: JSONObject) -> JSONObject:
    """A probe in the form of the records."""
    flat = {key: probe[key] for key in ("failureThreshold", "periodSeconds", "initialDelaySeconds") if probe.get(key)}
    if "httpGet" in probe:
        return {**flat, "path": probe["httpGet"]["path"], "port": probe["httpGet"]["port"]}
    return {**flat, "other": {key: probe[key] for key in ("tcpSocket", "exec", "grpc") if key in probe}}


def differences(record: Record) -> Iterator[tuple[str, str, Any, Any]]:
    """The differences between the containers of a record's services and the predictions."""
    for deployment in record.outcome.get("deployments", []):
        recorded = deployment["pod"]["spec"]["containers"][0]
        if recorded["name"] == ROUTER_PROXY:
            continue
        service = next(found for found in record.of_kind("InferenceService") if name_of(found) == deployment["name"])
        ours = as_recorded(predicted(record, service))
        for key in ("name", "command", "args", "env", "ports", "startupProbe", "livenessProbe", "readinessProbe"):
            if ours.get(key) != recorded.get(key):
                yield f"{record.id} {name_of(service)}", key, ours.get(key), recorded.get(key)


def test_every_recorded_container_is_started_as_predicted(shared: Path, count_vectors: CountVectors) -> None:
    compared = left_out = 0
    found: list[tuple[str, str, object, object]] = []
    for record in records(shared):
        names = [deployment["pod"]["spec"]["containers"][0]["name"] for deployment in record.outcome.get("deployments", [])]
        compared += len(names) - names.count(ROUTER_PROXY)
        left_out += names.count(ROUTER_PROXY)
        found.extend(differences(record))
    assert not found, "\n".join(map(str, found))
    assert compared > 600
    count_vectors("llmkube.jsonl.gz launches", compared, compared + left_out)


@pytest.mark.parametrize("kind", ["VLLMSpecValid", "SGLangSpecValid"])
def test_recorded_conditions_on_settings_are_the_predicted_ones(shared: Path, kind: str) -> None:
    found: list[tuple[str, object, object]] = []
    for record in records(shared):
        if not record.outcome.get("deployments"):
            continue
        for service in record.of_kind("InferenceService"):
            status = record.status(service) or {}
            recorded = [condition for condition in status.get("conditions", []) if condition["type"] == kind]
            if any(deployment["name"] == name_of(service) for deployment in record.outcome["deployments"]):
                ours = [dict(condition) for condition in predicted(record, service).conditions if condition["type"] == kind]
                found.extend([] if ours == recorded else [(record.id, ours, recorded)])
    assert not found


def test_the_warning_on_unrequested_memory_is_recorded_where_it_is_predicted(shared: Path) -> None:
    predictions: dict[str, bool] = {}
    recorded: dict[str, bool] = {}
    for record in records(shared):
        for service in record.of_kind("InferenceService"):
            if record.deployment(service) is not None:
                predictions[record.id] = any(event.reason == "MissingMemoryRequest" for event in predicted(record, service).warnings)
                events = record.outcome.get("events", [])
                recorded[record.id] = any(event["reason"] == "MissingMemoryRequest" for event in events)
    assert predictions == recorded
    assert any(recorded.values())
