"""A service's values over its runtime configs are shown with their sources, as a table and with the stored object."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.predictions.configuration import RuntimeConfig
from weighbridge.policies.families.aim.predictions.service_layer import ServiceConfig

NEW, OLD = "aim.eai.amd.com", "aim.silogen.ai"
CLUSTER: dict[str, Any] = {
    "routing": {
        "enabled": True,
        "gatewayRef": {"name": "g", "namespace": "net", "port": 80},
        "pathTemplate": "/c",
        "annotations": {"a": "1", "b": "2"},
    },
}
STORAGE: dict[str, dict[str, Any]] = {
    NEW: {"storage": {"defaultStorageClassName": "slow", "pvcHeadroomPercent": 20}},
    OLD: {"defaultStorageClassName": "slow", "pvcHeadroomPercent": 20},
}


def layered(group: str, spec: dict[str, Any], **more: Any) -> ServiceConfig:
    """The config of a service with this spec over a cluster's config."""
    metadata = {"name": "chat", "namespace": "shop"}
    config = {"kind": "AIMClusterRuntimeConfig", "metadata": {"name": "default"}, "spec": {**CLUSTER, **STORAGE[group], **more}}
    return ServiceConfig({"metadata": metadata, "spec": spec}, RuntimeConfig("default", dialect_of(group), config))


def told(config: ServiceConfig) -> dict[str, tuple[Any, str, str]]:
    """Each field with its value, its source and the value that it overrides."""
    return {value.field: (value.value, value.source, value.reason) for value in config.values()}


@pytest.mark.parametrize("group", [NEW, OLD])
def test_the_gateway_of_a_service_is_taken_whole(group: str) -> None:
    config = layered(group, {"routing": {"gatewayRef": {"name": "own"}}})
    assert config.spec["routing"]["gatewayRef"] == {"name": "own"}
    of_service = ("own", "AIMService shop/chat spec.routing.gatewayRef.name", 'overrides: AIMClusterRuntimeConfig default has "g"')
    assert told(config)["spec.routing.gatewayRef.name"] == of_service
    assert "spec.routing.gatewayRef.port" not in told(config)


@pytest.mark.parametrize("group", [NEW, OLD])
def test_false_of_a_service_counts(group: str) -> None:
    value, source, reason = told(layered(group, {"routing": {"enabled": False}}))["spec.routing.enabled"]
    assert (value, source.split()[0], reason) == (False, "AIMService", "overrides: AIMClusterRuntimeConfig default has true")


@pytest.mark.parametrize(("group", "annotations"), [(NEW, {"a": "1", "b": "2"}), (OLD, {"a": "1", "b": "own", "c": "3"})])
def test_only_kaiwo_joins_the_annotations_of_a_service(group: str, annotations: dict[str, str]) -> None:
    assert layered(group, {"routing": {"annotations": {"b": "own", "c": "3"}}}).spec["routing"]["annotations"] == annotations


def test_only_kaiwo_takes_the_headroom_of_a_service() -> None:
    assert layered(OLD, {"pvcHeadroomPercent": 0}).spec["pvcHeadroomPercent"] == 0
    assert layered(NEW, {"storage": {"pvcHeadroomPercent": 0}}).spec["storage"]["pvcHeadroomPercent"] == 20


@pytest.mark.parametrize(
    ("group", "spec", "field"),
    [
        (NEW, {"storage": {"defaultStorageClassName": "fast"}}, "spec.storage.defaultStorageClassName"),
        (OLD, {"defaultStorageClassName": "fast"}, "spec.defaultStorageClassName"),
    ],
)
def test_the_storage_class_of_a_service_goes_first(group: str, spec: dict[str, Any], field: str) -> None:
    assert told(layered(group, spec))[field][0] == "fast"


@pytest.mark.parametrize(("group", "template"), [(NEW, ""), (OLD, "/c")])
def test_an_empty_path_of_a_service_is_one_for_aim_engine_alone(group: str, template: str) -> None:
    assert layered(group, {"routing": {"pathTemplate": ""}}).spec["routing"]["pathTemplate"] == template


def test_variables_of_a_service_are_laid_over_those_of_the_config() -> None:
    config = layered(NEW, {"env": [{"name": "A", "value": "own"}]}, env=[{"name": "A", "value": "1"}, {"name": "B", "value": "2"}])
    assert config.spec["env"] == [{"name": "A", "value": "own"}, {"name": "B", "value": "2"}]
    values = told(config)
    assert values["spec.env.A"][1] == "AIMService shop/chat spec.env.A"
    assert values["spec.env.B"][1] == "AIMClusterRuntimeConfig default spec.env.B"


def test_a_service_that_sets_nothing_adds_no_layer() -> None:
    assert layered(NEW, {"model": {"name": "llama"}}).title == "AIMClusterRuntimeConfig default"


def _dry_run(tmp_path: Path, output: str) -> str:
    config = {"apiVersion": f"{NEW}/v1alpha1", "kind": "AIMClusterRuntimeConfig", "metadata": {"name": "default"}, "spec": CLUSTER}
    (tmp_path / "cluster.json").write_text(json.dumps(config))
    service = {"apiVersion": f"{NEW}/v1alpha1", "kind": "AIMService", "metadata": {"name": "chat", "namespace": "shop"}}
    service["spec"] = {"model": {"name": "llama"}, "routing": {"pathTemplate": "/own\u001b[31m"}}
    (tmp_path / "service.json").write_text(json.dumps(service))
    return run("dry-run", str(tmp_path / "service.json"), "--cluster", str(tmp_path / "cluster.json"), "-o", output).stdout


def test_yaml_shows_what_applies_after_the_object_as_a_comment(tmp_path: Path) -> None:
    stored, _, applies = _dry_run(tmp_path, "yaml").partition("# runtime config: ")
    lines = applies.splitlines()
    assert lines[0] == "AIMClusterRuntimeConfig default under AIMService shop/chat"
    assert "#       enabled: true  # AIMClusterRuntimeConfig default spec.routing.enabled" in lines
    assert all(line.startswith("# ") for line in lines[1:])
    assert "\u001b" not in applies
    assert "gatewayRef" not in stored


def test_json_holds_what_applies(tmp_path: Path) -> None:
    (verdict,) = json.loads(_dry_run(tmp_path, "json"))["verdicts"]
    merged = verdict["effective"]["merged"]
    assert merged["spec"]["routing"]["gatewayRef"]["name"] == "g"
    assert merged["title"].startswith("runtime config: AIMClusterRuntimeConfig default")
    assert {value["field"] for value in verdict["effective"]["values"] if value["object"] == merged["object"]} >= {"spec.routing.enabled"}


def test_kaiwo_reads_the_headroom_of_a_service_only_where_the_service_caches_no_model() -> None:
    for cached in (True, False):
        service = {"metadata": {"name": "chat", "namespace": "shop"}, "spec": {"pvcHeadroomPercent": 50, "cacheModel": cached}}
        assert ServiceConfig(service, RuntimeConfig("default", dialect_of(OLD))).spec == ({} if cached else {"pvcHeadroomPercent": 50})
