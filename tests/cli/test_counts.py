"""The last line of `lint` and `dry-run`: each object counts once by its verdict, and rules that weren't checked are counted separately."""

from __future__ import annotations

import json

import pytest

from tests.command_line import run

WRONG = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: m}
spec: {source: "https://example.com/a.gguf", hardware: {accelerator: rocm, gpu: {enabled: true, vendor: nvidia, count: 1}}}
"""
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n"
UNKNOWN = "apiVersion: example.com/v1\nkind: Kettle\nmetadata: {name: k}\n"


@pytest.mark.parametrize(
    ("text", "lint", "dry_run"),
    [
        (WRONG, "checked 1 object in 1 file: 1 failed, 0 warned, not fully checked", "0 allowed, 1 refused, not fully checked"),
        (
            f"{WRONG}---\n{WRONG.replace('name: m', 'name: other')}",
            "checked 2 objects in 1 file: 2 failed, 0 warned, 2 of them not fully checked",
            "0 allowed, 2 refused, 2 of them not fully checked",
        ),
        (
            f"{SECRET}---\n{SECRET.replace('name: s', 'name: other')}",
            "checked 0 of 2 objects in 1 file: 0 failed, 0 warned, 2 skipped",
            "0 allowed, 0 refused, 2 skipped",
        ),
        (
            f"{WRONG}---\n{SECRET}---\n{UNKNOWN}",
            "checked 1 of 3 objects in 1 file: 1 failed, 0 warned, not fully checked, 1 not checked, 1 skipped",
            "0 allowed, 1 refused, not fully checked, 1 not checked, 1 skipped",
        ),
    ],
    ids=["failed", "two failed", "two secrets", "one of each"],
)
def test_the_last_line_agrees_with_what_is_said_above_it(text: str, lint: str, dry_run: str) -> None:
    assert run("lint", "-", text=text).stdout.splitlines()[-1] == lint
    assert run("dry-run", "-", text=text).stdout.splitlines()[-1] == dry_run


def test_the_summary_in_json_counts_alike() -> None:
    summary = json.loads(run("lint", "-o", "json", "-", text=f"{WRONG}---\n{SECRET}---\n{UNKNOWN}").stdout)["summary"]
    assert summary["objects"] == summary["failed"] + summary["warned"] + summary["passed"] + summary["not_checked"] + summary["skipped"]
    assert (summary["failed"], summary["not_fully_checked"], summary["not_checked"], summary["unknown"]) == (1, 1, 1, 1)
