"""Immutable values that the operator's own first update of a service changes; each was tried on the operator and a real API server."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.go_form import changed_values
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions
from weighbridge.webhook.inputs.requests import request_of

SOURCE = {"modelId": "a/b", "sourceUri": "hf://a/b", "size": "16Gi"}


def changed(group: str, spec: JSONObject, **metadata: Any) -> list[tuple[str, str]]:
    service = {"metadata": {"name": "svc", **metadata}, "spec": spec}
    return [(".".join(map(str, one.path[1:])), one.becomes) for one in changed_values(service, dialect_of(group))]


def described(**custom: Any) -> JSONObject:
    hardware = {"gpu": {"requests": 1, "model": "MI300X", "resourceName": "amd.com/gpu"}}
    return {"model": {"custom": {"baseImage": "x", "modelSources": [SOURCE], "hardware": hardware, **custom}}}


def from_environment(**source: Any) -> JSONObject:
    return described(modelSources=[{**SOURCE, "env": [{"name": "A", "valueFrom": source}]}])


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"template": {"allowUnoptimized": False}}, [("template.allowUnoptimized", "")]),
        ({"template": {"name": "t", "allowUnoptimized": False}}, [("template.allowUnoptimized", "")]),
        ({"template": {"name": ""}}, [("template.name", "")]),
        ({"template": {}}, []),
        ({"model": {"name": ""}}, []),
        ({"overrides": {"hardware": {"gpu": {"requests": 0}}}}, [("overrides.hardware.gpu.requests", "")]),
        ({"overrides": {"hardware": {"gpu": {"requests": 1, "model": ""}}}}, [("overrides.hardware.gpu.model", "")]),
        ({"overrides": {"hardware": {"gpu": {"requests": 1, "minVram": 200}}}}, [("overrides.hardware.gpu.minVram", "200")]),
        ({"overrides": {"hardware": {"gpu": {"resourceName": ""}}}}, [("overrides.hardware.gpu.resourceName", "")]),
        ({"overrides": {"hardware": {"cpu": {"requests": 4}}}}, [("overrides.hardware.cpu.requests", "4")]),
        ({"overrides": {"hardware": {"gpu": {}}}}, []),
        ({"resources": {"requests": {"cpu": 4}}, "env": [{"name": "A", "value": ""}]}, []),
        (described(), []),
        (described(hardware={"cpu": {"requests": "4", "limits": "4.0"}}), [("model.custom.hardware.cpu.limits", "4")]),
        (described(hardware={"gpu": {"minVram": "65536Mi"}}), [("model.custom.hardware.gpu.minVram", "64Gi")]),
        (described(modelSources=[{**SOURCE, "size": "1024Gi"}]), [("model.custom.modelSources.0.size", "1Ti")]),
        (described(modelSources=[{**SOURCE, "env": []}]), [("model.custom.modelSources.0.env", "")]),
        (described(modelSources=[{**SOURCE, "env": [{"name": "A", "value": ""}]}]), [("model.custom.modelSources.0.env.0.value", "")]),
        (from_environment(secretKeyRef={"key": "k", "name": ""}), []),
        (from_environment(fileKeyRef={"key": "k", "path": "p", "volumeName": "v", "optional": False}), []),
        (
            from_environment(resourceFieldRef={"resource": "limits.cpu"}),
            [("model.custom.modelSources.0.env.0.valueFrom.resourceFieldRef.divisor", "0")],
        ),
        (
            from_environment(fieldRef={"fieldPath": "metadata.name", "apiVersion": ""}),
            [("model.custom.modelSources.0.env.0.valueFrom.fieldRef.apiVersion", "")],
        ),
    ],
)
def test_aim_engine_changes_immutable_values_that_go_writes_otherwise(spec: JSONObject, expected: list[tuple[str, str]]) -> None:
    assert changed(NEW, {"model": {"name": "m"}, **spec}) == expected


def test_kaiwo_changes_the_size_of_a_kv_cache_and_an_empty_resource() -> None:
    storage = {"size": "1024Mi", "accessModes": []}
    spec = {"template": {"allowUnoptimized": False}, "kvCache": {"storage": storage}, "overrides": {"gpuSelector": {"resourceName": ""}}}
    expected = [("overrides.gpuSelector.resourceName", ""), ("kvCache.storage.size", "1Gi"), ("kvCache.storage.accessModes", "")]
    assert changed(OLD, spec) == expected


def test_a_service_that_has_the_finalizer_is_written_no_more() -> None:
    assert not changed(NEW, {"template": {"allowUnoptimized": False}}, finalizers=[dialect_of(NEW).finalizer])


@pytest.mark.parametrize(
    ("spec", "field", "message", "hint"),
    [
        (described() | {"template": {"name": ""}}, "spec.template.name", 'drops "", which', "leave the field out"),
        (
            described() | {"overrides": {"hardware": {"cpu": {"requests": 4}}}},
            "spec.overrides.hardware.cpu.requests",
            'writes 4 as "4"',
            "",
        ),
        (
            from_environment(resourceFieldRef={"resource": "limits.cpu"}),
            "spec.model.custom.modelSources[0].env[0].valueFrom.resourceFieldRef.divisor",
            'adds it as "0", which',
            'write divisor: "1"',
        ),
    ],
    ids=["dropped", "rewritten", "added"],
)
def test_the_rule_says_what_the_update_does_and_what_to_write(spec: JSONObject, field: str, message: str, hint: str) -> None:
    service = {"apiVersion": f"{NEW}/v1alpha1", "kind": "AIMService", "metadata": {"name": "svc", "namespace": "ai"}, "spec": spec}
    definitions = bundled_definitions()
    request = request_of(service, definitions, uid="r", namespace="ai")
    found = [finding for finding in decide(request, from_objects([], definitions), DEFAULT).findings if finding.rule == "AIM-105"]
    assert [(finding.field, finding.hint) for finding in found] == [(field, hint)]
    assert message in found[0].message
