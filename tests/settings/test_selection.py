"""Rules that a run selects and ignores, for all files and for some."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run
from tests.silence.objects import EXAMPLES, Example
from weighbridge.webhook.settings.patterns import are_meant

MODEL = EXAMPLES[0]


def rules(folder: Path, *arguments: str) -> list[str]:
    """The rules of the findings that count."""
    done = run("lint", *arguments, "-o", "json", cwd=folder)
    assert done.stderr == ""
    found = [each for result in json.loads(done.stdout)["results"] for each in result["findings"]]
    return [each["rule"] for each in found if each["severity"] != "note"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)
def test_rules_are_chosen_by_id_beginning_and_pattern(tmp_path: Path, example: Example) -> None:
    (tmp_path / "m.yaml").write_text(example.written())
    family = example.rule.partition("-")[0]
    for written in (example.rule, family, f"{family}-*", "*", f"WB,{example.rule}"):
        assert rules(tmp_path, "m.yaml", "--ignore", written) == []
        assert rules(tmp_path, "m.yaml", "--select", written) == [example.rule]
    assert rules(tmp_path, "m.yaml", "--ignore", "K8S") == [example.rule]
    assert rules(tmp_path, "m.yaml", "--select", "K8S") == []
    assert rules(tmp_path, "m.yaml", "--select", family, "--ignore", example.rule) == []


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_a_rule_that_is_not_there_is_an_error(tmp_path: Path, option: str) -> None:
    (tmp_path / "m.yaml").write_text(MODEL.written())
    done = run("lint", "m.yaml", option, "AIM,LLMKUBE-01", cwd=tmp_path)
    assert (done.returncode, "no rule has the id 'LLMKUBE-01'; did you mean LLMKUBE-001?" in done.stderr) == (2, True)


def test_what_is_ignored_lacks_no_facts(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(MODEL.written())
    assert "not checked: LLMKUBE-008" in run("lint", "m.yaml", cwd=tmp_path).stdout
    done = run("lint", "m.yaml", "--ignore", "LLMKUBE-008", cwd=tmp_path)
    assert "not checked" not in done.stdout
    assert "not fully checked" not in done.stdout


def test_a_failure_of_the_program_is_never_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "m.yaml").write_text(MODEL.written())

    def failing(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("weighbridge.policies.verdict.engine.walk", failing)
    assert rules(tmp_path, "m.yaml", "--ignore", "*") == ["WB-000"]


def test_pods_that_never_run_count_until_the_finding_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "pod.yaml").write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  nodeSelector: {a: b}\n  containers: [{name: c, image: i}]\n"
    )
    (tmp_path / "node.txt").write_text(
        "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 8, memory: 8Gi, pods: 9}}\n"
    )
    usual = run("lint", "pod.yaml", "--cluster", "node.txt", cwd=tmp_path)
    assert (usual.returncode, "1 that no node can run" in usual.stdout) == (1, True)
    ignored = run("lint", "pod.yaml", "--cluster", "node.txt", "--ignore", "PLACE-001", cwd=tmp_path)
    assert (ignored.returncode, "that no node can run" in ignored.stdout) == (0, False)


def test_settings_of_paths_hold_for_these_alone(tmp_path: Path) -> None:
    for name in ("tests/m.yaml", "apps/tests/m.yaml", "apps/m.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(MODEL.written().replace("phi", name.replace("/", "-").removesuffix(".yaml")))
    (tmp_path / "weighbridge.yaml").write_text("overrides:\n- {paths: [/tests], ignore: [LLMKUBE], reason: fixtures}\n")
    assert rules(tmp_path, ".") == ["LLMKUBE-001"] * 2
    assert rules(tmp_path / "tests", ".") == []
    assert "(exempted: fixtures (weighbridge.yaml:2))" in run("lint", ".", "-v", cwd=tmp_path).stdout
    (tmp_path / "weighbridge.yaml").write_text("overrides:\n- {paths: [tests], fail-on: never}\n- {paths: [apps/tests], fail-on: error}\n")
    assert run("lint", "tests", cwd=tmp_path).returncode == 0
    assert run("lint", "apps/tests", cwd=tmp_path).returncode == 1
    assert run("lint", "tests", "--fail-on", "error", cwd=tmp_path).returncode == 1
    (tmp_path / "weighbridge.yaml").write_text("select: [K8S]\noverrides:\n- {paths: [apps], select: [LLMKUBE]}\n")
    assert rules(tmp_path, ".") == ["LLMKUBE-001"] * 2
    assert rules(tmp_path, ".", "--select", "K8S") == []


def test_a_namespace_holds_for_objects_of_its_paths(tmp_path: Path) -> None:
    service = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: InferenceService\nmetadata: {name: s}\nspec: {modelRef: phi}\n"
    model = MODEL.written().replace("rocm", "cuda")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "s.yaml").write_text(service)
    (tmp_path / "a" / "m.yaml").write_text(model)
    together = rules(tmp_path, ".")
    (tmp_path / "weighbridge.yaml").write_text("overrides:\n- {paths: [a], namespace: team-a}\n- {paths: [b], namespace: team-b}\n")
    # The service in the other namespace now doesn't see the Model about which both services had a finding.
    assert (len(together), rules(tmp_path, ".")) == (2, together[:1])
    assert rules(tmp_path, "a") == rules(tmp_path, "a", "--isolated")
    assert rules(tmp_path, ".", "-n", "models") == together
    done = run("dry-run", ".", "-o", "json", cwd=tmp_path)
    assert {name for name in ("team-a", "team-b", "default") if f'"namespace":"{name}"' in done.stdout.replace(" ", "")} == {
        "team-a",
        "team-b",
    }
    (tmp_path / "weighbridge.yaml").write_text("overrides: [{paths: [a], namespace: Team}]\n")
    assert run("lint", ".", cwd=tmp_path).returncode == 2


def test_excluded_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    for name in ("gen/m.yaml", "apps/gen/m.yaml"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(MODEL.written())
    (tmp_path / "weighbridge.yaml").write_text("exclude: [/gen]\n")
    assert rules(tmp_path, ".") == ["LLMKUBE-001"]
    assert rules(tmp_path / "apps", ".") == ["LLMKUBE-001"]
    assert rules(tmp_path, ".", "--exclude", "apps") == ["LLMKUBE-001"]
    done = run("lint", "..", "-v", cwd=tmp_path / "apps")
    assert "passed over: ../gen/: exclude of ../weighbridge.yaml:1 /gen leaves it out" in done.stdout


def test_an_origin_has_the_line(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(MODEL.written())
    (tmp_path / "weighbridge.yaml").write_text("ignore:\n- AIM\n- LLMKUBE-001\n")
    assert "(exempted: ignore LLMKUBE-001 of weighbridge.yaml:3)" in run("lint", "m.yaml", "-v", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("patterns", "path", "expected"),
    [
        (("tests",), "a/tests/b.yaml", True),
        (("/tests",), "a/tests/b.yaml", False),
        (("tests/**",), "tests/a/b.yaml", True),
        (("*.yaml",), "a/b.yaml", True),
        (("a/*.yaml",), "a/b/c.yaml", False),
        (("a", "!a/b"), "a/b/c.yaml", False),
        (("a/",), "a", False),
        (("ü",), "ü/b.yaml", True),
    ],
)
def test_patterns_mean_what_gitignore_means(patterns: tuple[str, ...], path: str, expected: bool) -> None:
    assert are_meant(patterns, path) is expected
