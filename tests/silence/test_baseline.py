"""A baseline: findings from before don't count, new ones do, and the file only shrinks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from tests.silence.objects import EXAMPLES, Example

MODEL = EXAMPLES[0]
FILE = "base.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two faulty objects, and a baseline with their findings."""
    (tmp_path / "a.yaml").write_text(MODEL.written())
    (tmp_path / "b.yaml").write_text(MODEL.written().replace("phi", "other"))
    assert linted(tmp_path, "--write-baseline", FILE) == (0, "wrote base.json: 2 findings\n")
    return tmp_path


def linted(folder: Path, *options: str) -> tuple[int, str]:
    """The exit code of a lint of the whole folder, and standard error."""
    done = run("lint", ".", "--fail-on", "warning", *options, cwd=folder)
    return done.returncode, done.stderr


def counting(folder: Path, *options: str, paths: tuple[str, ...] = (".",)) -> list[str]:
    """The rules of the findings that count, with the baseline."""
    done = run("lint", *paths, "--baseline", FILE, "-o", "json", *options, cwd=folder)
    assert done.stderr == ""
    findings = [finding for result in json.loads(done.stdout)["results"] for finding in result["findings"]]
    return [finding["rule"] for finding in findings if finding["severity"] != "note"]


def entries(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / FILE).read_text())["findings"]
    return found


def test_what_was_there_before_does_not_count_and_is_counted(folder: Path) -> None:
    done = run("lint", ".", "--baseline", FILE, cwd=folder)
    assert done.returncode == 0
    assert "2 findings of the baseline" in done.stdout
    assert run("lint", ".", "--baseline", FILE, "-v", cwd=folder).stdout.count("(exempted: in the baseline base.json)") == 2


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)
def test_moved_lines_and_renamed_files_are_known(tmp_path: Path, example: Example) -> None:
    (tmp_path / "a.yaml").write_text(example.written())
    linted(tmp_path, "--write-baseline", FILE)
    assert counting(tmp_path) == []
    (tmp_path / "a.yaml").write_text("# one\n# two\n---\n" + example.written())
    assert counting(tmp_path) == []
    (tmp_path / "a.yaml").rename(tmp_path / "renamed.yaml")
    assert counting(tmp_path) == []
    assert linted(tmp_path, "--write-baseline", FILE)[1] == "wrote base.json: 1 finding, 0 removed\n"
    assert [entry["file"] for entry in entries(tmp_path)] == ["renamed.yaml"]


def test_a_new_finding_counts_and_is_never_added(folder: Path) -> None:
    (folder / "c.yaml").write_text(MODEL.written().replace("phi", "new"))
    assert counting(folder) == ["LLMKUBE-001"]
    before = (folder / FILE).read_text()
    assert linted(folder, "--write-baseline", FILE) == (
        1,
        "wrote base.json: 2 findings, 0 removed; 1 new finding not added: mend or ignore it\n",
    )
    assert (folder / FILE).read_text() == before


def test_the_same_object_in_another_file_is_new(folder: Path) -> None:
    """Two overlays may have the same object."""
    (folder / "c.yaml").write_text((folder / "a.yaml").read_text())
    assert counting(folder, "--ignore", "WB-005") == ["LLMKUBE-001"]


def test_a_mended_finding_is_reported_and_removed(folder: Path) -> None:
    (folder / "a.yaml").write_text(MODEL.written().replace("rocm", "cuda"))
    assert counting(folder) == ["WB-013"]
    done = run("lint", ".", "--baseline", FILE, "--fail-on", "warning", cwd=folder)
    assert (done.returncode, f"{FILE}:2:3: warning[WB-013] LLMKUBE-001 of Model phi" in done.stdout) == (1, True)
    assert linted(folder, "--write-baseline", FILE) == (0, "wrote base.json: 1 finding, 1 removed\n")
    assert [entry["file"] for entry in entries(folder)] == ["b.yaml"]
    (folder / "a.yaml").write_text(MODEL.written())
    assert counting(folder) == ["LLMKUBE-001"]


@pytest.mark.parametrize("how", ["the file is gone", "the object is gone"])
def test_a_finding_without_its_object_is_mended(folder: Path, how: str) -> None:
    if how == "the file is gone":
        (folder / "a.yaml").unlink()
    else:
        (folder / "a.yaml").write_text("# nothing\n")
    assert counting(folder) == ["WB-013"]


def test_a_run_of_some_files_or_rules_takes_nothing_for_mended(folder: Path) -> None:
    for paths, options in ((("b.yaml",), ()), ((".",), ("--select", "K8S")), ((".",), ("--ignore", "LLMKUBE"))):
        assert counting(folder, *options, paths=paths) == []
    assert run("lint", "b.yaml", "--write-baseline", FILE, cwd=folder).returncode == 0
    assert [entry["file"] for entry in entries(folder)] == ["a.yaml", "b.yaml"]


def test_a_rule_that_lacks_facts_is_not_mended(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(MODEL.written().replace("rocm", "cuda"))
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 8, memory: 64Gi, pods: 10}}\n"
    (tmp_path / "cluster.yaml.txt").write_text(node)
    run("lint", "a.yaml", "--cluster", "cluster.yaml.txt", "--write-baseline", FILE, cwd=tmp_path)
    assert [entry["rule"] for entry in entries(tmp_path)] == ["LLMKUBE-008"]
    assert counting(tmp_path, paths=("a.yaml",)) == []


def test_pods_that_are_not_placed_are_not_mended(tmp_path: Path) -> None:
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  nodeSelector: {a: b}\n  containers: [{name: c, image: i}]\n"
    (tmp_path / "a.yaml").write_text(pod)
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 8, memory: 64Gi, pods: 10}}\n"
    (tmp_path / "cluster.txt").write_text(node)
    run("lint", "a.yaml", "--cluster", "cluster.txt", "--write-baseline", FILE, cwd=tmp_path)
    assert [entry["rule"] for entry in entries(tmp_path)] == ["PLACE-001"]
    assert counting(tmp_path, paths=("a.yaml",)) == []
    (tmp_path / "a.yaml").write_text(pod.replace("  nodeSelector: {a: b}\n", ""))
    assert counting(tmp_path, "--cluster", "cluster.txt", paths=("a.yaml",)) == ["WB-013"]


def test_a_refusal_hides_findings_and_mends_none(folder: Path) -> None:
    (folder / "a.yaml").write_text(MODEL.written().replace("count: 1", "count: many"))
    assert "WB-013" not in counting(folder)


def test_a_document_that_cannot_be_read_mends_nothing(folder: Path) -> None:
    (folder / "a.yaml").write_text("a: [\n")
    done = run("lint", "a.yaml", "--baseline", FILE, cwd=folder)
    assert (done.returncode, "WB-013" in done.stdout) == (2, False)


def test_items_of_a_list_may_move(tmp_path: Path) -> None:
    service = (
        "apiVersion: inference.llmkube.dev/v1alpha1\nkind: InferenceService\nmetadata: {name: s}\n"
        "spec: {modelRef: phi, nonsense: 1, extraArgs: [%s]}\n"
    )
    (tmp_path / "a.yaml").write_text(service % "1, --good")
    linted(tmp_path, "--write-baseline", FILE)
    (known,) = [entry for entry in entries(tmp_path) if entry["field"] == "spec.extraArgs[0]"]
    (tmp_path / "a.yaml").write_text(service % "--first, 1, --good")
    assert counting(tmp_path) == []
    (tmp_path / "a.yaml").write_text(service % "--first, 1, 2")
    assert counting(tmp_path) == [known["rule"]]


def test_mistakes_of_ignores_are_in_no_baseline(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(MODEL.written(comment=" # weighbridge: ignore[LLMKUBE-085] x"))
    assert linted(tmp_path, "--write-baseline", FILE) == (1, "wrote base.json: 1 finding\n")


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        (None, "base.json: no such file or directory; write it with weighbridge lint --write-baseline FILE"),
        ("", "base.json: is empty"),
        ("[1]", "isn't a baseline"),
        ('{"version": 2, "findings": []}', "base.json:1:13: version: isn't a known version; write 1"),
        ('{"version": 1, "findings": [{"file": "a"}]}', "base.json:1:29: findings[0]: an entry has the texts file, rule, object, field"),
        ('{"version": 1, "findings": [', "base.json:1:"),
    ],
)
def test_one_that_cannot_be_used_is_an_error(tmp_path: Path, text: str | None, trouble: str) -> None:
    (tmp_path / "a.yaml").write_text(MODEL.written())
    if text is not None:
        (tmp_path / FILE).write_text(text)
    done = run("lint", "a.yaml", "--baseline", FILE, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert trouble in done.stderr
    if text is not None:
        assert run("lint", "a.yaml", "--write-baseline", FILE, cwd=tmp_path).returncode == 2
        assert (tmp_path / FILE).read_text() == text


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(MODEL.written())
    done = run("lint", "a.yaml", "--write-baseline", "none/base.json", cwd=tmp_path)
    assert (done.returncode, "none" in done.stderr) == (2, True)


def test_one_elsewhere_names_files_from_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "a.yaml").write_text(MODEL.written())
    run("lint", "apps", "--write-baseline", "apps/base.json", cwd=tmp_path)
    (entry,) = json.loads((tmp_path / "apps" / FILE).read_text())["findings"]
    assert entry == {
        "file": "a.yaml",
        "rule": "LLMKUBE-001",
        "object": "Model phi",
        "field": "spec.hardware.accelerator",
    }
    assert run("lint", ".", "--baseline", FILE, cwd=tmp_path / "apps").returncode == 0
    assert run("lint", str(tmp_path), "--baseline", "apps/base.json", cwd=tmp_path).returncode == 0
