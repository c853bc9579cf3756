"""A redacted snapshot keeps everything from which a benchmark's Job is made."""

from __future__ import annotations

from typing import Any

from tests.ome.records import DEFINITIONS, request_for
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.redaction import Redaction
from weighbridge.policies.families.ome.kinds import GROUP
from weighbridge.policies.families.ome.predictions.benchmark import predict
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.transform import needed


def _object(kind: str, spec: JSONObject, **rest: Any) -> JSONObject:
    return {"apiVersion": f"{GROUP}/v1beta1", "kind": kind, "metadata": {"name": "chat", "namespace": "default"}, "spec": spec, **rest}


def test_address_protocol_and_settings_are_not_blanked() -> None:
    status = {"url": "http://chat.example.org", "conditions": [{"type": "Ready", "status": "True"}]}
    runner = {"name": "ome-container", "env": [{"name": "PROTOCOL_VERSION", "value": "openAI"}]}
    settings = '{"podConfig": {"image": "reg/bench:2", "cpuRequest": "1", "memoryRequest": "1Gi", "cpuLimit": "1", "memoryLimit": "1Gi"}}'
    held = [
        _object("InferenceService", {"model": {"name": "chat"}, "engine": {"runner": runner}}, status=status),
        _object("BaseModel", {"storage": {"storageUri": "hf://a/b", "path": "/m"}}),
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "benchmarkjob-config", "namespace": "ome"},
            "data": {"benchmarkjob": settings},
        },
    ]
    job = _object(
        "BenchmarkJob",
        {"endpoint": {"inferenceService": {"name": "chat", "namespace": "default"}}, "outputLocation": {"storageUri": "s3://b"}},
    )
    redaction = Redaction([*held, job], needed(), DEFINITIONS)
    *seen, asked = (redaction.redact(obj) for obj in (*held, job))
    found = predict(request_for(asked), from_objects(seen, DEFINITIONS), DEFAULT)
    assert found is not None
    [made] = found.objects
    spec: Any = made["spec"]
    container = spec["template"]["spec"]["containers"][0]
    assert container["image"] == "reg/bench:2"
    assert container["args"][1:5] == ["--api-backend", "openAI", "--api-base", "http://host-1.example"]
