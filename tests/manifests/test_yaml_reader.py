"""Structure that YAML's grammar leaves open: merges, aliases, depth, duplicate keys, lost content."""

from __future__ import annotations

import pytest

from tests.manifests.reading import messages, read_all, read_one, value_of
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.schema.go_values import deep_equal
from weighbridge.webhook.manifests import ABSENT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<<: {a: 2}\na: 1", {"a": 1}),
        ("<<: [{a: 2}, {a: 3, b: 4}]", {"a": 2, "b": 4}),
        ("x: &x {a: 1}\nz:\n  <<: *x\n  b: 2", {"x": {"a": 1}, "z": {"a": 1, "b": 2}}),
        ("x: &x {a: 1}\nz:\n  <<: [*x, {a: 2}]", {"x": {"a": 1}, "z": {"a": 1}}),
        ('!!merge "<<": {a: 1}', {"a": 1}),
        ('"<<": {a: 1}', {"<<": {"a": 1}}),
    ],
)
def test_merge_keys_bring_their_maps_in(text: str, expected: JSONValue) -> None:
    assert value_of(text) == expected


def test_merge_key_below_an_explicit_key_wins_and_that_is_said() -> None:
    assert read_one("s:\n  a: 1\n  <<: {a: 2}\n").value == {"s": {"a": 2}}
    assert messages("s:\n  a: 1\n  <<: {a: 2}\n") == [
        'finding x.yaml:3:3: the merge key "<<" replaces the value of "s.a" above it: kubectl lets the later one win',
    ]


@pytest.mark.parametrize("text", ["<<: 1", "<<: [1]", "a: &a [{b: 1}]\nc:\n  <<: *a", "<<: [[{a: 1}]]"])
def test_merge_of_anything_but_maps_is_refused(text: str) -> None:
    assert messages(text)[0].endswith("'<<' takes a map or a list of maps")


def test_each_alias_is_a_value_of_its_own() -> None:
    value = value_of("a: &a {b: [1]}\nc: *a\nd: [*a]\n")
    value["c"]["b"].append(2)
    assert value == {"a": {"b": [1]}, "c": {"b": [1, 2]}, "d": [{"b": [1]}]}


def test_alias_can_be_a_key() -> None:
    assert value_of("a: &k 1.0\n*k : x") == {"a": 1, "1": "x"}


def test_alias_within_its_own_anchor_is_refused() -> None:
    assert messages("a: &x [*x]") == ["error x.yaml:1:8: anchor 'x' value contains itself"]


def test_exponential_aliases_are_refused_before_they_are_built() -> None:
    text = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
    assert "document contains excessive aliasing" in messages(text)[0]


def test_many_aliases_of_one_small_map_are_accepted() -> None:
    text = "base: &b {cpu: 1, memory: 2}\nall:\n" + "- *b\n" * 200
    assert len(value_of(text)["all"]) == 200


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_nesting_without_end_is_an_error_that_says_so(opening: str) -> None:
    document = read_one(opening * (8 << 20))
    assert document.issues[0].message == "nested deeper than 10000 levels"
    assert document.issues[0].kubectl == "error converting YAML to JSON: yaml: exceeded max depth of 10000"


def test_kubectl_names_the_line_of_the_level_too_many() -> None:
    flow = read_one(f"a: 1\nb:\n  c: {'[' * 10_001}\n")
    assert flow.issues[0].kubectl == "error converting YAML to JSON: yaml: line 3: exceeded max depth of 10000"


def test_a_depth_that_yaml_has_and_json_has_not_is_an_error_of_json() -> None:
    document = read_one(f"a: &a {'[' * 10_000}{']' * 10_000}\n")
    assert document.issues[0].kubectl == "error unmarshaling JSON: while decoding JSON: invalid character '[' exceeded max depth"


def test_another_error_of_the_yaml_comes_before_its_depth_in_json() -> None:
    assert "did not find expected" in messages(f"a: &a {'[' * 10_000}{']' * 10_000}\nb: [}}\n")[0]


def test_aliases_do_not_get_round_the_depth() -> None:
    text = f"a: &a {'[' * 5000}{']' * 5000}\nb: {'[' * 5000}*a{']' * 5000}\n"
    assert messages(text) == ["error x.yaml:2:5004: nested deeper than 10000 levels"]


def test_permitted_depth_is_read_and_expanded() -> None:
    text = f"a: &a {'[' * 9_999}{']' * 9_999}\nb: *a\n"
    value = value_of(text)
    assert deep_equal(value["a"], value["b"])


def test_duplicates_have_their_path_and_the_order_of_the_text() -> None:
    document = read_one("spec:\n  zz: {a: 1}\n  zz:\n    a: 1\n    a: 2\n    a: 3\nlist:\n- b: 1\n- c: 1\n  c: 2\nspec: {}\n")
    assert document.duplicate_fields == [("spec", "zz"), ("spec", "zz", "a"), ("list", 1, "c"), ("spec",)]
    assert [(issue.line, issue.column) for issue in document.issues] == [(3, 3), (5, 5), (6, 5), (10, 3), (11, 1)]
    assert document.value == {"spec": {}, "list": [{"b": 1}, {"c": 2}]}


def test_duplicate_is_told_as_a_finding() -> None:
    assert messages("a: 1\na: 2\n") == ['finding x.yaml:2:1: duplicate field "a": the last one wins and kubectl doesn\'t say so']


def test_key_that_overrides_a_merged_one_is_no_duplicate() -> None:
    assert read_one("<<: {a: 1, b: 1}\na: 2\nb: 3\nb: 4").duplicate_fields == [("b",)]


def test_at_most_a_hundred_duplicates_are_kept() -> None:
    assert len(read_one("a: 1\n" + "".join(f"b{n}: 1\nb{n}: 2\n" for n in range(150))).duplicate_fields) == 100


def test_content_after_a_document_end_is_told_to_be_lost() -> None:
    found = read_all("a: 1\n...\nb: 2\n---\nc: 3\n")
    assert [document.value for document in found] == [{"a": 1}, {"c": 3}]
    assert messages("a: 1\n...\nb: 2\n---\nc: 3\n") == [
        "finding x.yaml:3:1: kubectl ignores everything between the end of the document here and the next '---' line",
    ]


def test_lost_content_needs_no_grammar() -> None:
    assert messages("a: 1\n...\n@@@\n")[0].startswith("finding x.yaml:3:1: ")


def test_document_end_without_content_behind_it_is_fine() -> None:
    assert messages("a: 1\n...\n# comment\n---\nb: 1\n...\n") == []


def test_unreadable_document_is_absent_and_the_next_is_read() -> None:
    first, second = read_all("a: [1\n---\nb: 1\n")
    assert (first.value, second.value) == (ABSENT, {"b": 1})
    assert [str(issue) for issue in first.issues] == [
        "x.yaml:1:4: invalid YAML: did not find expected ',' or ']'; close the list, or put a comma between its items"
    ]


@pytest.mark.parametrize(("text", "place"), [("[", "1:2"), ("a: [1\n\n---\nb: 1", "1:4"), ('a:\n  b: "x\n  y', "2:6"), ("a: {\n", "1:5")])
def test_what_is_never_closed_is_an_error_where_it_was_opened_or_the_text_ends(text: str, place: str) -> None:
    assert messages(text)[0].startswith(f"error x.yaml:{place}: ")
