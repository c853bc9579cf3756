"""All expectations of a case are checked, and a failure shows what was found."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.doors.cases import CASES, KEYS, load
from tests.doors.expectations import check
from tests.doors.parts import CaseError

#: A record that fits no expectation below.
RECORD: dict[str, Any] = {
    "allowed": True,
    "code": 200,
    "message": "",
    "causes": [],
    "warnings": [],
    "patch": [],
    "findings": [{"severity": "error", "rule": "LLMKUBE-001", "field": "spec.a", "message": "is wrong", "nearest": "here"}],
    "unchecked": [],
    "object": {"spec": {}},
}
FITTING = {"allowed": True, "findings": ["LLMKUBE-001 spec.a: is wrong"]}


def written(folder: Path, text: str) -> Path:
    """A case with this expectation."""
    (folder / "object.yaml").write_text("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n")
    (folder / "expect.yaml").write_text(text)
    return folder


def test_what_fits_passes() -> None:
    check(replace(CASES[0], expect=FITTING), RECORD)


@pytest.mark.parametrize(
    ("wrong", "shown"),
    [
        ({"allowed": False}, "True is False"),
        ({"findings": ["LLMKUBE-002 spec.a: is wrong"]}, "diff: 'LLMKUBE-001 spec.a: is wrong' != 'LLMKUBE-002 spec.a: is wrong'"),
        ({"findings": ["LLMKUBE-001 spec.b: is wrong"]}, "diff: 'LLMKUBE-001 spec.a: is wrong' != 'LLMKUBE-001 spec.b: is wrong'"),
        ({"findings": ["LLMKUBE-001"]}, "diff: 'LLMKUBE-001 spec.a: is wrong' != 'LLMKUBE-001'"),
        ({"unchecked": ["LLMKUBE-082"]}, "[] == ['LLMKUBE-082']"),
        ({"code": 403}, "200 == 403"),
        ({"message": "no"}, "'' == 'no'"),
        ({"causes": [1]}, "[] == [1]"),
        ({"warnings": ["w"]}, "[] == ['w']"),
        ({"patch": [1]}, "[] == [1]"),
        ({"nearest": ["there"]}, "['here'] == ['there']"),
        ({"object": {"spec": {"a": 1}}}, "{'spec': {}}"),
    ],
    ids=lambda value: next(iter(value), None) if isinstance(value, dict) else "",
)
def test_what_does_not_fit_is_shown(wrong: dict[str, Any], shown: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check(replace(CASES[0], expect=FITTING | wrong), RECORD)
    assert shown in str(caught.value)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("# It runs.\nallowed: true\nfinding: []\n", "expect.yaml:3: finding: unknown key; did you mean findings?"),
        ("# It runs.\nallowed: true\nx: 1\n", f"expect.yaml:3: x: unknown key; the keys here are {', '.join(KEYS)}"),
        ("# It runs.\nfindings: []\n", "expect.yaml: allowed: missing; write true or false"),
        ("allowed: true\n", "expect.yaml:1: no sentence; begin with a comment that says what the case shows"),
    ],
    ids=["near", "far", "nothing", "wordless"],
)
def test_an_expectation_that_means_nothing_is_refused(tmp_path: Path, text: str, error: str) -> None:
    with pytest.raises(CaseError) as caught:
        load(written(tmp_path, text))
    assert str(caught.value) == f"{tmp_path}/{error}"


def test_a_file_that_means_nothing_is_refused(tmp_path: Path) -> None:
    written(tmp_path, "# It runs.\nallowed: true\n")
    (tmp_path / "clusters.yaml").touch()
    with pytest.raises(CaseError, match=r"clusters\.yaml: no file of a case; did you mean cluster\.yaml\?"):
        load(tmp_path)


def test_every_key_is_described_for_those_who_write_a_case() -> None:
    _, _, section = (ROOT / "CONTRIBUTING.md").read_text().partition("## Add a case\n")
    rows = [line.split("|")[1] for line in section.partition("\n## ")[0].splitlines() if line.startswith("| `")]
    assert sorted(re.findall("`(.+?)`", " ".join(rows))) == sorted(KEYS)


def test_what_follows_the_object_is_in_the_cluster(tmp_path: Path) -> None:
    folder = written(tmp_path, "# It runs.\nallowed: true\n")
    alone = (folder / "object.yaml").read_text()
    assert load(folder).file("object") == folder / "object.yaml"
    assert (load(folder).file("cluster"), load(folder).cluster) == (None, None)
    (folder / "object.yaml").write_text(f"{alone}---\nkind: First\n---\nkind: Second\n")
    case = load(folder)
    assert (case.object["kind"], case.cluster) == ("Node", [{"kind": "First"}, {"kind": "Second"}])
    files = case.file("object"), case.file("cluster")
    assert [path.read_text() for path in files if path] == [alone, "kind: First\n---\nkind: Second\n"]
    assert case.file("old") is None


def test_a_cluster_in_two_files_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, "# It runs.\nallowed: true\n")
    (folder / "object.yaml").write_text("kind: Node\n---\nkind: First\n")
    (folder / "cluster.yaml").write_text("kind: Second\n")
    with pytest.raises(CaseError, match="are here or in cluster"):
        load(folder)
