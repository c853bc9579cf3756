"""Comments and annotations that ignore findings, at objects of every family."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from tests.silence.objects import EXAMPLES, Example

NEVER = "2099-01-31"
MODEL = EXAMPLES[0]


def linted(folder: Path, text: str, *options: str) -> list[dict[str, Any]]:
    """The findings on a file with this text."""
    (folder / "m.yaml").write_text(text)
    done = run("lint", "m.yaml", "-o", "json", *options, cwd=folder)
    assert done.stderr == ""
    return [finding for result in json.loads(done.stdout)["results"] for finding in result["findings"]]


def spoken(findings: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """The rules of findings, with the severity and what ignores them."""
    return [(found["rule"], found["severity"], found.get("exemptedBy", "")) for found in findings]


def annotated(entry: str) -> str:
    return f"\n  annotations:\n    weighbridge.dev/ignore: '{entry}'"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)
def test_a_finding_is_ignored_in_its_line_above_the_object_and_by_annotation(tmp_path: Path, example: Example) -> None:
    said = f"[{example.rule}] the team knows until {NEVER}"
    (usual,) = [found for found in linted(tmp_path, example.written()) if found["severity"] != "note"]
    assert usual["rule"] == example.rule
    for by, text in {
        "comment": example.written(comment=f" # weighbridge: ignore{said}"),
        "comment ": example.written(above=f"# weighbridge: ignore{said}\n"),
        "annotation": example.written(metadata=annotated(said)),
    }.items():
        found = linted(tmp_path, text)
        assert [entry for entry in spoken(found) if entry[1] != "note"] == []
        (ignored,) = [entry for entry in found if entry["rule"] == example.rule]
        assert (ignored["exempted"], ignored["exemptedBy"]) == (f"the team knows until {NEVER}", by.strip())


def test_ignored_findings_are_counted_and_listed_with_v(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(MODEL.written(comment=" # weighbridge: ignore[LLMKUBE-001] moves soon"))
    quiet, loud = (run("lint", "m.yaml", *options, cwd=tmp_path) for options in ([], ["-v"]))
    assert (quiet.returncode, loud.returncode) == (0, 0)
    assert quiet.stdout.splitlines()[-1] == "checked 1 object in 1 file: 0 failed, 0 warned, not fully checked, 1 finding ignored"
    assert "LLMKUBE-001" not in quiet.stdout
    assert "note[LLMKUBE-001]" in loud.stdout
    assert "(exempted: moves soon)" in loud.stdout


def test_a_comment_above_a_field_is_for_the_next_line_alone(tmp_path: Path) -> None:
    comment = "    # weighbridge: ignore[LLMKUBE-001] moves soon\n"
    lines = MODEL.written().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if "accelerator" in line)
    fitting = "".join([*lines[:at], comment, "\n", "    # another\n", *lines[at:]])
    assert spoken(linted(tmp_path, fitting)) == [("LLMKUBE-001", "note", "comment")]
    other = "".join([*lines[: at - 1], comment[2:], *lines[at - 1 :]])
    found = linted(tmp_path, other)
    assert spoken(found) == [("WB-010", "warning", ""), ("LLMKUBE-001", "error", "")]
    assert found[0]["message"] == f"no finding of LLMKUBE-001 in line {at + 1}: remove it from the comment"
    assert (found[0]["line"], found[0]["column"]) == (at, 3)


def test_each_object_of_a_file_and_of_a_list_has_its_own(tmp_path: Path) -> None:
    other = MODEL.written().replace("phi", "other")
    above = "# weighbridge: ignore[LLMKUBE-001] a whole object\n"
    found = linted(tmp_path, f"{above}---\n{MODEL.written()}---\n{other}{above}---\n{MODEL.written().replace('phi', 'last')}")
    assert [severity for _, severity, _ in spoken(found)] == ["note", "error", "note"]
    items = "".join(
        ("  # weighbridge: ignore[LLMKUBE-001] the first\n" if not number else "") + "- " + text.replace("\n", "\n  ").rstrip(" ")
        for number, text in enumerate((MODEL.written(), other))
    )
    found = linted(tmp_path, f"apiVersion: v1\nkind: List\nitems:\n{items}")
    assert [severity for _, severity, _ in spoken(found)] == ["note", "error"]


def test_several_rules_of_which_one_has_nothing_to_say(tmp_path: Path) -> None:
    found = linted(tmp_path, MODEL.written(comment="  # so (see there) # weighbridge: ignore[LLMKUBE-001, LLMKUBE-002] moves soon"))
    assert spoken(found) == [("LLMKUBE-001", "note", "comment"), ("WB-010", "warning", "")]
    assert "no finding of LLMKUBE-002 in this line" in found[1]["message"]


def test_a_rule_that_lacked_facts_is_not_called_unused(tmp_path: Path) -> None:
    text = MODEL.written(above="# weighbridge: ignore[LLMKUBE-001, LLMKUBE-008] no such GPU yet\n")
    assert spoken(linted(tmp_path, text)) == [("LLMKUBE-001", "note", "comment")]


def test_the_refusal_of_the_server_hides_what_other_rules_would_say(tmp_path: Path) -> None:
    text = MODEL.written(above="# weighbridge: ignore[LLMKUBE-085] later\n").replace("count: 1", "count: many")
    assert "WB-010" not in {rule for rule, _, _ in spoken(linted(tmp_path, text))}


def test_a_refusal_of_the_server_is_ignored_by_a_comment_and_by_no_annotation(tmp_path: Path) -> None:
    broken = MODEL._replace(text=MODEL.text.replace("  source: hf://org/phi\n", "").replace("rocm", "cuda"))
    (usual,) = linted(tmp_path, broken.written())
    assert usual["rule"] == "K8S-003"
    said = "[K8S-003] a fixture"
    assert spoken(linted(tmp_path, broken.written(above=f"# weighbridge: ignore{said}\n"))) == [("K8S-003", "note", "comment")]
    found = linted(tmp_path, broken.written(metadata=annotated(said)))
    assert {(rule, severity) for rule, severity, _ in spoken(found)} == {("K8S-003", "error"), ("WB-012", "warning")}


@pytest.mark.parametrize(
    ("written", "trouble"),
    [
        ("[LLMKUBE-001]", "the reason is missing"),
        ("[LLMKUBE-001] until 2099-01-31", "the reason is missing"),
        (" LLMKUBE-001 why", "no rules in brackets"),
        ("", "no rules in brackets"),
        ("[] why", "a rule is missing between the brackets"),
        ("[LLMKUBE-001,] why", "a rule is missing between the brackets"),
        ("[LLMKUBE-001] why until 31.1.2099", "'31.1.2099' isn't a date"),
        ("[LLMKUBE-001] why until Monday", "'Monday' isn't a date"),
        ("[LLMKUBE-001] why until", "the day is missing"),
        ("[LLMKUBE-01] why", "did you mean LLMKUBE-001?"),
        ("[accelerator-contradicts-vendor] why", "accelerator-contradicts-vendor is LLMKUBE-001: write the id"),
        ("[LLMKUBE-*] why", "no rule has the id 'LLMKUBE-*'"),
        ("[WB-000] why", "WB-000 can't be ignored"),
        ("[WB-010] why", "WB-010 can't be ignored"),
    ],
)
def test_one_that_cannot_be_used_is_a_finding(tmp_path: Path, written: str, trouble: str) -> None:
    for text in (MODEL.written(comment=f" # weighbridge: ignore{written}"), MODEL.written(metadata=annotated(written or "x"))):
        found = linted(tmp_path, text)
        assert ("LLMKUBE-001", "error", "") in spoken(found)
        (unusable,) = [entry for entry in found if entry["rule"] == "WB-012"]
        assert trouble in unusable["message"]


@pytest.mark.parametrize("beginning", ["weighbridge: ingore", "weighbridge ignore", "weighbridge: noqa"])
def test_a_slip_at_the_beginning_is_a_finding(tmp_path: Path, beginning: str) -> None:
    found = linted(tmp_path, MODEL.written(comment=f" # {beginning}[LLMKUBE-001] why"))
    assert [rule for rule, _, _ in spoken(found)] == ["LLMKUBE-001", "WB-012"]
    assert "write # weighbridge: ignore[RULE] reason" in found[1]["message"]
    assert spoken(linted(tmp_path, MODEL.written(comment=" # weighbridge: see the page on ignore[...]"))) == [("LLMKUBE-001", "error", "")]


def test_until_in_words_belongs_to_the_reason(tmp_path: Path) -> None:
    (found,) = linted(tmp_path, MODEL.written(comment=" # weighbridge: ignore[LLMKUBE-001] until the new nodes come"))
    assert found["exempted"] == "until the new nodes come"


@pytest.mark.parametrize(
    "text",
    [
        MODEL.written().replace("hf://org/phi", '"hf://org/phi # weighbridge: ignore[LLMKUBE-001] x"'),
        MODEL.written().replace("  name: phi", "  name: phi\n  annotations:\n    note: |\n      # weighbridge: ignore[LLMKUBE-001] x"),
    ],
    ids=["a quoted text", "a block of text"],
)
def test_what_is_in_a_text_is_no_comment(tmp_path: Path, text: str) -> None:
    assert {(rule, by) for rule, _, by in spoken(linted(tmp_path, text))} >= {("LLMKUBE-001", "")}
    assert not {rule for rule, _, _ in spoken(linted(tmp_path, text))} & {"WB-010", "WB-012"}


def test_a_comment_behind_the_sign_of_a_block_is_one(tmp_path: Path) -> None:
    text = MODEL.written().replace("hf://org/phi", "| # weighbridge: ignore[LLMKUBE-085] x\n    hf://org/phi")
    assert "WB-010" in {rule for rule, _, _ in spoken(linted(tmp_path, text))}


def test_the_configuration_weighs_the_findings_about_ignores(tmp_path: Path) -> None:
    text = MODEL.written(comment=" # weighbridge: ignore[LLMKUBE-001, LLMKUBE-002] moves soon")
    head = "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n"
    for action, expected in {"deny": "error", "off": None}.items():
        (tmp_path / "c.yaml").write_text(f"{head}rules: {{WB-010: '{action}'}}\n")
        found = {rule: severity for rule, severity, _ in spoken(linted(tmp_path, text, "--config", "c.yaml"))}
        assert found.get("WB-010") == expected


def test_it_is_found_in_text_of_other_encodings_and_line_breaks(tmp_path: Path) -> None:
    text = MODEL.written(comment=" # weighbridge: ignore[LLMKUBE-001] für später")
    for data in (text.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16")):
        (tmp_path / "m.yaml").write_bytes(data)
        done = run("lint", "m.yaml", cwd=tmp_path)
        assert (done.returncode, "1 finding ignored" in done.stdout) == (0, True)
