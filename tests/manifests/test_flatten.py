"""Lists are split into their items, and documents that are no manifests are recognised."""

from __future__ import annotations

import pytest

from tests.manifests.reading import read_one
from weighbridge.webhook.manifests import InputIssue, Manifest, Position, Standing, manifests, standing


def _labels(text: str) -> list[str]:
    return [str(item) if isinstance(item, InputIssue) else item.label for item in manifests(read_one(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("apiVersion: v1\nkind: Pod\n", Standing.MANIFEST),
        ("kind: Pod\nmetadata: {name: a}\n", Standing.MANIFEST),
        ("apiVersion: v2\nname: chart\n", Standing.OTHER),
        ("services: {web: {image: a}}\n", Standing.OTHER),
        ("- a\n", Standing.OTHER),
        ("- {op: add, path: /spec, value: {}}\n- {kind: Pod}\n", Standing.OTHER),
        ("- {apiVersion: v1, kind: Pod}\n", Standing.MANIFEST),
        ('[1, {"apiVersion": "v1", "kind": "Pod"}]', Standing.MANIFEST),
        ("text\n", Standing.OTHER),
        ("# nothing\n", Standing.EMPTY),
        ("a: [\n", Standing.UNREADABLE),
        ("a: {{ .Values.a }}\n", Standing.TEMPLATE),
        ("{{- if .Values.a }}\nkind: Pod\n{{- end }}\n", Standing.TEMPLATE),
        ("kind: Pod\napiVersion: v1\nmetadata:\n  name: '{{ .Release.Name }}-web'\n", Standing.TEMPLATE),
        ("kind: Pod\napiVersion: v1\nmetadata:\n  name: '{{- include \"x.name\" . }}'\n", Standing.TEMPLATE),
        ("kind: Rule\napiVersion: v1\nsummary: '{{ $labels.pod }} {{inputs.parameters.x}}'\n", Standing.MANIFEST),
    ],
)
def test_document_is_recognised(text: str, expected: Standing) -> None:
    assert standing(read_one(text)) is expected


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: b}\n", "Pod b/a"),
        ("apiVersion: v1\nkind: Node\nmetadata: {name: a}\n", "Node a"),
        ("apiVersion: v1\nkind: Pod\nmetadata: {generateName: a-}\n", "Pod a-*"),
        ("apiVersion: v1\nkind: Pod\n", "Pod"),
        ("apiVersion: v1\nkind: Pod\nmetadata: [1]\n", "Pod"),
    ],
)
def test_object_is_named(text: str, label: str) -> None:
    assert _labels(text) == [label]


LIST = """\
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Pod, metadata: {name: a}}
- apiVersion: example.com/v1
  kind: ModelList
  items:
  - metadata:
      name: b
    spec: 1
- apiVersion: v1
  kind: Pod
  metadata: {name: c}
"""


def test_lists_are_taken_apart_in_the_order_of_the_text() -> None:
    assert _labels(LIST) == ["Pod a", "Model b", "Pod c"]


def test_items_keep_their_places() -> None:
    objects = [item for item in manifests(read_one(LIST)) if isinstance(item, Manifest)]
    assert [item.prefix for item in objects] == [("items", 0), ("items", 1, "items", 0), ("items", 2)]
    assert [item.position(("metadata", "name")) for item in objects] == [Position(4, 48), Position(9, 13), Position(13, 20)]
    assert objects[1].position(("spec", "missing")) == Position(10, 5)


def test_item_of_a_typed_list_gets_the_kind_it_lacks_and_the_document_stays_as_it_was() -> None:
    document = read_one(LIST)
    (item,) = [item for item in manifests(document) if isinstance(item, Manifest) and item.label == "Model b"]
    assert item.value == {"apiVersion": "example.com/v1", "kind": "Model", "metadata": {"name": "b"}, "spec": 1}
    assert document.value["items"][1]["items"][0] == {"metadata": {"name": "b"}, "spec": 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kind: Pod\nmetadata: {}\n", ["x.yaml:1:1: apiVersion not set"]),
        ("apiVersion: v1\nmetadata: {}\nkind: 1\n", ["x.yaml:1:1: kind not set: it must be a text"]),
        (
            "apiVersion: a/b/c\nkind: Pod\n",
            ['x.yaml:1:1: apiVersion "a/b/c" isn\'t a group and version: write GROUP/VERSION, or v1 for the core group'],
        ),
        (
            "apiVersion: apps/\nkind: Deployment\n",
            ['x.yaml:1:1: apiVersion "apps/" isn\'t a group and version: write GROUP/VERSION, or v1 for the core group'],
        ),
        ("apiversion: v1\nkind: Pod\nmetadata: {}\n", ["x.yaml:1:1: apiVersion not set: did you mean apiVersion by apiversion?"]),
        ("apiVersion: v1\nknd: Pod\nspec: {}\n", ["x.yaml:1:1: kind not set: did you mean kind by knd?"]),
        ("apiVersion: v1\nkind: List\nitems:\n- a: 1\n", ["x.yaml:4:3: apiVersion not set, kind not set"]),
        ("apiVersion: v1\nkind: List\nitems:\n- 1\n", ["x.yaml:4:3: an item of a list must be an object"]),
        ("apiVersion: v1\nkind: List\nitems:\n", []),
        (
            "apiVersion: v1\nkind: Menu\nitems: {a: 1}\n",
            ["x.yaml:1:1: items isn't a list: write a list, since kubectl reads every object with a top-level items as a List"],
        ),
    ],
)
def test_what_kubectl_refuses_itself_is_an_issue(text: str, expected: list[str]) -> None:
    assert _labels(text) == expected


def test_list_of_objects_without_a_list_around_it_is_refused() -> None:
    (issue,) = _labels("\n- {apiVersion: v1, kind: Pod}\n- {apiVersion: v1, kind: Pod}\n")
    assert issue.startswith("x.yaml:2:1: kubectl takes one object a document, not a list: ")
