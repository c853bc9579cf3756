"""The fields with the size of a source, by kind, and the sizes that a volume can have."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.aim.rules.aim_044_source_size_unusable import check
from weighbridge.policies.ground.findings import Finding
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

NEW, OLD = "aim.eai.amd.com", "aim.silogen.ai"


def said(group: str, kind: str, spec: dict[str, Any]) -> list[tuple[str, str]]:
    """The fields in the rule's findings, with the messages."""
    gvk = GroupVersionKind(group, "v1alpha1", kind)
    obj = {"apiVersion": gvk.api_version, "kind": kind, "metadata": {"name": "x", "namespace": "default"}, "spec": spec}
    request = Request("1", Operation.CREATE, gvk, obj, namespace="default", name="x")
    found = check.check(request, from_objects([], bundled_definitions()), DEFAULT)
    return [(finding.field, finding.message) for finding in found if isinstance(finding, Finding)]


@pytest.mark.parametrize(
    ("kind", "spec", "fields"),
    [
        ("AIMArtifact", {"size": "-1"}, ["spec.size"]),
        ("AIMServiceTemplate", {"modelSources": [{"size": "1"}, {"size": "-1"}]}, ["spec.modelSources[1].size"]),
        ("AIMService", {"model": {"custom": {"modelSources": [{"size": "-1"}]}}}, ["spec.model.custom.modelSources[0].size"]),
        ("AIMService", {"model": {"modelSources": [{"size": "-1"}]}, "custom": {"modelSources": [{"size": "-1"}]}}, []),
    ],
)
def test_a_size_is_looked_at_wherever_a_source_stands(kind: str, spec: dict[str, Any], fields: list[str]) -> None:
    assert [field for field, _ in said(NEW, kind, spec)] == fields


def test_a_volume_of_no_size_is_refused_in_the_old_group_alone() -> None:
    assert said(NEW, "AIMArtifact", {"size": "0"}) == []
    assert said(OLD, "AIMModelCache", {"size": "0"}) == [("spec.size", "a volume can't have the size 0")]
    assert said(OLD, "AIMModelCache", {"size": "1"}) == []
    assert said(OLD, "AIMModelCache", {"size": "big"}) == []
