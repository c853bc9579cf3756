"""`weighbridge lint` on the product's own kinds, which are in the tree with the manifests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run

HEAD = "apiVersion: weighbridge.dev/v1alpha1\nkind: {}\n"
CONFIGURATION = HEAD.format("Configuration")
#: Four mistakes: of a rule's id, of a value, of a key, and of the text.
WRONG = CONFIGURATION + "rules: {LLMKUBE-999: deny}\nllmkube: {version: newest}\nrule: {}\nmode: deny\nmode: audit\n"


def lint(folder: Path, text: str, *arguments: str) -> tuple[int, str]:
    (folder / "own.yaml").write_text(text)
    done = run("lint", "own.yaml", *arguments, cwd=folder)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_a_configuration_that_can_be_used_passes(tmp_path: Path) -> None:
    assert lint(tmp_path, CONFIGURATION + "mode: audit\n") == (0, "checked 1 object in 1 file: 0 failed, 0 warned\n")


def test_a_configurations_mistakes_are_those_of_config_check(tmp_path: Path) -> None:
    code, said = lint(tmp_path, WRONG)
    *mistakes, _ = run("config", "check", "own.yaml", cwd=tmp_path).stdout.splitlines()
    *lines, count = said.splitlines()
    assert code == 1
    found = [line.replace(" error: ", " ").removesuffix(" (Configuration)") for line in lines if not line.startswith("judged as ")]
    assert sorted(found) == sorted(mistakes)
    assert len(mistakes) == 4
    assert count == "checked 1 object in 1 file: 1 failed, 0 warned"


@pytest.mark.parametrize("output", ["json", "github", "junit", "sarif", "tap"])
def test_each_report_has_the_mistakes_with_their_places(tmp_path: Path, output: str) -> None:
    code, said = lint(tmp_path, CONFIGURATION + "rule: {}\n", "-o", output)
    assert code == 1
    assert "rule: unknown key; did you mean rules?" in said
    places = {"json": '"line":3,"column":1', "github": "line=3,endLine=3,col=1", "sarif": '"startLine":3,"startColumn":1'}
    assert places.get(output, "own.yaml:3:1") in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD.format("Configuratoin"), "2:7: error: kind: no such kind; did you mean Configuration?"),
        (HEAD.format("Deployment"), "2:7: error: kind: no such kind; the kinds of weighbridge.dev/v1alpha1 are Configuration and Snapshot"),
        (CONFIGURATION.replace("v1alpha1", "v2"), "1:13: error: apiVersion: write weighbridge.dev/v1alpha1, not 'weighbridge.dev/v2'"),
        (HEAD.format("Snapshot") + "srver: x\n", "3:8: error: srver: unknown key; did you mean server?"),
        (
            "apiVersion: v1\nkind: List\nitems:\n- apiVersion: weighbridge.dev/v1alpha1\n  kind: Configuration\n",
            "5:9: error: items[0].kind: an object of weighbridge.dev/v1alpha1 has to be a document by itself",
        ),
    ],
)
def test_each_mistake_says_what_would_be_right(tmp_path: Path, text: str, said: str) -> None:
    code, found = lint(tmp_path, text)
    assert code == 1
    assert said in found


def test_the_objects_of_a_snapshot_are_judged_and_its_header_checked(tmp_path: Path) -> None:
    model = "- {apiVersion: inference.llmkube.dev/v1alpha1, kind: Model, metadata: {name: m, namespace: a}, spec: {source: 'pvc://x'}}\n"
    _, said = lint(tmp_path, HEAD.format("Snapshot") + f"complte: [Node]\nitems:\n{model}{model.replace('name: m', 'name: o')}")
    assert said.count("own.yaml:3:10: error: complte: unknown key; did you mean complete?") == 1
    assert said.count("LLMKUBE-009") == 2


def test_a_kept_answer_follows_the_configuration(tmp_path: Path) -> None:
    assert lint(tmp_path, CONFIGURATION)[0] == 0
    assert lint(tmp_path, WRONG)[0] == 1
    assert lint(tmp_path, CONFIGURATION)[0] == 0


def test_several_documents_are_each_checked(tmp_path: Path) -> None:
    _, said = lint(tmp_path, "---\n".join([CONFIGURATION, WRONG, CONFIGURATION]), "-o", "json")
    assert [result["status"] for result in json.loads(said)["results"]] == ["passed", "failed", "passed"]
