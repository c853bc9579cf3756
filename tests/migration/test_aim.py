"""Migrates manifests of AIM's first group, and fields that have moved since."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from tests.migration.texts import migrate, objects, told
from tests.yaml_documents import read

OLD = "aim.silogen.ai"
NEW = "aim.eai.amd.com"


#: The fields that the new kinds require, for objects whose fields move.
REQUIRED: dict[str, Any] = {
    "AIMService": {"model": {"name": "required"}},
    "AIMServiceTemplate": {"modelName": "required"},
    "AIMClusterServiceTemplate": {"modelName": "required"},
    "AIMModel": {"image": "required"},
    "AIMClusterModel": {"image": "required"},
    "AIMTemplateCache": {"templateScope": "Namespace"},
}


def _complete(kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    """A spec completed with the fields that its kind requires."""
    return {**REQUIRED.get(kind, {}), **spec}


def _text(kind: str, spec: dict[str, Any], group: str = OLD) -> str:
    return yaml.safe_dump({"apiVersion": f"{group}/v1alpha1", "kind": kind, "metadata": {"name": "a"}, "spec": spec}, sort_keys=False)


@pytest.mark.parametrize("group", [OLD, NEW])
@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("AIMService", {"model": {"ref": "m"}, "replicas": 2}, {"model": {"name": "m"}, "replicas": 2}),
        ("AIMService", {"model": {"image": "i"}, "templateRef": "t"}, {"model": {"image": "i"}, "template": {"name": "t"}}),
        (
            "AIMService",
            {"templateRef": "t", "template": {"allowUnoptimized": True}, "replicas": 1},
            {"template": {"allowUnoptimized": True, "name": "t"}, "replicas": 1},
        ),
        (
            "AIMService",
            {"overrides": {"gpuSelector": {"count": 2, "model": "MI300X"}, "metric": "latency"}},
            {"overrides": {"hardware": {"gpu": {"requests": 2, "model": "MI300X"}}, "metric": "latency"}},
        ),
        ("AIMService", {"pvcHeadroomPercent": 5, "replicas": 1}, {"storage": {"pvcHeadroomPercent": 5}, "replicas": 1}),
        (
            "AIMService",
            {"routing": {"pathTemplate": "/{.spec.model.ref}/{.spec.templateRef}"}},
            {"routing": {"pathTemplate": "/{.spec.model.name}/{.spec.template.name}"}},
        ),
        (
            "AIMServiceTemplate",
            {"modelName": "m", "gpuSelector": {"count": 1, "model": "MI300X"}},
            {"modelName": "m", "hardware": {"gpu": {"requests": 1, "model": "MI300X"}}},
        ),
        (
            "AIMClusterServiceTemplate",
            {"modelSources": [{"name": "org/m", "sourceUri": "hf://org/m"}]},
            {"modelSources": [{"modelId": "org/m", "sourceUri": "hf://org/m"}]},
        ),
        (
            "AIMClusterModel",
            {"discovery": {"enabled": True, "autoCreateTemplates": False}},
            {"discovery": {"extractMetadata": True, "createServiceTemplates": False}},
        ),
        ("AIMModel", {"discovery": {"enabled": False}}, {"discovery": {"extractMetadata": False, "createServiceTemplates": False}}),
        (
            "AIMModel",
            {"discovery": {"enabled": False, "autoCreateTemplates": True}},
            {"discovery": {"extractMetadata": False, "createServiceTemplates": False}},
        ),
        ("AIMRuntimeConfig", {"defaultStorageClassName": "fast"}, {"storage": {"defaultStorageClassName": "fast"}}),
        (
            "AIMClusterRuntimeConfig",
            {"defaultStorageClassName": "fast", "pvcHeadroomPercent": 20, "env": []},
            {"env": [], "storage": {"defaultStorageClassName": "fast", "pvcHeadroomPercent": 20}},
        ),
        (
            "AIMRuntimeConfig",
            {"pvcHeadroomPercent": 20, "storage": {"defaultStorageClassName": "fast"}},
            {"storage": {"defaultStorageClassName": "fast", "pvcHeadroomPercent": 20}},
        ),
    ],
)
def test_fields_move(group: str, kind: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    result = migrate(_text(kind, _complete(kind, before), group))
    after = _complete(kind, after)
    (found,) = objects(result.after)
    assert (found["apiVersion"], found["kind"]) == (f"{NEW}/v1alpha1", kind)
    assert found["spec"] == after
    assert list(found["spec"]) == list(after)
    assert result.told == []


def test_a_model_cache_is_an_artifact() -> None:
    (found,) = objects(migrate(_text("AIMModelCache", {"sourceUri": "hf://org/m", "size": "1Gi"})).after)
    assert (found["apiVersion"], found["kind"], found["spec"]["size"]) == (f"{NEW}/v1alpha1", "AIMArtifact", "1Gi")


def test_a_template_cache_names_its_template_and_asks_for_the_scope() -> None:
    result = migrate(_text("AIMTemplateCache", {"templateRef": "t"}))
    assert objects(result.after)[0]["spec"] == {"templateName": "t", "templateScope": "Unknown"}
    assert told(result) == ["note spec.templateRef"]


def test_what_has_no_successor_is_removed_and_told_of() -> None:
    spec = {
        "model": {"ref": "m", "autoDiscovery": True},
        "kvCache": {"type": "redis"},
        "labelPropagation": {"enabled": True},
        "cacheModel": True,
    }
    result = migrate(_text("AIMService", spec))
    assert objects(result.after)[0]["spec"] == {"model": {"name": "m"}}
    gone = ["spec.model.autoDiscovery", "spec.kvCache", "spec.labelPropagation", "spec.cacheModel"]
    assert told(result) == [f"removed {field}" for field in gone]


def test_a_kind_without_successor_is_left() -> None:
    result = migrate(_text("AIMKVCache", {"kvCacheType": "redis"}))
    assert (result.after, told(result)) == (result.before, ["left kind"])


def test_an_object_of_the_new_group_stays() -> None:
    result = migrate(_text("AIMService", {"model": {"name": "m"}}, NEW))
    assert (result.after, result.objects) == (result.before, 0)


@pytest.mark.parametrize(
    ("kind", "before", "after", "gone"),
    [
        ("AIMService", {"model": {"ref": "a", "name": "b"}}, {"model": {"name": "b"}}, "spec.model.ref"),
        ("AIMService", {"templateRef": "a", "template": {"name": "b"}}, {"template": {"name": "b"}}, "spec.templateRef"),
        ("AIMTemplateCache", {"templateRef": "a", "templateName": "b"}, {"templateName": "b"}, "spec.templateRef"),
        (
            "AIMModel",
            {"discovery": {"enabled": False, "extractMetadata": True}},
            {"discovery": {"extractMetadata": True}},
            "spec.discovery.enabled",
        ),
    ],
)
def test_an_old_field_beside_the_new_one_goes(kind: str, before: dict[str, Any], after: dict[str, Any], gone: str) -> None:
    for group in (OLD, NEW):
        result = migrate(_text(kind, _complete(kind, before), group))
        assert objects(result.after)[0]["spec"] == _complete(kind, after)
        assert told(result) == [f"removed {gone}"]


def test_a_map_in_braces_may_be_filled_anew() -> None:
    spec = {"defaultStorageClassName": "fast", "pvcHeadroomPercent": 20}
    for text in (
        json.dumps(read(_text("AIMRuntimeConfig", spec))),
        yaml.safe_dump(read(_text("AIMRuntimeConfig", spec)), default_flow_style=None),
    ):
        assert objects(migrate(text).after)[0]["spec"] == {"storage": spec}
