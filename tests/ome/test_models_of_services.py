"""Which model a service gets, which model is described in its ConfigMap, and what is said if not all models are known."""

from __future__ import annotations

import pytest

from tests.ome.records import DEFINITIONS, request_for
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.ome.kinds import GROUP
from weighbridge.policies.families.ome.predictions.service import predict
from weighbridge.policies.families.ome.subject.model import read_model
from weighbridge.policies.families.ome.subject.model_references import ModelReference, model_reference
from weighbridge.policies.ground.objects import JSONObject

_ALL = ("BaseModel", "ClusterBaseModel", "FineTunedWeight", "ServingRuntime", "ClusterServingRuntime", "AcceleratorClass")


def _held(kind: str, name: str, namespace: str = "", **spec: object) -> JSONObject:
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": f"{GROUP}/v1beta1", "kind": kind, "metadata": metadata, "spec": spec}


def _cluster(held: list[JSONObject], known: tuple[str, ...] = _ALL) -> Facts:
    facts = from_objects(held, DEFINITIONS)
    facts.objects.complete(besides=[(GROUP, kind) for kind in known])
    return facts


OWN, OTHERS, OF_CLUSTER = _held("BaseModel", "llama", "shop"), _held("BaseModel", "llama", "other"), _held("ClusterBaseModel", "llama")
_OWN, _OF_CLUSTER = read_model(OWN), read_model(OF_CLUSTER)
_WEIGHT = _held("FineTunedWeight", "llama", baseModelRef={"name": "base"})
_NAMESPACED = _held("FineTunedWeight", "llama", baseModelRef={"name": "base", "namespace": "other"})
_C, _B = "ClusterBaseModel llama", "BaseModel llama"


@pytest.mark.parametrize(
    ("kind", "held", "expected"),
    [
        ("", [], ModelReference("llama", described=_C, is_described=False)),
        ("", [OTHERS], ModelReference("llama", described=_C, is_described=False)),
        ("", [OWN], ModelReference("llama", _OWN, described=_C, is_described=False)),
        ("", [OF_CLUSTER], ModelReference("llama", _OF_CLUSTER, described=_C, is_described=True)),
        ("", [OWN, OF_CLUSTER], ModelReference("llama", _OWN, described=_C, is_described=True, shadowed=_OF_CLUSTER)),
        ("ClusterBaseModel", [OF_CLUSTER], ModelReference("llama", _OF_CLUSTER, described=_C, is_described=True)),
        ("Other", [OF_CLUSTER], ModelReference("llama", _OF_CLUSTER, described=_C, is_described=True)),
        ("BaseModel", [OF_CLUSTER], ModelReference("llama", _OF_CLUSTER, described=_B, is_described=False)),
        ("BaseModel", [OWN, OF_CLUSTER], ModelReference("llama", _OWN, described=_B, is_described=True, shadowed=_OF_CLUSTER)),
        ("FineTunedWeight", [OWN], ModelReference("llama", _OWN, described="FineTunedWeight llama", is_described=False)),
        ("FineTunedWeight", [OWN, _WEIGHT], ModelReference("llama", _OWN, described="ClusterBaseModel base", is_described=False)),
        (
            "FineTunedWeight",
            [OWN, _WEIGHT, _held("ClusterBaseModel", "base")],
            ModelReference("llama", _OWN, described="ClusterBaseModel base", is_described=True),
        ),
        (
            "FineTunedWeight",
            [OWN, _NAMESPACED, _held("BaseModel", "base", "shop"), _held("ClusterBaseModel", "base")],
            ModelReference("llama", _OWN, described="BaseModel base", is_described=False),
        ),
        (
            "FineTunedWeight",
            [OWN, _NAMESPACED, _held("BaseModel", "base", "other")],
            ModelReference("llama", _OWN, described="BaseModel base", is_described=True),
        ),
    ],
)
def test_a_service_gets_the_model_of_its_namespace_before_the_cluster_s(
    kind: str, held: list[JSONObject], expected: ModelReference
) -> None:
    model = {"name": "llama"} | ({"kind": kind} if kind else {})
    service = _held("InferenceService", "chat", "shop", model=model)
    found = model_reference(service, _cluster(held))
    assert (found, found.is_missing) == (expected, expected.model is None)


def test_a_service_without_a_name_of_a_model_gets_none() -> None:
    every: list[JSONObject] = [{}, {"model": {}}, {"model": {"name": ""}}, {"model": "odd"}]
    for spec in every:
        found = model_reference(_held("InferenceService", "chat", "shop", **spec), _cluster([OWN, OF_CLUSTER]))
        assert (found, found.is_missing) == (ModelReference(""), False)


_NO_MODELS = "not all BaseModels of the cluster are known"
_NO_CLUSTER_MODELS = "not all ClusterBaseModels of the cluster are known"


@pytest.mark.parametrize(
    ("held", "known", "expected"),
    [
        ([], (), ModelReference("llama", None, _NO_MODELS, _C, None)),
        ([], ("ClusterBaseModel",), ModelReference("llama", None, _NO_MODELS, _C, False)),
        ([], ("BaseModel",), ModelReference("llama", None, _NO_CLUSTER_MODELS, _C, None)),
        ([OWN], (), ModelReference("llama", _OWN, "", _C, None)),
        # A model of the namespace could only hide it.
        ([OF_CLUSTER], (), ModelReference("llama", _OF_CLUSTER, "", _C, True)),
    ],
)
def test_a_model_may_be_there_where_not_all_are_known(held: list[JSONObject], known: tuple[str, ...], expected: ModelReference) -> None:
    found = model_reference(_held("InferenceService", "chat", "shop", model={"name": "llama"}), _cluster(held, known))
    assert (found, found.is_missing) == (expected, False)


def _runtime(kind: str, name: str, namespace: str = "", **spec: object) -> JSONObject:
    item = {"modelFormat": {"name": "st"}, "autoSelect": True, "priority": 2}
    return _held(kind, name, namespace, supportedModelFormats=[item], **spec)


_ST = _held("BaseModel", "llama", "shop", modelFormat={"name": "st"})
_CLUSTER_ST = _held("ClusterBaseModel", "llama", modelFormat={"name": "st"})
_WHAT = "InferenceService chat"
_MODEL_IS = f"{_WHAT} spec.model.name"
_SCORED = ("runtime", "ClusterServingRuntime srt", "selection", "score 2")
_NAMED = ("runtime", "ServingRuntime srt", f"{_WHAT} spec.runtime.name", "named")
_OF_NAMESPACE = ("model", "BaseModel llama", _MODEL_IS, "of the namespace, before the cluster")
_OF_ALL = ("model", "ClusterBaseModel llama", _MODEL_IS, "of the cluster")
_CLASSES: JSONObject = {"acceleratorRequirements": {"acceleratorClasses": ["a", "b"]}}
_A = _held("AcceleratorClass", "a", cost={"perHour": "1"})
_B_CLASS = _held("AcceleratorClass", "b", cost={"perHour": "2"})
_CLASS_FIELD = "acceleratorClass of engine"
_LEFT_OUT = (_CLASS_FIELD, "", "AcceleratorClass b", "left out: a is the one by Cheapest")


@pytest.mark.parametrize(
    ("spec", "held", "told"),
    [
        ({}, [_ST, _runtime("ClusterServingRuntime", "srt")], [_OF_NAMESPACE, _SCORED]),
        ({}, [_CLUSTER_ST, _runtime("ClusterServingRuntime", "srt")], [_OF_ALL, _SCORED]),
        ({"runtime": {"name": "srt"}}, [_ST, _runtime("ServingRuntime", "srt", "shop")], [_OF_NAMESPACE, _NAMED]),
        ({"runtime": {"name": "srt"}}, [_ST, _runtime("ServingRuntime", "srt", "other")], [_OF_NAMESPACE]),
        ({}, [_ST], [_OF_NAMESPACE]),
        (
            {"acceleratorSelector": {"acceleratorClass": "a"}},
            [_CLUSTER_ST, _runtime("ClusterServingRuntime", "srt", **_CLASSES), _A, _B_CLASS],
            [_OF_ALL, _SCORED, (_CLASS_FIELD, "a", f"{_WHAT} spec.acceleratorSelector.acceleratorClass", "named")],
        ),
        (
            {"acceleratorSelector": {"policy": "Cheapest"}},
            [_CLUSTER_ST, _runtime("ClusterServingRuntime", "srt", **_CLASSES), _A, _B_CLASS],
            [_OF_ALL, _SCORED, (_CLASS_FIELD, "a", f"{_WHAT} spec.acceleratorSelector.policy", "policy Cheapest"), _LEFT_OUT],
        ),
    ],
)
def test_what_was_chosen_has_its_source(spec: JSONObject, held: list[JSONObject], told: list[tuple[str, ...]]) -> None:
    service = _held("InferenceService", "chat", "shop", model={"name": "llama"}, engine={}, **spec)
    found = predict(request_for(service), _cluster(held), DEFAULT)
    assert found is not None
    values = [(one.field, one.value, one.source, one.reason) for one in found.values if one.object == _WHAT]
    assert values == told


def test_runtimes_are_shown_with_their_scores_and_what_is_against_them() -> None:
    held = [
        _ST,
        _runtime("ClusterServingRuntime", "a"),
        _runtime("ServingRuntime", "z", "shop"),
        _runtime("ClusterServingRuntime", "b", disabled=True),
    ]
    service = _held("InferenceService", "chat", "shop", model={"name": "llama"}, engine={})
    found = predict(request_for(service), _cluster(held), DEFAULT)
    assert found is not None
    [table] = [one for one in found.tables() if one.title.startswith("runtimes")]
    assert (table.title, tuple(table.columns)) == ("runtimes for BaseModel llama:", ("runtime", "scope", "score", "outcome"))
    assert list(table.rows) == [
        ("z", "namespace", "2", "selected"),
        ("a", "cluster", "2", "z is of the namespace, and so comes first"),
        ("b", "cluster", "", "it is disabled"),
    ]
    virtual = {**service, "metadata": {**service["metadata"], "annotations": {"ome.io/deploymentMode": "VirtualDeployment"}}}
    made = predict(request_for(virtual), _cluster(held), DEFAULT)
    assert made is not None
    assert (list(made.tables()), made.objects, made.failure) == ([], [], "")
