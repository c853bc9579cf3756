"""Paths of routes of the greatest length, and requests without anything to predict."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.family import FAMILY
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.paths.json_path import PathTemplateError
from weighbridge.policies.families.aim.predictions.paths.path_template import LONGEST, rendered
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

_SERVICE = {"metadata": {"name": "chat", "namespace": "shop"}, "spec": {}}


def _path(length: int) -> str:
    """A path of that many bytes, each part of which is short enough."""
    parts = "/".join(letter * 63 for letter in "abc")
    return f"/{parts}/{'d' * (length - len(parts) - 2)}"


@pytest.mark.parametrize("group", [NEW, OLD])
def test_a_path_of_200_bytes_is_whole_and_one_of_201_is_none(group: str) -> None:
    for template in (_path(LONGEST), _path(LONGEST)[1:], f"{_path(LONGEST)}/", f"{_path(LONGEST)}//"):
        assert rendered(template, _SERVICE, dialect_of(group)) == _path(LONGEST)
    for template in (_path(LONGEST + 1), _path(LONGEST + 1)[1:], f"/{_path(LONGEST)}"):
        with pytest.raises(PathTemplateError, match=r"^the path is longer than 200 bytes$"):
            rendered(template, _SERVICE, dialect_of(group))


@pytest.mark.parametrize("group", [NEW, OLD])
def test_bytes_are_counted_and_no_characters(group: str) -> None:
    assert rendered("ä" * 99, _SERVICE, dialect_of(group)) == "/"
    with pytest.raises(PathTemplateError, match=r"^the path is longer than 200 bytes$"):
        rendered("ä" * 100, _SERVICE, dialect_of(group))


@pytest.mark.parametrize("kind", ["AIMService", "AIMRuntimeConfig"])
@pytest.mark.parametrize("group", [NEW, OLD])
def test_what_has_no_spec_is_not_predicted_and_neither_is_a_subresource(group: str, kind: str) -> None:
    facts = from_objects([], bundled_definitions())
    gvk = GroupVersionKind(group, "v1alpha1", kind)
    obj = {"apiVersion": f"{group}/v1alpha1", "kind": kind, **_SERVICE}
    cases: list[tuple[Any, str, bool]] = [
        (obj, "", True),
        (obj, "status", False),
        ({**obj, "spec": None}, "", False),
        ({**obj, "spec": []}, "", False),
        (None, "", False),
    ]
    for given, subresource, is_predicted in cases:
        request = Request("1", Operation.UPDATE, gvk, given, namespace="shop", name="chat", subresource=subresource)
        assert (FAMILY.predict[kind](request, facts, DEFAULT) is not None) is is_predicted
