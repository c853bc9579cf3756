"""The merge of a namespace's runtime config over the cluster's: examples for both operators, and properties for any two specs."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.config_merge import leaves, merged_by_field, merged_deeply
from weighbridge.policies.families.aim.predictions.configuration import RuntimeConfig, runtime_config
from weighbridge.policies.families.aim.predictions.paths.route import route
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.inputs.facts import bundled_definitions

G1 = {"name": "g1", "group": "gateway.networking.k8s.io", "kind": "Gateway"}
FULL = {"enabled": True, "gatewayRef": G1, "pathTemplate": "/c", "annotations": {"a": "1"}, "requestTimeout": "60s"}
W1 = {"defaultStorageClassName": "A", "pvcHeadroomPercent": 20, "routing": FULL}
KINDS = ("AIMRuntimeConfig", "AIMClusterRuntimeConfig")


def config(group: str, kind: str, name: str, spec: JSONObject) -> JSONObject:
    metadata = {"name": name, "uid": "1"} | ({"namespace": "serving"} if kind == KINDS[0] else {})
    return {"apiVersion": f"{group}/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec}


def facts_of(group: str, cluster: dict[str, JSONObject], namespaced: dict[str, JSONObject]) -> Facts:
    objects = [config(group, KINDS[1], name, spec) for name, spec in cluster.items()]
    objects += [config(group, KINDS[0], name, spec) for name, spec in namespaced.items()]
    facts = from_objects(objects, bundled_definitions())
    facts.objects.complete(besides=[(group, kind) for kind in KINDS])
    return facts


def applied(group: str, cluster: JSONObject | None, namespaced: JSONObject | None, name: str = "") -> RuntimeConfig:
    of_cluster = {} if cluster is None else {name or "default": cluster}
    of_namespace = {} if namespaced is None else {name or "default": namespaced}
    return runtime_config(dialect_of(group), name, "serving", facts_of(group, of_cluster, of_namespace), DEFAULT)


def test_kaiwo_loses_annotations_and_timeout_where_both_route() -> None:
    found = applied(OLD, W1, {"routing": {"pathTemplate": "/n", "annotations": {"b": "2"}}})
    assert found.scope == "Merged"
    assert found.spec == {**W1, "routing": {"enabled": True, "gatewayRef": G1, "pathTemplate": "/n"}}
    assert {(lost.owner, lost.path[-1], lost.value) for lost in found.ignored()} == {
        ("AIMClusterRuntimeConfig default", "a", "1"),
        ("AIMClusterRuntimeConfig default", "requestTimeout", "60s"),
        ("AIMRuntimeConfig serving/default", "b", "2"),
    }


def test_aim_engine_keeps_annotations_and_timeout() -> None:
    found = applied(NEW, W1, {"routing": {"pathTemplate": "/n", "annotations": {"b": "2"}}})
    assert found.spec["routing"] == {**FULL, "pathTemplate": "/n", "annotations": {"a": "1", "b": "2"}}
    assert found.spec["storage"] == {"defaultStorageClassName": "A", "pvcHeadroomPercent": 20}
    assert list(found.ignored()) == []


@pytest.mark.parametrize(("group", "percent"), [(OLD, 0), (NEW, 20)])
def test_no_headroom_only_overrides_for_kaiwo(group: str, percent: int) -> None:
    found = applied(group, W1, {"pvcHeadroomPercent": 0})
    assert dict(leaves(found.spec)).get(("pvcHeadroomPercent",), found.spec.get("storage", {}).get("pvcHeadroomPercent")) == percent
    assert [lost.value for lost in found.ignored()] == ([0] if group == NEW else [])


@pytest.mark.parametrize(("group", "annotations"), [(OLD, {"c": "3"}), (NEW, {"a": "1"})])
def test_a_service_routes_though_its_namespace_says_no(group: str, annotations: JSONObject) -> None:
    found = applied(group, W1, {"routing": {"enabled": False}})
    assert found.spec["routing"]["enabled"] is (group == NEW)
    service = {
        "metadata": {"name": "svc", "namespace": "serving"},
        "spec": {"routing": {"enabled": True, "annotations": {"c": "3"}}},
    }
    routed = route(service, found.spec, dialect_of(group))
    assert (routed.path, (routed.gateway or {})["name"]) == ("/c", "g1")
    assert [lost.path for lost in found.ignored() if lost.owner.startswith("AIMRuntimeConfig")] == (
        [("routing", "enabled")] if group == NEW else []
    )


def test_labels_of_the_cluster_stay_on() -> None:
    cluster = {"labelPropagation": {"enabled": True, "match": ["x/*"]}, "model": {"autoDiscovery": False}}
    namespaced = {"labelPropagation": {"enabled": False}, "model": {"autoDiscovery": True}}
    old, new = applied(OLD, cluster, namespaced), applied(NEW, cluster, namespaced)
    assert (old.spec["labelPropagation"], old.spec["model"]) == (cluster["labelPropagation"], {"autoDiscovery": False})
    assert (new.spec["labelPropagation"], new.spec["model"]) == (cluster["labelPropagation"], {"autoDiscovery": True})
    assert {lost.path for lost in new.ignored()} == {("labelPropagation", "enabled")}
    assert {lost.path for lost in old.ignored()} == {("labelPropagation", "enabled"), ("model", "autoDiscovery")}


@pytest.mark.parametrize("group", [OLD, NEW])
def test_one_level_alone_applies_as_it_is(group: str) -> None:
    assert applied(group, None, {"routing": {"gatewayRef": G1}}).scope == "Namespace"
    assert applied(group, {"routing": {"gatewayRef": G1}}, None, "team").scope == "Cluster"
    nothing = applied(group, None, None)
    assert (nothing.scope, nothing.spec, nothing.is_missing) == ("", {}, False)


@pytest.mark.parametrize("group", [OLD, NEW])
def test_a_named_config_never_falls_back_to_default(group: str) -> None:
    facts = facts_of(group, {"default": W1}, {"default": {}})
    assert runtime_config(dialect_of(group), "team", "serving", facts, DEFAULT).is_missing
    unknown = runtime_config(dialect_of(group), "team", "serving", from_objects([], bundled_definitions()), DEFAULT)
    assert (unknown.is_missing, len(unknown.unknown)) == (False, 2)


def test_kaiwo_takes_a_gateway_whole_and_aim_engine_field_by_field() -> None:
    cluster = {"routing": {"gatewayRef": {**G1, "name": "c", "namespace": "gw-ns", "port": 80}}}
    namespaced = {"routing": {"gatewayRef": {**G1, "name": "n"}}}
    assert applied(OLD, cluster, namespaced).spec["routing"]["gatewayRef"] == {**G1, "name": "n"}
    assert applied(NEW, cluster, namespaced).spec["routing"]["gatewayRef"] == {**G1, "name": "n", "namespace": "gw-ns", "port": 80}


def test_each_value_names_the_config_that_it_is_from() -> None:
    found = applied(NEW, {"routing": {"enabled": True, "pathTemplate": "/c"}}, {"routing": {"pathTemplate": "/n"}})
    told = {value.field: (value.value, value.source, value.reason) for value in found.values()}
    assert told["spec.routing.pathTemplate"] == (
        "/n",
        "AIMRuntimeConfig serving/default spec.routing.pathTemplate",
        'overrides: AIMClusterRuntimeConfig default has "/c"',
    )
    assert told["spec.routing.enabled"][1] == "AIMClusterRuntimeConfig default spec.routing.enabled"


#: Each field: absent; empty, zero or false; and with two values.
VALUES: dict[str, tuple[Any, ...]] = {
    "defaultStorageClassName": (None, "", "a", "b"),
    "pvcHeadroomPercent": (None, 0, 5, 7),
    "enabled": (None, False, True),
    "pathTemplate": (None, "", "/a", "/b"),
    "requestTimeout": (None, "1s", "2s"),
}


def spec_with(field: str, value: Any) -> JSONObject:
    if value is None:
        return {}
    return {"routing": {field: value}} if field in ("enabled", "pathTemplate", "requestTimeout") else {field: value}


def value_in(spec: JSONObject, field: str) -> Any:
    for place in (spec, spec.get("routing", {}), spec.get("storage", {})):
        if field in place:
            return place[field]
    return None


@pytest.mark.parametrize("field", VALUES)
def test_aim_engine_lets_whatever_is_not_empty_win(field: str) -> None:
    for cluster, namespaced in itertools.product(VALUES[field], repeat=2):
        found = value_in(merged_deeply(spec_with(field, cluster), spec_with(field, namespaced)), field)
        assert (found or None) == (namespaced or cluster or None)


@pytest.mark.parametrize("field", VALUES)
def test_kaiwo_tells_absent_from_zero_and_false(field: str) -> None:
    for cluster, namespaced in itertools.product(VALUES[field], repeat=2):
        both = field == "requestTimeout" and cluster is not None and namespaced is not None
        counts = namespaced is not None and (namespaced != "" or cluster is None)
        expected = None if both else namespaced if counts else cluster
        found = value_in(merged_by_field(spec_with(field, cluster), spec_with(field, namespaced)), field)
        assert (None if found == "" else found) == (None if expected == "" else expected)


def test_merging_deeply_is_associative() -> None:
    specs: list[JSONObject] = [
        {"routing": {"enabled": True, "annotations": {"a": "1"}}, "env": [{"name": "A", "value": "1"}]},
        {"routing": {"enabled": False, "pathTemplate": "/x", "annotations": {"a": "2", "b": "1"}}},
        {"storage": {"pvcHeadroomPercent": 5}, "env": [{"name": "A", "value": "2"}, {"name": "B", "value": ""}]},
        {"model": {"autoDiscovery": True}, "labelPropagation": {"enabled": True, "match": ["a"]}},
    ]
    for one, two, three in itertools.permutations(specs, 3):
        assert merged_deeply(merged_deeply(one, two), three) == merged_deeply(one, merged_deeply(two, three))
