"""The merge of any two runtime configs equals a plain transcription of the operators' code.

The transcription goes field by field, like their sources; the merge follows the structure of the specs.
"""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from weighbridge.policies.families.aim.predictions.config_merge import leaves, merged_by_field, merged_deeply
from weighbridge.policies.ground.objects import JSONObject

#: A missing field, which differs from one that is empty, zero or false.
ABSENT: Any = object()
NAMES = st.sampled_from(["", "a", "b"])
FLAGS = st.booleans()
ANNOTATIONS = st.dictionaries(st.sampled_from("abc"), st.sampled_from(["1", "2"]), min_size=1)
GATEWAYS = st.fixed_dictionaries(
    {"name": st.sampled_from("gh"), "group": st.just("gateway.networking.k8s.io"), "kind": st.just("Gateway")},
    optional={"namespace": st.sampled_from("xy"), "port": st.sampled_from([80, 443]), "sectionName": st.sampled_from("st")},
)
PLAIN_ROUTING = {"enabled": FLAGS, "pathTemplate": NAMES, "requestTimeout": st.sampled_from(["30s", "60s"])}
ROUTING = st.fixed_dictionaries({}, optional=PLAIN_ROUTING | {"gatewayRef": GATEWAYS, "annotations": ANNOTATIONS})
MATCHES = st.lists(st.sampled_from(["x/*", "y"]), max_size=2)
LABELS = st.fixed_dictionaries({}, optional={"enabled": FLAGS, "match": MATCHES})
MODEL = st.fixed_dictionaries({}, optional={"autoDiscovery": FLAGS})
ENV = st.lists(
    st.fixed_dictionaries({"name": st.sampled_from("ABC"), "value": st.sampled_from(["", "1", "2"])}),
    max_size=3,
    unique_by=lambda entry: entry["name"],
)
PERCENT = st.sampled_from([0, 5, 40])
OLD = st.fixed_dictionaries(
    {},
    optional={
        "defaultStorageClassName": NAMES,
        "pvcHeadroomPercent": PERCENT,
        "routing": ROUTING,
        "model": MODEL,
        "labelPropagation": LABELS,
    },
)
STORAGE = st.fixed_dictionaries({}, optional={"defaultStorageClassName": NAMES, "pvcHeadroomPercent": PERCENT})
NEW = st.fixed_dictionaries({}, optional={"storage": STORAGE, "routing": ROUTING, "model": MODEL, "labelPropagation": LABELS, "env": ENV})


def at(spec: JSONObject, *path: str | int) -> Any:
    """The value at a path, or ABSENT."""
    found: Any = spec
    for step in path:
        if not isinstance(found, dict) or step not in found:
            return ABSENT
        found = found[step]
    return found


def if_there(cluster: Any, namespaced: Any) -> Any:
    """The namespace's value if the field is set, whatever the value is."""
    return cluster if namespaced is ABSENT else namespaced


def unless_empty(cluster: Any, namespaced: Any) -> Any:
    """The namespace's value, unless it is empty, zero or false and the cluster has one."""
    is_empty = namespaced is ABSENT or namespaced in ("", 0, [])
    return cluster if is_empty and cluster is not ABSENT else namespaced


def told(value: Any) -> Any:
    """A value, in which an empty text counts as missing, since no reader of a config distinguishes the two."""
    return None if value is ABSENT or value == "" else value


@given(OLD, OLD)
def test_kaiwo_goes_field_by_field(cluster: JSONObject, namespaced: JSONObject) -> None:
    merged = merged_by_field(cluster, namespaced)
    for field, rule in (("defaultStorageClassName", unless_empty), ("pvcHeadroomPercent", if_there)):
        assert told(at(merged, field)) == told(rule(at(cluster, field), at(namespaced, field)))
    for field in ("model", "labelPropagation"):
        assert at(merged, field) == at(cluster, field)
    if "routing" not in cluster or "routing" not in namespaced:
        assert at(merged, "routing") == if_there(at(cluster, "routing"), at(namespaced, "routing"))
        return
    for field, rule in (("enabled", if_there), ("gatewayRef", if_there), ("pathTemplate", unless_empty)):
        assert told(at(merged, "routing", field)) == told(rule(at(cluster, "routing", field), at(namespaced, "routing", field)))
    for field in ("annotations", "requestTimeout"):
        assert at(merged, "routing", field) is ABSENT


@given(NEW, NEW)
def test_aim_engine_goes_value_by_value(cluster: JSONObject, namespaced: JSONObject) -> None:
    merged = merged_deeply(cluster, namespaced)
    paths = {path for spec in (cluster, namespaced, merged) for path, _ in leaves(spec) if path[0] != "env" and "annotations" not in path}
    for path in paths:
        assert told(at(merged, *path)) == told(unless_empty(at(cluster, *path), at(namespaced, *path))), path
    of_both = [at(spec, "routing", "annotations") for spec in (cluster, namespaced)]
    assert (told(at(merged, "routing", "annotations")) or {}) == {
        key: value for one in of_both if one is not ABSENT for key, value in one.items()
    }


@given(NEW, NEW)
def test_a_variable_of_the_namespace_takes_the_place_of_the_cluster_s(cluster: JSONObject, namespaced: JSONObject) -> None:
    merged = merged_deeply(cluster, namespaced)
    values = {entry["name"]: entry["value"] for spec in (cluster, namespaced) for entry in spec.get("env", [])}
    assert {entry["name"]: entry["value"] for entry in merged.get("env", [])} == values
    assert [entry["name"] for entry in merged.get("env", [])] == list(values)


@given(NEW, NEW, NEW)
def test_laying_values_over_each_other_is_associative(one: JSONObject, two: JSONObject, three: JSONObject) -> None:
    left, right = merged_deeply(merged_deeply(one, two), three), merged_deeply(one, merged_deeply(two, three))
    assert {path: told(value) for path, value in leaves(left) if told(value)} == {
        path: told(value) for path, value in leaves(right) if told(value)
    }


@given(OLD)
def test_a_config_over_none_stays_as_it_is(spec: JSONObject) -> None:
    assert merged_by_field(spec, {}) == spec
    assert merged_by_field({}, spec).get("routing") == spec.get("routing")
    assert merged_deeply({}, {"routing": spec.get("routing", {})})["routing"] == spec.get("routing", {})


@given(OLD, OLD, OLD)
def test_taking_whole_fields_is_associative(one: JSONObject, two: JSONObject, three: JSONObject) -> None:
    left, right = merged_by_field(merged_by_field(one, two), three), merged_by_field(one, merged_by_field(two, three))
    assert {path: told(value) for path, value in leaves(left)} == {path: told(value) for path, value in leaves(right)}
