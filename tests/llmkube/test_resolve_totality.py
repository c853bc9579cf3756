"""Predicting never fails and never changes its input, whatever values the fields of a Model and an InferenceService have."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.families.llmkube.settings import LLMKube, Operator
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

GROUP = "inference.llmkube.dev"
VERSIONS = ("v0.8.18", "v0.9.5", "v0.9.9", "v0.9.19")
SOURCES = ("https://h/m.gguf", "org/name", "hf://org/name@main", "pvc://claim/m.gguf", "s3://b/k", "/data/x", "file://y", "x", "", "pvc://")
#: Values for a field: of the wrong type, at the limits of Go's types, or texts that have a meaning elsewhere.
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, -1, 2**31, 2**63, 1.5, "", " ", "two", "-1", "1e400", "a/b", "\x00", "ü" * 70]),
    st.lists(st.sampled_from([None, 1, "x", {}, [], {"name": 1}]), max_size=3),
    st.dictionaries(st.sampled_from(["name", "key", "", "a/b", "x" * 70]), st.sampled_from([None, 1, "x", {}]), max_size=3),
)
CONFIGURATIONS = [
    Configuration(families={LLMKube: LLMKube(version=version, operator=operator)})
    for version in VERSIONS
    for operator in (
        Operator(),
        Operator(
            shared_pool_selector={"pool": "shared"}, dri_render_gid=991, allowed_host_path_roots=["/data"], emit_scrape_annotations=True
        ),
        Operator(
            runtime_images={"vllm": "i:1"}, default_fs_group=0, model_cache_mode="perService", model_cache_size="x", ca_cert_configmap="c"
        ),
    )
]


def values(schema: JSONObject, depth: int = 0) -> st.SearchStrategy[Any]:
    """Values that mostly fit a schema."""
    kind = schema.get("type")
    if "enum" in schema:
        fitting: st.SearchStrategy[Any] = st.sampled_from(schema["enum"])
    elif kind == "object" and "properties" in schema and depth < 4:
        fitting = st.fixed_dictionaries({}, optional={name: values(part, depth + 1) for name, part in schema["properties"].items()})
    elif kind == "object":
        fitting = st.dictionaries(st.sampled_from(["a", "a/b", "gpu-pool", "-x"]), st.sampled_from(["", "v", "not a label!"]), max_size=2)
    elif kind == "array" and depth < 4:
        fitting = st.lists(values(schema["items"], depth + 1), max_size=2)
    elif kind == "integer":
        fitting = st.integers(-1, 9)
    elif kind == "boolean":
        fitting = st.booleans()
    elif kind == "number":
        fitting = st.floats(0, 1)
    else:
        fitting = st.sampled_from(["", "m", "8Gi", "2", "1g.24gb", "claim", "nvidia.com/gpu", "0-1"])
    return st.one_of(fitting, fitting, fitting, fitting, ODD)


def specs(kind: str) -> st.SearchStrategy[Any]:
    definition = bundled_definitions(CONFIGURATIONS[-1]).get(GroupVersionKind(GROUP, "v1alpha1", kind))
    assert definition is not None
    fields: JSONObject = definition.openapi_schema["properties"]["spec"]["properties"]
    chosen = st.sets(st.sampled_from(sorted(fields)), max_size=8)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({name: values(fields[name]) for name in names}))


@pytest.fixture(scope="module")
def strategies() -> dict[str, st.SearchStrategy[Any]]:
    return {kind: specs(kind) for kind in ("Model", "InferenceService")}


def predicted(kind: str, obj: JSONObject, facts: Facts, config: Configuration) -> Prediction | None:
    request = Request("1", Operation.CREATE, GroupVersionKind(GROUP, "v1alpha1", kind), obj, namespace="team-a", name="o")
    return FAMILY.predict[kind](request, facts, config)


def named(kind: str, name: str, spec: Any) -> JSONObject:
    metadata = {"name": name, "namespace": "team-a", "uid": name, "creationTimestamp": "2026-01-01T00:00:00Z"}
    return {"apiVersion": f"{GROUP}/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec}


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_predicting_is_total_and_leaves_its_input_alone(data: st.DataObject, strategies: dict[str, st.SearchStrategy[Any]]) -> None:
    source = data.draw(st.sampled_from(SOURCES))
    of_model = named("Model", "m", {"source": source, **data.draw(strategies["Model"])})
    of_service = named("InferenceService", "svc", {**data.draw(strategies["InferenceService"]), "modelRef": "m"})
    given = [of_model, of_service, named("InferenceService", "s-vc", {"endpoint": {"type": "NodePort", "nodePort": 8}})]
    facts = Facts(bundled_definitions(CONFIGURATIONS[-1]), ObjectStore(given))
    facts.objects.complete(besides=[("", "PersistentVolumeClaim")] if data.draw(st.booleans()) else ())
    config = data.draw(st.sampled_from(CONFIGURATIONS))
    before = copy.deepcopy(given)
    for kind, obj in (("Model", of_model), ("InferenceService", of_service)):
        found = predicted(kind, obj, facts, config)
        assert found is not None
        json.dumps(found.as_json())
        assert found == predicted(kind, obj, facts, config)
        assert all(obj["kind"] and obj["metadata"]["name"] and obj["metadata"]["namespace"] == "team-a" for obj in found.objects)
        assert not (found.failure and found.status.get("phase") == "Creating")
    assert given == before


@pytest.mark.parametrize("spec", [None, "text", [], 1])
@pytest.mark.parametrize("kind", ["Model", "InferenceService"])
def test_nothing_is_predicted_of_what_has_no_spec(kind: str, spec: Any) -> None:
    facts = Facts(bundled_definitions(CONFIGURATIONS[-1]), ObjectStore())
    assert predicted(kind, named(kind, "o", spec), facts, CONFIGURATIONS[0]) is None


@pytest.mark.parametrize("metadata", [None, "text", {}, {"name": 1, "namespace": []}])
@pytest.mark.parametrize("kind", ["Model", "InferenceService"])
def test_metadata_may_be_anything(kind: str, metadata: Any) -> None:
    facts = Facts(bundled_definitions(CONFIGURATIONS[-1]), ObjectStore([named("Model", "m", {"source": "https://h/m.gguf"})]))
    obj = {"kind": kind, "metadata": metadata, "spec": {"modelRef": "m", "source": "https://h/m.gguf", "autoscaling": {"maxReplicas": 1}}}
    found = predicted(kind, obj, facts, CONFIGURATIONS[0])
    assert found is not None
    json.dumps(found.as_json())


@pytest.mark.parametrize("count", [9, 2**31, 2**63])
def test_a_count_that_no_server_would_store_costs_nothing(count: int) -> None:
    facts = Facts(
        bundled_definitions(CONFIGURATIONS[-1]), ObjectStore([named("Model", "m", {"source": "https://h/m.gguf", **gpus(count)})])
    )
    found = predicted("InferenceService", named("InferenceService", "svc", {"modelRef": "m"}), facts, CONFIGURATIONS[0])
    assert found is not None
    assert len(json.dumps(found.as_json())) < 20_000


def gpus(count: int) -> JSONObject:
    return {"hardware": {"gpu": {"count": count}}}
