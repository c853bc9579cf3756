"""Migrates the kinds that the Inference Extension has removed."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.migration.texts import migrate, objects, told
from weighbridge.policies.config import Configuration
from weighbridge.policies.families.inference_extension.settings import InferenceExtension

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


def test_since_v1_6_0_objectives_and_rewrites_are_those_of_llm_d() -> None:
    config = _of_version("v1.6.0")
    result = migrate(_model(targetModels=TARGETS), config)
    pool = {"name": "pool", "group": NEW}
    assert [(obj["apiVersion"], obj["kind"], obj["spec"]["poolRef"]) for obj in objects(result.after)] == [
        ("llm-d.ai/v1alpha2", "InferenceObjective", pool),
        ("llm-d.ai/v1alpha2", "InferenceModelRewrite", pool),
    ]
    assert migrate(result.after, config).after == result.after
    earlier = migrate(migrate(_model(targetModels=TARGETS)).after, config)
    assert objects(earlier.after) == objects(result.after)
    assert objects(migrate(_pool(), config).after)[0]["apiVersion"] == f"{NEW}/v1"


def test_v1_2_0_called_the_targets_split() -> None:
    (_, rewrite) = objects(migrate(_model(targetModels=TARGETS), _of_version("v1.2.0")).after)
    (rule,) = rewrite["spec"]["rules"]
    assert [target["modelRewrite"] for target in rule["split"]] == ["a", "b"]
    (later,) = objects(migrate(yaml.safe_dump(rewrite)).after)
    assert later["spec"]["rules"] == [{"matches": rule["matches"], "targets": rule["split"]}]


@pytest.mark.parametrize("pool", [{"group": ""}, {"group": "example.com", "kind": "Service"}, {"group": OLD, "kind": "InferencePool"}])
def test_of_a_models_reference_only_the_name_was_read(pool: dict[str, str]) -> None:
    for obj in objects(migrate(_model(poolRef={"name": "pool", **pool}, targetModels=TARGETS)).after):
        assert obj["spec"]["poolRef"] == {"name": "pool", **{key: {"group": NEW, "kind": "InferencePool"}[key] for key in pool}}


def test_weights_mean_what_they_meant_in_v0_1_0() -> None:
    def targets(*weights: int | None) -> Any:
        given = [{"name": f"m{at}", **({} if weight is None else {"weight": weight})} for at, weight in enumerate(weights)]
        found = objects(migrate(_model(targetModels=given, criticality="Default")).after)
        assert found[0]["spec"]["priority"] == 1
        return [(target["modelRewrite"], target["weight"]) for target in found[1]["spec"]["rules"][0]["targets"]] if found[1:] else []

    assert targets(3, None) == [("m0", 3), ("m1", 1)]
    assert targets(3, 0) == [("m0", 3)]
    assert targets(0) == []
    assert "removed spec.targetModels" in told(migrate(_model(targetModels=[{"name": "m0", "weight": 0}])))


def test_what_refers_to_an_old_pool_refers_to_the_new_one() -> None:
    ref = {"group": OLD, "kind": "InferencePool", "name": "p"}
    mirror = {"filters": [{"type": "RequestMirror", "requestMirror": {"backendRef": ref}}], "backendRefs": [{**ref, "weight": 1}]}
    for api_version, kind, spec in (
        ("gateway.networking.k8s.io/v1", "HTTPRoute", {"rules": [mirror]}),
        ("gateway.networking.k8s.io/v1", "GRPCRoute", {"rules": [mirror]}),
        ("gateway.networking.k8s.io/v1beta1", "ReferenceGrant", {"to": [ref]}),
        ("networking.gke.io/v1", "GCPBackendPolicy", {"targetRef": ref}),
        ("networking.gke.io/v1", "HealthCheckPolicy", {"targetRef": ref}),
        ("aigateway.envoyproxy.io/v1alpha1", "AIGatewayRoute", {"rules": [mirror]}),
        (f"{OLD}/v1alpha2", "InferenceObjective", {"poolRef": {"group": OLD, "name": "p"}}),
        (f"{OLD}/v1alpha2", "InferenceModelRewrite", {"poolRef": {"group": OLD, "name": "p"}, "rules": []}),
    ):
        text = yaml.safe_dump({"apiVersion": api_version, "kind": kind, "metadata": {"name": "n"}, "spec": spec}, sort_keys=False)
        expected = text.replace(f"group: {OLD}", f"group: {NEW}")
        assert migrate(text).after == expected != text
        assert migrate(text, _of_version("v0.5.1")).after == text


@pytest.mark.parametrize(
    ("picker", "expected"),
    [
        ({"extensionRef": {"name": "e"}}, {"name": "e", "port": {"number": 9002}}),
        ({"extensionRef": {"name": "e", "portNumber": 1}, "endpointPickerRef": {"name": "f", "port": {"number": 2}}}, None),
        ({"endpointPickerRef": {"name": "e", "port": 3}}, {"name": "e", "port": {"number": 3}}),
        ({"endpointPickerRef": {"name": "e", "port": {"number": 3}, "portNumber": 4}}, {"name": "e", "port": {"number": 3}}),
    ],
)
def test_a_pool_of_the_new_group_may_still_have_the_old_fields(picker: dict[str, Any], expected: Any) -> None:
    spec = {"selector": {"app": "a"}, "targetPortNumber": 8000, **picker}
    text = yaml.safe_dump({"apiVersion": f"{NEW}/v1", "kind": "InferencePool", "metadata": {"name": "p"}, "spec": spec}, sort_keys=False)
    (pool,) = objects(migrate(text).after)
    wanted = expected or picker["endpointPickerRef"]
    assert pool["spec"] == {"selector": {"matchLabels": {"app": "a"}}, "targetPorts": [{"number": 8000}], "endpointPickerRef": wanted}
    assert migrate(migrate(text).after).told == []


def test_a_picker_has_no_namespace() -> None:
    for group, key in ((OLD, "extensionRef"), (NEW, "endpointPickerRef")):
        text = _pool(extensionRef={"name": "e", "namespace": "n", "kind": "Picker"}).replace("extensionRef", key).replace(OLD, group)
        result = migrate(text)
        assert objects(result.after)[0]["spec"]["endpointPickerRef"] == {"name": "e", "kind": "Picker"}
        assert told(result) == [f"removed spec.{key}.namespace"]


def test_a_pool_without_a_picker_needs_one_before_v1_6_0() -> None:
    text = _pool(extensionRef=None).replace("  extensionRef: null\n", "")
    assert told(migrate(text)) == ["note spec"]
    assert told(migrate(text, _of_version("v1.6.0"))) == []


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
