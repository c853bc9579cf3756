"""Validation of metadata, in kube-apiserver's words."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.names import dns1035_label, dns1123_label, dns1123_subdomain, label_value, path_segment, qualified_name
from weighbridge.policies.schema.object_meta import path_segment_name, subdomain_name, validate_object_meta, validate_object_meta_update

KEY_SHAPE = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)


def errors_of(metadata: JSONObject, *, namespaced: bool | None = None) -> list[str]:
    found = validate_object_meta({"name": "a"} | metadata, namespaced=namespaced, path="metadata", name_rule=subdomain_name)
    return [str(error) for error in found]


def update_errors(metadata: JSONObject, old: JSONObject) -> list[str]:
    return [str(error) for error in validate_object_meta_update(metadata, old, path="metadata", versioned=False)]


def test_good_metadata_has_no_errors() -> None:
    assert not errors_of(
        {
            "namespace": "default",
            "labels": {"app": "x", "a.io/b": ""},
            "annotations": {"A.io/B": "any thing"},
            "finalizers": ["a.io/b", "orphan"],
            "ownerReferences": [{"apiVersion": "apps/v1", "kind": "K", "name": "n", "uid": "u", "controller": True}],
            "managedFields": [{"manager": "kubectl edit", "operation": "Update", "fieldsType": "FieldsV1"}],
        },
        namespaced=True,
    )


@pytest.mark.parametrize(
    ("namespaced", "namespace", "messages"),
    [
        (True, "", ["metadata.namespace: Required value"]),
        (None, "", []),
        (False, "x", ["metadata.namespace: Forbidden: not allowed on this type"]),
        (True, "a.b", ['metadata.namespace: Invalid value: "a.b": must not contain dots']),
        (None, "x" * 64, [f'metadata.namespace: Invalid value: "{"x" * 64}": must be no more than 63 characters']),
    ],
)
def test_the_namespace_is_wanted_or_not(namespaced: bool | None, namespace: str, messages: list[str]) -> None:
    assert errors_of({"namespace": namespace}, namespaced=namespaced) == messages


def test_a_negative_generation_is_an_error() -> None:
    assert errors_of({"generation": -1}) == ["metadata.generation: Invalid value: -1: must be greater than or equal to 0"]


def test_labels_are_judged_by_key_and_value() -> None:
    assert errors_of({"labels": {"a b": "x" * 64}}) == [
        f'metadata.labels: Invalid value: "a b": name part {KEY_SHAPE}',
        f'metadata.labels: Invalid value: "{"x" * 64}": must be no more than 63 bytes',
    ]


def test_the_keys_of_annotations_may_have_capitals_in_their_prefix() -> None:
    assert errors_of({"annotations": {"A.IO/B": "", "İ/a": ""}}) == []
    assert len(errors_of({"labels": {"A.IO/B": ""}})) == 1


def test_annotations_hold_256_kib_altogether() -> None:
    size = 256 * 1024
    assert errors_of({"annotations": {"a": "x" * (size - 1)}}) == []
    assert errors_of({"annotations": {"a": "é" * (size // 2)}}) == ["metadata.annotations: Too long: may not be more than 262144 bytes"]


def test_an_owner_needs_all_four_of_its_parts() -> None:
    assert errors_of({"ownerReferences": [{"apiVersion": "a/b/c", "kind": "", "name": "", "uid": ""}]}) == [
        'metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>',
        "metadata.ownerReferences[0].kind: Required value: must not be empty",
        "metadata.ownerReferences[0].name: Required value: must not be empty",
        "metadata.ownerReferences[0].uid: Required value: must not be empty",
    ]


def test_only_events_of_the_core_group_are_no_owners() -> None:
    event = {"kind": "Event", "name": "e", "uid": "u"}
    assert errors_of({"ownerReferences": [{"apiVersion": "events.k8s.io/v1", **event}]}) == []
    assert errors_of({"ownerReferences": [{"apiVersion": "v1", **event}]}) == [
        (
            'metadata.ownerReferences[0]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"e","uid":"u"}: '
            "/v1, Kind=Event is disallowed from being an owner"
        )
    ]


def test_one_owner_at_most_is_the_controller() -> None:
    owners = [{"apiVersion": "v1", "kind": kind, "name": "n", "uid": "<u>", "controller": True} for kind in "AB"]
    listed = ",".join(f'{{"apiVersion":"v1","kind":"{kind}","name":"n","uid":"\\u003cu\\u003e","controller":true}}' for kind in "AB")
    assert errors_of({"ownerReferences": owners}) == [
        (
            f"metadata.ownerReferences: Invalid value: [{listed}]: Only one reference can have Controller set to true. "
            'Found "true" in references for A/n and B/n'
        )
    ]


def test_finalizers_are_qualified_names_and_two_exclude_each_other() -> None:
    assert errors_of({"finalizers": ["orphan", "foregroundDeletion", "/x"]}) == [
        'metadata.finalizers: Invalid value: "/x": prefix part must be non-empty',
        (
            'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion","/x"]: '
            "finalizer orphan and foregroundDeletion cannot be both set"
        ),
    ]


def test_managed_fields_are_judged_entry_by_entry() -> None:
    entry = {"manager": "é\x01" + "x" * 130, "operation": "<x>", "fieldsType": "V2", "subresource": "s" * 257}
    assert [text.replace("x" * 130, "…") for text in errors_of({"managedFields": [entry]})] == [
        'metadata.managedFields[0].operation: Unsupported value: "<x>": supported values: "Apply", "Update"',
        'metadata.managedFields[0].fieldsType: Invalid value: "V2": must be `FieldsV1`',
        "metadata.managedFields[0].manager: Too long: may not be more than 128 bytes",
        r'metadata.managedFields[0].manager: Invalid value: "é\x01…": invalid character U+0001 (at position 2)',
        "metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes",
    ]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("name", "a", "b", '"b"'),
        ("namespace", "a", "", '""'),
        ("uid", "a", "<b>", r'"\u003cb\u003e"'),
        ("creationTimestamp", "2026-01-01T00:00:00Z", None, "null"),
        ("deletionTimestamp", None, "2026-01-01T00:00:00Z", '"2026-01-01T00:00:00Z"'),
        ("deletionGracePeriodSeconds", 1, 0, "0"),
    ],
)
def test_some_fields_never_change(name: str, old: object, new: object, message: str) -> None:
    before, after = ({name: value} if value not in {None, ""} else {} for value in (old, new))
    assert update_errors(after, before) == [f"metadata.{name}: Invalid value: {message}: field is immutable"]


def test_a_generation_only_grows() -> None:
    assert update_errors({"generation": 1}, {"generation": 2}) == ["metadata.generation: Invalid value: 1: must not be decremented"]


def test_an_update_names_its_version_where_versions_are_known() -> None:
    found = validate_object_meta_update({}, {}, path="metadata")
    assert [str(error) for error in found] == ['metadata.resourceVersion: Invalid value: "": must be specified for an update']


@pytest.mark.parametrize("name", ["a", "a-b", "a.b", "0", "a" * 253])
def test_subdomains_are_good_names(name: str) -> None:
    assert dns1123_subdomain(name) == []


@pytest.mark.parametrize("name", ["A", "a_b", "-a", "a-", ".a", "a..b", "", "a\n", "é", "a" * 254])
def test_other_texts_are_no_names(name: str) -> None:
    assert dns1123_subdomain(name)


@pytest.mark.parametrize(("prefix", "good"), [("a-", True), ("a.", False), ("A-", True), ("a", True), ("-", False), ("a--", True)])
def test_a_prefix_may_end_with_a_dash(prefix: str, good: bool) -> None:
    # The server replaces two characters before the check, so it misses a capital letter before the dash.
    assert (subdomain_name(prefix, True) == []) is good


@pytest.mark.parametrize(
    ("name", "messages"),
    [("a", []), ("Any Thing é", []), ("..", ["may not be '..'"]), ("a/b%", ["may not contain '/'", "may not contain '%'"])],
)
def test_a_path_segment_may_be_nearly_anything(name: str, messages: list[str]) -> None:
    assert path_segment_name(name, False) == messages
    assert path_segment("..", prefix=True) == []


def test_each_kind_of_name_has_its_own_words() -> None:
    assert dns1123_label("a.b") == ["must not contain dots"]
    assert dns1035_label("1a")[0].startswith("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with")
    assert label_value("") == []
    assert qualified_name("a/b/c") == [
        f"a valid label key {KEY_SHAPE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
    ]
    assert qualified_name(f"{'a' * 254}/b") == ["prefix part must be no more than 253 bytes"]
    assert qualified_name("")[0] == "name part must be non-empty"
