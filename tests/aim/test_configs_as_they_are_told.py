"""Runtime configs as reports show them: scope, title, reference, every value with its source, and the tables of merged and lost values."""

from __future__ import annotations

from itertools import product
from pathlib import Path as FilePath
from typing import Any

import pytest

from tests.aim.test_workloads import made, predicted, template
from tests.yaml_documents import read
from weighbridge.policies.families import aim
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.config_merge import Values, leaves, merged_by_field, storage_moved
from weighbridge.policies.families.aim.predictions.configuration import CRD_DEFAULTS, Ignored, RuntimeConfig, owner_of
from weighbridge.policies.families.aim.predictions.service_layer import ServiceConfig
from weighbridge.policies.families.aim.predictions.tables import tables
from weighbridge.policies.families.prediction import Merged
from weighbridge.policies.ground.objects import JSONObject, Path

CRDS = FilePath(aim.__file__).parent / "crds"
_CLUSTER, _OWN = "AIMClusterRuntimeConfig team", "AIMRuntimeConfig shop/team"


def config(group: str, cluster: JSONObject | None, namespaced: JSONObject | None) -> RuntimeConfig:
    of_cluster = {"kind": "AIMClusterRuntimeConfig", "metadata": {"name": "team"}, "spec": cluster}
    own = {"kind": "AIMRuntimeConfig", "metadata": {"name": "team", "namespace": "shop"}, "spec": namespaced}
    return RuntimeConfig("team", dialect_of(group), of_cluster if cluster is not None else None, own if namespaced is not None else None)


@pytest.mark.parametrize(
    ("cluster", "namespaced", "scope", "title", "reference"),
    [
        (None, None, "", "", None),
        ({}, None, "Cluster", _CLUSTER, {"name": "team", "scope": "Cluster", "kind": "AIMClusterRuntimeConfig"}),
        (None, {}, "Namespace", _OWN, {"name": "team", "scope": "Namespace", "kind": "AIMRuntimeConfig", "namespace": "shop"}),
        (
            {},
            {},
            "Merged",
            f"{_CLUSTER} under {_OWN}",
            {"name": "team", "scope": "Merged", "kind": "AIMRuntimeConfig", "namespace": "shop"},
        ),
    ],
)
def test_a_config_has_a_scope_a_title_and_a_reference(
    cluster: JSONObject | None, namespaced: JSONObject | None, scope: str, title: str, reference: JSONObject | None
) -> None:
    for group in (NEW, OLD):
        found = config(group, cluster, namespaced)
        assert (found.scope, found.title, found.reference()) == (scope, title, reference)
        assert found.is_missing is (not scope)
        assert found.merged == (Merged(f"runtime config: {title}", "RuntimeConfig/team", {}) if scope else None)
        assert not RuntimeConfig("default", dialect_of(group)).is_missing
        assert not RuntimeConfig("team", dialect_of(group), unknown=("x",)).is_missing


def _told(found: RuntimeConfig) -> list[tuple[Any, ...]]:
    return [(one.field, one.value, one.source, one.reason) for one in found.values()]


def test_each_value_is_told_with_what_it_overrides() -> None:
    cluster = {
        "model": {"autoDiscovery": True},
        "env": [{"name": "A", "value": "1"}, {"name": "AIM_ENGINE_ARGS", "value": '{"a":1}'}],
        "routing": {"enabled": True, "gatewayRef": {"name": "g"}},
        "pvcHeadroomPercent": 5,
    }
    own = {
        "model": {"autoDiscovery": False},
        "env": [{"name": "A", "value": "2"}, {"name": "AIM_ENGINE_ARGS", "value": '{"b":2}'}],
        "routing": {"enabled": True, "pathTemplate": "/x"},
        "storage": {"pvcHeadroomPercent": 7},
    }
    found = config(NEW, cluster, own)
    assert sorted(_told(found), key=lambda told: told[0]) == [
        ("spec.env.A", {"value": "2"}, f"{_OWN} spec.env.A", f"overrides: {_CLUSTER} has a value of its own"),
        (
            "spec.env.AIM_ENGINE_ARGS",
            {"value": '{"a":1,"b":2}'},
            "both configs, spec.env.AIM_ENGINE_ARGS",
            f"{_CLUSTER} has a value of its own, {_OWN} has a value of its own",
        ),
        ("spec.model.autoDiscovery", True, f"{_CLUSTER} spec.model.autoDiscovery", f"overrides: {_OWN} has false"),
        ("spec.routing.enabled", True, f"{_OWN} spec.routing.enabled", ""),
        ("spec.routing.gatewayRef.name", "g", f"{_CLUSTER} spec.routing.gatewayRef.name", ""),
        ("spec.routing.pathTemplate", "/x", f"{_OWN} spec.routing.pathTemplate", ""),
        ("spec.storage.pvcHeadroomPercent", 7, f"{_OWN} spec.storage.pvcHeadroomPercent", f"overrides: {_CLUSTER} has 5"),
    ]
    lost = Ignored(_OWN, ("model", "autoDiscovery"), False, True)
    assert list(found.ignored()) == [lost]
    merged, ignored = tables(found, None)
    assert (merged.title, tuple(merged.columns)) == (f"runtime config: {_CLUSTER} under {_OWN}", ("field", "value", "from", "overrides"))
    assert sorted(merged.rows) == [
        ("env.A", '{"value":"2"}', "namespace", "cluster has a value of its own"),
        (
            "env.AIM_ENGINE_ARGS",
            '{"value":"{\\"a\\":1,\\"b\\":2}"}',
            "both",
            "cluster has a value of its own, namespace has a value of its own",
        ),
        ("model.autoDiscovery", "true", "cluster", "namespace has false"),
        ("routing.enabled", "true", "namespace", ""),
        ("routing.gatewayRef.name", '"g"', "cluster", ""),
        ("routing.pathTemplate", '"/x"', "namespace", ""),
        ("storage.pvcHeadroomPercent", "7", "namespace", "cluster has 5"),
    ]
    assert (ignored.title, tuple(ignored.columns)) == ("values that the merge of the two loses:", ("field", "value", "of", "what applies"))
    assert list(ignored.rows) == [("model.autoDiscovery", "false", "namespace", "true")]


@pytest.mark.parametrize(
    ("cluster", "namespaced", "lost"),
    [
        ({"routing": {"requestTimeout": "5s"}}, {"routing": {}}, [Ignored(_CLUSTER, ("routing", "requestTimeout"), "5s", None)]),
        ({"routing": {"requestTimeout": "5s"}}, {}, []),
        (
            {"routing": {"requestTimeout": "5s"}},
            {"routing": {"requestTimeout": "6s"}},
            [Ignored(_OWN, ("routing", "requestTimeout"), "6s", None)],
        ),
        ({"routing": {"gatewayRef": {"name": "g", "port": 80}}}, {"routing": {"gatewayRef": {"name": "h"}}}, []),
        ({"routing": {"gatewayRef": {"name": "g"}}}, {"routing": {"pathTemplate": ""}}, []),
        ({"model": {"autoDiscovery": True}}, {"model": {"autoDiscovery": False}}, [Ignored(_OWN, ("model", "autoDiscovery"), False, True)]),
        ({}, {"model": {"autoDiscovery": False}}, [Ignored(_OWN, ("model", "autoDiscovery"), False, None)]),
        ({}, {"routing": {"annotations": {"a": "b"}}}, []),
    ],
)
def test_what_kaiwo_s_merge_loses(cluster: JSONObject, namespaced: JSONObject, lost: list[Ignored]) -> None:
    assert list(config(OLD, cluster, namespaced).ignored()) == lost
    assert list(config(OLD, cluster, None).ignored()) == list(config(OLD, None, namespaced).ignored()) == []


_ROUTING = {"enabled": True, "gatewayRef": {"name": "g"}, "pathTemplate": "/c", "annotations": {"a": "1"}, "requestTimeout": "5s"}


@pytest.mark.parametrize(
    ("cluster", "namespaced", "merged"),
    [
        ({"routing": _ROUTING}, {}, {"routing": _ROUTING}),
        ({}, {"routing": _ROUTING}, {"routing": _ROUTING}),
        ({"routing": _ROUTING}, {"routing": {}}, {"routing": {"enabled": True, "gatewayRef": {"name": "g"}, "pathTemplate": "/c"}}),
        (
            {"routing": _ROUTING},
            {"routing": {"enabled": False, "gatewayRef": {"port": 1}, "pathTemplate": "/n"}},
            {"routing": {"enabled": False, "gatewayRef": {"port": 1}, "pathTemplate": "/n"}},
        ),
        (
            {"routing": _ROUTING},
            {"routing": {"pathTemplate": ""}},
            {"routing": {key: _ROUTING[key] for key in ("enabled", "gatewayRef", "pathTemplate")}},
        ),
        ({"pvcHeadroomPercent": 5}, {"pvcHeadroomPercent": 0}, {"pvcHeadroomPercent": 0}),
        ({"pvcHeadroomPercent": 5}, {"pvcHeadroomPercent": None}, {"pvcHeadroomPercent": 5}),
        ({"defaultStorageClassName": "a"}, {"defaultStorageClassName": ""}, {"defaultStorageClassName": "a"}),
        ({"defaultStorageClassName": "a"}, {"defaultStorageClassName": "b"}, {"defaultStorageClassName": "b"}),
        ({"model": {"a": 1}}, {"model": {"a": 2}, "labelPropagation": {}, "env": []}, {"model": {"a": 1}}),
    ],
)
def test_kaiwo_s_merge_of_two_specs(cluster: JSONObject, namespaced: JSONObject, merged: JSONObject) -> None:
    assert merged_by_field(cluster, namespaced) == merged


@pytest.mark.parametrize(
    ("spec", "moved"),
    [
        ({"a": 1}, {"a": 1}),
        ({"defaultStorageClassName": "", "a": 1}, {"a": 1}),
        ({"defaultStorageClassName": "x", "pvcHeadroomPercent": None}, {"storage": {"defaultStorageClassName": "x"}}),
        ({"pvcHeadroomPercent": 0, "storage": {"a": 1}}, {"storage": {"pvcHeadroomPercent": 0, "a": 1}}),
        ({"pvcHeadroomPercent": 5, "storage": {"pvcHeadroomPercent": 6}}, {"storage": {"pvcHeadroomPercent": 6}}),
    ],
)
def test_deprecated_fields_stand_below_storage(spec: JSONObject, moved: JSONObject) -> None:
    assert storage_moved(spec) == moved


def test_every_value_of_a_spec_has_its_path() -> None:
    spec = {"env": [{"name": "A", "value": "1"}, "odd"], "a": {"env": [1], "b": None, "c": {}}, "d": [{"e": 1}], "f": False}
    found = [(("env", "A"), {"value": "1"}), (("a", "env"), [1]), (("d",), [{"e": 1}]), (("f",), False)]
    assert list(leaves(spec)) == found
    assert [Values(spec).at(path) for path, _ in found] == [value for _, value in found]
    assert [Values(spec).at(path) for path in (("env", "B"), ("a", "b"), ("x",), ("env",))] == [None] * 4


def test_a_title_has_the_service_where_that_sets_something() -> None:
    service = {"metadata": {"name": "chat", "namespace": "shop"}, "spec": {"env": [{"name": "A", "value": "1"}]}}
    assert ServiceConfig(service, config(NEW, {}, None)).title == f"{_CLUSTER} under AIMService shop/chat"
    assert ServiceConfig(service, config(OLD, {}, None)).title == _CLUSTER
    assert ServiceConfig(service, config(NEW, None, None)).title == "AIMService shop/chat"
    assert owner_of({"kind": "K", "metadata": {"name": "n"}}) == "K n"


_RUNS = {"status": "Starting"}
_OWN_TEMPLATE = {"name": "fast", "scope": "Namespace", "namespace": "shop"}


@pytest.mark.parametrize(
    ("group", "spec", "held", "status"),
    [
        (NEW, {}, [template(NEW)], {**_RUNS, "resolvedModel": {"name": "llama", "scope": "Namespace"}, "resolvedTemplate": _OWN_TEMPLATE}),
        (OLD, {}, [template(OLD)], {**_RUNS, "resolvedTemplate": _OWN_TEMPLATE}),
        (
            OLD,
            {"runtimeConfigName": "team"},
            [template(OLD), made(OLD, "AIMRuntimeConfig", "team", {})],
            {
                **_RUNS,
                "resolvedRuntimeConfig": {"name": "team", "scope": "Namespace", "kind": "AIMRuntimeConfig", "namespace": "shop"},
                "resolvedTemplate": _OWN_TEMPLATE,
            },
        ),
        (
            OLD,
            {},
            [template(OLD, spec={"runtimeConfigName": "team"}), made(OLD, "AIMClusterRuntimeConfig", "team", {})],
            {
                **_RUNS,
                "resolvedRuntimeConfig": {"name": "team", "scope": "Cluster", "kind": "AIMClusterRuntimeConfig"},
                "resolvedTemplate": _OWN_TEMPLATE,
            },
        ),
    ],
)
def test_the_status_of_a_service_names_what_was_found(group: str, spec: JSONObject, held: list[JSONObject], status: JSONObject) -> None:
    assert predicted(group, spec, *held).status == status


def defaults_below(schema: JSONObject, path: Path = ()) -> dict[Path, Any]:
    """The defaults of a schema's fields; those of the items of lists, which are merged by the item, are left out."""
    own = {path: schema["default"]} if "default" in schema else {}
    inner = [defaults_below(field, (*path, name)) for name, field in schema.get("properties", {}).items()]
    return {where: value for found in (own, *inner) for where, value in found.items()}


def test_the_defaults_that_may_win_over_the_cluster_are_those_of_the_crds() -> None:
    found: dict[Path, Any] = {}
    for group, kind in product((NEW, OLD), ("aimruntimeconfigs", "aimclusterruntimeconfigs")):
        crd = read((CRDS / f"{group}_{kind}.yaml").read_text(encoding="utf-8"))
        found |= defaults_below(crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"])
    assert found == CRD_DEFAULTS
