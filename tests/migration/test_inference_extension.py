"""What the kinds that the Inference Extension has removed become."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from policies.config import Configuration
from policies.families.inference_extension.settings import InferenceExtension
from tests.migration.texts import migrate, objects, told

OLD = "inference.networking.x-k8s.io"
NEW = "inference.networking.k8s.io"


def _text(version: str, kind: str, name: str, spec: dict[str, Any]) -> str:
    return yaml.safe_dump({"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec}, sort_keys=False)


def _model(**spec: Any) -> str:
    spec = {"modelName": "m", "poolRef": {"name": "pool"}, **spec}
    return yaml.safe_dump(
        {"apiVersion": f"{OLD}/v1alpha2", "kind": "InferenceModel", "metadata": {"name": "food"}, "spec": spec}, sort_keys=False
    )


@pytest.mark.parametrize(("criticality", "priority"), [("Critical", 2), ("Standard", 1), ("Sheddable", -1)])
def test_a_criticality_is_a_priority(criticality: str, priority: int) -> None:
    (objective,) = objects(migrate(_model(criticality=criticality)).after)
    assert (objective["apiVersion"], objective["kind"]) == (f"{OLD}/v1alpha2", "InferenceObjective")
    assert objective["spec"] == {"poolRef": {"name": "pool"}, "priority": priority}


def test_a_model_without_criticality_gets_no_priority() -> None:
    assert objects(migrate(_model()).after)[0]["spec"] == {"poolRef": {"name": "pool"}}


def test_a_criticality_that_is_none_is_removed_and_told_of() -> None:
    result = migrate(_model(criticality="High"))
    assert "priority" not in objects(result.after)[0]["spec"]
    assert told(result)[0] == "removed spec.criticality"


def test_target_models_are_those_of_a_rewrite() -> None:
    targets = [{"name": "a", "weight": 10}, {"name": "b", "weight": 90}]
    pool = {"group": OLD, "kind": "InferencePool", "name": "pool"}
    objective, rewrite = objects(migrate(_model(targetModels=targets, poolRef=pool)).after)
    assert objective["spec"] == {"poolRef": {**pool, "group": NEW}}
    assert (rewrite["kind"], rewrite["metadata"]) == ("InferenceModelRewrite", {"name": "food"})
    matches = [{"model": {"type": "Exact", "value": "m"}}]
    split = [{"modelRewrite": "a", "weight": 10}, {"modelRewrite": "b", "weight": 90}]
    assert rewrite["spec"] == {"poolRef": {**pool, "group": NEW}, "rules": [{"matches": matches, "targets": split}]}


@pytest.mark.parametrize("targets", [[], [{"name": "m"}], [{"name": "m", "weight": 5}]], ids=["none", "itself", "itself, weighed"])
def test_a_name_that_stays_needs_no_rewrite(targets: list[dict[str, Any]]) -> None:
    assert [obj["kind"] for obj in objects(migrate(_model(targetModels=targets)).after)] == ["InferenceObjective"]


def _of_version(version: str) -> Configuration:
    return Configuration(families={InferenceExtension: InferenceExtension(version)})


TARGETS = [{"name": "a", "weight": 10}, {"name": "b", "weight": 90}]


def test_before_there_were_rewrites_a_route_has_the_weights() -> None:
    result = migrate(_model(targetModels=TARGETS), _of_version("v1.1.0"))
    objective, route = objects(result.after)
    assert (objective["kind"], objective["spec"]) == ("InferenceObjective", {"poolRef": {"name": "pool"}})
    assert (route["apiVersion"], route["kind"], route["metadata"]) == ("gateway.networking.k8s.io/v1", "HTTPRoute", {"name": "food-split"})
    (rule,) = route["spec"]["rules"]
    assert rule["matches"] == [{"headers": [{"type": "Exact", "name": "X-Gateway-Model-Name", "value": "m"}]}]
    backends = [(backend["group"], backend["kind"], backend["name"], backend["weight"]) for backend in rule["backendRefs"]]
    assert backends == [(NEW, "InferencePool", "pool", 10), (NEW, "InferencePool", "pool", 90)]
    names = [backend["filters"][0]["requestHeaderModifier"]["set"][0] for backend in rule["backendRefs"]]
    assert names == [{"name": "X-Gateway-Model-Name-Rewrite", "value": name} for name in ("a", "b")]
    assert "note spec.targetModels" in told(result)
    assert migrate(result.after, _of_version("v1.1.0")).after == result.after


def test_a_route_without_weights_spreads_alike() -> None:
    _, route = objects(migrate(_model(targetModels=[{"name": "a"}, {"name": "b"}]), _of_version("v1.0.0")).after)
    assert all("weight" not in backend for backend in route["spec"]["rules"][0]["backendRefs"])


@pytest.mark.parametrize("version", ["v1.2.0", "v1.5.0"])
def test_since_there_are_rewrites_one_has_the_targets(version: str) -> None:
    found = objects(migrate(_model(targetModels=TARGETS), _of_version(version)).after)
    assert [obj["kind"] for obj in found] == ["InferenceObjective", "InferenceModelRewrite"]


def test_a_version_that_still_has_models_keeps_them() -> None:
    config = _of_version("v0.5.1")
    for text in (_model(targetModels=TARGETS), _pool()):
        result = migrate(text, config)
        assert (result.after, result.told) == (text, [])


def test_a_version_without_objectives_leaves_models_and_tells_why() -> None:
    result = migrate(_model(), _of_version("v1.6.0"))
    assert (result.after, told(result)) == (result.before, ["left kind"])
    assert "llm-d" in result.told[0].remark.reason
    assert objects(migrate(_pool(), _of_version("v1.6.0")).after)[0]["apiVersion"] == f"{NEW}/v1"


def test_the_header_is_told_of_that_chooses_an_objective() -> None:
    (placed,) = migrate(_model()).told
    assert "x-gateway-inference-objective: food" in placed.remark.reason
    assert (placed.line, placed.kind, placed.name) == (6, "InferenceModel", "food")


def test_a_model_without_a_pool_is_left() -> None:
    result = migrate(_model(poolRef=None))
    assert (result.after, told(result)) == (result.before, ["left spec.poolRef"])


def _pool(**spec: Any) -> str:
    spec = {"targetPortNumber": 8000, "selector": {"app": "a"}, "extensionRef": {"name": "epp"}, **spec}
    return yaml.safe_dump(
        {"apiVersion": f"{OLD}/v1alpha2", "kind": "InferencePool", "metadata": {"name": "p"}, "spec": spec}, sort_keys=False
    )


def test_a_pool_has_ports_match_labels_and_a_picker() -> None:
    (pool,) = objects(migrate(_pool(extensionRef={"name": "epp", "portNumber": 9003, "failureMode": "FailOpen"})).after)
    picker = {"name": "epp", "port": {"number": 9003}, "failureMode": "FailOpen"}
    assert pool["apiVersion"] == f"{NEW}/v1"
    assert pool["spec"] == {"targetPorts": [{"number": 8000}], "selector": {"matchLabels": {"app": "a"}}, "endpointPickerRef": picker}


def test_the_port_of_a_picker_is_written_where_it_was_assumed() -> None:
    result = migrate(_pool())
    assert objects(result.after)[0]["spec"]["endpointPickerRef"] == {"name": "epp", "port": {"number": 9002}}
    assert told(result) == ["note spec.extensionRef"]
    other = migrate(_pool(extensionRef={"name": "epp", "kind": "Picker"}))
    odd = migrate(_pool(extensionRef={"name": "epp", "kind": {}}))
    assert told(odd) == []
    assert objects(other.after)[0]["spec"]["endpointPickerRef"] == {"name": "epp", "kind": "Picker"}


def test_a_pool_that_selects_by_no_label_is_left() -> None:
    result = migrate(_pool(selector={}))
    assert (result.after, told(result)) == (result.before, ["left spec.selector"])


def test_routes_lead_to_pools_of_the_new_group() -> None:
    backends = [{"group": OLD, "kind": "InferencePool", "name": "a", "weight": 9}, {"name": "service", "port": 80}]
    route = {
        "apiVersion": "gateway.networking.k8s.io/v1",
        "kind": "HTTPRoute",
        "metadata": {"name": "r"},
        "spec": {"rules": [{"backendRefs": backends}]},
    }
    (after,) = objects(migrate(yaml.safe_dump(route, sort_keys=False)).after)
    assert after["spec"]["rules"][0]["backendRefs"] == [{**backends[0], "group": NEW}, backends[1]]
