"""Every change and every remark of migrated objects of AIM, field by field, for both groups."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.aim.migration import NEW, OLD, TABLE
from weighbridge.policies.families.migration import Add, Change, Migration, Move, Remark, Remove, SetTo, Told
from weighbridge.policies.ground.objects import Path

_GROUP = SetTo(("apiVersion",), f"{NEW}/v1alpha1")
_S: Path = ("spec",)


def migrated(group: str, kind: str, spec: Any) -> Migration:
    """The migrated form of an object of a kind."""
    return TABLE[group, kind]({"apiVersion": f"{group}/v1alpha1", "kind": kind, "metadata": {"name": "a"}, "spec": spec}, DEFAULT)


def _dropped(path: Path, reason: str) -> tuple[list[Change], list[Remark]]:
    return [Remove(path)], [Remark(Told.REMOVED, path, reason)]


_SELECTOR: Path = (*_S, "gpuSelector")
_OF_OVERRIDES: Path = (*_S, "overrides", "gpuSelector")
_TEMPLATES = ("AIMServiceTemplate", "AIMClusterServiceTemplate")
_STORAGE_KINDS = ("AIMService", "AIMRuntimeConfig", "AIMClusterRuntimeConfig")
_SOURCES: Path = (*_S, "modelSources")
_DISCOVERY: Path = (*_S, "discovery")
_PATH: Path = (*_S, "routing", "pathTemplate")
_EACH = "no runtime configuration has it; write it in each service, model and template"
_UNKNOWN: list[Change] = [Add(_S, "templateScope", "Unknown")]
_ASKED = [Remark(Told.NOTE, (*_S, "templateRef"), "templateScope says where the template is; write Namespace or Cluster")]
_NAMED = Move((*_S, "templateRef"), "templateName")

_NOTHING: tuple[Any, ...] = ({}, None, "odd")
#: Kind, spec, changes and remarks.
_CASES: list[Any] = [
    *((kind, spec, [], []) for kind in sorted({kind for group, kind in TABLE if group == NEW}) for spec in _NOTHING),
    *(
        (kind, {"defaultStorageClassName": "a"}, [Move((*_S, "defaultStorageClassName"), "storage", ("defaultStorageClassName",))], [])
        for kind in _STORAGE_KINDS
    ),
    *(
        (kind, {"pvcHeadroomPercent": 0}, [Move((*_S, "pvcHeadroomPercent"), "storage", ("pvcHeadroomPercent",))], [])
        for kind in _STORAGE_KINDS
    ),
    *(
        (
            kind,
            {"pvcHeadroomPercent": 5, "defaultStorageClassName": "a"},
            [
                *(Remove((*_S, "defaultStorageClassName")), Remove((*_S, "pvcHeadroomPercent"))),
                Add(_S, "storage", {"defaultStorageClassName": "a", "pvcHeadroomPercent": 5}),
            ],
            [],
        )
        for kind in _STORAGE_KINDS
    ),
    (
        "AIMService",
        {"storage": {"pvcHeadroomPercent": 1}, "pvcHeadroomPercent": 5, "defaultStorageClassName": "a"},
        [
            *(Remove((*_S, "defaultStorageClassName")), Add((*_S, "storage"), "defaultStorageClassName", "a")),
            Remove((*_S, "pvcHeadroomPercent")),
        ],
        [Remark(Told.REMOVED, (*_S, "pvcHeadroomPercent"), "spec.storage.pvcHeadroomPercent says it")],
    ),
    ("AIMRuntimeConfig", {"imagePullSecrets": []}, *_dropped((*_S, "imagePullSecrets"), _EACH)),
    ("AIMClusterRuntimeConfig", {"serviceAccountName": ""}, *_dropped((*_S, "serviceAccountName"), _EACH)),
    ("AIMService", {"model": {"ref": "m"}}, [Move((*_S, "model", "ref"), "name")], []),
    ("AIMService", {"model": {"ref": "m", "name": "n"}}, *_dropped((*_S, "model", "ref"), "name says it")),
    ("AIMService", {"model": {"name": "n"}}, [], []),
    (
        "AIMService",
        {"model": {"autoDiscovery": False}},
        *_dropped((*_S, "model", "autoDiscovery"), "model.autoDiscovery of a runtime configuration decides it"),
    ),
    ("AIMService", {"templateRef": "t"}, [Move((*_S, "templateRef"), "template", ("name",))], []),
    (
        "AIMService",
        {"templateRef": "t", "allowUnoptimized": True},
        [
            *(Remove((*_S, "templateRef")), Remove((*_S, "allowUnoptimized"))),
            Add(_S, "template", {"name": "t", "allowUnoptimized": True}),
        ],
        [],
    ),
    ("AIMService", {"templateRef": "t", "template": {"name": "u"}}, *_dropped((*_S, "templateRef"), "spec.template.name says it")),
    (
        "AIMService",
        {"kvCache": {}},
        *_dropped((*_S, "kvCache"), "the new operator has no caches for keys and values; run one next to the service"),
    ),
    (
        "AIMService",
        {"labelPropagation": {}},
        *_dropped((*_S, "labelPropagation"), "no operator has ever read it here; write it in the runtime configuration"),
    ),
    (
        "AIMService",
        {"cacheModel": True},
        *_dropped((*_S, "cacheModel"), "the new operator always caches; caching.mode Shared or Dedicated says how"),
    ),
    (
        "AIMService",
        {"overrides": {"gpuSelector": {"count": 1}}, "gpuSelector": {}},
        [Move(_OF_OVERRIDES, "hardware", ("gpu",)), Move((*_OF_OVERRIDES, "count"), "requests")],
        [],
    ),
    ("AIMService", {"overrides": {"gpuSelector": {}, "hardware": {}}}, *_dropped(_OF_OVERRIDES, "hardware says it")),
    (
        "AIMService",
        {"routing": {"pathTemplate": "/{.spec.model.ref}/{.spec.templateRef}"}},
        [SetTo(_PATH, "/{.spec.model.name}/{.spec.template.name}")],
        [],
    ),
    ("AIMService", {"routing": {"pathTemplate": "/{.metadata.name}"}}, [], []),
    *((kind, {"gpuSelector": {"model": "m"}}, [Move(_SELECTOR, "hardware", ("gpu",))], []) for kind in _TEMPLATES),
    *(
        (
            kind,
            {"gpuSelector": {"count": 1, "requests": 2}},
            [Move(_SELECTOR, "hardware", ("gpu",)), Remove((*_SELECTOR, "count"))],
            [Remark(Told.REMOVED, (*_SELECTOR, "count"), "requests says it")],
        )
        for kind in _TEMPLATES
    ),
    *(
        (
            kind,
            {"modelSources": [{"modelId": "m"}, "odd", {"name": "n"}, {"name": "n", "modelId": "m"}]},
            [Move((*_SOURCES, 2, "name"), "modelId"), Remove((*_SOURCES, 3, "name"))],
            [Remark(Told.REMOVED, (*_SOURCES, 3, "name"), "modelId says it")],
        )
        for kind in (*_TEMPLATES, "AIMTemplateCache")
    ),
    ("AIMServiceTemplate", {"modelSources": "odd"}, [], []),
    ("AIMTemplateCache", {"templateRef": "t"}, [_NAMED, *_UNKNOWN], _ASKED),
    ("AIMTemplateCache", {"templateRef": "t", "templateScope": "Cluster"}, [_NAMED], []),
    ("AIMTemplateCache", {"templateRef": "t", "templateName": "u"}, *_dropped((*_S, "templateRef"), "templateName says it")),
    ("AIMTemplateCache", {"templateName": "u"}, [], []),
    *(
        (kind, {"discovery": discovery}, changes, [])
        for kind in ("AIMModel", "AIMClusterModel")
        for discovery, changes in (
            ({"enabled": True}, [Move((*_DISCOVERY, "enabled"), "extractMetadata")]),
            ({"enabled": False}, [Move((*_DISCOVERY, "enabled"), "extractMetadata"), Add(_DISCOVERY, "createServiceTemplates", False)]),
            ({"autoCreateTemplates": True}, [Move((*_DISCOVERY, "autoCreateTemplates"), "createServiceTemplates")]),
            (
                {"enabled": False, "autoCreateTemplates": True},
                [
                    *(
                        Move((*_DISCOVERY, "enabled"), "extractMetadata"),
                        Move((*_DISCOVERY, "autoCreateTemplates"), "createServiceTemplates"),
                    ),
                    SetTo((*_DISCOVERY, "autoCreateTemplates"), False),
                ],
            ),
            (
                {"enabled": False, "autoCreateTemplates": False},
                [Move((*_DISCOVERY, "enabled"), "extractMetadata"), Move((*_DISCOVERY, "autoCreateTemplates"), "createServiceTemplates")],
            ),
            ({"enabled": False, "createServiceTemplates": True}, [Move((*_DISCOVERY, "enabled"), "extractMetadata")]),
            ({"extractMetadata": False}, []),
        )
    ),
    (
        "AIMModel",
        {"discovery": {"enabled": False, "extractMetadata": True}},
        *_dropped((*_DISCOVERY, "enabled"), "extractMetadata says it"),
    ),
]


@pytest.mark.parametrize(("kind", "spec", "changes", "remarks"), _CASES)
def test_each_object_is_changed_field_by_field(kind: str, spec: Any, changes: list[Change], remarks: list[Remark]) -> None:
    for group, first in ((OLD, [_GROUP]), (NEW, [])):
        if (group, kind) in TABLE:
            assert migrated(group, kind, spec) == Migration([*first, *changes], [], remarks)


def test_caches_of_models_are_artifacts_and_those_of_keys_are_left() -> None:
    assert migrated(OLD, "AIMModelCache", {}) == Migration([_GROUP, SetTo(("kind",), "AIMArtifact")])
    left = f"{NEW} has no such kind; remove the object, or keep the old operator for it"
    assert migrated(OLD, "AIMKVCache", {}) == Migration([], [], [Remark(Told.LEFT, ("kind",), left)])
    assert not {(NEW, "AIMModelCache"), (NEW, "AIMKVCache")} & TABLE.keys()
