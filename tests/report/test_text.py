"""The text report, whole outputs."""

from __future__ import annotations

import dataclasses

from tests.report.objects import MODEL, NO_INVENTORY, NO_MEMORY, TOO_MANY, result_of, written
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.webhook.manifests import InputIssue
from weighbridge.webhook.report import Result, Style, Summary

FULL = Style(full=True)


def test_concise_form_names_the_object_and_what_would_do_in_the_order_of_the_text() -> None:
    assert written(result_of(MODEL, dataclasses.replace(TOO_MANY, configuration="expectedNodes: {}"), NO_MEMORY)) == (
        "models/llama.yaml:9:5: warning[LLMKUBE-007] spec.hardware.gpu.memory: no memory is set (Model shop/llama)\n"
        "models/llama.yaml:10:14: error[LLMKUBE-003] spec.hardware.gpu.count: more GPUs than any node has (Model shop/llama)\n"
        "    nearest: node gpu-1 with 8\n"
        "    help: lower the count, or shard the model over several pods with spec.hardware.gpu.sharding\n"
        "    config: expectedNodes: {}\n"
    )


def test_concise_form_has_what_is_expected_where_there_is_no_advice_and_says_nothing_twice() -> None:
    expected = dataclasses.replace(NO_MEMORY, expected="such as 16Gi", nearest="no memory")
    assert written(result_of(MODEL, expected)) == (
        "models/llama.yaml:9:5: warning[LLMKUBE-007] spec.hardware.gpu.memory: no memory is set (Model shop/llama)\n"
        "    help: expected such as 16Gi\n"
    )


def test_full_form_shows_the_source_and_what_would_do() -> None:
    assert written(result_of(MODEL, TOO_MANY), style=FULL) == (
        "error[LLMKUBE-003] more GPUs than any node has\n"
        "  --> models/llama.yaml:10:14  Model shop/llama\n"
        "   |\n"
        " 8 |   hardware:\n"
        " 9 |     gpu:\n"
        "10 |       count: 12\n"
        "   |              ^^\n"
        "11 |       vendor: nvidia\n"
        "12 |   quantization: Q4\n"
        "   |\n"
        "   = field:    spec.hardware.gpu.count\n"
        "   = found:    12\n"
        "   = expected: at most 8\n"
        "   = nearest:  node gpu-1 with 8\n"
        "   = help:     lower the count, or shard the model over several pods with\n"
        "               spec.hardware.gpu.sharding\n"
        "\n"
    )


def test_missing_field_is_shown_at_its_parents_key() -> None:
    assert written(result_of(MODEL, NO_MEMORY), style=FULL) == (
        "warning[LLMKUBE-007] no memory is set\n"
        "  --> models/llama.yaml:9:5  Model shop/llama\n"
        "   |\n"
        " 7 |   source: s3://models/llama\n"
        " 8 |   hardware:\n"
        " 9 |     gpu:\n"
        "   |     ^^^\n"
        "10 |       count: 12\n"
        "11 |       vendor: nvidia\n"
        "   |\n"
        "   = field: spec.hardware.gpu.memory\n"
        "\n"
    )


def test_first_line_of_a_file_has_nothing_before_it() -> None:
    finding = Finding("WB-001", Severity.NOTE, ("apiVersion",), "old")
    assert written(result_of("apiVersion: v1\nkind: Pod\n", finding), style=dataclasses.replace(FULL, verbose=True)) == (
        "note[WB-001] old\n"
        "  --> models/llama.yaml:1:13  Pod\n"
        "  |\n"
        "1 | apiVersion: v1\n"
        "  |             ^^\n"
        "2 | kind: Pod\n"
        "  |\n"
        "  = field: apiVersion\n"
        "\n"
    )


def test_tabs_are_one_space_and_wide_characters_two_cells() -> None:
    finding = Finding("WB-001", Severity.ERROR, ("b",), "無効な値")
    assert written(result_of('{"apiVersion": "v1", "kind": "Pod",\n\t"キー": "値",\t"b":\t"値x"}', finding), style=FULL) == (
        "error[WB-001] 無効な値\n"
        "  --> models/llama.yaml:2:18  Pod\n"
        "  |\n"
        '1 | {"apiVersion": "v1", "kind": "Pod",\n'
        '2 |  "キー": "値", "b": "値x"}\n'
        "  |                     ^^^^^\n"
        "  |\n"
        "  = field: b\n"
        "\n"
    )


def test_unreadable_text_is_shown_with_kubectls_words() -> None:
    assert written(result_of("a:\n  b: @x\n", source="-"), style=FULL) == (
        "error: invalid YAML: found character that cannot start any token; put the value\n"
        "in quotes\n"
        "  --> -:2:6\n"
        "  |\n"
        "1 | a:\n"
        "2 |   b: @x\n"
        "  |      ^^\n"
        "  |\n"
        "  = kubectl: error converting YAML to JSON: yaml: line 2: found character that\n"
        "             cannot start any token\n"
        "\n"
    )


def test_missing_file_has_no_place() -> None:
    result = Result.unread(InputIssue("a.yaml", 0, 0, "no such file or directory"))
    assert written(result) == "a.yaml: error: no such file or directory\n"
    assert written(result, style=FULL) == "error: no such file or directory\n  --> a.yaml\n\n"


def test_duplicate_field_is_a_warning() -> None:
    assert written(result_of("apiVersion: v1\nkind: Pod\nkind: Pod\n")) == (
        'models/llama.yaml:3:1: warning: duplicate field "kind": the last one wins and kubectl doesn\'t say so (Pod)\n'
    )


def test_object_that_passed_is_not_mentioned() -> None:
    assert written(result_of(MODEL), style=FULL) == ""


def test_narrow_terminal_wraps_texts_and_cuts_source_lines() -> None:
    text = MODEL.replace("s3://models/llama", "s3://" + "models/" * 8 + "llama  # stored by the nightly job")
    finding = Finding("LLMKUBE-011", Severity.ERROR, ("spec", "source"), "the bucket isn't one of the allowed buckets")
    assert written(result_of(text, finding), style=Style(full=True, width=32)) == (
        "error[LLMKUBE-011] the bucket\n"
        "isn't one of the allowed buckets\n"
        "  --> models/llama.yaml:7:11\n"
        "      Model shop/llama\n"
        "  |\n"
        "5 |   namespace: shop\n"
        "6 | spec:\n"
        "7 | …ource: s3://models/models/…\n"
        "  |         ^^^^^^^^^^^^^^^^^^^\n"
        "8 |   hardware:\n"
        "9 |     gpu:\n"
        "  |\n"
        "  = field: spec.source\n"
        "\n"
    )


def test_colour_changes_nothing_but_colour() -> None:
    results = result_of(MODEL, TOO_MANY, NO_MEMORY)
    coloured = written(results, style=Style(full=True, color=True))
    for code in ("1;31", "1;33", "1", "34", "0"):
        assert f"\x1b[{code}m" in coloured
        coloured = coloured.replace(f"\x1b[{code}m", "")
    assert coloured == written(results, style=FULL)


def test_terminal_codes_and_line_breaks_of_others_do_not_reach_the_terminal() -> None:
    finding = dataclasses.replace(NO_MEMORY, message="a\x1b[2J\nb\u202ec", hint="x\ry")
    text = written(result_of(MODEL.replace("Q4", "Q4 # \u202e\u2066"), finding), style=FULL)
    assert "warning[LLMKUBE-007] a\\x1b[2J b\\u202ec\n" in text
    assert "= help:  x y\n" in text
    assert not set(text) & set("\x1b\r\u202e\u2066")


def test_last_line_is_the_count() -> None:
    assert written(summary=Summary(files=1, objects=1)) == "checked 1 object in 1 file: 0 failed, 0 warned\n"
    full = Summary(
        files=3, objects=12, passed=4, failed=1, warned=2, not_checked=3, unknown=1, not_fully_checked=4, skipped=2, errors=1, excepted=4,
        templates=2, others=9,
    )  # fmt: skip
    assert written(summary=full) == (
        "checked 9 of 12 objects in 3 files: 1 failed, 2 warned, 4 of them not fully checked, 1 error, 1 not checked, 2 skipped,"
        " 4 excepted, 2 templates passed over,"
        " 9 other documents passed over\n"
    )


def test_what_was_not_checked_is_said_once_before_the_count() -> None:
    results = [result_of(MODEL, unchecked=[NO_INVENTORY]) for _ in range(3)]
    assert written(*results, summary=Summary(files=1, objects=3, not_checked=3, not_fully_checked=3)) == (
        "not checked: hardware: no inventory is known (3 objects)\n"
        "checked 3 objects in 1 file: 0 failed, 0 warned, 3 of them not fully checked\n"
    )
