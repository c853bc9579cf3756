"""Values that Go writes into an object in addition to its author's, beyond the recordings: parts of templates, volumes and variables."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llmaz.records import answer
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import field
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.facts import bundled_definitions
from weighbridge.webhook.inputs.requests import request_of

_FACTS = from_objects([], bundled_definitions(DEFAULT))
_FIELD = {"name": "CPUS", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}}


def _service(worker: Any, **beside: Any) -> dict[str, Any]:
    template = {**({"workerTemplate": worker} if worker is not None else {}), **beside}
    spec = {"modelClaims": {"models": [{"name": "opt"}]}, **({"workloadTemplate": template} if template else {})}
    return {"apiVersion": "inference.llmaz.io/v1alpha1", "kind": "Service", "metadata": {"name": "sv", "namespace": "a"}, "spec": spec}


def _worker(**spec: Any) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": "model-runner", "image": "engine:v1", "env": [_FIELD]}], **spec}}


def _decided(obj: dict[str, Any], phase: Phase = Phase.WHOLE) -> Decision:
    return decide(request_of(obj, _FACTS.definitions, uid="1", namespace="a"), _FACTS, DEFAULT, phase)


@pytest.mark.parametrize(
    ("service", "template"),
    [(_service(None), "worker"), (_service({}), "worker"), (_service(_worker(), leaderTemplate={}), "leader")],
)
def test_a_template_without_a_spec_has_no_list_of_containers(service: dict[str, Any], template: str) -> None:
    """Go writes the spec with a null in it, which the schema refuses before the validating webhook is called."""
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


@pytest.mark.parametrize(
    ("volume", "words"),
    [
        ({"projected": {}}, 'projected.sources in body must be of type array: "null"'),
        ({"scaleIO": {"gateway": "https://a", "system": "b"}}, 'scaleIO.secretRef in body must be of type object: "null"'),
    ],
)
def test_a_volume_without_its_parts_is_refused_by_the_schema(volume: dict[str, Any], words: str) -> None:
    decision = _decided(_service(_worker(volumes=[{"name": "v", **volume}])))
    assert decision.code == 422
    assert words in decision.message


_MODEL = {"apiVersion": "llmaz.io/v1alpha1", "kind": "OpenModel", "metadata": {"name": "opt"}}
_RUNTIME = {"apiVersion": "inference.llmaz.io/v1alpha1", "kind": "BackendRuntime", "metadata": {"name": "vllm"}}


@pytest.mark.parametrize(
    "obj",
    [
        {**_MODEL, "spec": {"source": {"modelHub": {"modelID": "a/b"}}}},
        {**_MODEL, "spec": {"familyName": "opt"}},
        _RUNTIME,
        {**_RUNTIME, "spec": {"image": "engine", "version": "v1", "recommendedConfigs": [{}]}},
        {**_RUNTIME, "spec": {"image": "engine", "version": "v1", "envs": [{"value": "a"}]}},
    ],
)
def test_the_schema_refuses_for_a_missing_part_only_without_the_webhook(obj: dict[str, Any]) -> None:
    assert _decided(obj, Phase.APISERVER).code == 422 or "spec" not in obj
    assert [finding for finding in _decided(obj).findings if finding.rule.startswith("K8S")] == []


def test_a_bound_that_go_leaves_out_is_still_required() -> None:
    spec = {"modelClaim": {"modelName": "opt"}, "elasticConfig": {"minReplicas": 2}}
    playground = {
        "apiVersion": "inference.llmaz.io/v1alpha1",
        "kind": "Playground",
        "metadata": {"name": "pg", "namespace": "a"},
        "spec": spec,
    }
    decision = _decided(playground)
    assert decision.code == 422
    assert decision.message.endswith("spec.elasticConfig.maxReplicas: Required value")


def test_what_go_writes_names_its_origin() -> None:
    found = {field(entry.path): entry for entry in _decided(_service(_worker())).provenance}
    divisor = found["spec.workloadTemplate.workerTemplate.spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor"]
    assert (divisor.value, divisor.source) == ("0", "llmaz's webhook")


def test_a_webhook_gets_an_object_that_is_rewritten_already() -> None:
    service = _service(_worker())
    request = request_of(service, _FACTS.definitions, uid="1", namespace="a")
    assert decide(request, _FACTS, DEFAULT, Phase.VALIDATE).object == service
