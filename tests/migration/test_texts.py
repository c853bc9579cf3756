"""The forms in which a manifest may be written: each is changed in place and keeps its comments, order and style, or is left as it is, with
a remark.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from tests.migration.texts import migrate, objects, told
from tests.yaml_documents import read
from weighbridge.webhook.manifests import Source
from weighbridge.webhook.migration.files import migrated

POOL = """\
# The pool of the first model.
apiVersion: inference.networking.x-k8s.io/v1alpha2   # an old group
kind: InferencePool
metadata: {name: pool}
spec:
  targetPortNumber: 8000 # as vLLM listens
  # who belongs to it
  selector:
    # the first label
    app: vllm # a comment
    tier: a

  extensionRef:
    name: picker
    portNumber: 9002
"""
POOL_AFTER = """\
# The pool of the first model.
apiVersion: inference.networking.k8s.io/v1   # an old group
kind: InferencePool
metadata: {name: pool}
spec:
  targetPorts:
    - number: 8000 # as vLLM listens
  # who belongs to it
  selector:
    matchLabels:
      # the first label
      app: vllm # a comment
      tier: a

  endpointPickerRef:
    name: picker
    port:
      number: 9002
"""
FLOW = (
    'apiVersion: "inference.networking.x-k8s.io/v1alpha2"\nkind: InferencePool\nmetadata: {name: p}\n'
    "spec: {targetPortNumber: 8000, selector: {app: a}, extensionRef: {name: e}} # one line\n"
)
FLOW_AFTER = (
    'apiVersion: "inference.networking.k8s.io/v1"\nkind: InferencePool\nmetadata: {name: p}\n'
    "spec: {targetPorts: [{number: 8000}], selector: {matchLabels: {app: a}}, "
    "endpointPickerRef: {name: e, port: {number: 9002}}} # one line\n"
)
OTHER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {kind: InferencePool}\n"


@pytest.mark.parametrize(("before", "after"), [(POOL, POOL_AFTER), (FLOW, FLOW_AFTER)], ids=["block", "flow"])
def test_comments_order_and_style_stay(before: str, after: str) -> None:
    assert migrate(before).after == after


@pytest.mark.parametrize("text", [POOL, FLOW, POOL + "---\n" + FLOW], ids=["block", "flow", "both"])
def test_a_second_migration_changes_nothing(text: str) -> None:
    once = migrate(text).after
    assert once != text
    again = migrate(once)
    assert (again.after, again.told, again.objects) == (once, [], 0)


def test_other_documents_of_the_file_stay_as_they_are() -> None:
    after = migrate(f"{OTHER}---\n{POOL}---\n# the end\n{OTHER}").after
    assert after == f"{OTHER}---\n{POOL_AFTER}---\n# the end\n{OTHER}"


def test_a_file_may_end_without_a_line_feed() -> None:
    assert migrate(POOL.removesuffix("\n")).after == POOL_AFTER.removesuffix("\n")
    model = "apiVersion: inference.networking.x-k8s.io/v1alpha2\nkind: InferenceModel\nmetadata: {name: m}\n"
    model += "spec:\n  modelName: m\n  poolRef: {name: p}\n  targetModels: [{name: n}]"
    assert [obj["kind"] for obj in objects(migrate(model).after)] == ["InferenceObjective", "InferenceModelRewrite"]


def test_the_items_of_a_list_are_migrated() -> None:
    item = "- " + POOL.partition("\n")[2].replace("\n", "\n  ").rstrip() + "\n"
    after = migrate(f"apiVersion: v1\nkind: List\nitems:\n{item}{item}").after
    assert [item["apiVersion"] for item in objects(after)[0]["items"]] == ["inference.networking.k8s.io/v1"] * 2
    assert after.count("# as vLLM listens") == 2


def test_json_stays_json() -> None:
    text = json.dumps(objects(POOL)[0], indent=2)
    after = migrate(text).after
    assert json.loads(after) == objects(POOL_AFTER)[0]
    assert after.count("\n") == text.count("\n")


def test_objects_that_come_beside_stand_at_the_end_of_json() -> None:
    spec = {"modelName": "m", "poolRef": {"name": "p"}, "targetModels": [{"name": "n"}]}
    model = {"apiVersion": "inference.networking.x-k8s.io/v1alpha2", "kind": "InferenceModel", "metadata": {"name": "m"}, "spec": spec}
    first, second = migrate(json.dumps(model) + "\n").after.splitlines()
    assert [json.loads(line)["kind"] for line in (first, second)] == ["InferenceObjective", "InferenceModelRewrite"]


@pytest.mark.parametrize(
    "text",
    [
        POOL.replace("spec:", "spec: &spec").replace("{name: pool}", "{name: pool}\nstatus: {a: &a b}").replace("app: vllm", "app: *a"),
        POOL.replace("    app: vllm # a comment\n", "    <<: {app: vllm}\n").replace("  selector:", "  selector: !!map"),
        POOL.replace("\n", "\r\n", 3),
    ],
    ids=["alias", "merge", "two kinds of line ends"],
)
def test_a_form_that_cannot_be_changed_is_left_and_told_of(text: str) -> None:
    result = migrate(text + "---\n" + OTHER)
    assert result.after == result.before
    assert told(result) == ["left "]


@pytest.mark.parametrize("text", [POOL, FLOW, POOL.removesuffix("\n")], ids=["block", "flow", "without a line feed at the end"])
def test_a_byte_order_mark_and_carriage_returns_stay(text: str) -> None:
    for mark, feed in (("\ufeff", "\n"), ("", "\r\n"), ("\ufeff", "\r\n")):
        result = migrate(mark + text.replace("\n", feed))
        assert result.after == mark + migrate(text).after.replace("\n", feed)
        assert migrate(result.after).after == result.after


def test_a_file_in_another_encoding_is_left_and_told_why() -> None:
    result = migrated(Source("a.yaml", POOL.encode("utf-16")))
    assert result.after == result.before
    assert [placed.remark.reason for placed in result.told] == ["the file isn't UTF-8; save it as UTF-8, then migrate"]


def test_what_else_ends_a_line_does_not_move_the_changes() -> None:
    odd = "# \f\x1c\u2028# x\na: b\n---\n"
    assert migrate(odd + POOL).after == odd + POOL_AFTER


def test_one_document_that_is_left_does_not_keep_the_others() -> None:
    odd = POOL.replace("{name: pool}", "{name: pool}\nstatus: {a: &a b}").replace("app: vllm", "app: *a")
    result = migrate(f"{POOL}---\n{odd}---\n{FLOW}")
    assert result.after == f"{POOL_AFTER}---\n{odd}---\n{FLOW_AFTER}"
    assert result.objects == 2
    assert "left " in told(result)


def test_text_that_cannot_be_read_is_an_issue_and_stays() -> None:
    result = migrate(f"{POOL}---\na: [1\n")
    assert result.after == f"{POOL_AFTER}---\na: [1\n"
    assert [(issue.line, issue.source) for issue in result.issues] == [(17, "a.yaml")]


def test_what_the_server_wrote_goes_where_the_object_becomes_another() -> None:
    metadata: dict[str, Any] = {
        "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}\n"},
        "creationTimestamp": "2025-01-01T00:00:00Z",
    }
    metadata |= {"generation": 1, "name": "m", "namespace": "n", "resourceVersion": "7", "uid": "u"}
    spec = {"modelName": "m", "poolRef": {"name": "p"}}
    model = {"apiVersion": "inference.networking.x-k8s.io/v1alpha2", "kind": "InferenceModel", "metadata": metadata, "spec": spec}
    # Read again so that no two objects share a part: YAML would write a shared part as an alias.
    given = json.loads(json.dumps({"apiVersion": "v1", "items": [model, {**model, "status": {"conditions": []}}], "kind": "List"}))
    for text in (yaml.safe_dump(given), json.dumps(given), yaml.safe_dump(given, default_flow_style=True, width=10**6)):
        (found,) = objects(migrate(text).after)
        assert [item["metadata"] for item in found["items"]] == [{"name": "m", "namespace": "n"}] * 2
        assert all("status" not in item for item in found["items"])
    metadata["annotations"]["mine"] = "kept"
    assert objects(migrate(json.dumps(model)).after)[0]["metadata"]["annotations"] == {"mine": "kept"}


def test_several_fields_that_go_from_the_end_of_a_line_take_their_commas_along() -> None:
    model = "apiVersion: inference.networking.x-k8s.io/v1alpha2\nkind: InferenceModel\nmetadata: {name: m}\n"
    after = migrate(model + "spec: {poolRef: {name: p}, modelName: m, targetModels: [{name: m}]} # here\n").after
    assert after.endswith("spec: {poolRef: {name: p}} # here\n")


def test_a_comment_between_a_key_and_its_value_is_not_lost() -> None:
    text = POOL.replace("targetPortNumber: 8000 # as vLLM listens", "targetPortNumber: # as vLLM listens\n    8000")
    assert "# as vLLM listens" in migrate(text).after


@pytest.mark.parametrize(
    ("text", "line", "name"),
    [
        ("{{- if .Values.pool }}\n" + POOL + "{{- end }}\n", 3, "pool"),
        (POOL.replace("app: vllm #", "app: {{ .Values.app }} #"), 2, "pool"),
        (POOL.replace("app: vllm #", 'app: "{{ .Values.app }}" #'), 2, "pool"),
        (POOL.replace("{name: pool}", '\n  name: {{ include "pool" . }}'), 2, ""),
        (POOL.replace("  selector:", "{{ toYaml .Values.spec | indent 2 }}\n oops: [\n"), 2, ""),
    ],
    ids=["lines", "a value", "a quoted value", "the name", "what can't be read"],
)
def test_a_template_of_an_old_kind_is_left_and_told_of(text: str, line: int, name: str) -> None:
    before = f"{OTHER}---\n"
    result = migrate(before + text)
    assert result.after == result.before
    assert [(placed.line - before.count("\n"), placed.kind, placed.name) for placed in result.told] == [(line, "InferencePool", name)]
    assert told(result) == ["left "]
    assert "template of Helm" in result.told[0].remark.reason


def test_a_template_of_what_needs_no_migration_is_no_matter() -> None:
    for text in (OTHER.replace("{name: c}", '{name: {{ .Values.name | default "c" }}}'), "{{ .Values.all }}\n", "{{/* nothing */}}\n"):
        result = migrate(text)
        assert (result.after, result.told, result.issues) == (text, [], [])


def test_an_object_whose_successor_is_there_is_left() -> None:
    result = migrate(f"{POOL}---\n{POOL_AFTER}")
    assert (result.after, told(result), result.objects) == (result.before, ["left metadata.name"], 0)
    assert migrate(f"{POOL}---\n{POOL}").objects == 2


MODEL = """\
apiVersion: inference.networking.x-k8s.io/v1alpha2
kind: InferenceModel
metadata:
  name: m
spec:
  modelName: m
  poolRef:
    name: p
  targetModels:
  - name: other
"""


def test_an_object_that_comes_beside_takes_no_name_that_is_taken() -> None:
    taken = "apiVersion: inference.networking.x-k8s.io/v1alpha2\nkind: InferenceModelRewrite\nmetadata: {name: m}\n"
    found = objects(migrate(f"{MODEL}---\n{taken}---\n{MODEL}").after)
    assert [obj["metadata"]["name"] for obj in found] == ["m", "m-2", "m", "m", "m-3"]


def test_what_comes_beside_an_item_of_a_list_is_an_item() -> None:
    item = "".join(f"{'  - ' if at == 0 else '    '}{line}\n" for at, line in enumerate(MODEL.splitlines()))
    for end in ("kind: List\n", ""):
        text = f"apiVersion: v1\n{'' if end else 'kind: List' + chr(10)}items:\n{item}  # between\n{item}{end}"
        (found,) = objects(migrate(text).after)
        assert [obj["kind"] for obj in found["items"]] == ["InferenceObjective"] * 2 + ["InferenceModelRewrite"] * 2
        assert "  # between\n" in migrate(text).after
    for indent in (None, 4):
        (found,) = objects(json.dumps(read(text), indent=indent))
        after = migrate(json.dumps(found, indent=indent)).after
        assert [obj["kind"] for obj in json.loads(after)["items"]] == ["InferenceObjective"] * 2 + ["InferenceModelRewrite"] * 2
        assert after == json.dumps(json.loads(after), indent=indent) or indent is None


def test_json_that_comes_behind_is_laid_out_alike() -> None:
    after = migrate(json.dumps(read(MODEL), indent=2) + "\n").after
    assert after == "".join(json.dumps(obj, indent=2) + "\n" for obj in objects(migrate(MODEL).after))


def test_a_map_between_braces_is_no_json() -> None:
    text = "{apiVersion: inference.networking.x-k8s.io/v1alpha2, kind: InferenceModel, metadata: {name: m}, "
    text += "spec: {modelName: m, poolRef: {name: p}, targetModels: [{name: other}]}}\n"
    assert [obj["kind"] for obj in objects(migrate(text).after)] == ["InferenceObjective", "InferenceModelRewrite"]


@pytest.mark.parametrize(
    ("spec", "after"),
    [
        ("\n  # what it needs\n  kvCache: {type: redis} # fast\n", "\n  # what it needs\n  {}\n"),
        ("\n  kvCache:\n    type: redis\n  labelPropagation: {}", "\n  {}\n"),
        (" {kvCache: {type: redis}} # none\n", " {} # none\n"),
        (' {kvCache: {type: redis}, "labelPropagation": {}}', " {}"),
    ],
)
def test_a_map_of_which_nothing_stays_is_empty(spec: str, after: str) -> None:
    service = "apiVersion: aim.{}/v1alpha1\nkind: AIMService\nmetadata: {{name: s}}\nspec:{}"
    assert migrate(service.format("silogen.ai", spec)).after == service.format("eai.amd.com", after)


def test_a_comment_behind_a_field_that_goes_from_a_list_is_kept() -> None:
    playground = "apiVersion: inference.llmaz.io/v1alpha1\nkind: Playground\nmetadata: {name: p}\nspec:\n  multiModelsClaims:\n"
    playground += "  - inferenceMode: Standard\n    # the models\n    modelNames:\n    # the main one\n    - a\n"
    after = migrate(playground).after
    assert objects(after)[0]["spec"] == {"modelClaims": {"models": [{"name": "a", "role": "main"}]}}
    assert "# the models\n" in after
    assert "# the main one\n" in after


def test_a_picker_that_is_nothing_goes() -> None:
    result = migrate(POOL.replace("extensionRef:\n    name: picker\n    portNumber: 9002", "extensionRef:"))
    assert "extensionRef" not in result.after
    assert told(result) == ["note spec"]
