"""JSON patches as the API server applies them: odd paths, odd indexes, and its words. Results and words are a real server's."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.admission_policies.mutating.json_patch import PatchError, PatchOperation, UnmetTestError, apply_patch
from weighbridge.policies.ground.objects import JSONValue

DOCUMENT: dict[str, Any] = {"spec": {"tags": ["a", "b"], "title": "t", "none": None, "a/b": 1}}


def patched(*operations: PatchOperation) -> Any:
    return apply_patch(DOCUMENT, list(operations))["spec"]


@pytest.mark.parametrize(
    ("operation", "key", "value"),
    [
        (PatchOperation("add", "/spec/tags/-", value="c"), "tags", ["a", "b", "c"]),
        (PatchOperation("add", "/spec/tags/0", value="c"), "tags", ["c", "a", "b"]),
        (PatchOperation("add", "/spec/tags/2", value="c"), "tags", ["a", "b", "c"]),
        (PatchOperation("add", "/spec/tags/-1", value="c"), "tags", ["a", "b", "c"]),
        (PatchOperation("add", "/spec/tags/+1", value="c"), "tags", ["a", "c", "b"]),
        (PatchOperation("replace", "/spec/tags/-1", value="c"), "tags", ["a", "c"]),
        (PatchOperation("replace", "/spec/new", value="c"), "new", "c"),
        (PatchOperation("remove", "/spec/tags/0"), "tags", ["b"]),
        (PatchOperation("add", "/spec/new"), "new", None),
        (PatchOperation("copy", "/spec/new", "/spec/tags"), "new", ["a", "b"]),
        (PatchOperation("copy", "/spec/new", "/spec/missing"), "new", None),
        (PatchOperation("move", "/spec/new", "/spec/title"), "new", "t"),
        (PatchOperation("replace", "/spec/a~1b", value=2), "a/b", 2),
        (PatchOperation("add", "/spec/~01", value=2), "~1", 2),
    ],
)
def test_an_operation_does_what_the_server_does(operation: PatchOperation, key: str, value: JSONValue) -> None:
    assert patched(operation)[key] == value


@pytest.mark.parametrize(
    ("operation", "text"),
    [
        (PatchOperation("merge", "/spec"), "Unexpected kind: merge"),
        (PatchOperation("add", "/none/a", value=1), 'add operation does not apply: doc is missing path: "/none/a": missing value'),
        (PatchOperation("add", "/spec/none/a", value=1),
         'add operation does not apply: doc is missing path: "/spec/none/a": missing value'),
        (PatchOperation("add", "/spec/title/a", value=1),
         'add operation does not apply: doc is missing path: "/spec/title/a": missing value'),
        (PatchOperation("add", "", value=1), 'add operation does not apply: doc is missing path: "": missing value'),
        (PatchOperation("add", "/spec/tags/9", value=1),
         "error in add for path: '/spec/tags/9': Unable to access invalid index: 9: invalid index referenced"),
        (PatchOperation("add", "/spec/tags/x", value=1),
         "error in add for path: '/spec/tags/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax"),
        (PatchOperation("remove", "/spec/new"),
         "error in remove for path: '/spec/new': Unable to remove nonexistent key: new: missing value"),
        (PatchOperation("remove", "/none/a"), 'remove operation does not apply: doc is missing path: "/none/a": missing value'),
        (PatchOperation("replace", "/none/a", value=1), "replace operation does not apply: doc is missing path: /none/a: missing value"),
        (PatchOperation("replace", "/spec/tags/5", value=1),
         "replace operation does not apply: doc is missing key: /spec/tags/5: missing value"),
        (PatchOperation("move", "/spec/new"), "move operation failed to decode from: operation, missing from field: missing value"),
        (PatchOperation("move", "/spec/new", "/spec/missing"),
         "error in move for path: 'missing': Unable to remove nonexistent key: missing: missing value"),
        (PatchOperation("move", "/none/a", "/spec/title"),
         "move operation does not apply: doc is missing destination path: /none/a: missing value"),
        (PatchOperation("copy", "/spec/new", "/none/a"), "copy operation does not apply: doc is missing from path: /none/a: missing value"),
        (PatchOperation("copy", "/spec/new", "/spec/tags/7"),
         "error in copy for from: '/spec/tags/7': Unable to access invalid index: 7: invalid index referenced"),
        (PatchOperation("test", "/none/a", value=1), "test operation does not apply: is missing path: /none/a: missing value"),
        (PatchOperation("add", "/spec/\a", value=1), "add operation failed to decode path: missing value"),
        (PatchOperation("replace", "/spec/\x7f", value=1),
         "replace operation failed to decode path: invalid character 'x' in string escape code"),
        (PatchOperation("replace", "", value=5), "replace operation value must be object or array: %!w(<nil>)"),
    ],
)  # fmt: skip
def test_a_patch_that_does_not_apply_has_the_words_of_the_server(operation: PatchOperation, text: str) -> None:
    with pytest.raises(PatchError) as raised:
        patched(operation)
    assert str(raised.value) == text


@pytest.mark.parametrize(
    "operation",
    [
        PatchOperation("test", "/spec/title", value="t"),
        PatchOperation("test", "/spec/tags", value=["a", "b"]),
        PatchOperation("replace", "spec/title", value="u"),
    ],
)
def test_what_changes_nothing(operation: PatchOperation) -> None:
    # A path without a slash in front leads into the document itself, so the last one changes a member that isn't shown here.
    assert patched(operation) == DOCUMENT["spec"]


def test_null_may_replace_the_document() -> None:
    assert apply_patch(DOCUMENT, [PatchOperation("replace", "", value=None)]) is None


@pytest.mark.parametrize("value", ["u", None, 1, True])
def test_a_test_that_fails_stops_the_patch(value: JSONValue) -> None:
    with pytest.raises(UnmetTestError):
        patched(PatchOperation("test", "/spec/title", value=value), PatchOperation("replace", "/spec/title", value="u"))


def test_null_equals_nothing_and_the_number_one_is_not_true() -> None:
    for operation in (PatchOperation("test", "/spec/none", value=None), PatchOperation("test", "/spec/a~1b", value=True)):
        with pytest.raises(UnmetTestError):
            patched(operation)


def test_the_document_itself_stays_as_it_is() -> None:
    before = repr(DOCUMENT)
    value: dict[str, Any] = {"x": []}
    found = patched(PatchOperation("add", "/spec/new", value=value), PatchOperation("add", "/spec/new/x/-", value=1))
    assert found["new"] == {"x": [1]}
    assert (repr(DOCUMENT), value) == (before, {"x": []})
