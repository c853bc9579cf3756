"""The same object twice, and which objects are judged together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import run
from tests.rendering.trees import model, said, service, write


def _twice(root: Path, *arguments: str) -> list[str]:
    return said(run("lint", *arguments, cwd=root).stdout, "[WB-005]")


@pytest.mark.parametrize("names", [("a.yaml", "b.yaml"), ("a.yaml", "x/b.yaml"), ("x/a.yaml", "y/b.yaml"), ("x/y/a.yaml", "a.yaml")])
def test_the_same_object_in_two_files_is_said_of_both_with_both_places(tmp_path: Path, names: tuple[str, str]) -> None:
    write(tmp_path, dict.fromkeys(names, model("m")))
    one, other = sorted(names)
    assert set(_twice(tmp_path)) == {
        f"{one}:3:18: warning[WB-005] metadata.name: Model ai/m is also in {other}:1",
        f"{other}:3:18: warning[WB-005] metadata.name: Model ai/m is also in {one}:1",
    }


def test_the_same_object_twice_in_one_file_and_with_a_namespace_left_out(tmp_path: Path) -> None:
    write(tmp_path, {"a.yaml": model("m") + "---\n" + model("m").replace(", namespace: ai", "")})
    assert _twice(tmp_path) == []
    assert len(_twice(tmp_path, "-n", "ai")) == 2
    write(tmp_path, {"a.yaml": "---\n".join([model("m")] * 4)})
    assert _twice(tmp_path)[0].endswith("Model ai/m is also in a.yaml:10 and 2 more")


@pytest.mark.parametrize(
    "names",
    [
        ("dev/m.yaml", "prod/m.yaml"),
        ("clusters/dev/apps/m.yaml", "clusters/prod/apps/m.yaml"),
    ],
)
def test_copies_for_different_clusters_are_no_finding(tmp_path: Path, names: tuple[str, ...]) -> None:
    write(tmp_path, dict.fromkeys(names, model("m")))
    assert _twice(tmp_path) == []
    # Folders that are given together are meant for one cluster.
    assert len(_twice(tmp_path, *(name.rpartition("/")[0] for name in names))) == 2


def test_resources_of_different_kustomizations_are_no_finding(tmp_path: Path, no_programs: Path) -> None:
    write(tmp_path, {"one/a.yaml": model("m"), "two/b.yaml": model("m"), "one/c.yaml": model("m")})
    assert len(_twice(tmp_path)) == 3
    write(tmp_path, {f"{name}/kustomization.yaml": f"resources: [{file}]\n" for name, file in (("one", "a.yaml"), ("two", "b.yaml"))})
    assert _twice(tmp_path) == []
    write(tmp_path, {"one/kustomization.yaml": "resources: [a.yaml, c.yaml]\n"})
    assert [line.partition(":")[0] for line in _twice(tmp_path)] == ["one/a.yaml", "one/c.yaml"]


def test_a_verdict_doesnt_hang_on_the_order_of_files(tmp_path: Path) -> None:
    sources = {"a.yaml": model("m"), "b.yaml": model("m").replace("https://example.com/m.gguf", "hf://org/m"), "s.yaml": service("m")}
    write(tmp_path, sources)
    outputs = {
        tuple(sorted(run("lint", *names, cwd=tmp_path).stdout.splitlines()))
        for names in (("a.yaml", "b.yaml", "s.yaml"), ("b.yaml", "a.yaml", "s.yaml"), ("s.yaml", "b.yaml", "a.yaml"), (".",))
    }
    assert len(outputs) == 1
    assert any("LLMKUBE-052" in line for line in outputs.pop())


def test_the_configuration_weighs_it_as_any_other_rule(tmp_path: Path) -> None:
    write(tmp_path, {"d/a.yaml": model("m"), "d/b.yaml": model("m")})
    start = "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n"
    for settings, code, count in (
        ("rules: {WB-005: deny}", 1, 2),
        ("rules: {WB-005: off}", 0, 0),
        ("exceptions: [{rules: [WB-005], match: {namespaces: [ai]}, reason: known}]", 0, 0),
    ):
        write(tmp_path, {"c.yaml": f"{start}{settings}\n"})
        assert run("lint", "d", "--config", "c.yaml", cwd=tmp_path).returncode == code
        assert len(_twice(tmp_path, "d", "--config", "c.yaml")) == count


def test_a_dry_run_says_it_too(tmp_path: Path) -> None:
    write(tmp_path, {"a.yaml": model("m"), "b.yaml": model("m")})
    out = run("dry-run", "a.yaml", "b.yaml", cwd=tmp_path).stdout
    assert out.count("warning[WB-005] metadata.name: Model ai/m is also in ") == 2
    assert "WB-005" not in run("dry-run", "--stage", "apiserver", ".", cwd=tmp_path).stdout
