"""Empty lists of an apply configuration, and metadata that a JSON patch leaves unreadable, by release."""

from __future__ import annotations

from typing import Any

import pytest

from tests.admission_policies.changing import binding, by_release, policy
from tests.admission_policies.situations import CRD, box
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import RELEASES

NEWEST = RELEASES[-1]
EMPTY = "Object{spec: Object.spec{names: []}}"
TOUCH = '[JSONPatch{op: "add", path: "/spec/size", value: 1}]'


def _crd(**names: Any) -> JSONObject:
    """The boxes with a set of names."""
    schema = {
        "type": "object",
        "properties": {"spec": {"type": "object", "properties": {
            "size": {"type": "integer"},
            "names": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}, **names},
        }}},
    }  # fmt: skip
    versions = [{**version, "schema": {"openAPIV3Schema": schema}} for version in CRD["spec"]["versions"]]
    return {**CRD, "spec": {**CRD["spec"], "versions": versions}}


def _found(*expressions: str, crd: JSONObject, spec: JSONObject | None = None, version: str = "v1", release: Any = NEWEST) -> Decision:
    obj = {"apiVersion": f"example.com/{version}", "kind": "Box", "metadata": {"name": "one", "namespace": "lab"}, "spec": spec or {}}
    return by_release(release, policy(*expressions), binding(), crd=crd, obj=obj)


def test_an_empty_list_is_dropped_when_the_object_is_stored() -> None:
    assert _found(EMPTY, crd=_crd()).object["spec"] == {}
    assert _found(EMPTY, crd=_crd(), spec={"names": []}).object["spec"] == {}


def test_an_empty_list_becomes_the_default_or_null() -> None:
    assert _found(EMPTY, crd=_crd(default=["a"]), spec={"names": []}).object["spec"] == {"names": ["a"]}
    assert _found(EMPTY, crd=_crd(nullable=True)).object["spec"] == {"names": None}


def test_an_empty_list_changes_nothing_where_there_are_items() -> None:
    assert _found(EMPTY, crd=_crd(), spec={"names": ["a"]}).object["spec"] == {"names": ["a"]}


def test_until_then_it_is_an_empty_list() -> None:
    counting = "Object{spec: Object.spec{size: object.spec.names.size()}}"
    assert _found(EMPTY, counting, crd=_crd()).object["spec"] == {"size": 0}
    assert "should have at least 1 items" in _found(EMPTY, crd=_crd(minItems=1)).message


def test_a_json_patch_after_it_makes_it_null() -> None:
    found = _found(EMPTY, TOUCH, crd=_crd())
    assert (found.code, 'must be of type array: "null"' in found.message) == (422, True)
    assert _found(EMPTY, TOUCH, crd=_crd(nullable=True)).object["spec"] == {"names": None, "size": 1}


def test_an_empty_list_of_the_object_is_one_only_where_the_server_converts_it() -> None:
    # The value comes from a list of the object, which is taken over as it is before 1.37.
    again = "Object{spec: Object.spec{names: object.spec.names}}"
    found = [_found(again, crd=_crd(), spec={"names": []}, release=release).object["spec"] for release in RELEASES[-2:]]
    assert found == [{"names": []}, {}]


LABELS = '[JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}, JSONPatch{op: "add", path: "/metadata/labels/c", value: 1}]'


@pytest.mark.parametrize(("version", "code"), [("v1", 201), ("v1beta1", 500)])
def test_labels_that_are_no_texts_end_the_request_where_another_version_is_stored(version: str, code: int) -> None:
    found = _found(LABELS, crd=_crd(), version=version, release=RELEASES[-2])
    assert found.code == code
    why = "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string"
    assert (found.message or found.object["metadata"].get("labels")) == (why if code == 500 else None)


def test_labels_that_are_no_texts_select_nothing() -> None:
    constraints = {**policy("Object{}")["spec"]["matchConstraints"], "objectSelector": {"matchLabels": {"a": "b"}}}
    counting = [
        "Object{spec: Object.spec{size: has(object.spec.size) ? object.spec.size + 1 : 1}}",
        '[JSONPatch{op: "add", path: "/metadata/labels/c", value: 1}]',
    ]
    asked = policy(*counting, matchConstraints=constraints, reinvocationPolicy="IfNeeded")
    found = by_release(RELEASES[-2], asked, binding(), crd=_crd(), obj=box({}, labels={"a": "b"}))
    assert found.object["spec"] == {"size": 1}


def test_a_server_that_reads_metadata_again_refuses_them_in_every_version() -> None:
    assert [_found(LABELS, crd=_crd(), version=version).code for version in ("v1", "v1beta1")] == [422, 422]


def test_a_namespace_that_is_no_text_is_written_anew() -> None:
    found = _found('[JSONPatch{op: "add", path: "/metadata/namespace", value: {"a": "b"}}]', crd=_crd())
    assert found.object["metadata"]["namespace"] == "lab"
