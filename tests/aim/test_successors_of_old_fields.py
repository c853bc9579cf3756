"""The new group's form of each field of the old one, for every kind that has such fields."""

from __future__ import annotations

import pytest

from weighbridge.policies.families.aim.subject.successors import successors
from weighbridge.policies.ground.objects import JSONObject

GPU = {"count": 2, "model": "MI300X", "resourceName": "amd.com/gpu"}
OTHER = {"model": "H100", "resourceName": "nvidia.com/gpu"}


@pytest.mark.parametrize(
    ("kind", "spec", "told"),
    [
        ("AIMService", {}, []),
        ("AIMService", {"model": {"ref": "llama"}, "templateRef": ""}, ["model.name: llama for model.ref"]),
        (
            "AIMService",
            {"templateRef": "fast", "defaultStorageClassName": "slow", "pvcHeadroomPercent": 0},
            [
                "template.name: fast for templateRef",
                "storage.defaultStorageClassName: slow for defaultStorageClassName",
                "storage.pvcHeadroomPercent: 0 for pvcHeadroomPercent",
            ],
        ),
        (
            "AIMService",
            {"overrides": {"gpuSelector": GPU}, "gpuSelector": OTHER, "modelSources": [{}]},
            ["overrides.hardware: {gpu: {requests: 2, model: MI300X}} for overrides.gpuSelector"],
        ),
        (
            "AIMService",
            {"cacheModel": True, "kvCache": {}, "labelPropagation": {}},
            [
                "caching: {mode: Shared} for cacheModel",
                "nothing for kvCache, which has no successor",
                "nothing for labelPropagation, which has no successor",
            ],
        ),
        ("AIMService", {"cacheModel": False, "kvCache": None}, []),
        (
            "AIMServiceTemplate",
            {"gpuSelector": OTHER, "cacheModel": True, "templateRef": "x", "overrides": {"gpuSelector": GPU}},
            ["hardware: {gpu: {requests: 0, model: H100, resourceName: nvidia.com/gpu}} for gpuSelector"],
        ),
        ("AIMClusterServiceTemplate", {"gpuSelector": GPU}, ["hardware: {gpu: {requests: 2, model: MI300X}} for gpuSelector"]),
        ("AIMClusterServiceTemplate", {"gpuSelector": {}}, []),
        (
            "AIMTemplateCache",
            {"templateRef": "fast", "gpuSelector": GPU, "modelSources": [{"name": "a/b"}]},
            [
                "templateName: fast for templateRef",
                "modelSources[0].modelId: a/b for name",
                "templateScope: Namespace or Cluster, as the template's scope is",
            ],
        ),
        ("AIMTemplateCache", {}, ["templateScope: Namespace or Cluster, as the template's scope is"]),
        *(
            (
                kind,
                {"discovery": {"enabled": False, "autoCreateTemplates": True}},
                [
                    "discovery.extractMetadata: false for discovery.enabled",
                    "discovery.createServiceTemplates: true for discovery.autoCreateTemplates",
                ],
            )
            for kind in ("AIMModel", "AIMClusterModel")
        ),
        *(
            (
                kind,
                {"defaultStorageClassName": "slow", "pvcHeadroomPercent": 5, "modelSources": [{}]},
                [
                    "storage.defaultStorageClassName: slow for defaultStorageClassName",
                    "storage.pvcHeadroomPercent: 5 for pvcHeadroomPercent",
                ],
            )
            for kind in ("AIMRuntimeConfig", "AIMClusterRuntimeConfig")
        ),
        ("AIMKVCache", {"templateRef": "x", "cacheModel": True, "kvCache": {}}, []),
    ],
)
def test_each_old_field_has_its_successor(kind: str, spec: JSONObject, told: list[str]) -> None:
    assert successors(kind, spec) == told


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ({"name": "acme/llama", "sourceUri": "hf://other/model"}, "acme/llama for name"),
        ({"name": "llama", "sourceUri": "hf://acme/llama"}, "acme/llama for name"),
        ({"name": "a/b/c", "sourceUri": "s3://acme/llama/8b/x"}, "acme/llama for name"),
        ({"sourceUri": "hf:///acme/llama/"}, "acme/llama"),
        ({"sourceUri": "hf://acme"}, "<organisation>/<model>"),
        ({"name": "llama", "sourceUri": "acme/llama"}, "<organisation>/<model> for name"),
        ({}, "<organisation>/<model>"),
    ],
)
def test_a_source_is_known_by_a_name_of_two_parts_or_else_by_its_address(source: JSONObject, told: str) -> None:
    assert successors("AIMServiceTemplate", {"modelSources": [{"name": "x/y"}, source]}) == [
        "modelSources[0].modelId: x/y for name",
        f"modelSources[1].modelId: {told}",
    ]
