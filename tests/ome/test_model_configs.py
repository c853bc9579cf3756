"""The ConfigMap that describes a service's model, for each kind that the service may name, with the fields in upstream's order."""

from __future__ import annotations

import pytest

from tests.ome.records import DEFINITIONS
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.ome.kinds import GROUP
from weighbridge.policies.families.ome.predictions.merge.model_config import described
from weighbridge.policies.ground.objects import JSONObject

_STORAGE: JSONObject = {"key": "k", "parameters": {"b": "<1>", "a": "2"}, "schemaPath": "s", "path": "/m", "storageUri": "hf://a/b"}
_CONFIG_MAP: JSONObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "modelconfig-chat", "namespace": "shop"}}


def _object(kind: str, name: str, spec: JSONObject, namespace: str = "") -> JSONObject:
    metadata: JSONObject = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": f"{GROUP}/v1beta1", "kind": kind, "metadata": metadata, "spec": spec}


_HELD = [
    _object("ClusterBaseModel", "llama", {"modelFormat": {"name": "safetensors"}, "modelType": "llama", "storage": _STORAGE}),
    _object(
        "BaseModel", "llama", {"modelFormat": {"name": "st", "version": "1"}, "modelFramework": {"name": "tf", "version": "4"}}, "shop"
    ),
    _object("BaseModel", "base", {"modelFramework": {"name": "tf"}}, "else"),
    _object("FineTunedWeight", "tuned", {"baseModelRef": {"name": "llama"}, "modelType": "LoRA", "storage": {"storageUri": "oci://x"}}),
    _object("FineTunedWeight", "elsewhere", {"baseModelRef": {"name": "base", "namespace": "else"}}),
]
_OF_CLUSTER = (
    '{"modelName":"llama","modelSpec":{"storageUri":"hf://a/b","path":"/m","schemaPath":"s","parameters":{"a":"2","b":"\\u003c1\\u003e"},'
    '"storageKey":"k","modelFormatName":"safetensors","modelType":"llama"}'
)
_TUNED = ',"fineTunedWeightSpec":{"storageUri":"oci://x","modelType":"LoRA"}'


@pytest.mark.parametrize(
    ("model", "entry"),
    [
        ({"name": "llama"}, f"{_OF_CLUSTER}}}"),
        # A BaseModel of the namespace is served, but not described.
        ({"name": "llama", "kind": "ClusterBaseModel"}, f"{_OF_CLUSTER}}}"),
        (
            {"name": "llama", "kind": "BaseModel"},
            (
                '{"modelName":"llama","modelSpec":{"modelFormatName":"st","modelFormatVersion":"1","modelFrameworkName":"tf",'
                '"modelFrameworkVersion":"4"}}'
            ),
        ),
        ({"name": "llama", "fineTunedWeights": ["tuned"]}, f"{_OF_CLUSTER}{_TUNED}}}"),
        ({"name": "llama", "fineTunedWeights": [""]}, f"{_OF_CLUSTER}}}"),
        # The base model of fine-tuned weights is described under its own name.
        ({"name": "tuned", "kind": "FineTunedWeight"}, f"{_OF_CLUSTER}{_TUNED}}}"),
        (
            {"name": "elsewhere", "kind": "FineTunedWeight"},
            '{"modelName":"base","modelSpec":{"modelFormatName":"","modelFrameworkName":"tf"},"fineTunedWeightSpec":{}}',
        ),
    ],
)
def test_a_model_is_described_by_the_kind_that_the_service_names(model: JSONObject, entry: str) -> None:
    service = _object("InferenceService", "chat", {"model": model}, "shop")
    found = described(_CONFIG_MAP, service, from_objects(_HELD, DEFINITIONS))
    assert found == {
        **_CONFIG_MAP,
        "metadata": {"name": "modelconfig-chat", "namespace": "shop", "labels": {"ome.io/inferenceservice": "chat"}},
        "data": {"models.json": f"[{entry}]"},
    }


@pytest.mark.parametrize("model", [{"name": "gone"}, {"name": "gone", "kind": "BaseModel"}, {"name": "gone", "kind": "FineTunedWeight"}])
def test_what_is_not_known_is_not_described(model: JSONObject) -> None:
    service = _object("InferenceService", "chat", {"model": model}, "shop")
    assert "data" not in described(_CONFIG_MAP, service, from_objects(_HELD, DEFINITIONS))
