"""What Go writes into an object without its author, beyond the recordings: parts of templates, volumes and variables."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llmaz.records import answer
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.llmaz.predictions.stored import rewritten_values
from weighbridge.webhook.inputs.facts import bundled_definitions
from weighbridge.webhook.inputs.requests import request_of

_FIELD = {"name": "CPUS", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}}


def _service(worker: Any, **beside: Any) -> dict[str, Any]:
    template = {**({"workerTemplate": worker} if worker is not None else {}), **beside}
    spec = {"modelClaims": {"models": [{"name": "opt"}]}, **({"workloadTemplate": template} if template else {})}
    return {"apiVersion": "inference.llmaz.io/v1alpha1", "kind": "Service", "metadata": {"name": "sv", "namespace": "a"}, "spec": spec}


def _worker(**spec: Any) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": "model-runner", "image": "engine:v1", "env": [_FIELD]}], **spec}}


@pytest.mark.parametrize(
    ("service", "template"),
    [(_service(None), "worker"), (_service({}), "worker"), (_service(_worker(), leaderTemplate={}), "leader")],
)
def test_a_template_without_a_spec_has_no_list_of_containers(service: dict[str, Any], template: str) -> None:
    """Go writes the spec, and in it null, which the schema refuses before the validating webhook is asked."""
    path = f"spec.workloadTemplate.{template}Template.spec.containers"
    assert f'{path}: Invalid value: "null": {path} in body must be of type array: "null"' in answer(service).message


def test_amounts_of_a_container_get_their_divisor() -> None:
    found = answer(_service(_worker())).object
    assert found is not None
    (container,) = found["spec"]["workloadTemplate"]["workerTemplate"]["spec"]["containers"]
    assert container["env"][0]["valueFrom"]["resourceFieldRef"] == {"resource": "limits.cpu", "divisor": "0"}


def test_a_claim_of_a_volume_gets_what_is_empty_in_it() -> None:
    volume = {"name": "cache", "ephemeral": {"volumeClaimTemplate": {"spec": {"accessModes": ["ReadWriteOnce"]}}}}
    found = answer(_service(_worker(volumes=[volume]))).object
    assert found is not None
    (stored,) = found["spec"]["workloadTemplate"]["workerTemplate"]["spec"]["volumes"]
    expected = {"metadata": {}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {}}}
    assert stored["ephemeral"]["volumeClaimTemplate"] == expected


def test_nothing_is_told_of_what_go_writes_where_the_crd_is_not_known() -> None:
    request = request_of(_service(_worker()), Definitions(), uid="1", namespace="a")
    assert rewritten_values(request, from_objects([], Definitions()), "Service a/sv") == []
    definitions = bundled_definitions(DEFAULT)
    values = rewritten_values(request, from_objects([], definitions), "Service a/sv")
    assert [each.field for each in values if each.field.endswith("divisor")] == [
        "spec.workloadTemplate.workerTemplate.spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor"
    ]
